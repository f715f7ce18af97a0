//! The best move of a node so far, and the play expected after it.

use crate::primitives::history::History;
use crate::primitives::proven::Proven;
use crate::primitives::value::{NodeResult, UNANCHORED, WIN};
use crate::primitives::window::Window;

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
    /// No move yet.
    #[inline]
    pub fn new(alpha: i32) -> Self {
        BestMove { alpha, value: -WIN, mv: None, proven: Proven::NONE, all_not_won: true, anchor: UNANCHORED }
    }

    /// Updates with a move's result; whether it causes a beta cutoff. `lines` are
    /// the principal variations of the node and of its child.
    #[inline]
    pub fn update(&mut self, found: NodeResult, mv: &M, beta: i32, lines: &mut [Vec<M>]) -> bool {
        self.proven = self.proven.union(found.proven.intersection(Proven::NOT_LOST));
        self.all_not_won &= found.proven.is_not_won();
        self.anchor = self.anchor.min(found.anchor);
        if found.value > self.value || self.mv.is_none() {
            self.value = found.value;
            self.mv = Some(mv.clone());
            if found.value > self.alpha {
                self.alpha = found.value;
                update_pv(lines, mv);
            }
        }
        let is_cutoff = self.alpha >= beta;
        if is_cutoff {
            // The lower bound rests on this move alone.
            self.anchor = found.anchor;
        }
        is_cutoff
    }

    /// The node's value and its best move. `complete` if every move has been
    /// looked at, or loses.
    #[inline]
    pub fn result(self, complete: bool) -> (NodeResult, Option<M>) {
        let held = if complete && self.all_not_won { Proven::NOT_WON } else { Proven::NONE };
        (NodeResult { value: self.value, proven: self.proven.union(held), anchor: self.anchor }, self.mv)
    }
}

/// What a search thread remembers by ply: principal variations, killers and the
/// history of cutoffs.
#[derive(Debug)]
pub struct SearchStack<M, const KILLER: i32, const HISTORY: i32> {
    /// The principal variation from each ply on (the triangular PV table).
    pub pv: Vec<Vec<M>>,
    /// Where sides alternate, so that the ply stands for the side.
    pub history: History<M, KILLER, HISTORY>,
}

impl<M: Clone + PartialEq, const KILLER: i32, const HISTORY: i32> SearchStack<M, KILLER, HISTORY> {
    /// For paths of so many plies, and moves with slots below `n_slots`.
    pub fn new(n_plies: usize, n_slots: usize) -> Self {
        SearchStack { pv: vec![Vec::new(); n_plies], history: History::new(n_plies, n_slots) }
    }

    /// Updates the best move of the node at a ply; whether the result is a beta
    /// cutoff, which is also recorded in the history.
    #[inline]
    pub fn update_best(
        &mut self,
        best: &mut BestMove<M>,
        found: NodeResult,
        mv: &M,
        slot: usize,
        window: Window,
        ply: usize,
    ) -> bool {
        let is_cutoff = best.update(found, mv, window.beta, &mut self.pv[ply..]);
        if is_cutoff {
            self.history.record_cutoff(ply, ply, mv, slot, window.depth);
        }
        is_cutoff
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
