//! Tests of the search. One binary, so that it is linked once.

/// A slow, obviously correct implementation of `RULES.md`.
#[path = "../reference/mod.rs"]
#[allow(dead_code)]
mod reference;
/// Random positions, searches, exact values by trying every move.
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

/// Lines, root moves, limits, determinism, cancellation, progress reports.
mod contract;
/// The static evaluation is consistent.
mod evaluation;
/// Wins in one and in three plies are found, and threats are met.
mod mates;
/// Every proven value is true.
mod proofs;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
