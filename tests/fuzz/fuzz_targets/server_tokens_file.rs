//! Token files, which operators write by hand.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| pentad::arbitrary_bytes::tokens_file(text));
