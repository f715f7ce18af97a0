use std::time::Duration;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Limits, Request, StopReason, Wdl};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Pentaflip, Position};

use crate::support::{contract, depth, nodes, search};
use crate::walks::{moves, parse, running, text};

const MIDDLE: &str = "6/2w3/1wWBb1/2BWb1/3b2/6 6/6/6/6/2w3/6 w -";

/// The same question gets the same answer, whatever the searcher did before
/// and however many threads it may use.
#[test]
fn same_question_same_answer() {
    let mut used = PentaflipSearch::new();
    let mut rng = Rng::new(5);
    for n_rings in [0, 4, 9, 14, 20, 30] {
        let position = running(&mut rng, n_rings);
        for threads in [1, 2] {
            let request = Request { threads, n_lines: 2, ..contract().request(nodes(15_000)) };
            contract().check_repeats(&mut used, &position, &request, &[&request]);
        }
    }
}

/// No limit is passed, and the reason to stop is the limit that tripped.
#[test]
fn limits_are_kept() {
    let position = parse(MIDDLE);
    for n in [0, 1, 50, 1_000, 20_000] {
        contract().check_nodes(&position, n);
    }
    assert_eq!(contract().check_depth(&position, 2).depth, 2);
    for time in [Duration::ZERO, Duration::from_millis(30)] {
        contract().check_time(&position, time);
    }
}

/// A search asks often whether to stop, and does, with as much memory as the
/// host may give it.
#[test]
fn stops_when_told() {
    let contract = Contract::of(&Pentaflip, "standard").with_memory(1 << 30);
    for position in [Position::START, parse(MIDDLE)] {
        contract.check_stop(&position, &contract.request(Limits::default()));
    }
}

/// Told to stop before it begins, a search still names a legal move.
#[test]
fn names_a_move_at_once() {
    contract().check_stop_at_once(&Position::START);
}

/// Lines are different moves, ranked, playable to their end, and as many as
/// asked for.
#[test]
fn lines_keep_their_laws() {
    let mut rng = Rng::new(6);
    for i in 0..60 {
        let position = running(&mut rng, i % 40);
        let report = contract().check_lines(&position, nodes(15_000), 5);
        let context = || format!("{} {report:?}", text(&position));
        assert_eq!(report.lines.len(), moves(&position).len().min(5), "{}", context());
        for pair in report.lines.windows(2) {
            let score = |i: usize| pair[i].evaluation.scores[position.side() as usize];
            assert!(score(0) >= score(1) || pair[0].evaluation.depth > pair[1].evaluation.depth, "{}", context());
        }
    }
}

/// Only the moves asked about are considered, each of them.
#[test]
fn root_moves_are_honoured() {
    let mut rng = Rng::new(51);
    for position in [Position::START, running(&mut rng, 5), running(&mut rng, 20)] {
        for _ in 0..8 {
            contract().check_root_moves(&position, nodes(3_000), &mut rng);
        }
    }
}

/// A win that is not among the moves asked about is not claimed.
#[test]
fn root_moves_limit_the_claims() {
    let position = parse("wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    assert_eq!(search(&position, nodes(5_000), 1).lines[0].moves[0].text(), "e1");
    let report = contract().search_only(&position, nodes(5_000), &["~1"]);
    assert_eq!(report.lines[0].moves[0].text(), "~1");
    assert_ne!(report.evaluation.plies_to_end, Some(1));
}

/// A game that is over has no lines and its result.
#[test]
fn finished_games_are_reported() {
    let report = contract().check_over(&parse("wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -"));
    assert_eq!(report.evaluation.outcome, Some(Wdl::Loss));
}

/// Reports come with growing depth and end with the answer.
#[test]
fn improvements_are_reported() {
    let (heard, report) = contract().check_reports(&parse(MIDDLE), depth(5));
    assert!(heard.len() >= 5 || report.stop == Some(StopReason::Proven));
    assert_eq!(heard[heard.len() - 1].lines[0].moves[0], report.lines[0].moves[0]);
}
