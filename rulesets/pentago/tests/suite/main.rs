//! The tests of Pentago. One binary, so that it is linked once.

/// The rules once more, slow and plain.
#[path = "../reference/mod.rs"]
mod reference;
/// Shared helpers: positions from text, random walks.
mod support;

/// The crate agrees with its reference.
mod against_reference;
/// Exact openings.
mod book;
/// The distinct moves reach every position, each once.
mod distinct;
/// Texts, bytes, symmetries and values keep their laws.
mod laws;
/// The drawing is complete.
mod layout;
/// A million strings that nobody should send.
mod malformed_input;
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
/// Every clause of the rule page, on a position made for it.
mod rule_text;
/// The search finds wins, proves what is so, and keeps its signature.
mod search;
