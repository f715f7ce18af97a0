//! Iterative deepening over the root moves, for searches that games write
//! themselves.
//!
//! Each iteration searches the root moves one ply deeper, best first, until the
//! requested lines are proven or a limit is reached. The search below the root moves
//! belongs to the game's [`RootWorker`].

use crate::primitives::node_search::{NodeSearch, Successor};
use crate::primitives::root_move::{MultiPv, RootMove, Summary, all_proven, rank, report};
use crate::primitives::value::{INFINITE, NodeResult, is_loss, is_win};
use crate::primitives::window::Window;
use pentad_model::{Control, Report, Request, StopReason};

/// A root move of a [`RootWorker`], with its successor.
type WorkerMove<W> = RootMove<<W as NodeSearch>::Move, Successor<<W as NodeSearch>::Position>>;

/// A search thread, as [`IterativeDeepening`] sees it. Values are those of the side to
/// move at the root.
pub trait RootWorker: NodeSearch {
    /// Evaluates the position after a root move without a search, for its side to
    /// move; true if the result is a proof with its true distance. The winning reply
    /// is put into the principal variation of ply 1.
    fn evaluate_reply(&mut self, position: Self::Position) -> (NodeResult, bool);

    /// Sets what depends on the depth of an iteration, before it begins.
    fn begin_iteration(&mut self, depth: u32);

    /// Returns the late move reduction at the root, in plies.
    fn root_reduction(depth: u32, n_searched: usize) -> i32;

    /// Looks for a proof by other means before an iteration; returns true if it
    /// changed the value of a move. `depth` is that of the last complete iteration.
    fn prove_root(&mut self, _moves: &mut [WorkerMove<Self>], _depth: u32) -> bool {
        false
    }

    /// Finds the true distances of proven lines, if it can; the moves are ranked
    /// before and after.
    fn confirm_distances(&mut self, moves: &mut [WorkerMove<Self>], summary: &mut Summary);

    /// Returns the principal variation of a root move as reported, which may extend
    /// beyond what the search returned.
    fn extended_pv(&self, mv: &WorkerMove<Self>) -> Vec<Self::Move>;

    /// Evaluates a root move without a search, and counts a node; true if the result
    /// is a proof with its true distance.
    fn evaluate_root_move(&mut self, after: Successor<Self::Position>) -> (NodeResult, bool) {
        self.visit();
        self.stack().pv[1].clear();
        match after {
            Successor::Terminal(result) => (result, true),
            Successor::Ongoing(position) => {
                let (result, is_proof) = self.evaluate_reply(position);
                (result.for_parent(), is_proof)
            }
        }
    }

    /// Searches the position after a root move, after `n_searched` others; alpha is
    /// the value to beat.
    fn search_root_move(
        &mut self,
        after: Successor<Self::Position>,
        alpha: i32,
        depth: u32,
        n_searched: usize,
    ) -> NodeResult {
        self.stack().pv[1].clear();
        let next = match after {
            Successor::Terminal(result) => return result,
            Successor::Ongoing(next) => next,
        };
        self.visit();
        let reduction = if is_loss(alpha) { 0 } else { Self::root_reduction(depth, n_searched) };
        let window = Window { alpha, beta: INFINITE, depth: depth as i32 };
        let mut search = |window| self.search_node(next, window, 1, true).for_parent();
        if alpha == -INFINITE { search(window.flipped(1)) } else { window.search_later_move(reduction, search) }
    }
}

/// One thread's search of one position.
pub struct IterativeDeepening<'a, W: RootWorker> {
    worker: W,
    /// Receives progress reports; `None` for a thread that makes none.
    control: Option<&'a dyn Control<W::Move>>,
    summary: Summary,
    moves: Vec<WorkerMove<W>>,
}

impl<'a, W: RootWorker> IterativeDeepening<'a, W> {
    /// Prepares a search of `moves`, at least one, for the player in `seat`. Reports
    /// subtract `optimism` from all estimates.
    pub fn new(
        worker: W,
        control: Option<&'a dyn Control<W::Move>>,
        request: &Request<W::Move>,
        moves: Vec<WorkerMove<W>>,
        seat: usize,
        optimism: i32,
    ) -> Self {
        let n_lines = request.n_lines.clamp(1, moves.len());
        let summary = Summary { seat, n_lines, depth: 0, is_true_distance: false, nodes: 0, optimism };
        IterativeDeepening { worker, control, summary, moves }
    }

    /// Searches to one depth after the other; returns why it stopped.
    pub fn run(&mut self, depth_min: u32, depth_max: u32) -> StopReason {
        self.evaluate_root_moves();
        rank(&mut self.moves);
        for depth in depth_min..=depth_max {
            if let Some(reason) = self.stop_reason() {
                return reason;
            }
            if self.worker.prove_root(&mut self.moves, self.summary.depth) {
                rank(&mut self.moves);
                self.report_progress(&self.moves);
            }
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

    /// Returns the number of nodes visited.
    pub fn nodes(&self) -> u64 {
        self.worker.limiter().nodes()
    }

    /// Returns the report on the whole search, with the nodes of all its threads.
    pub fn report(&self, nodes: u64, stop: StopReason) -> Report<W::Move> {
        self.report_on(&self.moves, nodes, Some(stop))
    }

    /// Returns why the search ends now, if it does. A proven result gets its true
    /// distances first.
    fn stop_reason(&mut self) -> Option<StopReason> {
        if all_proven(&self.moves, self.summary.n_lines) {
            self.worker.confirm_distances(&mut self.moves, &mut self.summary);
            return Some(StopReason::Proven);
        }
        self.worker.limiter().stop()
    }

    fn evaluate_root_moves(&mut self) {
        for mv in &mut self.moves {
            if self.worker.limiter().stopped() {
                // Ranks below the moves that were evaluated.
                mv.value = -1;
                continue;
            }
            let (result, is_proof) = self.worker.evaluate_root_move(mv.after);
            mv.is_true_distance = is_proof;
            mv.set_exact(result, u32::from(is_proof), &self.worker.stack().pv[1]);
        }
    }

    /// Searches the ranked moves to a depth; returns false if stopped before the end.
    fn iterate(&mut self, depth: u32) -> bool {
        self.worker.begin_iteration(depth);
        let mut multi_pv = MultiPv::new(self.summary.n_lines);
        for idx in 0..self.moves.len() {
            let alpha = multi_pv.alpha();
            if self.worker.limiter().stopped() || is_win(alpha) {
                break;
            }
            let mv = &mut self.moves[idx];
            let result = if mv.is_decided() {
                NodeResult::new(mv.value, mv.proven)
            } else {
                self.worker.search_root_move(mv.after, alpha, depth, idx)
            };
            if self.worker.limiter().stopped() {
                break;
            }
            if result.value <= alpha {
                if mv.set_upper_bound(result) {
                    mv.update_pv(&self.worker.stack().pv[1]);
                }
                continue;
            }
            mv.set_exact(result, depth, &self.worker.stack().pv[1]);
            if multi_pv.insert(mv.value) && idx > 0 && self.control.is_some() {
                let mut moves = self.moves.clone();
                rank(&mut moves);
                self.report_progress(&moves);
            }
        }
        !self.worker.limiter().stopped()
    }

    /// Reports ranked moves before the search is finished.
    fn report_progress(&self, moves: &[WorkerMove<W>]) {
        if let Some(control) = self.control {
            control.report(&self.report_on(moves, self.nodes(), None));
        }
    }

    fn report_on(&self, moves: &[WorkerMove<W>], nodes: u64, stop: Option<StopReason>) -> Report<W::Move> {
        report(moves, &Summary { nodes, ..self.summary }, |mv| self.worker.extended_pv(mv), stop)
    }
}

impl<W: RootWorker> std::fmt::Debug for IterativeDeepening<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IterativeDeepening").field("summary", &self.summary).finish_non_exhaustive()
    }
}
