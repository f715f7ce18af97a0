//! Helpers for the tests of any rule set.
//!
//! Shorthands for the methods of [`Ruleset`], random games, golden files, and one
//! module for each kind of check:
//!
//! | module | checks |
//! | --- | --- |
//! | [`laws`] | texts, bytes, lists and symmetries agree with each other |
//! | [`rule_text`] | each sentence of the rules holds |
//! | [`reference`](mod@reference) | the rules agree with a slow reference implementation |
//! | [`perft`] | the counts of move sequences match a table |
//! | [`malformed_input`], [`fuzz`] | arbitrary texts and bytes do not crash the game |
//! | [`contract`] | the search keeps its limits, stops when cancelled, and is reproducible |
//! | [`layout`] | the board's drawing is consistent |
//! | [`reasons`] | every reason given for a move is true |
//! | [`threats`] | the wins in one are those of the reference |
//! | [`i18n`] | every message is translated into every language |
//! | [`speed`] | how fast the rules are |
//!
//! Every check panics with the position or text that failed. This module is for
//! tests and benches only, behind the feature `testing`. The laws that every
//! plugin must obey are those of `pentad check`.

pub mod contract;
pub mod fuzz;
pub mod i18n;
pub mod laws;
pub mod layout;
pub mod malformed_input;
pub mod perft;
pub mod reasons;
pub mod reference;
pub mod rule_text;
pub mod speed;
pub mod threats;

use std::ops::ControlFlow;
use std::path::Path;

use pentad_model::rng::Rng;

use crate::ruleset::Ruleset;

/// Creates the rules of each variant.
pub fn all_rules<R: Ruleset>() -> impl Iterator<Item = R> {
    (0..R::variants().len()).map(R::new)
}

/// Creates the rules of a variant.
#[track_caller]
pub fn rules<R: Ruleset>(variant: &str) -> R {
    let idx = R::variants().iter().position(|known| known.id == variant);
    R::new(idx.unwrap_or_else(|| panic!("no variant {variant}")))
}

/// Parses a position.
#[track_caller]
pub fn parse<R: Ruleset>(rules: &R, text: &str) -> R::Position {
    rules.parse(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// Returns a position's text.
pub fn text<R: Ruleset>(rules: &R, position: &R::Position) -> String {
    let mut text = String::new();
    rules.format(position, &mut text);
    text
}

/// Returns a position's bytes.
pub fn encoded<R: Ruleset>(rules: &R, position: &R::Position) -> Vec<u8> {
    let mut bytes = vec![0; rules.position_size()];
    rules.encode(position, &mut bytes);
    bytes
}

/// Returns the text of a legal move.
pub fn move_text<R: Ruleset>(rules: &R, position: &R::Position, mv: &R::Move) -> String {
    let mut text = String::new();
    rules.format_move(position, mv, &mut text);
    text
}

/// Returns the legal moves.
pub fn moves<R: Ruleset>(rules: &R, position: &R::Position) -> Vec<R::Move> {
    let mut moves = Vec::new();
    let _complete = rules.legal_moves(position, |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// Returns the texts of the legal moves that begin with `prefix`.
pub fn move_texts<R: Ruleset>(rules: &R, position: &R::Position, prefix: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let _complete = rules.legal_move_texts(position, prefix, |text| {
        texts.push(text.to_owned());
        ControlFlow::Continue(())
    });
    texts
}

/// Plays a move.
#[track_caller]
pub fn play<R: Ruleset>(rules: &R, position: &R::Position, mv: &str) -> R::Position {
    let parsed = rules.parse_move(position, mv);
    let parsed = parsed.unwrap_or_else(|refusal| panic!("{mv} in {}: {refusal}", text(rules, position)));
    rules.play(position, &parsed)
}

/// Returns a random legal move; panics if the game is over.
#[track_caller]
pub fn random_move<R: Ruleset>(rules: &R, position: &R::Position, rng: &mut Rng) -> R::Move {
    let mut moves = moves(rules, position);
    assert!(!moves.is_empty(), "{}: no move", text(rules, position));
    moves.swap_remove(rng.below(moves.len()))
}

/// Plays a random game and returns its positions, from `from` to the end.
pub fn walk<R: Ruleset>(rules: &R, from: R::Position, rng: &mut Rng) -> Vec<R::Position> {
    let mut positions = vec![from];
    loop {
        let last = &positions[positions.len() - 1];
        if rules.outcome(last).is_some() {
            return positions;
        }
        positions.push(rules.play(last, &random_move(rules, last, rng)));
    }
}

/// Compares a golden file with `expected`, or writes it if the environment
/// variable `PENTAD_BLESS` is set. `directory` is the crate's `CARGO_MANIFEST_DIR`.
#[track_caller]
pub fn compare_or_bless(directory: &str, path: &str, expected: &str) {
    let path = Path::new(directory).join(path);
    if std::env::var_os("PENTAD_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{}, line {}; PENTAD_BLESS=1 rewrites it", path.display(), number + 1);
    }
    assert_eq!(found.len(), expected.len(), "{}; PENTAD_BLESS=1 rewrites it", path.display());
}
