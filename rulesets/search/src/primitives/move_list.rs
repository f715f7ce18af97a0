//! The moves of a node in the order in which they are searched.

use crate::primitives::node_search::Successor;

/// A move, its result, and its ordering score.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M, P> {
    /// Higher is searched sooner.
    pub score: i32,
    /// The move.
    pub mv: M,
    /// Its result, with the position in the search's own form.
    pub after: Successor<P>,
    /// Whether it threatens to win.
    pub is_forcing: bool,
}

/// The moves of one node, returned best first. A search keeps one per ply, so that its
/// nodes soon allocate nothing.
#[derive(Debug)]
pub struct MoveList<M, P> {
    moves: Vec<ScoredMove<M, P>>,
    next: usize,
}

impl<M, P> Default for MoveList<M, P> {
    fn default() -> Self {
        MoveList { moves: Vec::new(), next: 0 }
    }
}

impl<M: Copy, P: Copy> MoveList<M, P> {
    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.next = 0;
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: ScoredMove<M, P>) {
        self.moves.push(mv);
    }

    /// Returns the best of the remaining moves, of equals the first added. For short
    /// lists: each call scans all that remain.
    #[inline]
    pub fn select(&mut self) -> Option<ScoredMove<M, P>> {
        let rest = &mut self.moves[self.next..];
        let best = best_of(rest)?;
        // A rotation keeps the order of the others.
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }

    /// Returns the best of the remaining moves: the first `n_selected` by selection, as
    /// most nodes cut off with one of them, the others sorted. Among equals, sorting
    /// prefers the lowest index; selection prefers the first in the list, and swaps
    /// moves.
    #[inline]
    pub fn select_then_sort(&mut self, n_selected: usize, index: impl Fn(&M) -> usize) -> Option<ScoredMove<M, P>> {
        let rest = &mut self.moves[self.next..];
        if self.next < n_selected {
            let best = best_of(rest)?;
            rest.swap(0, best);
        } else if self.next == n_selected {
            rest.sort_unstable_by_key(|candidate| (-candidate.score, index(&candidate.mv)));
        }
        let picked = *rest.first()?;
        self.next += 1;
        Some(picked)
    }
}

/// Returns the index of the highest score, of equals the first.
#[inline]
fn best_of<M, P>(moves: &[ScoredMove<M, P>]) -> Option<usize> {
    (0..moves.len()).reduce(|best, at| if moves[at].score > moves[best].score { at } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(scores: &[i32]) -> MoveList<usize, ()> {
        let mut list = MoveList::default();
        for (mv, &score) in scores.iter().enumerate() {
            list.push(ScoredMove { score, mv, after: Successor::Ongoing(()), is_forcing: false });
        }
        list
    }

    /// Selection is stable; so is the sort, by index.
    #[test]
    fn the_best_comes_first() {
        let scores = [3, 9, 3, 7, 9, 1];
        let mut selected = list(&scores);
        let order: Vec<usize> = std::iter::from_fn(|| selected.select()).map(|candidate| candidate.mv).collect();
        assert_eq!(order, [1, 4, 3, 0, 2, 5]);
        let mut sorted = list(&scores);
        let sorted = std::iter::from_fn(|| sorted.select_then_sort(2, |&mv| mv)).map(|candidate| candidate.mv);
        assert_eq!(sorted.collect::<Vec<_>>(), order);
        assert!(list(&[]).select().is_none() && list(&[]).select_then_sort(0, |&mv| mv).is_none());
    }
}
