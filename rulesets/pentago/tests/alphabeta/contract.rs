use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Limits, NeverStop, Request, Ruleset, StopReason, Wdl};
use pentago::Position;
use pentago::alphabeta::{Oracle, PentagoSearch};

use crate::support::{contract, depth, nodes, search};
use crate::walks::{all_rules, parse, rules, running, text};

const MIDDLE: &str = "6/w3b1/2b2w/b3w1/4w1/1bb3 w";

/// The same question gets the same answer, whatever the searcher did before.
#[test]
fn same_question_same_answer() {
    let mut used = PentagoSearch::new();
    for game in all_rules() {
        let contract = contract(&game);
        let mut rng = Rng::new(5);
        for n_marbles in [0, 4, 9, 14, 20] {
            let position = running(&game, &mut rng, n_marbles);
            for threads in [1, 2] {
                let request = Request { threads, n_lines: 2, ..contract.request(nodes(15_000)) };
                contract.check_repeats(&mut used, &position, &request, &[&request]);
            }
        }
    }
}

/// No limit is passed, and the reason to stop is the limit that tripped.
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

/// A search asks often whether to stop, and does.
#[test]
fn stops_when_told() {
    let game = rules("standard");
    let contract = contract(&game).with_memory(256 << 20);
    for text in ["6/6/6/6/6/6 w", MIDDLE, "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w"] {
        for threads in [1, 2] {
            let request = Request { threads, ..contract.request(Limits::default()) };
            contract.check_stop(&parse(&game, text), &request);
        }
    }
}

/// Told to stop before it begins, a search still names a legal move.
#[test]
fn names_a_move_at_once() {
    for game in all_rules() {
        contract(&game).check_stop_at_once(&game.start());
    }
}

/// Lines are different moves, ranked, playable to their end, and no more than
/// asked for.
#[test]
fn lines_keep_their_laws() {
    for game in all_rules() {
        let mut rng = Rng::new(6);
        for n_marbles in [3, 8, 12, 16, 20, 28, 33, 35] {
            let position = running(&game, &mut rng, n_marbles);
            let report = contract(&game).check_lines(&position, nodes(20_000), 5);
            for pair in report.lines.windows(2) {
                let score = |i: usize| pair[i].evaluation.scores[position.side() as usize];
                let is_ranked = score(0) >= score(1) || pair[0].evaluation.depth > pair[1].evaluation.depth;
                assert!(is_ranked, "{} {}: {pair:?}", game.edition().id(), text(&game, &position));
            }
        }
    }
}

/// Only the moves asked about are considered, each of them, also those that
/// lead where another does.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in [game.start(), running(&game, &mut rng, 5), running(&game, &mut rng, 20)] {
            for _ in 0..8 {
                contract(&game).check_root_moves(&position, nodes(3_000), &mut rng);
            }
        }
    }
}

/// A win that is not among the moves asked about is not claimed.
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
fn finished_games_are_reported() {
    let game = rules("standard");
    let report = contract(&game).check_over(&parse(&game, "wwwww1/6/6/6/6/bbb1b1 b"));
    assert_eq!(report.evaluation.outcome, Some(Wdl::Loss));
}

/// Says one thing about every position that has a given number of marbles.
struct Says(u32, Wdl, AtomicBool);

impl Oracle for Says {
    fn value(&self, position: &Position, _depth: i32) -> Option<Wdl> {
        self.2.store(true, Ordering::Relaxed);
        (position.occupied().count() == self.0).then_some(self.1)
    }
}

/// What an oracle says is proven, for the side to move where it says it, and
/// has no distance; a win at hand is still seen.
#[test]
fn oracles_are_believed() {
    let game = rules("standard");
    let position = parse(&game, "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w");
    let ask = |wdl| {
        let oracle = Says(17, wdl, AtomicBool::new(false));
        let request = contract(&game).request(nodes(50_000));
        let report = PentagoSearch::new().search_with(&game, &position, &request, &NeverStop, Some(&oracle));
        assert!(oracle.2.load(Ordering::Relaxed));
        report
    };
    let report = ask(Wdl::Loss);
    assert_eq!((report.evaluation.outcome, report.stop), (Some(Wdl::Win), Some(StopReason::Proven)));
    assert_eq!(ask(Wdl::Draw).evaluation.outcome, Some(Wdl::Draw));
    let report = ask(Wdl::Win);
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Loss), None));
}

/// Reports come with growing depth and end with the answer.
#[test]
fn improvements_are_reported() {
    let game = rules("standard");
    let (heard, report) = contract(&game).check_reports(&parse(&game, MIDDLE), depth(4));
    assert!(heard.len() >= 4);
    assert_eq!(heard[heard.len() - 1].lines, report.lines);
}

/// Threads without a node limit agree with the truth on a position that one
/// thread proves.
#[test]
fn threads_prove_the_same() {
    let game = rules("standard");
    let mut rng = Rng::new(8);
    for _ in 0..6 {
        let position = running(&game, &mut rng, 31);
        let one = search(&game, &position, Limits::default(), 1);
        let request = Request { threads: 3, ..contract(&game).request(Limits::default()) };
        let three = contract(&game).ask(&position, &request, &NeverStop);
        assert_eq!(one.evaluation.outcome, three.evaluation.outcome, "{}", text(&game, &position));
        assert_eq!(three.stop, Some(StopReason::Proven));
    }
}
