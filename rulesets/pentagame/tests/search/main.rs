//! Tests of the search. One binary, so that it is linked once.

/// The values of late positions by brute force.
mod brute_force;
/// Positions to search.
mod sample;
/// Rules by variant, random positions, racing players.
#[path = "../support/mod.rs"]
mod support;

/// Several lines are different ideas.
mod alternatives;
/// Lines, root moves, limits, determinism, cancellation, progress reports.
mod contract;
/// Everything that is proven is true, and short proofs are found.
mod proofs;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
/// Wins in one are played, and the opponents' are prevented.
mod tactics;
