//! A position and moves to play from it, one per line. The SDK's `testing::fuzz` has the checks.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::testing::fuzz::Fuzzed;
use pentaflip::Pentaflip;

static FUZZED: LazyLock<Fuzzed<Pentaflip>> = LazyLock::new(Fuzzed::new);

fuzz_target!(|lines: &str| FUZZED.moves(lines));
