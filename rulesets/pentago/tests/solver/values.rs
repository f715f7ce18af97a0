use pentad_sdk::Wdl;
use pentad_sdk::rng::Rng;
use pentago::{Edition, Pentago, Position};

use crate::reference::ReferenceGame;
use crate::support::{Minimax, editions, moves, random_position, solution, text};

/// Compares all moves of a position with minimax by the crate's rules.
fn check_against_minimax(game: &Pentago, position: &Position) {
    let answer = solution(game, position);
    let mut minimax = Minimax::default();
    let legal = moves(game, position);
    assert_eq!(answer.moves.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), legal, "{}", text(game, position));
    for &(mv, value) in &answer.moves {
        let expected = minimax.value_of_move(game, position, mv);
        assert_eq!(value, expected, "{mv:?} in {} ({})", text(game, position), game.edition().id());
    }
    assert_eq!(Some(answer.value), answer.moves.iter().map(|&(_, value)| value).max());
}

/// Positions of each number of marbles from 28 to 35.
const N_STANDARD: [usize; 8] = [40, 80, 130, 150, 150, 150, 150, 150];
const N_OTHER: [usize; 8] = [8, 16, 26, 30, 30, 30, 30, 30];

#[test]
fn a_thousand_late_positions_agree_with_minimax() {
    for game in editions() {
        let mut rng = Rng::new(0x5eed + game.edition() as u64);
        let counts = if game.edition() == Edition::Standard { N_STANDARD } else { N_OTHER };
        for (n_marbles, n_positions) in (28..).zip(counts) {
            for _ in 0..n_positions {
                check_against_minimax(&game, &random_position(&game, &mut rng, n_marbles));
            }
        }
    }
}

/// The reference shares no code with the crate: an error in the crate's rules would
/// show here.
#[test]
fn last_plies_agree_with_the_reference() {
    fn value(reference: &ReferenceGame) -> Wdl {
        if let Some(outcome) = reference.outcome() {
            let score = outcome.scores[usize::from(reference.side == 'b')];
            return if score == 1.0 {
                Wdl::Win
            } else if score == 0.0 {
                Wdl::Loss
            } else {
                Wdl::Draw
            };
        }
        reference.legal().iter().map(|mv| value_of_move(reference, mv)).max().expect("a game in progress has moves")
    }
    fn value_of_move(reference: &ReferenceGame, mv: &str) -> Wdl {
        let next = reference.play(mv);
        // Passing on the reply leaves the side as it is.
        if next.side == reference.side { value(&next) } else { value(&next).opposite() }
    }
    let mut rng = Rng::new(0x7717);
    for game in editions() {
        for n_marbles in [34, 34, 34, 34, 34, 35, 35, 35] {
            let position = random_position(&game, &mut rng, n_marbles);
            let reference =
                ReferenceGame::parse(game.edition().id(), &text(&game, &position)).expect("the reference reads it");
            for (mv, found) in solution(&game, &position).moves {
                assert_eq!(
                    found,
                    value_of_move(&reference, mv.text()),
                    "{mv:?} in {} ({})",
                    reference.format(),
                    game.edition().id()
                );
            }
        }
    }
}

/// Compares a few earlier positions, for which minimax takes long.
#[test]
fn some_positions_of_26_marbles_agree_with_minimax() {
    for game in editions() {
        let mut rng = Rng::new(0xdee9 + game.edition() as u64);
        for n_marbles in [26, 27, 27] {
            let position = random_position(&game, &mut rng, n_marbles);
            let mut minimax = Minimax::default();
            assert_eq!(solution(&game, &position).value, minimax.value(&game, &position), "{}", text(&game, &position));
        }
    }
}

/// Descendants solved on their own have the values given by the solution of the root,
/// whichever blocks are turned.
#[test]
fn descendants_have_the_values_of_the_root() {
    for game in editions() {
        let mut rng = Rng::new(0xc41d + game.edition() as u64);
        let n_positions = if game.edition() == Edition::Standard { 24 } else { 6 };
        for i in 0..n_positions {
            let position = random_position(&game, &mut rng, 24 + i % 4);
            let answer = solution(&game, &position);
            for _ in 0..8 {
                let (mv, value) = answer.moves[rng.below(answer.moves.len())];
                let mut child = game.play_unchecked(&position, mv);
                let situation = format!("{mv:?} in {} ({})", text(&game, &position), game.edition().id());
                assert_eq!(answer.probe(&child), Some(value.opposite()), "{situation}");
                // Down to the last ply that is kept.
                for _ in 0..4 {
                    if game.game_result(&child).is_some() || child.is_reply() {
                        break;
                    }
                    let afresh = solution(&game, &child);
                    assert_eq!(answer.probe(&child), Some(afresh.value), "{situation}, then {}", text(&game, &child));
                    let replies = moves(&game, &child);
                    child = game.play_unchecked(&child, replies[rng.below(replies.len())]);
                }
            }
        }
    }
}

/// Positions that are not descendants have no value.
#[test]
fn unrelated_positions_have_no_value() {
    let game = Pentago::of(Edition::Standard);
    let mut rng = Rng::new(0x57a);
    let answer = solution(&game, &random_position(&game, &mut rng, 28));
    for n_marbles in [20, 28, 29, 30, 31, 32, 33] {
        let unrelated = random_position(&game, &mut rng, n_marbles);
        assert_eq!(answer.probe(&unrelated), None, "{}", text(&game, &unrelated));
    }
    assert_eq!(answer.probe(answer.root()), Some(answer.value));
}
