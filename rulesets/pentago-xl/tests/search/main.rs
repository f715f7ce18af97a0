//! The tests of Pentago XL's search. One binary, so that it is linked once.

/// The rules once more, slow and plain.
#[path = "../reference/mod.rs"]
#[allow(dead_code)]
mod reference;
/// Searches, and the plain truth by trying everything.
mod support;
/// Positions from text, random walks.
#[path = "../suite/support.rs"]
#[allow(dead_code)]
mod walks;

/// Limits, root moves, lines, determinism, stopping.
mod contract;
/// Values keep their laws.
mod evaluation;
/// Wins at hand and in three plies are found, and threats are met.
mod mates;
/// Every claim is true.
mod proofs;
/// What is said about moves is true.
mod reasons;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
