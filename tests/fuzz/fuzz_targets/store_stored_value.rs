//! Stored values as a damaged disk or a foreign server may return them.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentad_store::read_arbitrary_value(bytes));
