//! The tests of Pentago XL's rules. One binary, so that it is linked once.

/// The rules once more, slow and plain.
#[path = "../reference/mod.rs"]
mod reference;
/// Shared helpers: positions from text, random walks.
mod support;

/// The crate agrees with its reference.
mod against_reference;
/// Texts, bytes and symmetries keep their laws.
mod laws;
/// The drawing is complete.
mod layout;
/// Half a million strings that nobody should send.
mod malformed_input;
/// Counts of games, from `tests/perft.txt`.
mod perft;
/// Random games follow the rules.
mod playout;
/// Two readable games, in `tests/playthrough.txt`.
mod playthrough;
/// What the page refuses is refused, with field and column.
mod refusals;
/// Every clause of the rule page, on a position made for it.
mod rule_text;
