//! Bodies of batches: lines of JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentad::arbitrary_bytes::batch_lines(bytes));
