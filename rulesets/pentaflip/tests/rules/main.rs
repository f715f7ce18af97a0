//! Tests of Pentaflip's rules. One binary, so that it is linked once.

/// The reference implementation of the rules.
#[path = "../reference/mod.rs"]
mod reference;
/// Shared helpers: positions from text, random walks.
mod support;

/// The crate agrees with the reference over random games and mutated texts.
mod against_reference;
/// Messages, reasons and outcomes in every language.
mod i18n;
/// Text and byte round trips, move lists, symmetries, evaluation.
mod laws;
/// The drawing of the board is complete.
mod layout;
/// Arbitrary texts and bytes are refused and crash nothing.
mod malformed_input;
/// Move counts, from `tests/rules/perft.txt`.
mod perft;
/// Random games follow the rules and choose moves uniformly.
mod playout;
/// One readable game, in `tests/rules/playthrough.txt`.
mod playthrough;
/// Every reason given for a move holds.
mod reasons;
/// Every sentence of `RULES.md`, on a position made for it.
mod rule_text;
/// Wins in one, and what stops them.
mod threats;
