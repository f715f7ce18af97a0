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

use std::time::Instant;

use crate::game::Game;
use crate::primitives::{TranspositionTable, all_proven, table_bytes};
use crate::root::{finished, root_moves};
use pentad_model::{Control, Line, Report, Request, StopReason};

use iteration::{Outcome, Threads};
use root::{RootMove, Summary, plies_max, rank, report};
use worker::Worker;

/// The deepest iteration.
const DEPTH_MAX: u32 = 250;
/// Node limit of the search for the true distance to a proven end: this many nodes, and
/// this many times those so far.
pub(crate) const CONFIRM_NODES: u64 = 50_000;
pub(crate) const CONFIRM_FACTOR: u64 = 4;

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
    let deadline = request.limits.deadline(control.now());
    let root = root_moves(game, position, request);
    if game.outcome(position).is_some() || root.is_empty() {
        return finished(game, position);
    }
    let mut search = Search::new(game, position, root, request, options, control, deadline, tables);
    let nodes_max = request.limits.nodes.unwrap_or(u64::MAX);
    let stop = search.advance(u64::MAX, nodes_max, &|report| control.report(report));
    // Nothing interrupts a turn without end.
    search.report(stop.or(Some(StopReason::Nodes)))
}

/// A search that can be interrupted and resumed.
pub(crate) struct Search<'a, G: Game> {
    threads: Threads<'a, G>,
    position: &'a G::Position,
    summary: Summary,
    moves: Vec<RootMove<G::Move>>,
    depth_max: u32,
    /// The depth of the next iteration, or of the interrupted one; 0 before the moves are
    /// evaluated statically.
    next_depth: u32,
}

impl<'a, G: Game> Search<'a, G> {
    /// Prepares a search of `root`, at least one move.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        game: &'a G,
        position: &'a G::Position,
        root: Vec<G::Move>,
        request: &Request<G::Move>,
        options: &AlphaBetaOptions,
        control: &'a dyn Control<G::Move>,
        deadline: Option<Instant>,
        tables: &'a mut Vec<TranspositionTable>,
    ) -> Self {
        let threads = request.threads.max(1);
        tables.resize_with(threads, TranspositionTable::default);
        for table in tables.iter_mut() {
            table.reset(table_bytes(request) / threads as u64);
        }
        let new_worker = |table| Worker::new(game, table, control, deadline, options.reductions);
        Search {
            threads: Threads::new(tables.iter_mut().map(new_worker).collect()),
            position,
            summary: Summary { n_lines: request.n_lines.clamp(1, root.len()), depth: 0, plies_known: 0, nodes: 0 },
            moves: root.into_iter().enumerate().map(|(root_idx, mv)| RootMove::new(mv, root_idx)).collect(),
            depth_max: request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX),
            next_depth: 0,
        }
    }

    /// Searches on for about `turn` nodes, never more than `nodes_max`, and calls `progress`
    /// with each improvement. Returns why the search is over, or `None` if only the turn
    /// is; resumed, it repeats the interrupted iteration, most of which the tables answer.
    pub(crate) fn advance(
        &mut self,
        turn: u64,
        nodes_max: u64,
        progress: &dyn Fn(&Report<G::Move>),
    ) -> Option<StopReason> {
        let pause = self.nodes().saturating_add(turn);
        let end = self.nodes().saturating_add(nodes_max);
        self.threads.set_nodes_max(end);
        if self.next_depth == 0 {
            let outcome = self.threads.evaluate_root_moves(self.position, &mut self.moves);
            rank(&mut self.moves);
            if let Outcome::Stopped(reason) = outcome {
                return Some(reason);
            }
            self.next_depth = 1;
        }
        while self.next_depth <= self.depth_max {
            if self.proven() {
                break;
            }
            let nodes_left = pause.saturating_sub(self.nodes());
            if nodes_left == 0 {
                return None;
            }
            if let Outcome::Stopped(reason) = self.iterate(self.next_depth, nodes_left, progress) {
                let is_paused = reason == StopReason::Nodes && self.nodes() < end;
                match (self.proven(), is_paused) {
                    (true, true) => break,
                    (true, false) => return Some(StopReason::Proven),
                    (false, _) => return Some(reason).filter(|_| !is_paused),
                }
            }
            self.summary.depth = self.next_depth;
            if !self.threads.reduced() {
                self.summary.plies_known = self.next_depth;
            }
            self.next_depth += 1;
            progress(&self.report(None));
        }
        if self.proven() {
            self.confirm(progress);
            return Some(StopReason::Proven);
        }
        Some(StopReason::Depth)
    }

    /// Returns the root moves whose result is known, by their index in the request, with
    /// their lines.
    pub(crate) fn known_moves(&self) -> impl Iterator<Item = (usize, Line<G::Move>)> {
        let known = self.moves.iter().filter(|mv| mv.is_proven());
        known.map(|mv| (mv.after, root::line(self.threads.first(), self.position, mv, &self.summary)))
    }

    /// Returns the number of positions visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.threads.nodes()
    }

    /// Returns the number of plies completed.
    pub(crate) fn depth(&self) -> u32 {
        self.summary.depth
    }

    /// Runs one iteration and ranks the moves, even if stopped.
    fn iterate(&mut self, depth: u32, nodes_max: u64, progress: &dyn Fn(&Report<G::Move>)) -> Outcome {
        let Search { threads, position, summary, moves, .. } = self;
        let improved = |worker: &Worker<'_, G>, moves: &[RootMove<G::Move>], nodes: u64| {
            let mut moves = moves.to_vec();
            rank(&mut moves);
            progress(&report(worker, position, &moves, &Summary { nodes, ..*summary }, None));
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
    fn confirm(&mut self, progress: &dyn Fn(&Report<G::Move>)) {
        let plies = plies_max(&self.moves, self.summary.n_lines);
        if plies <= self.summary.plies_known.max(1) || plies > DEPTH_MAX {
            return;
        }
        self.threads.stop_reducing();
        let nodes_max = CONFIRM_NODES + CONFIRM_FACTOR * self.threads.nodes();
        if matches!(self.iterate(plies, nodes_max, progress), Outcome::Complete) {
            self.summary.plies_known = plies;
            self.summary.depth = self.summary.depth.max(plies);
        }
    }

    /// Returns the report on the search so far.
    pub(crate) fn report(&self, stop: Option<StopReason>) -> Report<G::Move> {
        let summary = Summary { nodes: self.threads.nodes(), ..self.summary };
        report(self.threads.first(), self.position, &self.moves, &summary, stop)
    }
}
