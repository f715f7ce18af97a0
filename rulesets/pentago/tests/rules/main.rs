//! The tests of the rules. One binary, so that it is linked once.

/// A slow and plain reference: `RULES.md` translated into code.
#[path = "../reference/mod.rs"]
mod reference;
/// Random positions, minimax, searches with the generic search.
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "the tests of the search use the rest")]
mod support;

/// The crate agrees with the reference.
mod against_reference;
/// The distinct moves reach every position, each once.
mod distinct_moves;
/// Messages, reasons and outcomes in every language.
mod i18n;
/// Laws of texts, bytes, symmetries and evaluations.
mod laws;
/// The drawing is complete.
mod layout;
/// A million malformed texts and bytes.
mod malformed_input;
/// Counts of move sequences, from `tests/rules/perft.txt`.
mod perft;
/// Random games follow the rules.
mod playout;
/// One readable game, in `tests/rules/playthrough.txt`.
mod playthrough;
/// Explanations of moves are true.
mod reasons;
/// Every clause of `RULES.md`, on a position made for it.
mod rule_text;
/// Wins in one, and what stops them.
mod threats;
