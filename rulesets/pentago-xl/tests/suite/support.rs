pub(crate) use pentad_sdk::testing::{moves, parse, text};

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Ruleset, testing};
use pentago_xl::{PentagoXl, Position};

pub(crate) fn rules(variant: &str) -> PentagoXl {
    testing::rules(variant)
}

pub(crate) fn all_rules() -> impl Iterator<Item = PentagoXl> {
    testing::all_rules()
}

/// The positions of a random game from the start, the last one finished.
pub(crate) fn walk(rules: &PentagoXl, rng: &mut Rng) -> Vec<Position> {
    testing::walk(rules, rules.start(), rng)
}

/// A position of a game that goes on, with that many marbles.
pub(crate) fn running(rules: &PentagoXl, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let found = walk(rules, rng)
            .into_iter()
            .find(|position| position.occupied().count() == n_marbles && rules.outcome(position).is_none());
        if let Some(position) = found {
            return position;
        }
    }
}

/// Compares a file of this crate with what it should be, or writes it.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    testing::compare_or_bless(env!("CARGO_MANIFEST_DIR"), path, expected);
}
