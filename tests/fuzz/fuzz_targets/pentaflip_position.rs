//! Positions from text and from bytes. The SDK's `testing::fuzz` has the checks.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::testing::fuzz::Fuzzed;
use pentaflip::Pentaflip;

static FUZZED: LazyLock<Fuzzed<Pentaflip>> = LazyLock::new(Fuzzed::new);

fuzz_target!(|data: &[u8]| FUZZED.position(data));
