//! The window of a node: alpha, beta and remaining depth.

use crate::primitives::proven::Proven;
use crate::primitives::transposition_table::{Bound, Entry};
use crate::primitives::value::{NodeResult, WIN_MIN, is_decided};

/// The alpha-beta window of a node, and its depth.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Fail-low bound: a value at or below it is only an upper bound.
    pub alpha: i32,
    /// Fail-high bound: a value at or above it causes a cutoff.
    pub beta: i32,
    /// Remaining plies; 0 and below is the horizon.
    pub depth: i32,
}

impl Window {
    /// Returns the child's window, negated for its side to move, `less` plies less
    /// deep.
    #[inline]
    #[must_use]
    pub fn flipped(self, less: i32) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha, depth: self.depth - less }
    }

    /// Returns whether it is a null window, which only distinguishes fail-low from
    /// fail-high.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the window without the range of proofs, for searches that do not compare
    /// the distances of wins and losses.
    #[inline]
    #[must_use]
    pub fn clipped(self) -> Window {
        Window { alpha: self.alpha.clamp(-WIN_MIN, WIN_MIN - 1), beta: self.beta.clamp(1 - WIN_MIN, WIN_MIN), ..self }
    }

    /// Returns the cutoff that a table entry allows, where the distances of proofs are
    /// not compared. Proofs cut at any depth; an estimate only if it was searched as
    /// deep, and off the principal variation.
    #[inline]
    pub fn cutoff(self, entry: &Entry) -> Option<NodeResult> {
        let Window { alpha, beta, depth } = self;
        let Entry { value, proven, bound, .. } = *entry;
        if bound != Bound::Unknown && is_decided(value) {
            return Some(NodeResult::new(value, proven));
        }
        if proven == Proven::DRAW || (proven.is_not_lost() && beta <= 0) || (proven.is_not_won() && alpha >= 0) {
            return Some(NodeResult::new(0, proven));
        }
        let deep = i32::from(entry.depth) >= depth && self.is_null();
        let is_cutoff = match bound {
            Bound::Unknown => false,
            Bound::Lower => value >= beta && deep,
            Bound::Upper => value <= alpha && deep,
            Bound::Exact => deep,
        };
        is_cutoff.then_some(NodeResult::new(value, proven))
    }

    /// Combines the result of a node's search with what the table has proven about it;
    /// also returns the kind of bound that its value is.
    #[inline]
    pub fn conclude(self, result: NodeResult, proven: Proven) -> (NodeResult, Bound) {
        let proven = result.proven.union(proven);
        if proven == Proven::DRAW {
            return (NodeResult::DRAW, Bound::Exact);
        }
        let result = NodeResult { value: proven.clamp(result.value), proven, ..result };
        (result, Bound::of(result.value, self.alpha, self.beta))
    }

    /// Searches a move that is not the first (principal variation search): with a null
    /// window, reduced by `less` plies, and again without the reduction and with the
    /// whole window if it fails high. A proof is not searched again. `search` searches
    /// the child with the given window and returns the result for the side that moved.
    #[inline]
    pub fn search_later_move(self, less: i32, mut search: impl FnMut(Window) -> NodeResult) -> NodeResult {
        let null = Window { beta: self.alpha + 1, ..self };
        let mut result = search(null.flipped(1 + less));
        if less > 0 && result.value > self.alpha && !result.is_decided() {
            result = search(null.flipped(1));
        }
        if result.value > self.alpha && result.value < self.beta && !result.is_decided() {
            result = search(self.flipped(1));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A later move is searched again only after it failed high, and never after a
    /// proof.
    #[test]
    fn later_moves_are_searched_again_only_after_failing_high() {
        let window = Window { alpha: 10, beta: 50, depth: 6 };
        let searched = |less: i32, answer: NodeResult| {
            let mut windows = Vec::new();
            let result = window.search_later_move(less, |Window { alpha, beta, depth }| {
                windows.push((-beta, -alpha, depth));
                answer
            });
            assert_eq!(result, answer);
            windows
        };
        assert_eq!(searched(2, NodeResult::estimate(10)), [(10, 11, 3)]);
        assert_eq!(searched(2, NodeResult::estimate(20)), [(10, 11, 3), (10, 11, 5), (10, 50, 5)]);
        assert_eq!(searched(0, NodeResult::estimate(20)), [(10, 11, 5), (10, 50, 5)]);
        assert_eq!(searched(2, NodeResult::estimate(50)), [(10, 11, 3), (10, 11, 5)]);
        assert_eq!(searched(2, NodeResult::win(3)), [(10, 11, 3)]);
    }
}
