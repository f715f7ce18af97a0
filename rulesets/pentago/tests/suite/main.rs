//! The tests of Pentago. One binary, so that it is linked once.

/// Shared helpers: positions from text, random walks.
mod support;
/// The rules once more, slow and plain.
#[path = "../twin/mod.rs"]
mod twin;

/// Exact openings.
mod book;
/// Every clause of the rule page, on a position made for it.
mod clauses;
/// The distinct moves reach every position, each once.
mod distinct;
/// A million strings that nobody should send.
mod garbage;
/// Texts, bytes, symmetries and values keep their laws.
mod laws;
/// The drawing is complete.
mod layout;
/// Counts of games, from `tests/perft.txt`.
mod perft;
/// Random games follow the rules.
mod playout;
/// One readable game, in `tests/playthrough.txt`.
mod playthrough;
/// Which way to an answer.
mod policy;
/// What is said about moves is true.
mod reasons;
/// The search finds wins, proves what is so, and keeps its signature.
mod search;
/// The crate agrees with its twin.
mod twins;
