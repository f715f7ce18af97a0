//! Iterative deepening over the root.
//!
//! Before each iteration the proof-number search gets its share of the nodes;
//! then every root move is searched one ply deeper. Once the requested lines
//! are proven, their distances are made exact if that is affordable, and are
//! left out of the report otherwise.

use pentad_sdk::search::primitives::{
    INFINITE, MultiPv, NodeResult, Summary, Window, all_proven, is_loss, is_win, rank,
};
use pentad_sdk::{Control, StopReason};

use crate::moves::Move;
use crate::search::alpha_beta::root::{RootMove, report};
use crate::search::alpha_beta::worker::Worker;
use crate::search::position::{SearchPosition, Successor};

/// Budget of the proof-number search before an iteration: this many nodes, and
/// one in `PROOF_NODES_DIVISOR` of those so far. One of its nodes costs about as
/// much as three of the alpha-beta search.
const PROOF_NODES_MIN: u64 = 4_000;
const PROOF_NODES_DIVISOR: u64 = 6;

/// One thread's search of one position.
pub(crate) struct IterativeDeepening<'a> {
    pub(crate) worker: Worker<'a>,
    pub(crate) control: &'a dyn Control<Move>,
    pub(crate) summary: Summary,
    pub(crate) moves: Vec<RootMove>,
    /// The root, if all its moves are searched; `None` if the request names some.
    pub(crate) full_root: Option<SearchPosition>,
    /// Set for the main thread only.
    pub(crate) reports_progress: bool,
}

impl IterativeDeepening<'_> {
    pub(crate) fn run(&mut self, first_depth: u32, depth_max: u32) -> StopReason {
        self.score_root_moves();
        rank(&mut self.moves);
        for depth in first_depth..=depth_max {
            if let Some(reason) = self.stop_reason() {
                return reason;
            }
            self.prove_root();
            if let Some(reason) = self.stop_reason() {
                return reason;
            }
            let complete = self.iterate(depth);
            rank(&mut self.moves);
            if complete {
                self.summary.depth = depth;
                self.report_progress(&self.moves);
            }
        }
        self.stop_reason().unwrap_or(StopReason::Depth)
    }

    /// Why the search ends now, if it does.
    fn stop_reason(&mut self) -> Option<StopReason> {
        if all_proven(&self.moves, self.summary.n_lines) {
            self.confirm_distances();
            return Some(StopReason::Proven);
        }
        self.worker.limiter.stop()
    }

    /// Scores each move by the static evaluation of the position after it. What
    /// the next two plies decide is proven here.
    fn score_root_moves(&mut self) {
        let worker = &mut self.worker;
        for mv in &mut self.moves {
            if worker.limiter.stopped() {
                // Not scored: ranked behind the moves that were.
                mv.value = -1;
                continue;
            }
            worker.limiter.visit();
            worker.pv[1].clear();
            let (found, exact) = match mv.after {
                Successor::Terminal(found) => (found, true),
                Successor::Ongoing(next) => worker.shallow_value(next),
            };
            mv.is_true_distance = exact;
            mv.set_exact(found, u32::from(exact), &worker.pv[1]);
        }
    }

    /// Runs the proof-number search on the root; a proof names one winning move.
    fn prove_root(&mut self) {
        let Some(root) = self.full_root else { return };
        if is_win(self.moves[0].value) {
            return;
        }
        let budget = PROOF_NODES_MIN + self.worker.limiter.nodes() / PROOF_NODES_DIVISOR;
        let Some((mv, plies)) = self.worker.prove(root, budget) else { return };
        let Successor::Ongoing(target) = self.worker.rules.successor(root, mv) else { return };
        // The list may hold another move to the same position.
        let same = |after: &Successor| matches!(after, Successor::Ongoing(pos) if *pos == target);
        if let Some(found) = self.moves.iter_mut().find(|mv| same(&mv.after)) {
            found.set_exact(NodeResult::win(plies), self.summary.depth.max(1), &[]);
            rank(&mut self.moves);
            self.report_progress(&self.moves);
        }
    }

    /// Searches the ranked moves to a depth; `false` if stopped before the end.
    fn iterate(&mut self, depth: u32) -> bool {
        self.worker.extension_ply_max = 2 * depth as usize;
        let mut best = MultiPv::new(self.summary.n_lines);
        for idx in 0..self.moves.len() {
            if self.worker.limiter.stopped() {
                return false;
            }
            let alpha = best.alpha();
            if is_win(alpha) {
                break;
            }
            let found = self.root_move(idx, alpha, depth);
            if self.worker.limiter.stopped() {
                return false;
            }
            let mv = &mut self.moves[idx];
            if found.value <= alpha {
                mv.set_upper_bound(found);
                continue;
            }
            mv.set_exact(found, depth, &self.worker.pv[1]);
            if best.insert(mv.value) && idx > 0 && self.reports_progress {
                let mut moves = self.moves.clone();
                rank(&mut moves);
                self.report_progress(&moves);
            }
        }
        true
    }

    fn root_move(&mut self, idx: usize, alpha: i32, depth: u32) -> NodeResult {
        let mv = &self.moves[idx];
        if mv.is_decided() {
            return NodeResult::new(mv.value, mv.proven);
        }
        self.worker.pv[1].clear();
        let next = match mv.after {
            Successor::Terminal(found) => return found,
            Successor::Ongoing(next) => next,
        };
        self.worker.limiter.visit();
        self.worker.root_node(next, alpha, depth as i32, idx)
    }

    /// Reports the ranked moves before the search is finished.
    fn report_progress(&self, moves: &[RootMove]) {
        if self.reports_progress {
            let summary = Summary { nodes: self.worker.limiter.nodes(), ..self.summary };
            self.control.report(&report(&self.worker, moves, &summary, None));
        }
    }
}

impl Worker<'_> {
    /// The value after a root move without searching it, for the side that moved,
    /// and whether it is a proof with its exact distance.
    fn shallow_value(&mut self, pos: SearchPosition) -> (NodeResult, bool) {
        if let Some((reply, plies)) = self.rules.immediate_win(pos) {
            self.pv[1].push(reply);
            return (NodeResult::win(plies).for_parent(), true);
        }
        let scan = self.rules.scan_threats::<false>(pos);
        if !scan.any_safe() {
            return (NodeResult::loss(scan.loss_plies()).for_parent(), true);
        }
        if let Some(found) = self.probe_endgame(pos, 1) {
            return (found.for_parent(), false);
        }
        (NodeResult::estimate(self.rules.static_eval(pos).value).for_parent(), false)
    }

    /// Searches the position after a root move: with the full window while there
    /// are fewer values than lines, with a null window first otherwise.
    fn root_node(&mut self, next: SearchPosition, alpha: i32, depth: i32, n_searched: usize) -> NodeResult {
        let window = Window { alpha, beta: INFINITE, depth };
        let mut value = |window| self.node(next, window, 1, true).for_parent();
        if alpha == -INFINITE {
            return value(window.flipped(1));
        }
        window.search_later_move(root_reduction(depth, n_searched, alpha), value)
    }
}

/// Late move reduction at the root, in plies.
fn root_reduction(depth: i32, n_searched: usize, alpha: i32) -> i32 {
    if depth < 3 || is_loss(alpha) {
        return 0;
    }
    i32::from(n_searched >= 10) + i32::from(n_searched >= 60 && depth >= 4)
}
