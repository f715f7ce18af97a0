//! Texts and bytes from strangers never crash anything, and a refusal points
//! into the text.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{RefusalKind, Ruleset};
use pentagame::{Pentagame, Position};

use crate::support::{all_rules, scattered, text};
use crate::twins::mutate;

const N_TEXTS: usize = 60_000;

#[test]
fn strings_crash_nothing() {
    for game in all_rules() {
        let mut rng = Rng::new(99);
        let seeds: Vec<Position> = (0..50).map(|_| scattered(&game, &mut rng)).collect();
        for i in 0..N_TEXTS {
            let seed = &seeds[rng.below(seeds.len())];
            let position_text = if i % 2 == 0 { random_text(&mut rng) } else { mutate(&text(&game, seed), &mut rng) };
            check_position(&game, &position_text);
            let move_text = if i % 2 == 0 { random_text(&mut rng) } else { mutated_move(&mut rng) };
            check_move(&game, seed, &move_text);
        }
        check_position(&game, &"A,".repeat(100_000));
        check_move(&game, &game.start(), &format!("a-c@A1B{}", "+A2B".repeat(100_000)));
        check_move(&game, &game.start(), &"é".repeat(100_000));
    }
}

fn check_position(game: &Pentagame, text: &str) {
    match game.parse(text) {
        Ok(position) => {
            let mut bytes = vec![0; game.position_size()];
            game.encode(&position, &mut bytes);
            assert_eq!(game.decode(&bytes), Some(position), "{text:?}");
            assert_eq!(game.count_moves(&position, "") == 0, position.is_over(), "{text:?}");
        }
        Err(refusal) => {
            assert_eq!(refusal.kind, RefusalKind::Malformed);
            let fields = ["figures", "black", "grey", "to-move", "ko"];
            assert!(fields.contains(&refusal.field), "{text:?}: {refusal}");
            check_column(refusal.column, text);
        }
    }
}

fn check_move(game: &Pentagame, position: &Position, text: &str) {
    match game.parse_move(position, text) {
        Ok(mv) => {
            let next = game.play(position, &mv);
            assert!(next != *position);
            assert_eq!(game.parse_move(position, &mv.text()), Ok(mv), "{text:?}");
        }
        Err(refusal) if refusal.kind == RefusalKind::Malformed => check_column(refusal.column, text),
        Err(refusal) => {
            let wanted = if position.is_over() { RefusalKind::GameOver } else { RefusalKind::Illegal };
            assert_eq!(refusal.kind, wanted, "{text:?}: {refusal}");
        }
    }
}

/// At a character, or just behind the last one.
fn check_column(column: Option<usize>, text: &str) {
    let Some(column) = column else { return };
    assert!((1..=text.chars().count() + 1).contains(&column), "column {column} in {text:?}");
}

fn random_text(rng: &mut Rng) -> String {
    const LETTERS: &[char] = &[
        'A', 'B', 'E', 'a', 'c', 'e', '1', '3', '6', '0', '/', ',', ' ', '-', '*', '+', '@', '>', '=', '!', '\0', 'é',
        '🎲', '\n', '９',
    ];
    (0..rng.below(24)).map(|_| LETTERS[rng.below(LETTERS.len())]).collect()
}

fn mutated_move(rng: &mut Rng) -> String {
    const MOVES: &[&str] = &["a-A1B", "a-c@A2B", "d-d@A1B+C2D", "d!+C2D", "b-C=2c", "e-e+A1B>C2D", "pass", "a-B3A"];
    const LETTERS: &[u8] = b"abcdeABCDE123456-@+>=! ";
    let mut bytes = MOVES[rng.below(MOVES.len())].as_bytes().to_vec();
    for _ in 0..rng.below(4) {
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
        let seeds: Vec<Position> = (0..100).map(|_| scattered(&game, &mut rng)).collect();
        let mut n_accepted = 0;
        for i in 0..100_000 {
            let mut bytes = vec![0; game.position_size()];
            if i % 8 == 0 {
                bytes.iter_mut().for_each(|byte| *byte = rng.next_u64() as u8);
            } else {
                game.encode(&seeds[rng.below(seeds.len())], &mut bytes);
                let at = rng.below(bytes.len());
                bytes[at] = if i % 2 == 0 { rng.below(104) as u8 } else { rng.next_u64() as u8 };
            }
            if let Some(position) = game.decode(&bytes) {
                let mut again = vec![0; game.position_size()];
                game.encode(&position, &mut again);
                assert_eq!(bytes, again);
                assert_eq!(game.parse(&text(&game, &position)), Ok(position));
                n_accepted += 1;
            }
        }
        assert!(n_accepted > 1_000, "only {n_accepted} were accepted");
        for n in [0, 1, 8, game.position_size() - 1, game.position_size() + 1, 64] {
            assert_eq!(game.decode(&vec![0; n]), None, "{n} bytes");
        }
    }
}
