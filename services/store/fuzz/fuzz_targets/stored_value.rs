//! Values of a store, as a disk or somebody else's server may give them.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentad_store::read_arbitrary_value(bytes));
