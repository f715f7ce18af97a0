//! The crate and its reference, side by side over random games and broken texts.

use pentad_sdk::Ruleset;
use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::reference::{Expected, broken, check_acceptance, check_moves, check_position, split_run};
use pentago::{Move, Pentago, Position};

use crate::reference::ReferenceGame;
use crate::support::{all_rules, rules, text, walk};

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

/// Compares one position in all respects, and gives its legal moves.
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

/// What one accepts, the other accepts, and both read it the same.
#[test]
fn acceptance_agrees() {
    for game in all_rules() {
        let variant = game.edition().id();
        let mut rng = Rng::new(17);
        let seeds: Vec<String> =
            (0..50).flat_map(|_| walk(&game, &mut rng)).map(|position| text(&game, &position)).collect();
        let texts = broken(&seeds, N_MUTATIONS, &mut rng, mutate);
        let read = |text: &str| ReferenceGame::parse(variant, text);
        let n_accepted = check_acceptance(&game, texts, read, ReferenceGame::format, |n, ours, reference| {
            // No game need have led there; the rules go on all the same.
            if n % 32 == 0 {
                compare_position(&game, ours, reference, n % 512 == 0, 17);
            }
        });
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
