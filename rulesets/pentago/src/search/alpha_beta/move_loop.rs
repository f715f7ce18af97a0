//! The loop over the moves of a node: unordered at depth 1, best first above.

use pentad_sdk::search::primitives::{BestMove, NodeResult, Window, is_loss};

use crate::moves::Move;
use crate::search::alpha_beta::ordering::{MoveList, N_SELECTED, ScoredMove};
use crate::search::alpha_beta::worker::Worker;
use crate::search::move_set::{contains, distinct_turns, for_each_move, intersection, move_of};
use crate::search::search_position::{SearchPosition, Successor};
use crate::search::static_eval::threat_scan::ThreatScan;

/// Ordering bonus of a move that threatens five.
const FORCING_BONUS: i32 = 150;
/// Move counts from which later moves are reduced by one, two and three plies.
const LATE_MOVES: [usize; 3] = [4, 16, 64];

impl Worker<'_> {
    /// A node of depth 1: each move leads to a leaf. The table's move and the
    /// killers come first; the others are not ordered.
    pub(crate) fn search_frontier(
        &mut self,
        position: SearchPosition,
        window: Window,
        ply: usize,
        scan: &ThreatScan,
        tt_move: Option<Move>,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let killers = *self.stack.history.killers(ply);
        for mv in [tt_move, killers[0], killers[1]].into_iter().flatten() {
            if !contains(&scan.safe, mv) {
                continue;
            }
            let result = self.search_leaf_move(position, mv, ply);
            if self.stack.update_best(&mut best, result, &mv, mv.index(), window, ply) {
                return best.result(false);
            }
        }
        for (turn, mut rest) in intersection(&scan.safe, &distinct_turns(self.rules, position)).into_iter().enumerate()
        {
            while rest != 0 {
                let mv = move_of(turn, rest);
                rest &= rest - 1;
                let result = self.search_leaf_move(position, mv, ply);
                if self.limiter.stopped() {
                    return (NodeResult::ABORTED, None);
                }
                if self.stack.update_best(&mut best, result, &mv, mv.index(), window, ply) {
                    return best.result(false);
                }
            }
        }
        best.result(true)
    }

    #[inline]
    fn search_leaf_move(&mut self, position: SearchPosition, mv: Move, ply: usize) -> NodeResult {
        self.limiter.visit();
        self.stack.pv[ply + 1].clear();
        match self.rules.successor(position, mv) {
            Successor::Terminal(result) => result,
            Successor::Ongoing(next) => self.evaluate_leaf(next, ply + 1).for_parent(),
        }
    }

    /// Searches the moves, best first, until one cuts off.
    pub(crate) fn search_moves(
        &mut self,
        position: SearchPosition,
        window: Window,
        ply: usize,
        scan: &ThreatScan,
        tt_move: Option<Move>,
        threatened: bool,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let tt_move = tt_move.filter(|&mv| contains(&scan.safe, mv));
        if let Some(mv) = tt_move {
            self.limiter.visit();
            self.stack.pv[ply + 1].clear();
            let result = match self.rules.successor(position, mv) {
                Successor::Terminal(result) => result,
                Successor::Ongoing(next) => self.search_node(next, window.flipped(1), ply + 1, true).for_parent(),
            };
            if self.limiter.stopped() {
                return (NodeResult::ABORTED, None);
            }
            if self.stack.update_best(&mut best, result, &mv, mv.index(), window, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        self.generate(position, scan, tt_move, ply, &mut list);
        let mut has_cutoff = false;
        for n_searched in usize::from(tt_move.is_some()).. {
            let Some(candidate) = list.select_then_sort(N_SELECTED, |mv| mv.index()) else { break };
            let window = Window { alpha: best.alpha, ..window };
            let result = self.search_move(&candidate, window, ply, n_searched, threatened);
            if self.limiter.stopped() {
                break;
            }
            if self.stack.update_best(&mut best, result, &candidate.mv, candidate.mv.index(), window, ply) {
                has_cutoff = true;
                break;
            }
        }
        self.move_lists[ply] = list;
        best.result(!has_cutoff)
    }

    /// Generates and scores the safe moves, except the table's.
    fn generate(
        &mut self,
        position: SearchPosition,
        scan: &ThreatScan,
        tt_move: Option<Move>,
        ply: usize,
        list: &mut MoveList,
    ) {
        list.clear();
        for_each_move(&intersection(&scan.safe, &distinct_turns(self.rules, position)), |turn, bit| {
            let mv = move_of(turn, bit.0);
            if Some(mv) == tt_move || self.limiter.stopped() {
                return;
            }
            self.limiter.visit();
            let after = self.rules.successor(position, mv);
            let value = match after {
                Successor::Terminal(result) => result.value,
                Successor::Ongoing(next) => -self.rules.static_eval(next).value,
            };
            let is_forcing = scan.threats[turn] & bit.0 != 0;
            let score = value
                + self.stack.history.bonus(ply, ply, &mv, mv.index())
                + if is_forcing { FORCING_BONUS } else { 0 };
            list.push(ScoredMove { score, mv, after, is_forcing });
        });
    }

    /// Searches one move: the first with the full window, the others with a null
    /// window and reduced if late, and again if they turn out better.
    fn search_move(
        &mut self,
        candidate: &ScoredMove,
        window: Window,
        ply: usize,
        n_searched: usize,
        threatened: bool,
    ) -> NodeResult {
        let next = match candidate.after {
            Successor::Terminal(result) => {
                self.stack.pv[ply + 1].clear();
                return result;
            }
            Successor::Ongoing(next) => next,
        };
        self.limiter.visit();
        if n_searched == 0 {
            return self.search_node(next, window.flipped(1), ply + 1, true).for_parent();
        }
        let reduction = if threatened || is_loss(window.alpha) {
            0
        } else {
            late_move_reduction(window.depth, n_searched, candidate.is_forcing)
        };
        window.search_later_move(reduction, |window| self.search_node(next, window, ply + 1, true).for_parent())
    }
}

/// Plies by which a late move that does not threaten is reduced.
fn late_move_reduction(depth: i32, n_searched: usize, is_forcing: bool) -> i32 {
    if depth < 2 || is_forcing {
        return 0;
    }
    let reduction = LATE_MOVES.iter().filter(|&&late| n_searched >= late).count() as i32;
    reduction.min(depth - 1)
}
