//! The tests of Pentago's own search. One binary, so that it is linked once.

/// Searches and exhaustive references.
mod support;
/// Positions from text, random walks.
#[path = "../suite/support.rs"]
#[allow(dead_code)]
mod walks;

/// Limits, root moves, lines, determinism, stopping.
mod contract;
/// Every claim is true, and nothing near is missed.
mod proofs;
/// Node counts of fixed searches, in `tests/alphabeta/signature.txt`.
mod signature;
