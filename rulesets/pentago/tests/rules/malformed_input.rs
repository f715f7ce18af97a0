//! Malformed texts and bytes never panic, and a refusal points into the text.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::malformed_input::{Alphabet, check_random_bytes};
use pentago::{Pentago, Position};

use crate::against_reference::mutate;
use crate::support::{all_rules, walk};

const ALPHABET: Alphabet<'_> = Alphabet {
    letters: "wb012345667/ abcdefg-rlpas",
    moves: &["a1", "c3-2r", "f6-4l", "pass", "d4-1r", "b2-3l"],
    fields: &["board", "side", "reply"],
    has_aliases: false,
    names_columns: false,
};

fn positions(game: &Pentago, rng: &mut Rng) -> Vec<Position> {
    (0..20).flat_map(|_| walk(game, rng)).collect()
}

/// A million strings, random and mutated, as positions and as moves.
#[test]
fn malformed_texts_never_panic() {
    for game in all_rules() {
        ALPHABET.check_texts(&game, &positions(&game, &mut Rng::new(99)), 125_000, mutate);
    }
}

/// Bytes that are not a position are refused; accepted bytes are those that `encode`
/// writes.
#[test]
fn malformed_bytes_never_panic() {
    for game in all_rules() {
        let mut rng = Rng::new(5);
        let positions = positions(&game, &mut rng);
        let n_accepted = check_random_bytes(&game, &positions, 200_000, rng);
        assert!(n_accepted > 1_000, "only {n_accepted} were accepted");
    }
}
