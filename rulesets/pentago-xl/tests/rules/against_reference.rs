//! The crate agrees with the reference on random games and broken texts.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::random_move;
use pentad_sdk::testing::reference::{
    Expected, broken, check_acceptance, check_moves, check_position, mutated, split_run,
};
use pentago_xl::{PentagoXl, Position};

use crate::reference::{ReferenceGame, players};
use crate::support::{all_rules, rules, walk};

const N_GAMES: u64 = 1_000;
/// One position in `ALL_MOVES` is compared with its full list of moves, and of these
/// one in `ALL_SUCCESSORS` with all its successors.
const ALL_MOVES: usize = 16;
const ALL_SUCCESSORS: usize = 40;
const N_MUTATIONS: usize = 30_000;

// Legal moves, successors, outcomes and sides to move agree in every game.
pentad_sdk::variant_tests!(
    compare_games: ffa2_games_agree = "ffa2",
    ffa3_games_agree = "ffa3",
    ffa4_games_agree = "ffa4",
    places3_games_agree = "places3",
    places4_games_agree = "places4",
    teams_games_agree = "teams",
);

fn compare_games(variant: &str) {
    let game = rules(variant);
    for seed in 0..N_GAMES {
        compare_game(&game, seed);
    }
}

fn compare_game(game: &PentagoXl, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut reference = ReferenceGame::start(game.variant().id());
    let mut position = game.start();
    loop {
        let expected = compare_position(game, &position, &reference, seed);
        if rng.below(ALL_MOVES) == 0 {
            assert_eq!(
                ReferenceGame::parse(&reference.variant, &expected.text).as_ref(),
                Some(&reference),
                "{}",
                expected.text
            );
            compare_moves(game, &position, &reference, &expected, rng.below(ALL_SUCCESSORS) == 0);
        }
        if expected.outcome.is_some() {
            compare_moves(game, &position, &reference, &expected, false);
            return;
        }
        let mv = random_move(game, &position, &mut rng);
        position = game.play(&position, &mv);
        reference = reference.play(mv.text());
    }
}

/// Compares text, side to move and outcome of one position.
fn compare_position(game: &PentagoXl, position: &Position, reference: &ReferenceGame, seed: u64) -> Expected {
    let expected = Expected {
        origin: format!("{}, seed {seed}", reference.variant),
        text: reference.format(),
        to_move: players(&reference.variant).iter().position(|player| *player == reference.side).unwrap(),
        outcome: reference.outcome().map(|outcome| (outcome.scores, outcome.places)),
    };
    check_position(game, position, &expected);
    expected
}

/// Compares the legal moves and, if `all_successors`, the position after each.
fn compare_moves(
    game: &PentagoXl,
    position: &Position,
    reference: &ReferenceGame,
    expected: &Expected,
    all_successors: bool,
) {
    let n_played = if all_successors { usize::MAX } else { 0 };
    check_moves(game, position, expected, &reference.legal(), n_played, |mv| reference.play(mv).format());
}

/// The crate and the reference accept the same texts and parse them alike.
#[test]
fn acceptance_agrees() {
    for game in all_rules() {
        let mut rng = Rng::new(17);
        let positions: Vec<Position> = (0..50).flat_map(|_| walk(&game, &mut rng)).collect();
        let texts = broken(&game, &positions, N_MUTATIONS, rng, mutate);
        let read = |text: &str| ReferenceGame::parse(game.variant().id(), text);
        check_acceptance(&game, texts, read, ReferenceGame::format, |n, ours, reference| {
            // The position need not be reachable; the rules still apply.
            let expected = compare_position(&game, ours, reference, 17);
            if n % 32 == 0 {
                compare_moves(&game, ours, reference, &expected, n % 512 == 0);
            }
        });
    }
}

/// Makes one to three small changes to the text of a position.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const PLACES: &[&str] = &["-", "r1", "y1", "y1g1", "r2y1", "r1y2", "r1y2g2", "r1y2g3", "r2", "g1b1", "r1y1g1", ""];
    mutated(text, b"ryrygbgb112345678900/  -x", rng, |kind, bytes, at, rng| {
        match kind {
            3 => {
                // Changes the places.
                let end = bytes.iter().rposition(|&byte| byte == b' ').map_or(bytes.len(), |space| space + 1);
                bytes.truncate(end);
                bytes.extend_from_slice(PLACES[rng.below(PLACES.len())].as_bytes());
            }
            4 => {
                // Exchanges two cells, so that the counts stay.
                let other = rng.below(bytes.len().max(1)).min(bytes.len());
                let is_cell = |at: usize| bytes.get(at).is_some_and(|byte| b"rygb1".contains(byte));
                if is_cell(at) && is_cell(other) {
                    bytes.swap(at, other);
                }
            }
            5 => split_run(bytes, at),
            _ => {
                // Changes the side to move.
                if let Some(space) = bytes.iter().position(|&byte| byte == b' ')
                    && let Some(side) = bytes.get_mut(space + 1)
                {
                    *side = b"rygb"[rng.below(4)];
                }
            }
        }
        true
    })
}
