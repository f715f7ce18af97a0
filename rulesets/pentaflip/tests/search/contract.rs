use std::time::Duration;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Limits, Request, StopReason, Wdl};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Pentaflip, Position};

use crate::positions::{moves, ongoing, parse, text};
use crate::support::{contract, depth, nodes, search};

const MIDDLE: &str = "6/2w3/1wWBb1/2BWb1/3b2/6 6/6/6/6/2w3/6 w -";

/// Equal requests get equal reports, whatever was searched before and however many
/// threads are allowed.
#[test]
fn search_is_deterministic() {
    let mut used = PentaflipSearch::default();
    let mut rng = Rng::new(5);
    for n_rings in [0, 4, 9, 14, 20, 30] {
        let position = ongoing(&mut rng, n_rings);
        for threads in [1, 2] {
            let request = Request { threads, n_lines: 2, ..contract().request(nodes(15_000)) };
            contract().check_repeats(&mut used, &position, &request, &[&request]);
        }
    }
}

/// No limit is exceeded, and the stop reason names the limit that was reached.
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

/// A search polls `should_stop` often and honours it, with as much memory as the host
/// allows.
#[test]
fn stops_when_cancelled() {
    let contract = Contract::of(&Pentaflip, "standard").with_memory(1 << 30);
    for position in [Position::START, parse(MIDDLE)] {
        contract.check_stop(&position, &contract.request(Limits::default()));
    }
}

/// A search cancelled before it begins still reports a legal move.
#[test]
fn cancelled_search_reports_a_move() {
    contract().check_stop_at_once(&Position::START);
}

/// Lines begin with different moves, are ranked and legal, and are as many as
/// requested.
#[test]
fn lines_are_ranked_and_legal() {
    let mut rng = Rng::new(6);
    for i in 0..60 {
        let position = ongoing(&mut rng, i % 40);
        let report = contract().check_lines(&position, nodes(15_000), 5);
        let context = || format!("{} {report:?}", text(&position));
        assert_eq!(report.lines.len(), moves(&position).len().min(5), "{}", context());
        for pair in report.lines.windows(2) {
            let score = |i: usize| pair[i].evaluation.scores[position.side() as usize];
            assert!(score(0) >= score(1) || pair[0].evaluation.depth > pair[1].evaluation.depth, "{}", context());
        }
    }
}

/// Exactly the root moves of the request are searched.
#[test]
fn root_moves_are_honoured() {
    let mut rng = Rng::new(51);
    for position in [Position::START, ongoing(&mut rng, 5), ongoing(&mut rng, 20)] {
        for _ in 0..8 {
            contract().check_root_moves(&position, nodes(3_000), &mut rng);
        }
    }
}

/// A win that is not among the root moves of the request is not claimed.
#[test]
fn root_moves_restrict_proofs() {
    let position = parse("wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    assert_eq!(search(&position, nodes(5_000), 1).lines[0].moves[0].text(), "e1");
    let report = contract().search_only(&position, nodes(5_000), &["~1"]);
    assert_eq!(report.lines[0].moves[0].text(), "~1");
    assert_ne!(report.evaluation.plies_to_end, Some(1));
}

/// The report on a game that is over has its result and no lines.
#[test]
fn finished_games_are_reported() {
    let report = contract().check_over(&parse("wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -"));
    assert_eq!(report.evaluation.outcome, Some(Wdl::Loss));
}

/// Progress reports have growing depth, and the last one agrees with the result.
#[test]
fn progress_is_reported() {
    let (reports, report) = contract().check_reports(&parse(MIDDLE), depth(5));
    assert!(reports.len() >= 5 || report.stop == Some(StopReason::Proven));
    assert_eq!(reports[reports.len() - 1].lines[0].moves[0], report.lines[0].moves[0]);
}
