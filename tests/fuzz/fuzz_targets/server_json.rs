//! Bodies of REST requests, parsed as every kind of question.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentad::arbitrary_bytes::json(bytes));
