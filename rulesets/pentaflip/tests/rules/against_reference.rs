//! Compares the crate with the reference over random games and mutated texts.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::reference::{
    Expected, broken, check_acceptance, check_moves, check_position, mutated, split_run,
};
use pentaflip::{Move, Pentaflip, Position};

use crate::reference::ReferenceGame;
use crate::support::{text, walk};

const N_GAMES: u64 = 1_500;
/// One position in this many is compared with all its successors.
const ALL_SUCCESSORS_EVERY: usize = 8;
const N_MUTATIONS: usize = 250_000;

/// Legal moves, successors, outcomes and sides agree in every game.
#[test]
fn games_agree() {
    let mut n_results = [0; 3];
    for seed in 0..N_GAMES {
        let mut rng = Rng::new(seed);
        let game = walk(&mut rng);
        let mut reference = ReferenceGame::parse(&text(&game[0])).unwrap();
        assert_eq!(ReferenceGame { side: 'w', ..reference.clone() }, ReferenceGame::start());
        for (ply, position) in game.iter().enumerate() {
            let legal = compare_position(position, &reference, rng.below(ALL_SUCCESSORS_EVERY) == 0, seed);
            let Some(next) = game.get(ply + 1) else { break };
            let played = legal.into_iter().find(|mv| Pentaflip.play(position, mv) == *next).unwrap();
            reference = reference.play(played.text());
        }
        if let Some(outcome) = reference.outcome() {
            n_results[(outcome.scores[0] * 2.0) as usize] += 1;
        }
    }
    assert!(n_results.iter().all(|&n| n > 0), "black, draw, white: {n_results:?}");
}

/// Compares text, side to move, outcome and legal moves of one position, and
/// returns the legal moves.
fn compare_position(position: &Position, reference: &ReferenceGame, all_successors: bool, seed: u64) -> Vec<Move> {
    let expected = Expected {
        origin: format!("seed {seed}"),
        text: reference.format(),
        to_move: usize::from(reference.side == 'b'),
        outcome: reference.outcome().map(|outcome| (outcome.scores.to_vec(), outcome.places.to_vec())),
    };
    check_position(&Pentaflip, position, &expected);
    let n_played = if all_successors { usize::MAX } else { 0 };
    check_moves(&Pentaflip, position, &expected, &reference.legal(), n_played, |mv| reference.play(mv).format())
}

/// Both accept the same texts and read them the same.
#[test]
fn acceptance_agrees() {
    let mut rng = Rng::new(17);
    let positions: Vec<Position> = (0..50).flat_map(|_| walk(&mut rng)).collect();
    let texts = broken(&Pentaflip, &positions, N_MUTATIONS, rng, mutate);
    check_acceptance(&Pentaflip, texts, ReferenceGame::parse, ReferenceGame::format, |n, ours, reference| {
        // No game may lead there; the rules still apply.
        if n % 32 == 0 {
            compare_position(ours, reference, n % 512 == 0, 17);
        }
    });
}

/// Makes one to three small changes.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"wwwbbbWB112233456/  LRTB07x-";
    mutated(text, LETTERS, rng, |kind, bytes, at, rng| {
        match kind {
            3 | 4 => split_run(bytes, at),
            // One more ring, if there is room for it.
            5 => {
                if let Some(at) = bytes.iter().skip(at).position(|&byte| byte == b'1').map(|offset| offset + at) {
                    bytes[at] = b"wb"[rng.below(2)];
                }
            }
            // Another last flip.
            _ => {
                if let Some(last) = bytes.last_mut() {
                    *last = LETTERS[rng.below(LETTERS.len())];
                }
            }
        }
        true
    })
}
