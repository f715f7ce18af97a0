//! Tests of the rules and of everything the host calls except the search. One
//! binary, so that it is linked once.

/// A slow, obviously correct implementation of `RULES.md`.
#[path = "../reference/mod.rs"]
mod reference;
/// Rules by variant, random positions, searches.
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

/// The crate agrees with the reference.
mod against_reference;
/// Messages, reasons and outcomes in every language.
mod i18n;
/// Texts, bytes, moves and symmetries obey the laws of every rule set.
mod laws;
/// The drawing is complete.
mod layout;
/// Half a million malformed texts and bytes are refused without a crash.
mod malformed_input;
/// Move counts, from `tests/rules/perft.txt`.
mod perft;
/// Random games follow the rules.
mod playout;
/// Two readable games, in `tests/rules/playthrough.txt`.
mod playthrough;
/// The reasons given for moves are true.
mod reasons;
/// Texts that `RULES.md` refuses are refused, with field and column.
mod refusals;
/// Every clause of `RULES.md`, on a position made for it.
mod rule_text;
/// Wins in one, and the moves that stop them.
mod threats;
