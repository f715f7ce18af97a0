//! Texts and bytes from strangers never crash anything, and a refusal points
//! into the text.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{RefusalKind, Ruleset};
use pentaflip::{Pentaflip, Position};

use crate::support::{text, walk};
use crate::twins::mutate;

const N_TEXTS: usize = 300_000;

/// Strings, random and mutated, as positions and as moves.
#[test]
fn strings_crash_nothing() {
    let mut rng = Rng::new(99);
    let seeds: Vec<Position> = (0..20).flat_map(|_| walk(&mut rng)).collect();
    for i in 0..N_TEXTS {
        let seed = &seeds[rng.below(seeds.len())];
        let position_text = if i % 2 == 0 { random_text(&mut rng) } else { mutate(&text(seed), &mut rng) };
        check_position(&position_text);
        let move_text = if i % 2 == 0 { random_text(&mut rng) } else { mutated_move(&mut rng) };
        check_move(seed, &move_text);
    }
    check_position(&"6/".repeat(100_000));
    check_move(&Position::START, &"~".repeat(100_000));
}

fn check_position(text: &str) {
    match Pentaflip.parse(text) {
        Ok(position) => {
            let mut bytes = vec![0; Pentaflip.position_size()];
            Pentaflip.encode(&position, &mut bytes);
            assert_eq!(Pentaflip.decode(&bytes), Some(position), "{text:?}");
        }
        Err(refusal) => {
            assert_eq!(refusal.kind, RefusalKind::Malformed);
            assert!(["top", "under", "side", "last"].contains(&refusal.field), "{text:?}: {refusal}");
            check_column(refusal.column, text);
        }
    }
}

fn check_move(position: &Position, text: &str) {
    match Pentaflip.parse_move(position, text) {
        Ok(mv) => {
            assert_eq!(mv.text(), text, "there are no aliases");
            assert!(Pentaflip.play(position, &mv) != *position);
        }
        Err(refusal) if refusal.kind == RefusalKind::Malformed => check_column(refusal.column, text),
        Err(refusal) => assert_eq!(
            refusal.kind,
            if Pentaflip.outcome(position).is_some() { RefusalKind::GameOver } else { RefusalKind::Illegal }
        ),
    }
}

/// At a character, or just behind the last one.
fn check_column(column: Option<usize>, text: &str) {
    let column = column.unwrap_or_else(|| panic!("no column in {text:?}"));
    assert!((1..=text.chars().count() + 1).contains(&column), "column {column} in {text:?}");
}

fn random_text(rng: &mut Rng) -> String {
    const LETTERS: &[char] =
        &['w', 'b', 'W', 'B', '1', '3', '6', '/', ' ', 'a', 'f', '-', '~', 'L', '0', '\0', 'é', '₂', '🎲', '\n', '９'];
    (0..rng.below(24)).map(|_| LETTERS[rng.below(LETTERS.len())]).collect()
}

fn mutated_move(rng: &mut Rng) -> String {
    const MOVES: &[&str] = &["a1", "c2", "f6", "~1", "~L", "~T", "d4"];
    const LETTERS: &[u8] = b"abcdefg01234567~LRTBlrtb '";
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
    let mut rng = Rng::new(5);
    let size = Pentaflip.position_size();
    let seeds: Vec<Position> = (0..20).flat_map(|_| walk(&mut rng)).collect();
    let mut n_accepted = 0;
    for i in 0..400_000 {
        let mut bytes = vec![0; size];
        if i % 2 == 0 {
            // Sparse words, or too many rings would hide the rest.
            let mut word = || (rng.next_u64() & rng.next_u64() & rng.next_u64()).to_le_bytes();
            bytes[..8].copy_from_slice(&word());
            bytes[8..16].copy_from_slice(&word());
            bytes[16] = rng.next_u64() as u8;
        } else {
            Pentaflip.encode(&seeds[rng.below(seeds.len())], &mut bytes);
            bytes[rng.below(size)] ^= 1 << rng.below(8);
        }
        if let Some(position) = Pentaflip.decode(&bytes) {
            let mut again = vec![0; size];
            Pentaflip.encode(&position, &mut again);
            assert_eq!(bytes, again);
            assert_eq!(Pentaflip.parse(&text(&position)), Ok(position));
            n_accepted += 1;
        }
    }
    assert!(n_accepted > 10_000, "only {n_accepted} were accepted");
    for n in [0, 1, 8, 16, 18, 32] {
        assert_eq!(Pentaflip.decode(&vec![0; n]), None, "{n} bytes");
    }
}
