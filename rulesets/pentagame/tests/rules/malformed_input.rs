//! Malformed texts and bytes are refused without a panic, and a refusal points
//! into the text.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::malformed_input::{Alphabet, check_bytes, random_bytes};
use pentagame::{Pentagame, Position};

use crate::against_reference::mutate;
use crate::support::{all_rules, random_position};

const ALPHABET: Alphabet<'_> = Alphabet {
    letters: "ABCDEabcde0123456/, -*+@>=!",
    moves: &["a-A1B", "a-c@A2B", "d-d@A1B+C2D", "d!+C2D", "b-C=2c", "e-e+A1B>C2D", "pass", "a-B3A"],
    fields: &["figures", "black", "grey", "to-move", "ko"],
    has_aliases: true,
    names_columns: false,
};

fn positions(game: &Pentagame, rng: &mut Rng) -> Vec<Position> {
    (0..100).map(|_| random_position(game, rng)).collect()
}

#[test]
fn malformed_texts_are_refused() {
    for game in all_rules() {
        ALPHABET.check_texts(&game, &positions(&game, &mut Rng::new(99)), 60_000, mutate);
        ALPHABET.check_position(&game, &"A,".repeat(100_000));
        ALPHABET.check_move(&game, &game.start(), &format!("a-c@A1B{}", "+A2B".repeat(100_000)));
    }
}

/// Accepted bytes are those that `encode` writes.
#[test]
fn malformed_bytes_are_refused() {
    for game in all_rules() {
        let mut rng = Rng::new(5);
        let positions = positions(&game, &mut rng);
        let n_accepted = check_bytes(&game, 100_000, |i| {
            if i % 8 == 0 {
                return random_bytes(&game, &mut rng);
            }
            let mut bytes = vec![0; game.position_size()];
            game.encode(&positions[rng.below(positions.len())], &mut bytes);
            let at = rng.below(bytes.len());
            bytes[at] = if i % 2 == 0 { rng.below(104) as u8 } else { rng.next_u64() as u8 };
            bytes
        });
        assert!(n_accepted > 1_000, "only {n_accepted} were accepted");
    }
}
