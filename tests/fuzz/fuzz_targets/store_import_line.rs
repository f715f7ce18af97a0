//! Lines of JSON as `pentad store import` reads them.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| pentad_store::read_arbitrary_line(line));
