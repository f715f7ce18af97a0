use std::collections::HashSet;
use std::time::Duration;

use pentad_sdk::rng::Rng;
use pentad_sdk::{Limits, Request, Ruleset, StopReason};
use pentago_xl::Position;
use pentago_xl::search::PentagoXlSearch;

use crate::support::{all_rules, contract, moves, nodes, parse, rules, search, tactical_position, text};

/// The same request gets the same report, whatever the searcher did before and
/// however many threads it is allowed.
#[test]
fn searches_are_repeatable() {
    let mut used = PentagoXlSearch::default();
    for game in all_rules() {
        let contract = contract(&game);
        let mut rng = Rng::new(5);
        for n_marbles in [0, 4, 12, 24, 40] {
            let position = tactical_position(&game, &mut rng, n_marbles);
            let request = Request { n_lines: 2, ..contract.request(nodes(3_000)) };
            let threads = Request { threads: 2, ..request.clone() };
            contract.check_repeats(&mut used, &position, &request, &[&threads]);
        }
    }
}

/// The values of several lines can be compared: each is about the value of its move
/// searched alone.
#[test]
fn lines_are_worth_what_they_are_worth_alone() {
    for game in all_rules() {
        let mut rng = Rng::new(11);
        let mut n_compared = 0;
        for n_marbles in [0, 8, 16, 24] {
            let position = tactical_position(&game, &mut rng, n_marbles);
            n_compared += contract(&game).check_lines_alone(&position, 6_000, 3, 0.1);
        }
        assert!(n_compared > 3, "{}: {n_compared}", game.variant().id());
    }
}

/// No limit is exceeded, and the stop reason is the limit that tripped.
#[test]
fn limits_are_kept() {
    for game in all_rules() {
        let (contract, position) = (contract(&game), game.start());
        assert_eq!(contract.check_nodes(&position, 0).nodes, 0);
        for n in [1, 50, 1_000, 8_000] {
            contract.check_nodes(&position, n);
        }
        for depth in [1, 2, 4] {
            contract.check_depth(&position, depth);
        }
        for time in [Duration::ZERO, Duration::from_millis(30)] {
            contract.check_time(&position, time);
        }
    }
}

/// A search keeps within a small memory and still runs to its limits.
#[test]
fn small_memory_suffices() {
    for game in all_rules() {
        let report = contract(&game).with_memory(1).search(&game.start(), nodes(6_000), 1);
        assert_eq!(report.stop, Some(StopReason::Nodes));
        assert!(report.lines[0].evaluation.depth >= 1);
    }
}

/// A search polls for cancellation often enough, even if all lines are
/// requested.
#[test]
fn stops_when_cancelled() {
    for game in all_rules() {
        let contract = contract(&game).with_memory(256 << 20);
        let mut rng = Rng::new(7);
        for n_marbles in [0, 6, 12] {
            let position = tactical_position(&game, &mut rng, n_marbles);
            contract.check_stop(&position, &Request { n_lines: 2_000, ..contract.request(Limits::default()) });
        }
    }
}

/// A search cancelled before it begins still names a legal move.
#[test]
fn cancelled_search_names_a_move() {
    for game in all_rules() {
        contract(&game).check_stop_at_once(&game.start());
    }
}

/// Lines are distinct moves, ranked, playable to their end, and as many as requested;
/// a distance is the length of its line, and scores add up.
#[test]
fn lines_are_consistent() {
    for game in all_rules() {
        let mut rng = Rng::new(6);
        for n_marbles in [3, 12, 20, 28, 40, 60, 76] {
            let position = tactical_position(&game, &mut rng, n_marbles);
            let context = format!("{} {}", game.variant().id(), text(&game, &position));
            let report = contract(&game).check_lines(&position, nodes(4_000), 5);
            assert_eq!(report.lines.len(), 5.min(moves(&game, &position).len()), "{context}");
            let seat = position.side() as usize;
            for pair in report.lines.windows(2) {
                let score = |i: usize| pair[i].evaluation.scores[seat];
                assert!(score(0) >= score(1) - 1e-6, "{context}: {pair:?}");
            }
            for line in &report.lines {
                if let Some(plies) = line.evaluation.plies_to_end {
                    assert_eq!(line.moves.len(), plies as usize, "{context}: {line:?}");
                    let end = line.moves.iter().fold(position, |at, mv| game.play(&at, mv));
                    assert!(game.game_result(&end).is_some(), "{context}: {line:?}");
                }
                let total: f64 = line.evaluation.scores.as_slice().iter().sum();
                let expected = match game.variant().id() {
                    "places3" => 1.5,
                    "places4" | "teams" => 2.0,
                    _ => 1.0,
                };
                assert!((total - expected).abs() < 2e-3, "{context}: {line:?}");
            }
        }
    }
}

/// All moves can be requested: one line per reachable position.
#[test]
fn every_move_can_be_listed() {
    for game in all_rules() {
        let mut rng = Rng::new(8);
        for n_marbles in [0, 30, 75] {
            let position = tactical_position(&game, &mut rng, n_marbles);
            let report = search(&game, &position, nodes(3_000), 5_000);
            let reached: HashSet<Position> =
                moves(&game, &position).iter().map(|mv| game.play(&position, mv)).collect();
            let listed: HashSet<Position> =
                report.lines.iter().map(|line| game.play(&position, &line.moves[0])).collect();
            assert_eq!((listed.len(), &listed), (report.lines.len(), &reached), "{}", text(&game, &position));
        }
    }
}

/// Exactly the requested root moves are reported, including those that lead to the
/// same position as another.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in [game.start(), tactical_position(&game, &mut rng, 9), tactical_position(&game, &mut rng, 40)] {
            for _ in 0..6 {
                contract(&game).check_root_moves(&position, nodes(500), &mut rng);
            }
        }
    }
}

/// A win that is not among the requested root moves is not reported.
#[test]
fn root_moves_limit_the_evaluation() {
    let game = rules("ffa2");
    let position = parse(&game, "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -");
    let report = contract(&game).search_only(&position, nodes(2_000), &["i5-1r"]);
    assert_eq!(report.lines[0].moves[0].text(), "i5-1r");
    assert_ne!(report.evaluation.plies_to_end, Some(1));
}

/// A finished game is reported without lines and with its result.
#[test]
fn finished_games_are_reported() {
    let game = rules("ffa2");
    let report = contract(&game).check_over(&parse(&game, "rrrrr4/9/9/9/9/9/9/9/y1y1y1y2 y -"));
    assert_eq!(report.evaluation.scores[0], 1.0);
}

/// Progress is reported during the search, without a stop reason.
#[test]
fn progress_is_reported() {
    for game in all_rules() {
        let (reports, _) = contract(&game).check_reports(&game.start(), nodes(6_000));
        assert!(reports.len() >= 3, "{}", reports.len());
        assert!(reports.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
    }
}
