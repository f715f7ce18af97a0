//! Root moves, their ranking, and the report made from them.

use std::cmp::Reverse;

use crate::primitives::proven::Proven;
use crate::primitives::value::{INFINITE, NodeResult, evaluation, is_decided, is_loss, is_win, plies};
use pentad_model::{Evaluation, Line, Report, Scores, Source, StopReason};

/// Kind of bound that the value of a root move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootBound {
    /// Exact, in this iteration or the last.
    Exact,
    /// No better than the reported lines; the value is that of an earlier iteration.
    Upper,
}

/// A root move and what is known about it.
#[derive(Clone, Debug)]
pub struct RootMove<M, A> {
    /// The position after the move, in the search's own form.
    pub after: A,
    /// Exact for its depth; for an upper bound the last exact value. Wins and losses
    /// are always proven.
    pub value: i32,
    /// Proofs of the iterations so far.
    pub proven: Proven,
    /// Plies searched for the value.
    pub depth: u32,
    /// Whether the distance of a win or loss is the true one.
    pub is_true_distance: bool,
    /// Whether the latest iteration found the value.
    pub bound: RootBound,
    /// Ranked first by a book, with at least the value of the best estimate, unless it is
    /// proven not to win or another move to win.
    pub is_favoured: bool,
    /// The principal variation, which begins with the move.
    pub pv: Vec<M>,
}

impl<M: Clone, A> RootMove<M, A> {
    /// Creates a move about which nothing is known.
    pub fn new(mv: M, after: A) -> Self {
        RootMove {
            after,
            value: 0,
            proven: Proven::NONE,
            depth: 0,
            is_true_distance: false,
            bound: RootBound::Upper,
            is_favoured: false,
            pv: vec![mv],
        }
    }

    /// Sets an exact value and the principal variation after the move. Proofs are kept
    /// even if a later iteration does not find them again because the table has
    /// overwritten them.
    pub fn set_exact(&mut self, result: NodeResult, depth: u32, rest: &[M]) {
        self.depth = depth;
        self.bound = RootBound::Exact;
        self.proven = self.proven.union(result.proven);
        if !self.is_decided() {
            self.value = self.proven.clamp(result.value);
            self.update_pv(rest);
        }
    }

    /// Records that the move failed low; returns true if that proves a loss not known
    /// before.
    pub fn set_upper_bound(&mut self, result: NodeResult) -> bool {
        self.proven = self.proven.union(result.proven);
        self.bound = RootBound::Upper;
        let loses = is_loss(result.value) && !self.is_decided();
        if loses {
            self.value = result.value;
        }
        loses
    }

    /// Replaces the principal variation after the move.
    pub fn update_pv(&mut self, rest: &[M]) {
        self.pv.truncate(1);
        self.pv.extend_from_slice(rest);
    }

    /// Returns whether the move wins or loses.
    pub fn is_decided(&self) -> bool {
        is_decided(self.value)
    }

    /// Returns whether its outcome is known.
    pub fn is_proven(&self) -> bool {
        self.is_decided() || self.proven == Proven::DRAW
    }

    /// Returns 1 for a win, -1 for a loss, 0 otherwise.
    pub(crate) fn class(&self) -> i32 {
        i32::from(is_win(self.value)) - i32::from(is_loss(self.value))
    }

    /// Returns whether the book's preference decides its rank.
    fn is_book_move(&self) -> bool {
        self.is_favoured && self.class() == 0 && !self.proven.is_not_won()
    }

    /// Returns the sort key: proven wins first, losses last, between them the book's
    /// move and then the best value; of equals the proven draw.
    fn rank(&self) -> impl Ord + use<M, A> {
        let class = self.class();
        let valued = class != 0 || self.bound == RootBound::Exact;
        Reverse((class, self.is_book_move(), valued, self.value, self.proven == Proven::DRAW))
    }
}

/// The values of the best lines of an iteration so far (multi-PV), best first.
#[derive(Clone, Debug)]
pub struct MultiPv {
    values: Vec<i32>,
    n_lines: usize,
}

impl MultiPv {
    /// Makes room for `n_lines` values.
    pub fn new(n_lines: usize) -> Self {
        MultiPv { values: Vec::with_capacity(n_lines + 1), n_lines }
    }

    /// Returns the value that a move has to beat to become one of the lines.
    pub fn alpha(&self) -> i32 {
        if self.values.len() < self.n_lines { -INFINITE } else { self.values[self.n_lines - 1] }
    }

    /// Inserts a value; returns true if it is the best.
    pub fn insert(&mut self, value: i32) -> bool {
        let place = self.values.partition_point(|&better| better >= value);
        self.values.insert(place, value);
        self.values.truncate(self.n_lines);
        place == 0
    }
}

/// Contents of a report other than the moves, for a game of two.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The seat to move.
    pub seat: usize,
    /// Number of reported moves.
    pub n_lines: usize,
    /// Plies completed.
    pub depth: u32,
    /// Whether the distance to the end is that of the position, not only of its best
    /// line.
    pub is_true_distance: bool,
    /// Positions visited.
    pub nodes: u64,
    /// Added by the search to every estimate of the side to move; reports subtract it.
    pub optimism: i32,
}

/// Sorts the moves best first; equals stay as they are.
pub fn rank<M: Clone, A>(moves: &mut [RootMove<M, A>]) {
    moves.sort_by_key(RootMove::rank);
}

/// Returns whether further search could change neither the lines nor their values. The
/// moves are ranked.
pub fn all_proven<M: Clone, A>(moves: &[RootMove<M, A>], n_lines: usize) -> bool {
    let n_lines = n_lines.min(moves.len());
    if !moves[..n_lines].iter().all(RootMove::is_proven) {
        return false;
    }
    let last = moves[n_lines - 1].value;
    // Behind a draw nothing may win; behind a loss there are only losses.
    is_win(last)
        || moves[n_lines..].iter().all(|mv| if is_loss(last) { is_loss(mv.value) } else { mv.proven.is_not_won() })
}

/// Returns a report on ranked moves, with principal variations from `pv`. Scores have
/// the order of the lines: that of a book's move is at least the best estimate.
pub fn report<M: Clone, A>(
    moves: &[RootMove<M, A>],
    summary: &Summary,
    pv: impl Fn(&RootMove<M, A>) -> Vec<M>,
    stop: Option<StopReason>,
) -> Report<M> {
    let estimates = moves.iter().filter(|mv| mv.class() == 0 && mv.bound == RootBound::Exact);
    let best_estimate = estimates.map(|mv| mv.value).max().unwrap_or(-INFINITE);
    let value = |mv: &RootMove<M, A>| {
        let plies = (mv.is_decided() && mv.is_true_distance).then(|| plies(mv.value));
        let ranked = if mv.is_book_move() { mv.value.max(best_estimate) } else { mv.value };
        let without_optimism = if mv.is_decided() { ranked } else { without_optimism(ranked, summary.optimism) };
        let value = evaluation(without_optimism, mv.proven, plies, mv.depth, |score| Scores::pair(summary.seat, score));
        let source = if mv.is_book_move() { Source::Book } else { value.source };
        Evaluation { source, ..value }
    };
    let (lines, mut best) = lines_and_value(moves, summary.n_lines, value, pv);
    if !summary.is_true_distance {
        best.plies_to_end = best.plies_to_end.filter(|&plies| plies == 1);
    }
    Report { lines, evaluation: best, depth: summary.depth, nodes: summary.nodes, stop }
}

/// Returns the lines of ranked moves, and the value of the position if no other moves
/// are legal.
pub(crate) fn lines_and_value<M: Clone, A>(
    moves: &[RootMove<M, A>],
    n_lines: usize,
    value: impl Fn(&RootMove<M, A>) -> Evaluation,
    pv: impl Fn(&RootMove<M, A>) -> Vec<M>,
) -> (Vec<Line<M>>, Evaluation) {
    let lines = moves.iter().take(n_lines).map(|mv| Line { moves: pv(mv), evaluation: value(mv) }).collect();
    let best = value(&moves[0]);
    let is_best = is_win(moves[0].value) || moves.iter().all(|mv| mv.proven.is_not_won());
    (lines, if is_best { best } else { best.as_estimate() })
}

/// Returns an estimate without the optimism. Estimates above a draw only by optimism
/// become even, so that scores keep the order of the moves.
fn without_optimism(value: i32, optimism: i32) -> i32 {
    match value {
        1.. => (value - optimism).max(0),
        0 => 0,
        _ => value - optimism,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many values are kept as there are lines; the next value has to beat the worst
    /// of them.
    #[test]
    fn the_best_values_are_kept() {
        let mut multi_pv = MultiPv::new(2);
        assert_eq!((multi_pv.alpha(), multi_pv.insert(5), multi_pv.alpha()), (-INFINITE, true, -INFINITE));
        assert_eq!((multi_pv.insert(5), multi_pv.alpha()), (false, 5));
        assert_eq!((multi_pv.insert(9), multi_pv.alpha()), (true, 5));
        assert_eq!((multi_pv.insert(7), multi_pv.alpha()), (false, 7));
    }

    /// Subtracting optimism never puts an estimate above a draw below it.
    #[test]
    fn sober_estimates_keep_their_order() {
        let without_optimism = [-60, -1, 0, 1, 50, 60].map(|value| without_optimism(value, 50));
        assert_eq!(without_optimism, [-110, -51, 0, 0, 0, 10]);
        assert_eq!([-60, 0, 60].map(|value| super::without_optimism(value, 0)), [-60, 0, 60]);
    }
}
