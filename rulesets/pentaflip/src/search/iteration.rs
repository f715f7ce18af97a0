//! Iterative deepening over the root moves.
//!
//! Each iteration searches every root move one ply deeper. Once the lines wanted
//! are proven, the mate search finds their true distances, if it can within its
//! node limit; otherwise reports do not name a distance.

use pentad_sdk::search::primitives::{
    INFINITE, MultiPv, NodeResult, Summary, Window, all_proven, is_loss, is_win, plies, rank,
};
use pentad_sdk::{Control, StopReason};

use super::node::{estimate, forced_loss};
use super::root::{RootMove, report};
use super::value::terminal;
use super::worker::Worker;
use crate::moves::Move;
use crate::position::RelativePosition;

/// Node limit of the mate search: this many, and this many times the nodes of
/// the search before it.
const MATE_SEARCH_NODES: u64 = 100_000;
const MATE_SEARCH_FACTOR: u64 = 2;

/// The search of one position.
pub(crate) struct IterativeDeepening<'a> {
    pub(crate) worker: Worker<'a>,
    pub(crate) control: &'a dyn Control<Move>,
    pub(crate) summary: Summary,
    pub(crate) moves: Vec<RootMove>,
}

impl IterativeDeepening<'_> {
    pub(crate) fn run(&mut self, depth_max: u32) -> StopReason {
        self.evaluate_root_moves();
        rank(&mut self.moves);
        for depth in 1..=depth_max {
            if let Some(reason) = self.check_stop() {
                return reason;
            }
            let complete = self.iterate(depth);
            rank(&mut self.moves);
            if complete {
                self.summary.depth = depth;
                self.report_progress(&self.moves);
            }
        }
        self.check_stop().unwrap_or(StopReason::Depth)
    }

    /// Why the search stops, if it does. A proven result gets its true distances
    /// first.
    fn check_stop(&mut self) -> Option<StopReason> {
        if all_proven(&self.moves, self.summary.n_lines) {
            self.confirm_distances();
            return Some(StopReason::Proven);
        }
        self.worker.limiter.stop()
    }

    /// Gives each root move a first value, by the static evaluation or by what
    /// the next two plies decide.
    fn evaluate_root_moves(&mut self) {
        let worker = &mut self.worker;
        for mv in &mut self.moves {
            if worker.limiter.stopped() {
                // Ranks below the moves that were evaluated.
                mv.value = -1;
                continue;
            }
            worker.limiter.visit();
            worker.pv[1].clear();
            let (result, is_proof) = match mv.after.outcome_for_last_mover() {
                Some(outcome) => (terminal(outcome), true),
                None => worker.evaluate_after_root_move(mv.after),
            };
            mv.is_true_distance = is_proof;
            mv.set_exact(result, u32::from(is_proof), &worker.pv[1]);
        }
    }

    /// Searches the ranked root moves to a depth; false if it was stopped.
    fn iterate(&mut self, depth: u32) -> bool {
        self.worker.extension_plies_max = 2 * depth as usize;
        let mut multi_pv = MultiPv::new(self.summary.n_lines);
        for idx in 0..self.moves.len() {
            if self.worker.limiter.stopped() {
                return false;
            }
            let alpha = multi_pv.alpha();
            if is_win(alpha) {
                break;
            }
            let result = self.search_root_move(idx, alpha, depth);
            if self.worker.limiter.stopped() {
                return false;
            }
            let mv = &mut self.moves[idx];
            if result.value <= alpha {
                if mv.set_upper_bound(result) {
                    mv.update_pv(&self.worker.pv[1]);
                }
                continue;
            }
            mv.set_exact(result, depth, &self.worker.pv[1]);
            if multi_pv.insert(mv.value) && idx > 0 {
                let mut moves = self.moves.clone();
                rank(&mut moves);
                self.report_progress(&moves);
            }
        }
        true
    }

    fn search_root_move(&mut self, idx: usize, alpha: i32, depth: u32) -> NodeResult {
        let mv = &self.moves[idx];
        if mv.is_decided() {
            return NodeResult::new(mv.value, mv.proven);
        }
        self.worker.pv[1].clear();
        if let Some(outcome) = mv.after.outcome_for_last_mover() {
            return terminal(outcome);
        }
        self.worker.limiter.visit();
        self.worker.search_after_root_move(mv.after, alpha, depth as i32, idx)
    }

    /// Reports ranked moves to the host while the search goes on.
    fn report_progress(&self, moves: &[RootMove]) {
        let summary = Summary { nodes: self.worker.limiter.nodes(), ..self.summary };
        self.control.report(&report(&self.worker, moves, &summary, None));
    }

    /// Finds the true distances of the lines and with them that of the position:
    /// no win may be shorter and no loss longer. The moves are ranked, and the
    /// lines proven.
    fn confirm_distances(&mut self) {
        let worker = &mut self.worker;
        worker.mate_search_nodes_end = worker.limiter.nodes() * (1 + MATE_SEARCH_FACTOR) + MATE_SEARCH_NODES;
        if is_win(self.moves[0].value) {
            self.confirm_win();
        } else if is_loss(self.moves[0].value) {
            // Every move loses; the longest loss is best.
            let n_true = self.moves.iter_mut().map(|mv| confirm_move(worker, mv)).filter(|&is_true| is_true).count();
            self.summary.is_true_distance = n_true == self.moves.len();
        }
        rank(&mut self.moves);
        let n_lines = self.summary.n_lines;
        for mv in self.moves.iter_mut().take(n_lines).filter(|mv| mv.is_decided()) {
            confirm_move(&mut self.worker, mv);
        }
        let depth = self.moves.iter().take(1).filter(|mv| mv.is_true_distance).map(|mv| plies(mv.value)).max();
        self.summary.depth = self.summary.depth.max(depth.unwrap_or(0));
    }

    /// Finds the true distance of the best win, and checks that no other move
    /// wins sooner.
    fn confirm_win(&mut self) {
        let worker = &mut self.worker;
        if !confirm_move(worker, &mut self.moves[0]) {
            return;
        }
        let shortest = plies(self.moves[0].value);
        for fewer in 1..shortest {
            let is_open = |mv: &&mut RootMove| mv.after.outcome_for_last_mover().is_none() && !is_loss(mv.value);
            for mv in self.moves.iter_mut().skip(1).filter(is_open) {
                match worker.loses_within(mv.after, fewer - 1) {
                    Some(false) => {}
                    Some(true) => {
                        let result = NodeResult::win(fewer);
                        (mv.value, mv.is_true_distance) = (result.value, true);
                        mv.proven = mv.proven.union(result.proven);
                        mv.update_pv(&[]);
                        self.summary.is_true_distance = true;
                        return;
                    }
                    None => return,
                }
            }
        }
        self.summary.is_true_distance = true;
    }
}

/// Finds the true distance of a proven win or loss; false at the node limit.
fn confirm_move(worker: &mut Worker<'_>, mv: &mut RootMove) -> bool {
    if mv.is_true_distance || mv.after.outcome_for_last_mover().is_some() {
        mv.is_true_distance = true;
        return true;
    }
    let wins = is_win(mv.value);
    let Some(rest) = worker.mate_distance(mv.after, !wins, plies(mv.value) - 1) else { return false };
    if rest + 1 != plies(mv.value) {
        // The line belongs to the longer distance.
        mv.update_pv(&[]);
    }
    mv.value = if wins { NodeResult::win(rest + 1).value } else { NodeResult::loss(rest + 1).value };
    mv.is_true_distance = true;
    true
}

impl Worker<'_> {
    /// The first value of the position after a root move, for the side that moved,
    /// and whether it is a proof with its true distance.
    fn evaluate_after_root_move(&mut self, position: RelativePosition) -> (NodeResult, bool) {
        if let Some(reply) = position.winning_move() {
            self.pv[1].push(reply);
            return (NodeResult::win(1).for_parent(), true);
        }
        match forced_loss(position) {
            Some(result) => (result.for_parent(), true),
            None => (NodeResult::estimate(estimate(position, 1)).for_parent(), false),
        }
    }

    /// Searches the position after a root move: with the full window until alpha
    /// is known, then with a null window first.
    fn search_after_root_move(
        &mut self,
        next: RelativePosition,
        alpha: i32,
        depth: i32,
        n_searched: usize,
    ) -> NodeResult {
        let window = Window { alpha, beta: INFINITE, depth };
        let mut search = |window| self.search_node(next, window, 1, true).for_parent();
        if alpha == -INFINITE {
            return search(window.flipped(1));
        }
        window.search_later_move(i32::from(depth >= 4 && n_searched >= 6 && !is_loss(alpha)), search)
    }
}
