//! The tests of Pentago XL's rules. One binary, so that it is linked once.

/// Shared helpers: positions from text, random walks.
mod support;
/// The rules once more, slow and plain.
#[path = "../twin/mod.rs"]
mod twin;

/// Every clause of the rule page, on a position made for it.
mod clauses;
/// Half a million strings that nobody should send.
mod garbage;
/// Texts, bytes and symmetries keep their laws.
mod laws;
/// The drawing is complete.
mod layout;
/// Counts of games, from `tests/perft.txt`.
mod perft;
/// Random games follow the rules.
mod playout;
/// Two readable games, in `tests/playthrough.txt`.
mod playthrough;
/// What the page refuses is refused, with field and column.
mod refusals;
/// The crate agrees with its twin.
mod twins;
