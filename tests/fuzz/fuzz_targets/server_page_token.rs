//! Page tokens as callers send them back.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|token: &str| pentad_engine::read_arbitrary_page_token(token));
