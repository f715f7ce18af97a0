//! The tests of the solver. A binary of its own, because one of them counts
//! every byte that is allocated.

/// Random positions, and solving them with little ado.
mod support;
/// The rules once more, slow and plain.
#[path = "../twin/mod.rs"]
#[allow(dead_code, reason = "only what a plain search needs is used here")]
mod twin;

/// Every way to solve gives the same answer.
mod equal;
/// The plan holds: memory, stopping, refusals.
mod limits;
/// Values agree with a plain search, and with each other.
mod values;
