//! Iterative deepening over the root moves, for searches that games write
//! themselves.
//!
//! Each iteration searches the root moves one ply deeper, best first, until the
//! lines wanted are proven or a limit is reached. The positions after the root
//! moves belong to the game's [`RootWorker`].

use crate::limiter::Limiter;
use crate::primitives::root_move::{MultiPv, RootMove, Summary, all_proven, rank, report};
use crate::primitives::value::{NodeResult, is_win};
use pentad_model::{Control, Report, Request, StopReason};

/// What [`IterativeDeepening`] needs of a game's search thread. Values are those of
/// the side to move at the root.
pub trait RootWorker {
    /// A move of the game.
    type Move: Clone;
    /// The position after a root move, in the search's own form.
    type After: Clone;

    /// What ends the search.
    fn limiter(&self) -> &Limiter<'_, Self::Move>;

    /// The principal variation after the root move searched last.
    fn root_pv(&self) -> &[Self::Move];

    /// The value after a root move without a search, and whether it is a proof with
    /// its true distance. Counts a node.
    fn evaluate_root_move(&mut self, after: &Self::After) -> (NodeResult, bool);

    /// Sets what depends on the depth of an iteration, before it begins.
    fn begin_iteration(&mut self, depth: u32);

    /// Searches the position after a root move, behind `n_searched` others; alpha is
    /// what it has to beat.
    fn search_root_move(&mut self, after: &Self::After, alpha: i32, depth: u32, n_searched: usize) -> NodeResult;

    /// Looks for a proof by other means before an iteration; whether it changed the
    /// value of a move. `depth` is that of the last complete iteration.
    fn prove_root(&mut self, _moves: &mut [RootMove<Self::Move, Self::After>], _depth: u32) -> bool {
        false
    }

    /// Finds the true distances of proven lines, if it can; the moves are ranked
    /// before and after.
    fn confirm_distances(&mut self, moves: &mut [RootMove<Self::Move, Self::After>], summary: &mut Summary);

    /// The principal variation of a root move as reported, which may go on beyond
    /// what the search returned.
    fn extended_pv(&self, mv: &RootMove<Self::Move, Self::After>) -> Vec<Self::Move>;
}

/// One thread's search of one position.
pub struct IterativeDeepening<'a, W: RootWorker> {
    worker: W,
    /// Gets the reports on the way; `None` for a thread that makes none.
    control: Option<&'a dyn Control<W::Move>>,
    summary: Summary,
    moves: Vec<RootMove<W::Move, W::After>>,
}

impl<'a, W: RootWorker> IterativeDeepening<'a, W> {
    /// A search of `moves`, of which there is one at least, for the player in
    /// `seat`. Reports take `optimism` off all estimates.
    pub fn new(
        worker: W,
        control: Option<&'a dyn Control<W::Move>>,
        request: &Request<W::Move>,
        moves: Vec<RootMove<W::Move, W::After>>,
        seat: usize,
        optimism: i32,
    ) -> Self {
        let n_lines = request.n_lines.clamp(1, moves.len());
        let summary = Summary { seat, n_lines, depth: 0, is_true_distance: false, nodes: 0, optimism };
        IterativeDeepening { worker, control, summary, moves }
    }

    /// Searches to one depth after the other; why it stopped.
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

    /// Nodes visited.
    pub fn nodes(&self) -> u64 {
        self.worker.limiter().nodes()
    }

    /// The report on the whole search, with the nodes of all its threads.
    pub fn report(&self, nodes: u64, stop: StopReason) -> Report<W::Move> {
        self.report_on(&self.moves, nodes, Some(stop))
    }

    /// Why the search ends now, if it does. A proven result gets its true distances
    /// first.
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
            let (found, is_proof) = self.worker.evaluate_root_move(&mv.after);
            mv.is_true_distance = is_proof;
            mv.set_exact(found, u32::from(is_proof), self.worker.root_pv());
        }
    }

    /// Searches the ranked moves to a depth; false if stopped before the end.
    fn iterate(&mut self, depth: u32) -> bool {
        self.worker.begin_iteration(depth);
        let mut multi_pv = MultiPv::new(self.summary.n_lines);
        for idx in 0..self.moves.len() {
            let alpha = multi_pv.alpha();
            if self.worker.limiter().stopped() || is_win(alpha) {
                break;
            }
            let mv = &mut self.moves[idx];
            let found = if mv.is_decided() {
                NodeResult::new(mv.value, mv.proven)
            } else {
                self.worker.search_root_move(&mv.after, alpha, depth, idx)
            };
            if self.worker.limiter().stopped() {
                break;
            }
            if found.value <= alpha {
                if mv.set_upper_bound(found) {
                    mv.update_pv(self.worker.root_pv());
                }
                continue;
            }
            mv.set_exact(found, depth, self.worker.root_pv());
            if multi_pv.insert(mv.value) && idx > 0 && self.control.is_some() {
                let mut moves = self.moves.clone();
                rank(&mut moves);
                self.report_progress(&moves);
            }
        }
        !self.worker.limiter().stopped()
    }

    /// Reports ranked moves before the search is finished.
    fn report_progress(&self, moves: &[RootMove<W::Move, W::After>]) {
        if let Some(control) = self.control {
            control.report(&self.report_on(moves, self.nodes(), None));
        }
    }

    fn report_on(
        &self,
        moves: &[RootMove<W::Move, W::After>],
        nodes: u64,
        stop: Option<StopReason>,
    ) -> Report<W::Move> {
        report(moves, &Summary { nodes, ..self.summary }, |mv| self.worker.extended_pv(mv), stop)
    }
}

impl<W: RootWorker> std::fmt::Debug for IterativeDeepening<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IterativeDeepening").field("summary", &self.summary).finish_non_exhaustive()
    }
}
