//! The search keeps the SDK's contract: lines, root moves, limits, determinism,
//! cancellation, progress reports.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::{depth, nodes};
use pentad_sdk::{Control, Limits, NeverStop, Report, Request, Resources, Ruleset, Search, Wdl};
use pentagame::Move;

use crate::sample::played_positions;
use crate::support::{all_rules, contract, moves, parse, rules, text};

/// Lines are distinct legal moves, ranked, playable to their end, and as many as
/// requested; expected scores add up to one.
#[test]
fn lines_are_legal_and_ranked() {
    for game in all_rules() {
        for position in played_positions(&game, 6, 12) {
            let context = text(&game, &position);
            let report = contract(&game).check_lines(&position, nodes(6_000), 5);
            assert_eq!(report.lines.len(), 5.min(game.count_moves(&position, "") as usize), "{context}");
            for line in &report.lines {
                let total: f64 = line.evaluation.scores.as_slice().iter().sum();
                assert!((total - 1.0).abs() < 0.01, "{context}: {:?}", line.evaluation.scores);
            }
        }
    }
}

/// The values of several lines can be compared: with three and four players each is
/// about the value of its move searched alone.
#[test]
fn lines_are_worth_what_they_are_worth_alone() {
    for variant in ["3p", "4p"] {
        let game = rules(variant);
        let positions = played_positions(&game, 7, 6);
        let n_compared: usize =
            positions.iter().map(|position| contract(&game).check_lines_alone(position, 12_000, 3, 0.08)).sum();
        assert!(n_compared > 6, "{variant}: {n_compared}");
    }
}

/// If more lines are requested than there are candidates, other legal moves fill them.
#[test]
fn all_requested_lines_are_reported() {
    for game in all_rules() {
        let report = contract(&game).search(&game.start(), nodes(3_000), 400);
        assert_eq!(report.lines.len(), 400);
    }
}

/// Exactly the root moves of a request are searched.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in played_positions(&game, 9, 5) {
            contract(&game).check_root_moves(&position, nodes(2_000), &mut rng);
        }
    }
}

/// Even if a request has more root moves than are searched, only these are reported.
#[test]
fn very_many_root_moves_are_honoured() {
    for game in all_rules() {
        let position = game.start();
        let mut root_moves = moves(&game, &position);
        let best = contract(&game).search(&position, nodes(3_000), 1).lines[0].moves[0];
        root_moves.retain(|mv| *mv != best);
        assert!(root_moves.len() > 1_000);
        let request = Request { root_moves, n_lines: 4, ..Request::new(nodes(3_000)) };
        let report = contract(&game).ask(&position, &request, &NeverStop);
        assert_eq!(report.lines.len(), 4);
        assert!(report.lines.iter().all(|line| line.moves[0] != best));
    }
}

/// The same node limit gives the same answer, in a fresh and in a used context.
#[test]
fn answers_repeat() {
    for game in all_rules() {
        let mut used = game.context(Resources { memory_bytes: 4 << 20, threads: 1 }).unwrap();
        let request = Request { n_lines: 3, ..Request::new(nodes(3_000)) };
        for position in played_positions(&game, 4, 4) {
            contract(&game).check_repeats(&mut used, &position, &request, &[&request, &request]);
        }
    }
}

/// Limits of nodes, depth and time are kept; with one node or no time there is
/// still a move.
#[test]
fn limits_are_kept() {
    for game in all_rules() {
        let contract = contract(&game);
        for position in played_positions(&game, 12, 4) {
            for n in [1, 10, 1_000] {
                contract.check_nodes(&position, n);
            }
            contract.check_depth(&position, 2);
            for time in [Duration::ZERO, Duration::from_millis(30)] {
                contract.check_time(&position, time);
            }
        }
    }
}

/// A cancelled search stops, even before its first node.
#[test]
fn cancelled_searches_stop() {
    for game in all_rules() {
        contract(&game).check_stop(&game.start(), &Request::new(Limits::default()));
        contract(&game).check_stop_at_once(&game.start());
    }
}

/// `should_stop` is polled at least every 512 nodes (a search visits more than
/// that in a millisecond).
#[test]
fn should_stop_is_polled_often() {
    struct PollCounter(AtomicU64);
    impl Control<Move> for PollCounter {
        fn should_stop(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            false
        }
        fn report(&self, _: &Report<Move>) {}
    }
    for game in all_rules() {
        for position in played_positions(&game, 15, 6) {
            let polls = PollCounter(AtomicU64::new(0));
            let report = contract(&game).ask(&position, &Request::new(nodes(20_000)), &polls);
            let n_polls = polls.0.into_inner();
            assert!(n_polls > report.nodes / 512, "{n_polls} in {}: {}", report.nodes, text(&game, &position));
        }
    }
}

/// Reports come with growing depth and end with the answer.
#[test]
fn iterations_are_reported() {
    let game = rules("2p");
    let (reports, report) = contract(&game).check_reports(&game.start(), depth(3));
    assert_eq!(reports.len(), 3);
    assert!(reports.windows(2).all(|pair| pair[0].depth < pair[1].depth && pair[0].nodes < pair[1].nodes));
    assert_eq!(reports[2].lines, report.lines);
}

/// A finished game is reported without lines and evaluates to its outcome.
#[test]
fn finished_games_are_reported() {
    let game = rules("2p");
    let report = contract(&game).check_over(&parse(&game, "*,*,*,D,E/A,B,C,D,E a,b,c,d,e - 1 -"));
    assert_eq!(report.evaluation.outcome, Some(Wdl::Win));
}
