//! The tests of Pentagame. One binary, so that it is linked once.

/// Shared helpers: positions from text, scattered positions, racing players.
mod support;
/// The rules once more, slow and plain.
#[path = "../twin/mod.rs"]
mod twin;

/// Every clause of the rule page, on a position made for it.
mod clauses;
/// Strings and bytes that nobody should send.
mod garbage;
/// Texts, bytes, lists, symmetries and values keep their laws.
mod laws;
/// The drawing is complete.
mod layout;
/// Counts of games, from `tests/perft.txt`.
mod perft;
/// One readable game, in `tests/playthrough.txt`.
mod playthrough;
/// What is said about moves is true.
mod reasons;
/// The search finds wins, proves what is so, and keeps its signature.
mod search;
/// The crate agrees with its twin.
mod twins;
