//! Tests of the rules and of everything the host calls except the search. One
//! binary, so that it is linked once.

/// A slow, obviously correct implementation of `RULES.md`.
#[path = "../reference/mod.rs"]
mod reference;
/// Rules by variant, random positions, racing players.
#[path = "../support/mod.rs"]
mod support;

/// The crate agrees with the reference.
mod against_reference;
/// Messages, reasons and outcomes in every language.
mod i18n;
/// Invariants of texts, bytes, move lists, symmetries and evaluations.
mod laws;
/// The drawing is complete.
mod layout;
/// Malformed texts and bytes are refused.
mod malformed_input;
/// Move counts, from `tests/rules/perft.txt`.
mod perft;
/// A game to read, in `tests/rules/playthrough.txt`.
mod playthrough;
/// The reasons given for moves are true.
mod reasons;
/// Every rule of `RULES.md`, on a position made for it.
mod rule_text;
/// Wins in one, and the moves that stop them.
mod threats;
