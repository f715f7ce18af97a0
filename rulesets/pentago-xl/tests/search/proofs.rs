use std::collections::HashMap;

use pentad_sdk::rng::Rng;
use pentad_sdk::{Certainty, Limits, Wdl};
use pentago_xl::{Move, Objective, PentagoXl, Position};

use crate::support::{
    all_rules, late_position, moves, nodes, reference_of, search, solve_by_reference, solve_by_rules,
    tactical_position, text,
};

/// Numbers of empty cells and of positions with them: 50 per variant, 300 in all.
const LATE_POSITIONS: [(u32, u32); 3] = [(1, 15), (2, 34), (3, 1)];
/// Positions with three empty cells per variant.
const N_THREE_EMPTY: usize = 40;

/// Proven values equal those found by trying every move with the reference; without
/// limits the search proves everything provable, and its move keeps the value.
#[test]
fn late_positions_are_solved() {
    std::thread::scope(|scope| {
        for game in all_rules() {
            scope.spawn(move || {
                let mut rng = Rng::new(41);
                let mut n_proven = 0;
                for (n_empty, n_positions) in LATE_POSITIONS {
                    for _ in 0..n_positions {
                        let position = late_position(&game, &mut rng, n_empty);
                        let mut known = HashMap::new();
                        let reference = reference_of(&game, &position);
                        let truth = |mv: Option<Move>| match mv {
                            Some(mv) => solve_by_reference(&reference.play(mv.text()), &mut known),
                            None => solve_by_reference(&reference, &mut known),
                        };
                        n_proven += usize::from(check_late(&game, &position, truth));
                    }
                }
                assert!(n_proven >= 30, "{}: only {n_proven} proven", game.variant().id());
            });
        }
    });
}

/// The same with three empty cells, by the crate's own rules.
#[test]
fn positions_with_three_empty_cells_are_solved() {
    std::thread::scope(|scope| {
        for game in all_rules() {
            scope.spawn(move || {
                let mut rng = Rng::new(47);
                let mut n_proven = 0;
                for _ in 0..N_THREE_EMPTY {
                    let position = late_position(&game, &mut rng, 3);
                    let mut known = HashMap::new();
                    let truth = |mv: Option<Move>| match mv {
                        Some(mv) => solve_by_rules(&game, &game.play_unchecked(&position, mv), &mut known),
                        None => solve_by_rules(&game, &position, &mut known),
                    };
                    n_proven += usize::from(check_late(&game, &position, truth));
                }
                assert!(n_proven >= 10, "{}: only {n_proven} proven", game.variant().id());
            });
        }
    });
}

/// Compares the search with `value`, which returns the exact value of the position or
/// of the position after a move; returns whether it is proven.
fn check_late(game: &PentagoXl, position: &Position, mut value: impl FnMut(Option<Move>) -> Option<Vec<f64>>) -> bool {
    let context = format!("{} {}", game.variant().id(), text(game, position));
    let truth = value(None);
    let report = search(game, position, Limits::default(), 3);
    // Where the mover is indifferent, the values of all moves are still certain.
    let is_certain = truth.is_some() || moves(game, position).into_iter().all(|mv| value(Some(mv)).is_some());
    assert_eq!(report.evaluation.certainty == Certainty::Proven, is_certain, "{context} {report:?}");
    if is_certain && truth.is_none() {
        assert_eq!(report.evaluation, report.lines[0].evaluation, "{context}");
        assert_eq!(report.lines[0].evaluation.certainty, Certainty::Proven, "{context}");
    }
    for line in &report.lines {
        if line.evaluation.certainty == Certainty::Proven {
            let known = value(Some(line.moves[0]));
            let known = known.unwrap_or_else(|| panic!("{context} {line:?}: nothing is certain"));
            assert_close(line.evaluation.scores.as_slice(), &known, &format!("{context} {line:?}"));
        }
    }
    let Some(truth) = truth else { return false };
    assert_close(report.evaluation.scores.as_slice(), &truth, &context);
    let kept = value(Some(report.lines[0].moves[0]));
    assert_close(&kept.expect("the best move is certain"), &truth, &context);
    if game.variant().is_two_sided() {
        let mine = truth[position.side() as usize];
        let outcome = if mine > 0.5 {
            Wdl::Win
        } else if mine < 0.5 {
            Wdl::Loss
        } else {
            Wdl::Draw
        };
        assert_eq!(report.evaluation.outcome, Some(outcome), "{context}");
    } else {
        assert_eq!(report.evaluation.outcome, None, "{context}");
    }
    true
}

fn assert_close(found: &[f64], wanted: &[f64], context: &str) {
    assert_eq!(found.len(), wanted.len(), "{context}");
    let close = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(close, "{context}: {found:?}, not {wanted:?}");
}

/// With four empty cells, the values that a short search proves for moves equal those
/// found by trying every move after them.
#[test]
fn short_searches_prove_true_values() {
    for game in all_rules() {
        let mut rng = Rng::new(43);
        for _ in 0..3 {
            let position = late_position(&game, &mut rng, 4);
            let context = format!("{} {}", game.variant().id(), text(&game, &position));
            let report = search(&game, &position, nodes(300), 5);
            for line in report.lines.iter().filter(|line| line.evaluation.certainty == Certainty::Proven) {
                let next = game.play_unchecked(&position, line.moves[0]);
                if game.game_result(&next).is_some() {
                    continue;
                }
                let mut known = HashMap::new();
                if next.empty().count() <= 3 {
                    let truth =
                        solve_by_reference(&reference_of(&game, &next), &mut known).expect("what is proven is certain");
                    assert_close(line.evaluation.scores.as_slice(), &truth, &format!("{context} {line:?}"));
                    break;
                }
            }
        }
    }
}

/// Proven lines lead to the end of the game with the proven scores; wins in one and
/// three plies and losses in two have their distance.
#[test]
fn proven_lines_lead_to_the_end() {
    for game in all_rules() {
        let two_sided = game.variant().is_two_sided();
        let mut rng = Rng::new(48);
        let (mut n_by_plies, mut n_late) = ([0; 4], 0);
        for round in 0..150 {
            let is_late = round % 8 == 0;
            let position = if is_late {
                late_position(&game, &mut rng, 1 + round / 8 % 3)
            } else {
                tactical_position(&game, &mut rng, 14 + round % 16)
            };
            let report = search(&game, &position, nodes(400), 3);
            for line in report.lines.iter().filter(|line| line.evaluation.certainty == Certainty::Proven) {
                let context = format!("{} {} {line:?}", game.variant().id(), text(&game, &position));
                let end = line.moves.iter().fold(position, |position, mv| {
                    assert!(moves(&game, &position).contains(mv), "{mv:?} is not legal: {context}");
                    game.play_unchecked(&position, *mv)
                });
                let result = game.game_result(&end).unwrap_or_else(|| panic!("not over: {context}"));
                assert_close(line.evaluation.scores.as_slice(), game.scores(&result).as_slice(), &context);
                if let Some(plies) = line.evaluation.plies_to_end {
                    assert_eq!(line.moves.len(), plies as usize, "{context}");
                    n_by_plies[plies as usize] += 1;
                }
                n_late += usize::from(is_late);
            }
        }
        let id = game.variant().id();
        assert!(n_late > 20, "{id}: {n_late} lines of late positions");
        if game.variant().objective() != Objective::Places {
            let n_longest = if two_sided { 3 } else { 2 };
            assert!(n_by_plies[1..=n_longest].iter().all(|&n| n >= 5), "{id}: {n_by_plies:?} lines by plies");
        }
    }
}
