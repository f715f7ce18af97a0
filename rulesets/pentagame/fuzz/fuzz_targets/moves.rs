//! A position and moves behind it, a line each. What has to hold is in the SDK's `testing::fuzz`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::testing::fuzz::Fuzzed;
use pentagame::Pentagame;

static FUZZED: LazyLock<Fuzzed<Pentagame>> = LazyLock::new(Fuzzed::new);

fuzz_target!(|lines: &str| FUZZED.moves(lines));
