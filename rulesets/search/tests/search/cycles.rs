//! Games with repetitions: proofs against retrograde analysis.

use pentad_model::{Certainty, Report, Request, Wdl};
use pentad_search::{AlphaBetaOptions, Game, MctsOptions, Searcher, mcts};

use crate::games::graph::{Graph, Token};
use crate::games::{CollectingControl, depth, nodes};
use crate::reference::{Value, retrograde, tokens};

fn assert_claims(report: &Report<u8>, truth: Option<&Value>, context: &str) {
    if report.evaluation.certainty == Certainty::Proven {
        let (wdl, plies) = truth.copied().unwrap_or((Wdl::Draw, 0));
        assert_eq!(report.evaluation.outcome, Some(wdl), "{context}: {report:?}");
        if let Some(claimed) = report.evaluation.plies_to_end {
            assert_eq!(claimed, plies, "{context}: {report:?}");
        }
    }
}

fn graphs() -> impl Iterator<Item = (Graph, Vec<Token>)> {
    (0..60).map(|seed| {
        let game = Graph { seed, n_nodes: 20 + seed * 3 };
        let open = tokens(&game).filter(|token| game.outcome(token).is_none()).collect();
        (game, open)
    })
}

/// Without reductions every win and loss within the depth is found with its exact
/// distance, and nothing else is claimed as one.
#[test]
fn decided_positions_are_found() {
    let mut searcher = Searcher::new();
    let mut n_decided = 0;
    for (game, open) in graphs() {
        let truth = retrograde(&game);
        for token in open {
            let options = AlphaBetaOptions { reductions: false };
            let report = searcher.alpha_beta(&game, &token, &depth(7), &options, &CollectingControl::new());
            let context = format!("{game:?} {token:?}");
            assert_claims(&report, truth.get(&token), &context);
            if let Some((wdl, plies)) = truth.get(&token).filter(|(_, plies)| *plies <= 7) {
                n_decided += 1;
                assert_eq!(report.evaluation.outcome, Some(*wdl), "{context}: {report:?}");
                assert_eq!(report.evaluation.plies_to_end, Some(*plies), "{context}: {report:?}");
            }
        }
    }
    println!("{n_decided} decided positions");
    assert!(n_decided > 1_000, "{n_decided}: too few cases to be a test");
}

/// Claims are true for any limits and both algorithms.
#[test]
fn claims_are_true() {
    let mut searcher = Searcher::new();
    for (game, open) in graphs() {
        let truth = retrograde(&game);
        for (idx, token) in open.into_iter().enumerate() {
            let request = Request { memory_bytes: 1 << 13, ..nodes(100 + 37 * idx as u64 % 3_000) };
            let context = format!("{game:?} {token:?}");
            let control = CollectingControl::new();
            let report = searcher.search(&game, &token, &request, &control);
            let by_sampling = mcts(&game, &token, &request, &MctsOptions::default(), &control);
            for report in control.reports.into_inner().unwrap().iter().chain([&report, &by_sampling]) {
                assert_claims(report, truth.get(&token), &context);
            }
        }
    }
}
