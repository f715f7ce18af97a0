//! The crate and its twin, side by side over random games and broken texts.

use pentad_sdk::Ruleset;
use pentad_sdk::search::rng::Rng;
use pentago_xl::{PentagoXl, Position};

use crate::support::{all_rules, moves, rules, text};
use crate::twin::Twin;

const N_GAMES: u64 = 1_000;
/// Of this many positions, one is compared with its whole list of moves, and
/// of that many of these, one with all its successors.
const ALL_MOVES: usize = 16;
const ALL_SUCCESSORS: usize = 40;
const N_MUTATIONS: usize = 30_000;

// Legal moves, successors, outcomes and sides agree in every game. A test for
// each variant, since together they are the longest of all.

#[test]
fn ffa2_games_agree() {
    compare_games("ffa2");
}

#[test]
fn ffa3_games_agree() {
    compare_games("ffa3");
}

#[test]
fn ffa4_games_agree() {
    compare_games("ffa4");
}

#[test]
fn places3_games_agree() {
    compare_games("places3");
}

#[test]
fn places4_games_agree() {
    compare_games("places4");
}

#[test]
fn teams_games_agree() {
    compare_games("teams");
}

fn compare_games(variant: &str) {
    let game = rules(variant);
    for seed in 0..N_GAMES {
        compare_game(&game, seed);
    }
}

fn compare_game(game: &PentagoXl, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut twin = Twin::start(game.contest().id());
    let mut position = game.start();
    loop {
        compare_position(game, &position, &twin, seed);
        if rng.below(ALL_MOVES) == 0 {
            assert_eq!(Twin::parse(&twin.variant, &twin.format()).as_ref(), Some(&twin), "{}", twin.format());
            compare_moves(game, &position, &twin, rng.below(ALL_SUCCESSORS) == 0);
        }
        let legal = moves(game, &position);
        if legal.is_empty() {
            compare_moves(game, &position, &twin, false);
            return;
        }
        let mv = legal[rng.below(legal.len())];
        position = game.play(&position, &mv);
        twin = twin.play(mv.text());
    }
}

/// Compares what can be said of one position without its moves.
fn compare_position(game: &PentagoXl, position: &Position, twin: &Twin, seed: u64) {
    let written = twin.format();
    let context = || format!("{}, seed {seed}, {written}", twin.variant);
    assert_eq!(text(game, position), written, "{}", context());
    assert_eq!(game.parse(&written).as_ref(), Ok(position), "{}", context());
    assert_eq!(["r", "y", "g", "b"][game.to_move(position)], twin.side.to_string(), "{}", context());
    let (outcome, twin_outcome) = (game.outcome(position), twin.outcome());
    assert_eq!(outcome.is_some(), twin_outcome.is_some(), "{}", context());
    if let (Some(outcome), Some(twin_outcome)) = (outcome, twin_outcome) {
        assert_eq!(outcome.places, twin_outcome.places, "{}", context());
        for (score, twin_score) in outcome.scores.as_slice().iter().zip(&twin_outcome.scores) {
            assert!((score - twin_score).abs() < 1e-12, "{}: {:?}", context(), outcome.scores);
        }
        assert_eq!(outcome.scores.as_slice().len(), twin_outcome.scores.len(), "{}", context());
    }
}

/// Compares the legal moves, and if asked what each of them leads to.
fn compare_moves(game: &PentagoXl, position: &Position, twin: &Twin, all_successors: bool) {
    let context = || format!("{} {}", twin.variant, twin.format());
    let legal = moves(game, position);
    let twin_legal = twin.legal();
    assert_eq!(legal.iter().map(|mv| mv.text()).collect::<Vec<_>>(), twin_legal, "{}", context());
    assert_eq!(game.count_moves(position, ""), twin_legal.len() as u64, "{}", context());
    if all_successors {
        for mv in &legal {
            let next = text(game, &game.play(position, mv));
            assert_eq!(next, twin.play(mv.text()).format(), "{} {mv:?}", context());
        }
    }
}

/// What one accepts, the other accepts, and both read it the same.
#[test]
fn acceptance_agrees() {
    for game in all_rules() {
        let variant = game.contest().id();
        let mut rng = Rng::new(17);
        let mut n_accepted = 0;
        let mut seeds = Vec::new();
        for _ in 0..50 {
            seeds.extend(crate::support::walk(&game, &mut rng).iter().map(|position| text(&game, position)));
        }
        for _ in 0..N_MUTATIONS {
            let mutated = mutate(&seeds[rng.below(seeds.len())], &mut rng);
            let (ours, twin) = (game.parse(&mutated), Twin::parse(variant, &mutated));
            assert_eq!(ours.is_ok(), twin.is_some(), "{variant}: {mutated:?} {ours:?}");
            let (Ok(ours), Some(twin)) = (ours, twin) else { continue };
            n_accepted += 1;
            assert_eq!(text(&game, &ours), twin.format(), "{variant}: {mutated:?}");
            // No game need have led there; the rules go on all the same.
            compare_position(&game, &ours, &twin, 17);
            if n_accepted % 32 == 0 {
                compare_moves(&game, &ours, &twin, n_accepted % 512 == 0);
            }
        }
        assert!(n_accepted > N_MUTATIONS / 100, "{variant}: only {n_accepted} mutations were accepted");
    }
}

/// One to three small changes.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"ryrygbgb112345678900/  -x";
    const PLACES: &[&str] = &["-", "r1", "y1", "y1g1", "r2y1", "r1y2", "r1y2g2", "r1y2g3", "r2", "g1b1", "r1y1g1", ""];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(3) {
        let letter = LETTERS[rng.below(LETTERS.len())];
        let at = rng.below(bytes.len().max(1)).min(bytes.len());
        match rng.below(8) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.insert(at, letter),
            2 if at + 1 < bytes.len() => bytes.swap(at, at + 1),
            3 => {
                // Other places.
                let end = bytes.iter().rposition(|&byte| byte == b' ').map_or(bytes.len(), |space| space + 1);
                bytes.truncate(end);
                bytes.extend_from_slice(PLACES[rng.below(PLACES.len())].as_bytes());
            }
            4 => {
                // Two cells exchanged, so that the counts stay.
                let other = rng.below(bytes.len().max(1)).min(bytes.len());
                let is_cell = |at: usize| bytes.get(at).is_some_and(|byte| b"rygb1".contains(byte));
                if is_cell(at) && is_cell(other) {
                    bytes.swap(at, other);
                }
            }
            5 => split_run(&mut bytes, at),
            6 => {
                // Another side to move.
                if let Some(space) = bytes.iter().position(|&byte| byte == b' ')
                    && let Some(side) = bytes.get_mut(space + 1)
                {
                    *side = b"rygb"[rng.below(4)];
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
    if let Some(&digit @ b'2'..=b'9') = bytes.get(at) {
        bytes[at] = b'1';
        bytes.insert(at + 1, digit - 1);
    }
}
