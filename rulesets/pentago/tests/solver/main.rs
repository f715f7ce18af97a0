//! The tests of the solver. A binary of its own, because one of them counts
//! every byte that is allocated.

/// The rules once more, slow and plain.
#[path = "../reference/mod.rs"]
#[allow(dead_code, reason = "only what a plain search needs is used here")]
mod reference;
/// Random positions, and solving them with little ado.
mod support;

/// Every way to solve gives the same answer.
mod equal;
/// The plan holds: memory, stopping, refusals.
mod limits;
/// Values agree with a plain search, and with each other.
mod values;
