//! Alpha-beta for any game with two sides: iterative deepening over the root.
//!
//! Each iteration searches every root move one ply deeper. Once the requested lines are
//! proven, a last iteration without reductions finds the true distances to the end if
//! that is affordable; otherwise they are not reported. With several threads one
//! searches the first moves and the rest are distributed, each thread with its own
//! table and its own share of the nodes, so that the result does not depend on timing.
//!
//! The two sides' final scores must add up to 1; more than ½ is a win. [`node`]
//! searches the tree below the root, [`quiescence`] beyond the horizon.

mod iteration;
mod node;
mod ordering;
mod quiescence;
mod root;
mod worker;

use crate::game::Game;
use crate::primitives::{TranspositionTable, all_proven};
use crate::root::{finished, root_moves};
use pentad_model::{Control, Report, Request, StopReason};

use iteration::{Outcome, Threads};
use root::{RootMove, Summary, plies_max, rank, report};
use worker::Worker;

/// The deepest iteration.
const DEPTH_MAX: u32 = 250;
/// Node limit of the last iteration: this many, and this many times those so far.
const CONFIRM_NODES: u64 = 50_000;
const CONFIRM_FACTOR: u64 = 4;

/// Options of an alpha-beta search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaOptions {
    /// Whether late moves are first searched less deeply. On by default: the search
    /// sees further, and proofs are not affected.
    pub reductions: bool,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        AlphaBetaOptions { reductions: true }
    }
}

/// Runs a search with the given tables, one per thread.
pub(crate) fn run<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    options: &AlphaBetaOptions,
    control: &dyn Control<G::Move>,
    tables: &mut Vec<TranspositionTable>,
) -> Report<G::Move> {
    let begin = control.now();
    let root = root_moves(game, position, request);
    if game.outcome(position).is_some() || root.is_empty() {
        return finished(game, position);
    }
    let threads = request.threads.max(1);
    tables.resize_with(threads, TranspositionTable::default);
    for table in tables.iter_mut() {
        table.reset(request.memory_bytes / threads as u64);
    }
    let deadline = request.limits.deadline(begin);
    let new_worker = |table| Worker::new(game, table, control, deadline, options.reductions);
    let mut search = Search {
        threads: Threads::new(tables.iter_mut().map(new_worker).collect(), request.limits.nodes),
        position,
        control,
        summary: Summary { n_lines: request.n_lines.clamp(1, root.len()), depth: 0, plies_known: 0, nodes: 0 },
        moves: root.into_iter().map(|mv| RootMove::new(mv, ())).collect(),
    };
    let stop = search.deepen(request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX));
    search.report(Some(stop))
}

struct Search<'a, 'p, G: Game> {
    threads: Threads<'a, G>,
    position: &'p G::Position,
    control: &'p dyn Control<G::Move>,
    summary: Summary,
    moves: Vec<RootMove<G::Move>>,
}

impl<G: Game> Search<'_, '_, G> {
    fn deepen(&mut self, depth_max: u32) -> StopReason {
        let outcome = self.threads.evaluate_root_moves(self.position, &mut self.moves);
        rank(&mut self.moves);
        if let Outcome::Stopped(reason) = outcome {
            return reason;
        }
        for depth in 1..=depth_max {
            if self.proven() {
                self.confirm();
                return StopReason::Proven;
            }
            if let Outcome::Stopped(reason) = self.iterate(depth, u64::MAX) {
                return if self.proven() { StopReason::Proven } else { reason };
            }
            self.summary.depth = depth;
            if !self.threads.reduced() {
                self.summary.plies_known = depth;
            }
            self.control.report(&self.report(None));
        }
        if self.proven() {
            self.confirm();
            return StopReason::Proven;
        }
        StopReason::Depth
    }

    /// Runs one iteration and ranks the moves, even if stopped.
    fn iterate(&mut self, depth: u32, nodes_max: u64) -> Outcome {
        let Search { threads, position, control, summary, moves } = self;
        let improved = |worker: &Worker<'_, G>, moves: &[RootMove<G::Move>], nodes: u64| {
            let mut moves = moves.to_vec();
            rank(&mut moves);
            control.report(&report(worker, position, &moves, &Summary { nodes, ..*summary }, None));
        };
        let outcome = threads.search_root_moves(position, moves, summary.n_lines, depth, nodes_max, &improved);
        rank(moves);
        outcome
    }

    fn proven(&self) -> bool {
        all_proven(&self.moves, self.summary.n_lines)
    }

    /// Finds the true distances to the end: no win is nearer and no loss further away
    /// than reported.
    fn confirm(&mut self) {
        let plies = plies_max(&self.moves, self.summary.n_lines);
        if plies <= self.summary.plies_known.max(1) || plies > DEPTH_MAX {
            return;
        }
        self.threads.stop_reducing();
        let nodes_max = CONFIRM_NODES + CONFIRM_FACTOR * self.threads.nodes();
        if matches!(self.iterate(plies, nodes_max), Outcome::Complete) {
            self.summary.plies_known = plies;
            self.summary.depth = self.summary.depth.max(plies);
        }
    }

    fn report(&self, stop: Option<StopReason>) -> Report<G::Move> {
        let summary = Summary { nodes: self.threads.nodes(), ..self.summary };
        report(self.threads.first(), self.position, &self.moves, &summary, stop)
    }
}
