//! Positions from text and from bytes. The properties are in the SDK's `testing::fuzz`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::testing::fuzz::Fuzzed;
use pentago::Pentago;

static FUZZED: LazyLock<Fuzzed<Pentago>> = LazyLock::new(Fuzzed::new);

fuzz_target!(|data: &[u8]| FUZZED.position(data));
