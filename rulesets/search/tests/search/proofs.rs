//! Values and proofs against plain minimax.

use std::collections::{HashMap, HashSet};

use pentad_model::{Certainty, Limits, Report, Request, StopReason, Wdl};
use pentad_search::{AlphaBetaOptions, Game, MctsOptions, Searcher, interleaved, mcts, search};

use crate::games::dag::{Dag, Place};
use crate::games::tictactoe::{Board, TicTacToe};
use crate::games::{CollectingControl, depth, nodes};
use crate::reference::{Value, after_move, minimax};

/// Asserts that everything a report claims as proven is true, with its distance.
pub(crate) fn assert_claims<G: Game>(
    game: &G,
    position: &G::Position,
    report: &Report<G::Move>,
    memory: &mut HashMap<u64, Value>,
    context: &str,
) {
    let (wdl, plies) = minimax(game, position, memory);
    let claim = &report.evaluation;
    if claim.certainty == Certainty::Proven {
        assert_eq!(claim.outcome, Some(wdl), "{context}: {report:?}");
        if let Some(claimed) = claim.plies_to_end {
            assert_eq!(claimed, plies, "{context}: {report:?}");
        }
    }
    for line in &report.lines {
        let (wdl, plies) = after_move(game, position, &line.moves[0], memory);
        if line.evaluation.certainty == Certainty::Proven {
            assert_eq!(line.evaluation.outcome, Some(wdl), "{context}: {report:?}");
            if let Some(claimed) = line.evaluation.plies_to_end {
                assert_eq!(claimed, plies, "{context}: {report:?}");
            }
        } else {
            let open = line.evaluation.scores.as_slice().iter().all(|score| (0.0..1.0).contains(score) && *score > 0.0);
            assert!(open && line.evaluation.outcome.is_none(), "{context}: {report:?}");
        }
    }
}

fn reachable(game: &TicTacToe) -> Vec<Board> {
    let mut seen = HashSet::new();
    let mut open = vec![[0, 0]];
    while let Some(board) = open.pop() {
        if game.outcome(&board).is_none() && seen.insert(board) {
            let mut moves = Vec::new();
            game.moves(&board, &mut moves);
            open.extend(moves.iter().map(|mv| game.play(&board, mv)));
        }
    }
    let mut boards: Vec<_> = seen.into_iter().collect();
    boards.sort_unstable();
    boards
}

/// Every position of tic-tac-toe is proven with the correct value and distance.
#[test]
fn tic_tac_toe_is_solved_everywhere() {
    let mut searcher = Searcher::new();
    for has_hints in [false, true] {
        let game = TicTacToe { has_hints };
        let mut memory = HashMap::new();
        for board in reachable(&game) {
            let request = Request { memory_bytes: 1 << 16, ..Request::new(Limits::default()) };
            let report = searcher.search(&game, &board, &request, &CollectingControl::new());
            let (wdl, plies) = minimax(&game, &board, &mut memory);
            assert_eq!(report.stop, Some(StopReason::Proven), "{board:?}");
            assert_eq!(report.evaluation.outcome, Some(wdl), "{board:?} {report:?}");
            let plies = (wdl != Wdl::Draw).then_some(plies);
            assert_eq!(report.evaluation.plies_to_end, plies, "{board:?} {report:?}");
            assert_claims(&game, &board, &report, &mut memory, "tic-tac-toe");
        }
    }
}

/// Turns of alpha-beta and simulations find the same values and distances, also where a
/// simulation meets the end first.
#[test]
fn tic_tac_toe_is_solved_everywhere_in_turns() {
    let game = TicTacToe { has_hints: false };
    let options = MctsOptions { playouts: true, ..MctsOptions::default() };
    let mut memory = HashMap::new();
    for board in reachable(&game) {
        let request = Request { memory_bytes: 1 << 20, ..nodes(100_000) };
        let report = interleaved(&game, &board, &request, &options, &CollectingControl::new());
        let (wdl, plies) = minimax(&game, &board, &mut memory);
        let plies = (wdl != Wdl::Draw).then_some(plies);
        let value = (report.evaluation.outcome, report.evaluation.plies_to_end);
        assert_eq!(value, (Some(wdl), plies), "{board:?} {report:?}");
    }
}

/// Alpha-beta and Monte Carlo prove the start position a draw.
#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe { has_hints: true };
    let report = search(&game, &[0, 0], &Request::new(Limits::default()), &CollectingControl::new());
    assert_eq!(report.evaluation.outcome, Some(Wdl::Draw));
    for options in [MctsOptions::default(), MctsOptions { simulations: None, ..MctsOptions::plain(0) }] {
        let report = mcts(&game, &[0, 0], &Request::new(Limits::default()), &options, &CollectingControl::new());
        println!("Monte Carlo proves tic-tac-toe in {} nodes", report.nodes);
        assert_eq!(report.evaluation.outcome, Some(Wdl::Draw));
        assert_eq!(report.stop, Some(StopReason::Proven));
    }
}

/// Random games, searched to the end: every value is proven and correct, for one
/// line and for several, with and without reductions.
#[test]
fn random_games_are_solved() {
    let mut searcher = Searcher::new();
    for seed in 0..2_000 {
        let game = Dag::two_sides(seed);
        let mut memory = HashMap::new();
        let (wdl, plies) = minimax(&game, &Place::START, &mut memory);
        for (n_lines, reductions) in [(1, false), (1, true), (3, true)] {
            let request = Request { n_lines, memory_bytes: 1 << 15, ..Request::new(Limits::default()) };
            let options = AlphaBetaOptions { reductions };
            let report = searcher.alpha_beta(&game, &Place::START, &request, &options, &CollectingControl::new());
            let context = format!("seed {seed}, {n_lines} lines, reductions {reductions}");
            assert_eq!(report.stop, Some(StopReason::Proven), "{context}: {report:?}");
            assert_eq!(report.evaluation.outcome, Some(wdl), "{context}: {report:?}");
            assert_eq!(report.evaluation.plies_to_end, (wdl != Wdl::Draw).then_some(plies), "{context}: {report:?}");
            assert_claims(&game, &Place::START, &report, &mut memory, &context);
        }
    }
}

/// Random games, searched with small limits and tables: every claim is true, also in
/// intermediate reports.
#[test]
fn claims_are_true_wherever_the_search_stops() {
    let mut searcher = Searcher::new();
    let mut n_proven = 0;
    for seed in 0..3_000 {
        let game = Dag { n_plies: 10, ..Dag::two_sides(seed) };
        let mut memory = HashMap::new();
        let limited = if seed % 3 == 0 { depth(1 + seed as u32 % 7) } else { nodes(1 + seed % 400) };
        let request = Request { n_lines: 1 + seed as usize % 3, memory_bytes: 1 << (9 + seed % 6), ..limited };
        let control = CollectingControl::new();
        let report = searcher.search(&game, &Place::START, &request, &control);
        n_proven += u32::from(report.evaluation.certainty == Certainty::Proven);
        let by_sampling = mcts(&game, &Place::START, &request, &MctsOptions::default(), &control);
        let in_turns = interleaved(&game, &Place::START, &request, &MctsOptions::default(), &control);
        for report in control.reports.into_inner().unwrap().iter().chain([&report, &by_sampling, &in_turns]) {
            assert_claims(&game, &Place::START, report, &mut memory, &format!("seed {seed}"));
        }
    }
    println!("{n_proven} of 3000 proven");
    assert!((300..2_900).contains(&n_proven), "{n_proven}: too few cases to be a test");
}

/// Without reductions all wins and losses within the depth are found.
#[test]
fn results_within_the_depth_are_found() {
    let options = AlphaBetaOptions { reductions: false };
    for seed in 0..1_000 {
        let game = Dag { n_plies: 8, has_hints: false, ..Dag::two_sides(seed) };
        let (wdl, plies) = minimax(&game, &Place::START, &mut HashMap::new());
        if wdl == Wdl::Draw {
            continue;
        }
        let report =
            Searcher::new().alpha_beta(&game, &Place::START, &depth(plies), &options, &CollectingControl::new());
        assert_eq!(report.evaluation.outcome, Some(wdl), "seed {seed}: {report:?}");
        assert_eq!(report.evaluation.plies_to_end, Some(plies), "seed {seed}: {report:?}");
    }
}
