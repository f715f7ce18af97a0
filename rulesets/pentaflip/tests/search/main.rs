//! The tests of Pentaflip's search. One binary, so that it is linked once.

/// Searches, and references that try everything.
mod support;
/// Positions from text, random walks.
#[path = "../suite/support.rs"]
#[allow(dead_code)]
mod walks;

/// Limits, root moves, lines, determinism, stopping.
mod contract;
/// What play taught of the first moves is played, and explained.
mod openings;
/// Every claim is true, and nothing near is missed.
mod proofs;
/// Node counts of fixed searches, in `tests/search/signature.txt`.
mod signature;
/// Whole layers of late positions, solved with all their circles.
mod solved;
