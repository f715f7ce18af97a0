use std::time::Duration;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::{Contract, depth, nodes};
use pentad_sdk::{Limits, Request};

use crate::catches;
use crate::digits::{Digits, Fault, LENGTH, search};

fn contract(game: &Digits) -> Contract<'_, Digits, u64> {
    Contract::new(game, "twelve", |_, _| 0, search)
}

/// Exceeded limits, ignored cancellation, reports without a legal move.
#[test]
fn limits_and_stops() {
    let faults = [
        (Fault::ExceedsNodeLimit, ">12: 202 nodes of 100"),
        (Fault::MissesDepthLimit, "1 plies of 2"),
        (Fault::IgnoresTimeLimit, "clock readings after the limit of 20ms"),
        (Fault::NoLines, "number of lines"),
        (Fault::IllegalMove, "0 is not legal"),
        (Fault::IgnoresStop, "Some(Cancelled)"),
    ];
    catches(&faults, |fault| {
        let (game, position) = (Digits(fault), vec![1, 2]);
        let contract = contract(&game);
        contract.check_nodes(&position, 100);
        contract.check_depth(&position, 2);
        contract.check_time(&position, Duration::from_millis(20));
        // Far more nodes than a search that polls visits.
        contract.check_stop(&position, &contract.request(nodes(1_000_000)));
        contract.check_stop_at_once(&position);
    });
}

/// Invalid lines, ignored root moves, invalid reports.
#[test]
fn lines_and_reports() {
    let faults = [
        (Fault::TooManyLines, "number of lines"),
        (Fault::IllegalMove, "0 is not legal"),
        (Fault::DuplicateLine, "two lines for"),
        (Fault::UnplayableLine, "expected a digit"),
        (Fault::LineBeyondEnd, "longer than its plies_to_end"),
        (Fault::CertainEstimate, "an estimate of [1.0, 0.0]"),
        (Fault::UnsortedLines, "order of lines"),
        (Fault::IgnoresRootMoves, "twelve >12"),
        (Fault::KeepsState, "a used searcher"),
        (Fault::NoReports, "no intermediate report"),
        (Fault::StopInIntermediateReport, "before the final report"),
        (Fault::DecreasingNodes, "followed by"),
    ];
    catches(&faults, |fault| {
        let (game, position) = (Digits(fault), vec![1, 2]);
        let contract = contract(&game);
        contract.check_lines(&position, nodes(2_000), 5);
        contract.check_root_moves(&position, nodes(500), &mut Rng::new(1));
        let request = Request { n_lines: 2, ..contract.request(nodes(500)) };
        contract.check_repeats(&mut 0, &position, &request, &[&request, &request]);
        contract.check_reports(&position, depth(3));
    });
}

/// Invalid reports of a finished game.
#[test]
fn finished_games() {
    let faults = [(Fault::LinesWhenOver, "moves: [1]"), (Fault::WrongScoresWhenOver, "[0.5, 0.5]")];
    catches(&faults, |fault| {
        contract(&Digits(fault)).check_over(&vec![3; LENGTH]);
    });
}

/// A search restricted to one root move reports that move.
#[test]
fn single_root_move() {
    let game = Digits(Fault::None);
    let report = contract(&game).search_only(&vec![1, 2], nodes(500), &["7"]);
    assert_eq!(report.lines[0].moves[0], 7);
    let report = contract(&game).search(&vec![1; LENGTH - 2], Limits::default(), 1);
    assert_eq!(report.evaluation.plies_to_end, Some(2), "the last player decides");
}
