//! Alpha-beta for proofs and Monte-Carlo tree search for estimates, in turns.
//!
//! For a game without a static evaluation: alpha-beta finds what is won, drawn or lost
//! within its depth, and values everything else as even; simulations say which of the
//! open moves is best. Both get a share of the nodes from the beginning, so there are
//! estimates at any time, and a move that alpha-beta has decided is simulated no more.
//!
//! The depth of a report is that of alpha-beta: every end within this many plies is known,
//! but for reductions. Nodes are those of both searches. Neither falls from one report
//! to the next.

use std::cmp::Ordering;

use crate::alpha_beta::{AlphaBetaOptions, CONFIRM_FACTOR, CONFIRM_NODES, Search};
use crate::game::Game;
use crate::mcts::{Forest, MctsOptions, MergedReport};
use crate::root::{finished, root_moves};
use pentad_model::{Control, Evaluation, Line, Report, Request, StopReason, Wdl};

/// Nodes of alpha-beta in a turn: at first, and at most.
const TURN_FIRST: u64 = 64;
const TURN_MAX: u64 = 1 << 14;
/// Nodes of a turn of simulations, relative to the turn of alpha-beta before it.
const SIMULATED_SHARE: (u64, u64) = (3, 2);

/// Searches a game with two sides by alpha-beta and Monte-Carlo tree search in turns.
///
/// The memory of the request is a bound for the tables and for the trees, each.
///
/// # Panics
/// If the game does not have two sides.
pub fn interleaved<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    options: &MctsOptions,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    assert_eq!(game.n_sides(), 2, "alpha-beta is for two sides");
    let deadline = request.limits.deadline(control.now());
    let root = root_moves(game, position, request);
    if game.outcome(position).is_some() || root.is_empty() {
        return finished(game, position);
    }
    let mut tables = Vec::new();
    let simulations = Forest::new(game, position, &root, request, options, control, deadline);
    let alpha_beta = AlphaBetaOptions::default();
    let proofs = Search::new(game, position, root, request, &alpha_beta, control, deadline, &mut tables);
    Turns { proofs, simulations, request, seat: game.to_move(position), can_prove: true }.run(control)
}

struct Turns<'a, 'r, G: Game> {
    proofs: Search<'a, G>,
    simulations: Forest<'a, G>,
    request: &'r Request<G::Move>,
    /// The seat to move.
    seat: usize,
    /// Whether alpha-beta has not reached its greatest depth yet.
    can_prove: bool,
}

impl<G: Game> Turns<'_, '_, G> {
    fn run(mut self, control: &dyn Control<G::Move>) -> Report<G::Move> {
        let mut turn = TURN_FIRST;
        let mut shown: Option<Report<G::Move>> = None;
        loop {
            match self.prove(turn) {
                Some(StopReason::Proven) => return self.proof(),
                Some(stop) => return self.final_report(stop),
                None => {}
            }
            let (share, of) = SIMULATED_SHARE;
            if let Some(stop) = self.simulations.play_round(turn * share / of, self.nodes_left()) {
                return self.final_report(stop);
            }
            let merged = self.merged();
            if merged.proven {
                return self.confirmed();
            }
            if merged.exhausted {
                return self.final_report(StopReason::Depth);
            }
            if shown.as_ref().is_none_or(|last| last.lines != merged.report.lines) {
                control.report(&merged.report);
                shown = Some(merged.report);
            }
            turn = (2 * turn).min(TURN_MAX);
        }
    }

    /// Runs a turn of alpha-beta; returns why the search is over, if it is.
    fn prove(&mut self, turn: u64) -> Option<StopReason> {
        if !self.can_prove {
            return None;
        }
        let nodes_left = self.nodes_left();
        if nodes_left == 0 {
            return Some(StopReason::Nodes);
        }
        match self.proofs.advance(turn, nodes_left, &|_| ())? {
            StopReason::Depth => {
                self.can_prove = false;
                // Simulations alone would never end.
                let is_limited = self.request.limits.time.is_some() || self.request.limits.nodes.is_some();
                (self.request.limits.depth.is_some() || !is_limited).then_some(StopReason::Depth)
            }
            stop => Some(stop),
        }
    }

    /// Returns the result that the simulations have proven. They find any win and any
    /// defence, alpha-beta the shortest: it goes on within a bound.
    fn confirmed(mut self) -> Report<G::Move> {
        let turn = CONFIRM_NODES + CONFIRM_FACTOR * self.nodes();
        match self.prove(turn) {
            Some(StopReason::Proven) => self.proof(),
            _ => self.final_report(StopReason::Proven),
        }
    }

    fn nodes_left(&self) -> u64 {
        self.request.limits.nodes.map_or(u64::MAX, |max| max.saturating_sub(self.nodes()))
    }

    fn nodes(&self) -> u64 {
        self.proofs.nodes() + self.simulations.nodes()
    }

    /// Returns the report of alpha-beta.
    fn proof(self) -> Report<G::Move> {
        let mut report = self.proofs.report(Some(StopReason::Proven));
        report.set_depth(self.proofs.depth());
        report.nodes = self.nodes();
        report
    }

    fn final_report(mut self, stop: StopReason) -> Report<G::Move> {
        // Without a simulation, the order of alpha-beta is better than that of the list.
        let report = if self.simulations.nodes() == 0 { self.proof() } else { self.merged().report };
        Report { stop: Some(stop), ..report }
    }

    /// Returns the result of the simulations, with everything that alpha-beta has proven.
    fn merged(&mut self) -> MergedReport<G::Move> {
        let known: Vec<(usize, Line<G::Move>)> = self.proofs.known_moves().collect();
        for (root_idx, line) in &known {
            self.simulations.prove(*root_idx, &line.evaluation.scores);
        }
        let mut merged = self.simulations.merged();
        let MergedReport { report, .. } = &mut merged;
        let n_lines = report.lines.len();
        let is_known = |line: &Line<G::Move>| known.iter().any(|(_, proof)| proof.moves[0] == line.moves[0]);
        let is_reported = |line: &Line<G::Move>| report.lines.iter().any(|other| other.moves[0] == line.moves[0]);
        // The nearest win may be a move that the simulations rank behind other wins.
        let is_win = |line: &Line<G::Move>| line.evaluation.outcome == Some(Wdl::Win);
        let proofs = known.iter().map(|(_, proof)| proof).filter(|proof| is_win(proof) || is_reported(proof)).cloned();
        let mut lines: Vec<_> = report.lines.iter().filter(|line| !is_known(line)).cloned().chain(proofs).collect();
        let seat = self.seat;
        lines.sort_by(|a, b| {
            rank(&b.evaluation, seat).partial_cmp(&rank(&a.evaluation, seat)).unwrap_or(Ordering::Equal)
        });
        lines.truncate(n_lines);
        report.lines = lines;
        let best = report.lines[0].evaluation;
        if report.evaluation.outcome == Some(Wdl::Win) {
            report.evaluation.plies_to_end = best.plies_to_end;
        }
        report.set_depth(self.proofs.depth());
        report.nodes = self.nodes();
        merged
    }
}

/// Returns the key by which lines are sorted: wins, the nearest first, then by score, and
/// losses, the nearest last.
fn rank(evaluation: &Evaluation, seat: usize) -> (i32, f64, i64) {
    let plies = evaluation.plies_to_end.map_or(i64::MAX, i64::from);
    match evaluation.outcome {
        Some(Wdl::Win) => (1, 1.0, -plies),
        Some(Wdl::Loss) => (-1, 0.0, plies),
        _ => (0, evaluation.scores[seat], 0),
    }
}
