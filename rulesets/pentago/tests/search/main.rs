//! The tests of the search. One binary, so that it is linked once.

/// Searches with Pentago's own search, and an exhaustive reference.
mod harness;
/// Random positions, minimax, searches with the generic search.
#[path = "../support/mod.rs"]
mod support;

/// The strongest answer within the limits: solver, book or search.
mod answer_sources;
/// The opening book agrees with the rules, and its hints are best moves.
mod book;
/// Limits, root moves, lines, determinism, cancellation.
mod contract;
/// Pentago in the generic search; node counts in
/// `tests/search/generic_signature.txt`.
mod generic;
/// Every proof is true, and nothing near is missed.
mod proofs;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
