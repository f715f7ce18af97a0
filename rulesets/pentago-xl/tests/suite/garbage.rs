//! Texts and bytes from strangers never crash anything, and a refusal points
//! into the text.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{RefusalKind, Ruleset};
use pentago_xl::{PentagoXl, Position};

use crate::support::{all_rules, text, walk};
use crate::twins::mutate;

const N_TEXTS: usize = 40_000;

/// A quarter of a million positions and moves, random and mutated, as positions and as moves.
#[test]
fn strings_crash_nothing() {
    for game in all_rules() {
        let mut rng = Rng::new(99);
        let seeds: Vec<Position> = (0..20).flat_map(|_| walk(&game, &mut rng)).collect();
        for i in 0..N_TEXTS {
            let seed = &seeds[rng.below(seeds.len())];
            let position_text = if i % 2 == 0 { random_text(&mut rng) } else { mutate(&text(&game, seed), &mut rng) };
            check_position(&game, &position_text);
            let move_text = if i % 2 == 0 { random_text(&mut rng) } else { mutated_move(&mut rng) };
            check_move(&game, seed, &move_text);
        }
    }
}

fn check_position(game: &PentagoXl, text: &str) {
    match game.parse(text) {
        Ok(position) => {
            let mut bytes = vec![0; game.position_size()];
            game.encode(&position, &mut bytes);
            assert_eq!(game.decode(&bytes), Some(position), "{text:?}");
        }
        Err(refusal) => {
            assert_eq!(refusal.kind, RefusalKind::Malformed);
            assert!(["board", "side", "places"].contains(&refusal.field), "{text:?}: {refusal}");
            check_column(refusal.column, text);
        }
    }
}

fn check_move(game: &PentagoXl, position: &Position, text: &str) {
    match game.parse_move(position, text) {
        Ok(mv) => {
            assert_eq!(mv.text(), text, "there are no aliases");
            let next = game.play(position, &mv);
            assert!(next != *position);
        }
        Err(refusal) if refusal.kind == RefusalKind::Malformed => check_column(refusal.column, text),
        Err(refusal) => assert_eq!(
            refusal.kind,
            if game.outcome(position).is_some() { RefusalKind::GameOver } else { RefusalKind::Illegal }
        ),
    }
}

/// At a character, or just behind the last one.
fn check_column(column: Option<usize>, text: &str) {
    let Some(column) = column else { return };
    assert!((1..=text.chars().count() + 1).contains(&column), "column {column} in {text:?}");
}

fn random_text(rng: &mut Rng) -> String {
    const LETTERS: &[char] =
        &['r', 'y', 'g', 'b', '1', '3', '9', '/', ' ', 'a', 'i', '-', 'l', 'w', '0', '\0', 'é', '₂', '🎲', '\n', '９'];
    (0..rng.below(24)).map(|_| LETTERS[rng.below(LETTERS.len())]).collect()
}

fn mutated_move(rng: &mut Rng) -> String {
    const MOVES: &[&str] = &["a1", "c3-2r", "f6-4l", "i9-9r", "e5-5l", "d4-1r", "b2-3l"];
    const LETTERS: &[u8] = b"abcdefghij0123456789-rl ";
    let mut bytes = MOVES[rng.below(MOVES.len())].as_bytes().to_vec();
    for _ in 0..rng.below(3) {
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes.insert(at, LETTERS[rng.below(LETTERS.len())]),
            1 if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => bytes[at] = LETTERS[rng.below(LETTERS.len())],
        }
    }
    String::from_utf8(bytes).expect("only ASCII was written")
}

/// Bytes that are no position are refused; what is accepted is what `encode`
/// writes.
#[test]
fn bytes_crash_nothing() {
    for game in all_rules() {
        let mut rng = Rng::new(5);
        let seeds: Vec<Position> = (0..20).flat_map(|_| walk(&game, &mut rng)).collect();
        let mut n_accepted = 0;
        for i in 0..60_000 {
            let mut bytes = [0; 26];
            if i % 2 == 0 {
                bytes.iter_mut().for_each(|byte| *byte = rng.next_u64() as u8);
            } else {
                game.encode(&seeds[rng.below(seeds.len())], &mut bytes);
                bytes[rng.below(26)] ^= 1 << rng.below(8);
            }
            if let Some(position) = game.decode(&bytes) {
                let mut again = [0; 26];
                game.encode(&position, &mut again);
                assert_eq!(bytes, again);
                assert_eq!(game.parse(&text(&game, &position)), Ok(position));
                n_accepted += 1;
            }
        }
        assert!(n_accepted > 50, "only {n_accepted} were accepted");
        for n in [0, 1, 24, 25, 27, 52] {
            assert_eq!(game.decode(&vec![0; n]), None, "{n} bytes");
        }
    }
}
