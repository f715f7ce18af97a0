//! Malformed texts and bytes are refused without a crash, and a refusal points
//! into the text.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::malformed_input::{Alphabet, check_random_bytes};
use pentago_xl::{PentagoXl, Position};

use crate::against_reference::mutate;
use crate::support::{all_rules, walk};

const ALPHABET: Alphabet<'_> = Alphabet {
    letters: "rygb0123456789/ acdefhijw-l",
    moves: &["a1", "c3-2r", "f6-4l", "i9-9r", "e5-5l", "d4-1r", "b2-3l"],
    fields: &["board", "side", "places"],
    has_aliases: false,
    names_columns: false,
};

fn positions(game: &PentagoXl, rng: &mut Rng) -> Vec<Position> {
    (0..20).flat_map(|_| walk(game, rng)).collect()
}

/// Random and mutated texts never crash the parsers of positions and moves.
#[test]
fn malformed_texts_are_refused() {
    for game in all_rules() {
        ALPHABET.check_texts(&game, &positions(&game, &mut Rng::new(99)), 40_000, mutate);
    }
}

/// Bytes that are not a position are refused; accepted bytes are those that `encode`
/// writes.
#[test]
fn malformed_bytes_are_refused() {
    for game in all_rules() {
        let mut rng = Rng::new(5);
        let positions = positions(&game, &mut rng);
        let n_accepted = check_random_bytes(&game, &positions, 60_000, rng);
        assert!(n_accepted > 50, "only {n_accepted} were accepted");
    }
}
