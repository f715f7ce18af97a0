//! The tests of Pentaflip. One binary, so that it is linked once.

/// The rules once more, slow and plain.
#[path = "../reference/mod.rs"]
mod reference;
/// Shared helpers: positions from text, random walks.
mod support;

/// The crate agrees with its reference.
mod against_reference;
/// Texts, bytes, symmetries and values keep their laws.
mod laws;
/// The drawing is complete.
mod layout;
/// Strings that nobody should send.
mod malformed_input;
/// Counts of games, from `tests/perft.txt`.
mod perft;
/// Random games follow the rules.
mod playout;
/// One readable game, in `tests/playthrough.txt`.
mod playthrough;
/// What is said about moves is true.
mod reasons;
/// Every clause of the rule page, on a position made for it.
mod rule_text;
