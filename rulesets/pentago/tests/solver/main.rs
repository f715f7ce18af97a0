//! The tests of the solver. A binary of its own, because one of them counts every
//! allocated byte.

/// A slow and plain reference: `RULES.md` translated into code.
#[path = "../reference/mod.rs"]
#[allow(dead_code, reason = "only what a plain minimax needs is used here")]
mod reference;
/// Random positions, their solutions, and a plain minimax.
mod support;

/// Threads, SIMD and passes change no value.
mod equivalence;
/// Memory stays within the plan; cancellation; refusals.
mod limits;
/// Values agree with a plain minimax, and with each other.
mod values;
