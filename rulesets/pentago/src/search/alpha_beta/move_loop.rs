//! The moves of a node: unordered at depth 1, scored above.
//!
//! The transposition table's move comes first, before the others are generated. They
//! are ordered by the static evaluation after the move, with a bonus for threats,
//! killers and history.

use pentad_sdk::search::primitives::{self, BestMove, NodeResult, NodeSearch, OrderingBonus};

use crate::moves::Move;
use crate::search::alpha_beta::worker::Worker;
use crate::search::move_set::{contains, distinct_turns, for_each_move, intersection, move_of};
use crate::search::search_position::{SearchPosition, Successor};
use crate::search::static_eval::threat_scan::ThreatScan;

/// Ordering bonus of a move that threatens five.
const FORCING_BONUS: i32 = 150;
/// Ordering bonuses of killers and history.
pub(crate) const BONUS: OrderingBonus = OrderingBonus { killer: 250, history_max: 400 };
/// Moves picked by selection before the rest is sorted.
pub(crate) const N_SELECTED: usize = 5;

/// A node with its safe moves and threats.
pub(crate) type Node<'n> = primitives::Node<'n, Move, SearchPosition, ThreatScan>;

/// A move with its successor. It is forcing if it threatens five.
pub(crate) type ScoredMove = primitives::ScoredMove<Move, SearchPosition>;

/// The moves of one node.
pub(crate) type MoveList = primitives::MoveList<Move, SearchPosition>;

impl Worker<'_> {
    /// Searches a node of depth 1: each move leads to a leaf. The table's move and the
    /// killers come first; the others are not ordered.
    pub(crate) fn search_frontier(&mut self, node: &Node<'_>) -> (NodeResult, Option<Move>) {
        let Node { position, scan, window, ply, tt_move, .. } = *node;
        let mut best = BestMove::new(window.alpha);
        let killers = *self.stack.history.killers(ply);
        for mv in [tt_move, killers[0], killers[1]].into_iter().flatten() {
            if !contains(&scan.safe, mv) {
                continue;
            }
            let result = self.search_leaf_move(position, mv, ply);
            if self.update_best(&mut best, result, mv, window, ply) {
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
                if self.update_best(&mut best, result, mv, window, ply) {
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

    /// Generates and scores the safe moves, by the static evaluation after the move.
    pub(crate) fn generate_moves(&mut self, node: &Node<'_>, list: &mut MoveList) {
        let Node { position, scan, ply, tt_move, .. } = *node;
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
}
