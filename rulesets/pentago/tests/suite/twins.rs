//! The crate and its twin, side by side over random games and broken texts.

use pentad_sdk::Ruleset;
use pentad_sdk::search::rng::Rng;
use pentago::{Move, Pentago, Position};

use crate::support::{all_rules, moves, rules, text};
use crate::twin::Twin;

const N_GAMES: u64 = 2_000;
/// Of this many positions, one is compared with all its successors.
const ALL_SUCCESSORS: usize = 64;
const N_MUTATIONS: usize = 250_000;

// Legal moves, successors, outcomes and sides agree in every game. A test for
// each variant, since together they are the longest of all.

#[test]
fn standard_games_agree() {
    compare_games("standard");
}

#[test]
fn finnish_games_agree() {
    compare_games("finnish");
}

#[test]
fn czech_games_agree() {
    compare_games("czech");
}

#[test]
fn clockwise_games_agree() {
    compare_games("clockwise");
}

fn compare_games(variant: &str) {
    let game = rules(variant);
    for seed in 0..N_GAMES {
        compare_game(&game, seed);
    }
}

fn compare_game(game: &Pentago, seed: u64) {
    let mut rng = Rng::new(seed);
    let variant = game.edition().id();
    let mut twin = Twin::start(variant);
    if seed % 2 == 1 {
        twin.side = 'b';
    }
    let mut position = game.parse(&twin.format()).unwrap();
    loop {
        let all_successors = rng.below(ALL_SUCCESSORS) == 0;
        let legal = compare_position(game, &position, &twin, all_successors, seed);
        if legal.is_empty() {
            return;
        }
        let mv = legal[rng.below(legal.len())];
        position = game.play(&position, &mv);
        twin = twin.play(mv.text());
    }
}

/// Compares all that can be said of one position, and gives its legal moves.
fn compare_position(game: &Pentago, position: &Position, twin: &Twin, all_successors: bool, seed: u64) -> Vec<Move> {
    let context = || format!("{}, seed {seed}, {}", twin.variant, twin.format());
    assert_eq!(text(game, position), twin.format(), "{}", context());
    assert_eq!(game.parse(&twin.format()).as_ref(), Ok(position), "{}", context());
    assert_eq!(["w", "b"][game.to_move(position)], twin.side.to_string(), "{}", context());
    let (outcome, twin_outcome) = (game.outcome(position), twin.outcome());
    assert_eq!(outcome.is_some(), twin_outcome.is_some(), "{}", context());
    if let (Some(outcome), Some(twin_outcome)) = (outcome, twin_outcome) {
        assert_eq!(outcome.scores.as_slice(), twin_outcome.scores, "{}", context());
        assert_eq!(outcome.places, twin_outcome.places, "{}", context());
    }
    let legal = moves(game, position);
    let twin_legal = twin.legal();
    assert_eq!(legal.iter().map(|mv| mv.text()).collect::<Vec<_>>(), twin_legal, "{}", context());
    assert_eq!(game.count_moves(position, ""), twin_legal.len() as u64, "{}", context());
    assert_eq!(legal.is_empty(), twin_outcome.is_some(), "{}", context());
    if all_successors {
        for mv in &legal {
            let next = text(game, &game.play(position, mv));
            assert_eq!(next, twin.play(mv.text()).format(), "{} {mv:?}", context());
        }
    }
    legal
}

/// What one accepts, the other accepts, and both read it the same.
#[test]
fn acceptance_agrees() {
    for game in all_rules() {
        let variant = game.edition().id();
        let mut rng = Rng::new(17);
        let mut n_accepted = 0;
        let mut seeds = Vec::new();
        for _ in 0..50 {
            seeds.extend(crate::support::walk(&game, &mut rng).iter().map(|position| text(&game, position)));
        }
        for _ in 0..N_MUTATIONS {
            let mutated = mutate(&seeds[rng.below(seeds.len())], &mut rng);
            let (ours, twin) = (game.parse(&mutated), Twin::parse(variant, &mutated));
            assert_eq!(ours.is_ok(), twin.is_some(), "{variant}: {mutated:?}");
            let (Ok(ours), Some(twin)) = (ours, twin) else { continue };
            n_accepted += 1;
            assert_eq!(text(&game, &ours), twin.format(), "{variant}: {mutated:?}");
            // No game need have led there; the rules go on all the same.
            if n_accepted % 32 == 0 {
                compare_position(&game, &ours, &twin, n_accepted % 512 == 0, 17);
            }
        }
        assert!(n_accepted > N_MUTATIONS / 100, "{variant}: only {n_accepted} mutations were accepted");
    }
}

/// One to three small changes.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"wwwbbb112233456/  reply07x-";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(3) {
        let letter = LETTERS[rng.below(LETTERS.len())];
        let at = rng.below(bytes.len().max(1)).min(bytes.len());
        match rng.below(8) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.insert(at, letter),
            2 if at + 1 < bytes.len() => bytes.swap(at, at + 1),
            3 => bytes.extend_from_slice(b" reply"),
            4 if bytes.ends_with(b" reply") => bytes.truncate(bytes.len() - 6),
            5 => split_run(&mut bytes, at),
            6 => {
                // Another side to move.
                for byte in bytes.iter_mut().skip(11) {
                    *byte = match *byte {
                        b'w' if rng.below(2) == 0 => b'b',
                        b'b' if rng.below(2) == 0 => b'w',
                        other => other,
                    };
                }
            }
            _ if at < bytes.len() => bytes[at] = letter,
            _ => {}
        }
    }
    String::from_utf8(bytes).expect("only ASCII was written")
}

/// Writes a run of empty cells as two.
fn split_run(bytes: &mut Vec<u8>, at: usize) {
    if let Some(&digit @ b'2'..=b'6') = bytes.get(at) {
        bytes[at] = b'1';
        bytes.insert(at + 1, digit - 1);
    }
}
