//! The tests of Pentago XL's search. One program, so that it is linked once.

/// The rules once more, slow and plain.
#[path = "../reference/mod.rs"]
#[allow(dead_code)]
mod reference;
/// Positions by random play, searches, exact values by trying every move.
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

/// Limits, root moves, lines, determinism, stopping.
mod contract;
/// The static evaluation is consistent.
mod evaluation;
/// Wins in one and in three plies are found, and threats are met.
mod mates;
/// Every proven value is true.
mod proofs;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
