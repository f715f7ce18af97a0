//! Alpha-beta and simulations in turns, in games without a static evaluation.

use pentad_model::{Report, Request, Scores, Wdl};
use pentad_search::{Game, MctsOptions, interleaved};

use crate::games::dag::{Dag, Place};
use crate::games::tictactoe::TicTacToe;
use crate::games::{CollectingControl, nodes};

/// A game that is known by its rules alone.
struct RulesOnly(Dag);

impl Game for RulesOnly {
    type Position = Place;
    type Move = u8;

    fn n_seats(&self) -> usize {
        self.0.n_seats()
    }
    fn to_move(&self, place: &Place) -> usize {
        self.0.to_move(place)
    }
    fn key(&self, place: &Place) -> u64 {
        self.0.key(place)
    }
    fn outcome(&self, place: &Place) -> Option<Scores> {
        self.0.outcome(place)
    }
    fn moves(&self, place: &Place, out: &mut Vec<u8>) {
        self.0.moves(place, out);
    }
    fn play(&self, place: &Place, mv: &u8) -> Place {
        self.0.play(place, mv)
    }
    fn evaluate(&self, _: &Place) -> i32 {
        0
    }
}

fn playouts() -> MctsOptions {
    MctsOptions { playouts: true, ..MctsOptions::default() }
}

/// Returns all reports of a search of 100,000 nodes in a game that it cannot solve, the
/// final one last.
fn reports(seed: u64, n_lines: usize) -> Vec<Report<u8>> {
    let game = RulesOnly(Dag {
        n_plies: 24,
        n_moves_max: 12,
        width: 100_000,
        ends_early: false,
        draws: 0,
        has_hints: false,
        ..Dag::two_sides(seed)
    });
    let control = CollectingControl::new();
    let last = interleaved(&game, &Place::START, &Request { n_lines, ..nodes(100_000) }, &playouts(), &control);
    let mut reports = control.reports.into_inner().unwrap();
    reports.push(last);
    reports
}

/// Reports have estimates of their moves from the first few hundred nodes on, where
/// alpha-beta alone would value all of them as even.
#[test]
fn estimates_come_from_the_beginning() {
    let (mut n_reports, mut n_even) = (0, 0);
    for seed in 0..20 {
        let reports = reports(seed, 3);
        assert!(reports.len() > 5 && reports[0].nodes < 500, "{} reports, {:?}", reports.len(), reports[0]);
        for report in reports.iter().filter(|report| report.lines.len() > 1) {
            let is_even = report.lines.iter().all(|line| line.evaluation.scores[0] == 0.5);
            assert!(!is_even || report.nodes < 2_000, "seed {seed}: {report:?}");
            (n_reports, n_even) = (n_reports + 1, n_even + usize::from(is_even));
        }
    }
    // Half of a few playouts may happen to be won.
    assert!(n_even * 20 < n_reports, "{n_even} of {n_reports} reports value all moves as even");
}

/// Nodes and depth never fall from one report to the next, and the values of a report
/// have its depth.
#[test]
fn counters_never_fall() {
    for seed in 0..20 {
        let reports = reports(seed, 1 + seed as usize % 3);
        assert!(reports.is_sorted_by_key(|report| report.nodes), "{reports:?}");
        assert!(reports.is_sorted_by_key(|report| report.depth), "{reports:?}");
        for report in &reports {
            let depths = report.lines.iter().map(|line| line.evaluation.depth).chain([report.evaluation.depth]);
            assert!(depths.clone().all(|depth| depth == report.depth || depth == 0), "{report:?}");
        }
        assert!(reports.last().is_some_and(|last| last.depth > 1), "{reports:?}");
    }
}

/// The same request gives the same reports.
#[test]
fn node_limited_searches_are_deterministic() {
    assert_eq!(reports(3, 2), reports(3, 2));
}

/// Moves that alpha-beta has decided are reported as proofs beside estimates of others:
/// an early win first, with its distance, and losses last.
#[test]
fn proofs_and_estimates_are_ranked_together() {
    let game = TicTacToe { has_hints: false };
    // Crosses on 0 and 1, noughts on 3 and 4: 2 wins, every other move but 5 loses.
    let request = Request { n_lines: 5, ..nodes(400) };
    let report = interleaved(&game, &[0o3, 0o30], &request, &playouts(), &CollectingControl::new());
    assert_eq!(report.lines[0].moves, [2]);
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Win), Some(1)));
    let outcomes: Vec<_> = report.lines.iter().map(|line| line.evaluation.outcome).collect();
    assert!(outcomes.is_sorted_by_key(|outcome| std::cmp::Reverse(outcome.map_or(1, |it| it as i32))), "{report:?}");
    assert_eq!(outcomes[4], Some(Wdl::Loss), "{report:?}");
}
