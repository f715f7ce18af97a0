//! The moves of a node: in one pass at a frontier node, scored above.
//!
//! The transposition table's move comes first, before the others are generated. They
//! are ordered by the static evaluation after the move, with a bonus for threats,
//! killers and history.

use pentad_sdk::search::primitives::{self, BestMove, NodeResult, NodeSearch, OrderingBonus, Window};

use crate::moves::Move;
use crate::position::RelativePosition;
use crate::search::alpha_beta::worker::Worker;

/// Ordering bonus of a move that threatens a win in one.
const FORCING_BONUS: i32 = 100;
/// Ordering bonuses of killers and history.
pub(crate) const BONUS: OrderingBonus = OrderingBonus { killer: 150, history_max: 250 };

/// A node; its moves are generated from the position alone.
pub(crate) type Node<'n> = primitives::Node<'n, Move, RelativePosition, ()>;

/// The result of a move.
pub(crate) type Successor = primitives::Successor<RelativePosition>;

/// A move with its successor. It is forcing if it threatens a win in one.
pub(crate) type ScoredMove = primitives::ScoredMove<Move, RelativePosition>;

/// The moves of one node.
pub(crate) type MoveList = primitives::MoveList<Move, RelativePosition>;

impl RelativePosition {
    /// Plays a legal move.
    #[inline]
    pub(crate) fn successor(self, mv: Move) -> Successor {
        let next = self.play_unchecked(mv);
        match next.outcome_for_last_mover() {
            Some(outcome) => Successor::Terminal(NodeResult::terminal(outcome)),
            None => Successor::Ongoing(next),
        }
    }
}

impl Worker<'_> {
    /// Searches the moves of a frontier node, one ply before the horizon. Only the
    /// table's move and killers come first; ordering the others would cost as much as
    /// searching them.
    pub(crate) fn search_frontier(&mut self, node: &Node<'_>) -> (NodeResult, Option<Move>) {
        let Node { position, window, ply, tt_move, .. } = *node;
        let mut best = BestMove::new(window.alpha);
        let killers = *self.stack.history.killers(ply);
        let mut tried = [None; 3];
        for (slot, mv) in [tt_move, killers[0], killers[1]].into_iter().enumerate() {
            let Some(mv) = mv.filter(|&mv| !tried.contains(&Some(mv)) && position.is_legal(mv)) else { continue };
            tried[slot] = Some(mv);
            if self.search_frontier_move(node, mv, &mut best) {
                return best.result(false);
            }
        }
        for mv in position.moves() {
            if !tried.contains(&Some(mv)) && self.search_frontier_move(node, mv, &mut best) {
                return best.result(false);
            }
        }
        best.result(true)
    }

    /// Searches one move; returns true on a cutoff or if the search is stopped.
    #[inline]
    fn search_frontier_move(&mut self, node: &Node<'_>, mv: Move, best: &mut BestMove<Move>) -> bool {
        let Node { position, window, ply, .. } = *node;
        let result = self.search_move(position, mv, Window { alpha: best.alpha, ..window }, ply);
        self.update_best(best, result, mv, window, ply) || self.limiter.stopped()
    }

    /// Generates and scores the moves to search. Moves that end the game or allow a
    /// win in one are decided here and need no search; returns true if one of them is
    /// a cutoff, or if the search is stopped.
    pub(crate) fn generate_moves(&mut self, node: &Node<'_>, list: &mut MoveList, best: &mut BestMove<Move>) -> bool {
        let Node { position, window, ply, tt_move, .. } = *node;
        for mv in position.moves() {
            if Some(mv) == tt_move {
                continue;
            }
            self.limiter.visit();
            if self.limiter.stopped() {
                return true;
            }
            self.stack.pv[ply + 1].clear();
            let result = match position.successor(mv) {
                Successor::Terminal(result) => result,
                Successor::Ongoing(next) => {
                    let Some(reply) = next.winning_move() else {
                        list.push(self.score_move(mv, next, ply));
                        continue;
                    };
                    self.stack.pv[ply + 1].push(reply);
                    NodeResult::loss(2)
                }
            };
            if self.update_best(best, result, mv, window, ply) {
                return true;
            }
        }
        false
    }

    #[inline]
    fn score_move(&self, mv: Move, next: RelativePosition, ply: usize) -> ScoredMove {
        let is_forcing = next.null_move().has_winning_move();
        let bonus = if is_forcing { FORCING_BONUS } else { 0 };
        let score = self.stack.history.bonus(ply, ply, &mv, mv.index()) + bonus - next.static_eval();
        ScoredMove { score, mv, after: Successor::Ongoing(next), is_forcing }
    }
}
