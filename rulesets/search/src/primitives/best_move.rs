//! The best move of a node so far, and its principal variation.

use crate::primitives::proven::Proven;
use crate::primitives::value::{NodeResult, UNANCHORED, WIN};

/// The best move of a node so far.
#[derive(Debug)]
pub struct BestMove<M> {
    /// Raised by each move that improves it.
    pub alpha: i32,
    value: i32,
    mv: Option<M>,
    proven: Proven,
    all_not_won: bool,
    anchor: u32,
}

impl<M: Clone> BestMove<M> {
    /// Creates a record without a move.
    #[inline]
    pub fn new(alpha: i32) -> Self {
        BestMove { alpha, value: -WIN, mv: None, proven: Proven::NONE, all_not_won: true, anchor: UNANCHORED }
    }

    /// Updates with a move's result; returns true on a beta cutoff. `lines` are the
    /// principal variations of the node and of its child.
    #[inline]
    pub fn update(&mut self, result: NodeResult, mv: &M, beta: i32, lines: &mut [Vec<M>]) -> bool {
        self.proven = self.proven.union(result.proven.intersection(Proven::NOT_LOST));
        self.all_not_won &= result.proven.is_not_won();
        self.anchor = self.anchor.min(result.anchor);
        if result.value > self.value || self.mv.is_none() {
            self.value = result.value;
            self.mv = Some(mv.clone());
            if result.value > self.alpha {
                self.alpha = result.value;
                update_pv(lines, mv);
            }
        }
        let is_cutoff = self.alpha >= beta;
        if is_cutoff {
            // The lower bound rests on this move alone.
            self.anchor = result.anchor;
        }
        is_cutoff
    }

    /// Returns the node's value and its best move. `complete` is set if every move was
    /// searched or loses.
    #[inline]
    pub fn result(self, complete: bool) -> (NodeResult, Option<M>) {
        let held = if complete && self.all_not_won { Proven::NOT_WON } else { Proven::NONE };
        (NodeResult { value: self.value, proven: self.proven.union(held), anchor: self.anchor }, self.mv)
    }
}

/// Makes the move, followed by the child's principal variation, that of the node.
#[inline]
pub(crate) fn update_pv<M: Clone>(lines: &mut [Vec<M>], mv: &M) {
    if let [line, rest, ..] = lines {
        line.clear();
        line.push(mv.clone());
        line.extend_from_slice(rest);
    }
}
