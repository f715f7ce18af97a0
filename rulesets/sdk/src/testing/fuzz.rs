//! Bodies of fuzz targets: checks of every variant with arbitrary text and bytes.

use super::{all_rules, encoded, move_text, move_texts, text};
use crate::abilities::{Layout, Search, Symmetry};
use crate::ruleset::Ruleset;

/// The variants of a game, with the numbers of points and pieces of their boards.
#[derive(Debug)]
pub struct Fuzzed<R> {
    variants: Vec<FuzzedVariant<R>>,
}

#[derive(Debug)]
struct FuzzedVariant<R> {
    rules: R,
    n_points: usize,
    n_kinds: usize,
}

impl<R: Ruleset + Search + Symmetry + Layout> Fuzzed<R> {
    /// Creates the rules of all variants.
    #[must_use]
    pub fn new() -> Self {
        let variant = |rules: R| {
            let board = rules.board();
            FuzzedVariant { rules, n_points: board.points.len(), n_kinds: board.pieces.len() }
        };
        Fuzzed { variants: all_rules().map(variant).collect() }
    }

    /// Reads a position from text and from bytes; an accepted position must round-trip,
    /// and every call on it must succeed.
    pub fn position(&self, data: &[u8]) {
        for variant in &self.variants {
            let rules = &variant.rules;
            if let Some(position) = rules.decode(data) {
                assert_eq!(encoded(rules, &position), data);
                variant.check_position(&position);
            }
            let Ok(text) = std::str::from_utf8(data) else { continue };
            match rules.parse(text) {
                Ok(position) => variant.check_position(&position),
                Err(refusal) => assert!(refusal.column.is_none_or(|column| column <= text.chars().count() + 1)),
            }
        }
    }

    /// Reads a position and moves, one per line; exactly the listed moves must be
    /// accepted, and the position after each must round-trip through its text.
    pub fn moves(&self, lines: &str) {
        for FuzzedVariant { rules, .. } in &self.variants {
            let mut lines = lines.lines();
            let Some(Ok(mut position)) = lines.next().map(|line| rules.parse(line)) else { continue };
            for line in lines {
                let parsed = rules.parse_move(&position, line);
                let canonical = match &parsed {
                    Ok(mv) => move_text(rules, &position, mv),
                    Err(_) => line.to_owned(),
                };
                let is_listed = move_texts(rules, &position, &canonical).contains(&canonical);
                assert_eq!(parsed.is_ok(), is_listed, "{line}");
                let Ok(mv) = parsed else { break };
                position = rules.play(&position, &mv);
                let text = text(rules, &position);
                assert!(rules.parse(&text).is_ok_and(|again| again == position), "{text}");
            }
        }
    }
}

impl<R: Ruleset + Search + Symmetry + Layout> Default for Fuzzed<R> {
    fn default() -> Self {
        Fuzzed::new()
    }
}

impl<R: Ruleset + Search + Symmetry + Layout> FuzzedVariant<R> {
    fn check_position(&self, position: &R::Position) {
        let FuzzedVariant { rules, n_points, n_kinds } = self;
        let text = text(rules, position);
        let is_read_back = rules.parse(&text).is_ok_and(|again| again == *position);
        assert_ne!(is_read_back, rules.is_off_turn(position), "{text}");
        assert_eq!(rules.outcome(position).is_some(), rules.count_moves(position, "") == 0, "{text}");
        let (canonical, symmetry) = rules.canonical(position);
        assert!(rules.apply(rules.inverse(symmetry), &canonical) == *position, "{text}");
        let _value = rules.evaluate(position);
        rules.pieces(position, &mut |point, kind| assert!(point < *n_points && kind < *n_kinds, "{text}"));
    }
}
