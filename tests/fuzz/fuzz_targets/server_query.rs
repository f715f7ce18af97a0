//! Query parameters of REST requests, parsed as every kind of question.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|query: &str| pentad::arbitrary_bytes::query(query));
