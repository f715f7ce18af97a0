//! A position followed by moves, one per line. The properties are in the SDK's
//! `testing::fuzz`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::testing::fuzz::Fuzzed;
use pentago::Pentago;

static FUZZED: LazyLock<Fuzzed<Pentago>> = LazyLock::new(Fuzzed::new);

fuzz_target!(|lines: &str| FUZZED.moves(lines));
