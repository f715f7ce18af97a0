//! The parameters of REST addresses, as every question.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|query: &str| pentad::arbitrary_bytes::query(query));
