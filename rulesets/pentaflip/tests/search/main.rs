//! Tests of Pentaflip's search. One binary, so that it is linked once.

/// Positions from text, random walks.
#[path = "../rules/support.rs"]
#[allow(dead_code)]
mod positions;
/// Searches, and a plain minimax to compare them with.
mod support;

/// The opening book's moves are played, explained and sound.
mod book;
/// Limits, root moves, lines, determinism, stopping.
mod contract;
/// Claimed wins and losses are true, and short ones are found.
mod proofs;
/// Proofs in late positions agree with retrograde analysis.
mod retrograde;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
