//! The crate compared with its reference, over random games and malformed texts.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::reference::{
    Expected, broken, check_acceptance, check_moves, check_position, mutated, split_run,
};
use pentago::{Move, Pentago, Position};

use crate::reference::ReferenceGame;
use crate::support::{all_rules, rules, walk};

const N_GAMES: u64 = 2_000;
/// One in this many positions is compared with all its successors.
const ALL_SUCCESSORS: usize = 64;
const N_MUTATIONS: usize = 250_000;

// Legal moves, successors, outcomes and sides agree in every game.
pentad_sdk::variant_tests!(
    compare_games: standard_games_agree = "standard",
    finnish_games_agree = "finnish",
    czech_games_agree = "czech",
    clockwise_games_agree = "clockwise",
);

fn compare_games(variant: &str) {
    let game = rules(variant);
    for seed in 0..N_GAMES {
        compare_game(&game, seed);
    }
}

fn compare_game(game: &Pentago, seed: u64) {
    let mut rng = Rng::new(seed);
    let variant = game.edition().id();
    let mut reference = ReferenceGame::start(variant);
    if seed % 2 == 1 {
        reference.side = 'b';
    }
    let mut position = game.parse(&reference.format()).unwrap();
    loop {
        let all_successors = rng.below(ALL_SUCCESSORS) == 0;
        let legal = compare_position(game, &position, &reference, all_successors, seed);
        if legal.is_empty() {
            return;
        }
        let mv = legal[rng.below(legal.len())];
        position = game.play(&position, &mv);
        reference = reference.play(mv.text());
    }
}

/// Compares one position in all respects, and returns its legal moves.
fn compare_position(
    game: &Pentago,
    position: &Position,
    reference: &ReferenceGame,
    all_successors: bool,
    seed: u64,
) -> Vec<Move> {
    let expected = Expected {
        origin: format!("{}, seed {seed}", reference.variant),
        text: reference.format(),
        to_move: usize::from(reference.side == 'b'),
        outcome: reference.outcome().map(|outcome| (outcome.scores.to_vec(), outcome.places.to_vec())),
    };
    check_position(game, position, &expected);
    let n_played = if all_successors { usize::MAX } else { 0 };
    check_moves(game, position, &expected, &reference.legal(), n_played, |mv| reference.play(mv).format())
}

/// Both accept the same texts and read them the same way.
#[test]
fn acceptance_agrees() {
    for game in all_rules() {
        let mut rng = Rng::new(17);
        let positions: Vec<Position> = (0..50).flat_map(|_| walk(&game, &mut rng)).collect();
        let texts = broken(&game, &positions, N_MUTATIONS, rng, mutate);
        let read = |text: &str| ReferenceGame::parse(game.edition().id(), text);
        check_acceptance(&game, texts, read, ReferenceGame::format, |n, ours, reference| {
            // No game may lead there; the rules still apply.
            if n % 32 == 0 {
                compare_position(&game, ours, reference, n % 512 == 0, 17);
            }
        });
    }
}

/// Applies one to three small changes.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    mutated(text, b"wwwbbb112233456/  reply07x-", rng, |kind, bytes, at, rng| {
        match kind {
            3 => bytes.extend_from_slice(b" reply"),
            4 if bytes.ends_with(b" reply") => bytes.truncate(bytes.len() - 6),
            5 => split_run(bytes, at),
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
            _ => return false,
        }
        true
    })
}
