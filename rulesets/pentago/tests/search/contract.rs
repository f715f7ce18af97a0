use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pentad_sdk::rng::Rng;
use pentad_sdk::{Limits, NeverStop, Request, Ruleset, StopReason, Wdl};
use pentago::Position;
use pentago::search::{EndgameProbe, PentagoSearch};

use crate::harness::{contract, depth, nodes, search};
use crate::support::{all_rules, parse, random_position, rules, text};

const MIDDLE: &str = "6/w3b1/2b2w/b3w1/4w1/1bb3 w";

/// A request gets the same report, whatever was searched before.
#[test]
fn searches_are_deterministic() {
    let mut used = PentagoSearch::default();
    for game in all_rules() {
        let contract = contract(&game);
        let mut rng = Rng::new(5);
        for n_marbles in [0, 4, 9, 14, 20] {
            let position = random_position(&game, &mut rng, n_marbles);
            for threads in [1, 2] {
                let request = Request { threads, n_lines: 2, ..contract.request(nodes(15_000)) };
                contract.check_repeats(&mut used, &position, &request, &[&request]);
            }
        }
    }
}

/// No limit is exceeded, and the stop reason is the limit reached.
#[test]
fn limits_are_kept() {
    let game = rules("standard");
    let (contract, position) = (contract(&game), parse(&game, MIDDLE));
    for n in [0, 1, 50, 1_000, 20_000] {
        contract.check_nodes(&position, n);
    }
    assert_eq!(contract.check_depth(&position, 2).depth, 2);
    for time in [Duration::ZERO, Duration::from_millis(30)] {
        contract.check_time(&position, time);
    }
}

/// A search polls `should_stop` often, and stops.
#[test]
fn stops_when_cancelled() {
    let game = rules("standard");
    let contract = contract(&game).with_memory(256 << 20);
    for text in ["6/6/6/6/6/6 w", MIDDLE, "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w"] {
        for threads in [1, 2] {
            let request = Request { threads, ..contract.request(Limits::default()) };
            contract.check_stop(&parse(&game, text), &request);
        }
    }
}

/// A search that is cancelled before it begins still reports a legal move.
#[test]
fn reports_a_move_if_cancelled_at_once() {
    for game in all_rules() {
        contract(&game).check_stop_at_once(&game.start());
    }
}

/// Lines are different moves, ranked, playable to their end, and no more than
/// requested.
#[test]
fn lines_are_ranked_and_playable() {
    for game in all_rules() {
        let mut rng = Rng::new(6);
        for n_marbles in [3, 8, 12, 16, 20, 28, 33, 35] {
            let position = random_position(&game, &mut rng, n_marbles);
            let report = contract(&game).check_lines(&position, nodes(20_000), 5);
            for pair in report.lines.windows(2) {
                let score = |i: usize| pair[i].evaluation.scores[position.side() as usize];
                let is_ranked = score(0) >= score(1) || pair[0].evaluation.depth > pair[1].evaluation.depth;
                assert!(is_ranked, "{} {}: {pair:?}", game.edition().id(), text(&game, &position));
            }
        }
    }
}

/// Only the requested root moves are searched, each of them, even if several lead to
/// the same position.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in [game.start(), random_position(&game, &mut rng, 5), random_position(&game, &mut rng, 20)] {
            for _ in 0..8 {
                contract(&game).check_root_moves(&position, nodes(3_000), &mut rng);
            }
        }
    }
}

/// A win that is not among the requested moves is not claimed.
#[test]
fn root_moves_limit_the_claims() {
    let game = rules("standard");
    let position = parse(&game, "wwww2/6/6/6/6/bbb1b1 w");
    let report = contract(&game).search_only(&position, nodes(5_000), &["f6-1r"]);
    assert_eq!(report.lines[0].moves[0].text(), "f6-1r");
    assert_ne!(report.evaluation.outcome, Some(Wdl::Win));
}

/// A game that is over has no lines and its result.
#[test]
fn finished_games_have_their_result() {
    let game = rules("standard");
    let report = contract(&game).check_over(&parse(&game, "wwwww1/6/6/6/6/bbb1b1 b"));
    assert_eq!(report.evaluation.outcome, Some(Wdl::Loss));
}

/// A probe with one value for every position of a number of marbles.
struct FixedProbe {
    n_marbles: u32,
    value: Wdl,
    was_probed: AtomicBool,
}

impl EndgameProbe for FixedProbe {
    fn probe_wdl(&self, position: &Position, _depth: i32) -> Option<Wdl> {
        self.was_probed.store(true, Ordering::Relaxed);
        (position.occupied().count() == self.n_marbles).then_some(self.value)
    }
}

/// Values of an endgame probe count as proven, for the side to move at the probed
/// position, and have no distance.
#[test]
fn endgame_values_count_as_proven() {
    let game = rules("standard");
    let position = parse(&game, "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w");
    let search = |value| {
        let probe = FixedProbe { n_marbles: 17, value, was_probed: AtomicBool::new(false) };
        let request = contract(&game).request(nodes(50_000));
        let report =
            PentagoSearch::default().search_with_endgames(&game, &position, &request, &NeverStop, Some(&probe));
        assert!(probe.was_probed.load(Ordering::Relaxed));
        report
    };
    let report = search(Wdl::Loss);
    assert_eq!((report.evaluation.outcome, report.stop), (Some(Wdl::Win), Some(StopReason::Proven)));
    assert_eq!(search(Wdl::Draw).evaluation.outcome, Some(Wdl::Draw));
    let report = search(Wdl::Win);
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Loss), None));
}

/// Reports come with growing depth, and the last has the final lines.
#[test]
fn progress_is_reported() {
    let game = rules("standard");
    let (reports, report) = contract(&game).check_reports(&parse(&game, MIDDLE), depth(4));
    assert!(reports.len() >= 4);
    assert_eq!(reports[reports.len() - 1].lines, report.lines);
}

/// Several threads prove the same as one.
#[test]
fn threads_prove_the_same() {
    let game = rules("standard");
    let mut rng = Rng::new(8);
    for _ in 0..6 {
        let position = random_position(&game, &mut rng, 31);
        let one = search(&game, &position, Limits::default(), 1);
        let request = Request { threads: 3, ..contract(&game).request(Limits::default()) };
        let three = contract(&game).ask(&position, &request, &NeverStop);
        assert_eq!(one.evaluation.outcome, three.evaluation.outcome, "{}", text(&game, &position));
        assert_eq!(three.stop, Some(StopReason::Proven));
    }
}
