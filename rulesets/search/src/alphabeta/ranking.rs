//! The moves at the root, their ranking, and the report made of them.

use std::cmp::Reverse;

use crate::alphabeta::facts::Facts;
use crate::alphabeta::value::{Found, INFINITE, evaluation, is_decided, is_loss, is_win, plies};
use crate::report::{Evaluation, Line, Report, Scores, StopReason};

/// How much the latest iteration says about a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its value is exact, in this iteration or the last.
    Valued,
    /// It was found to be no better than the lines reported.
    Passed,
}

/// One move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M, A> {
    /// What the move leads to, as the search likes to have it.
    pub after: A,
    /// Exact for its depth, or where `Passed` the last exact one. In the range
    /// of wins and losses always proven.
    pub value: i32,
    /// What is proven.
    pub facts: Facts,
    /// Plies looked ahead for the value.
    pub depth: u32,
    /// The distance of a win or loss is the true one.
    pub is_true_distance: bool,
    /// What the value says now.
    pub standing: Standing,
    /// Put before the others as long as nothing is proven that speaks against
    /// it.
    pub is_favoured: bool,
    /// The move and the expected play after it.
    pub line: Vec<M>,
}

impl<M: Clone, A> RootMove<M, A> {
    /// A move of which nothing is known.
    pub fn new(mv: M, after: A) -> Self {
        RootMove {
            after,
            value: 0,
            facts: Facts::NONE,
            depth: 0,
            is_true_distance: false,
            standing: Standing::Passed,
            is_favoured: false,
            line: vec![mv],
        }
    }

    /// Takes an exact value over, and the play expected after the move. What
    /// was proven stays so, also where a later iteration does not see it again
    /// for want of room in the table.
    pub fn value(&mut self, found: Found, depth: u32, rest: &[M]) {
        self.depth = depth;
        self.standing = Standing::Valued;
        self.facts = self.facts.and(found.facts);
        if !self.is_decided() {
            self.value = self.facts.confine(found.value);
            self.expect(rest);
        }
    }

    /// Takes over that the move is worth `found` at most; whether it is now
    /// known to lose, and was not before.
    pub fn pass(&mut self, found: Found) -> bool {
        self.facts = self.facts.and(found.facts);
        self.standing = Standing::Passed;
        let loses = is_loss(found.value) && !self.is_decided();
        if loses {
            self.value = found.value;
        }
        loses
    }

    /// Changes the play expected after the move.
    pub fn expect(&mut self, rest: &[M]) {
        self.line.truncate(1);
        self.line.extend_from_slice(rest);
    }

    /// Whether the move wins or loses.
    pub fn is_decided(&self) -> bool {
        is_decided(self.value)
    }

    /// Whether its outcome is known.
    pub fn is_proven(&self) -> bool {
        self.is_decided() || self.facts == Facts::DRAW
    }

    /// 1 for a win, -1 for a loss.
    pub(crate) fn class(&self) -> i32 {
        i32::from(is_win(self.value)) - i32::from(is_loss(self.value))
    }

    /// Proven wins first, losses last, between them the favoured move and then
    /// the best value; of equals the proven draw.
    fn rank(&self) -> impl Ord + use<M, A> {
        let class = self.class();
        let favoured = class == 0 && self.is_favoured;
        let valued = class != 0 || self.standing == Standing::Valued;
        Reverse((class, favoured, valued, self.value, self.facts == Facts::DRAW))
    }
}

/// The values of the best lines of an iteration so far, best first.
#[derive(Clone, Debug)]
pub struct Leaders {
    values: Vec<i32>,
    n_lines: usize,
}

impl Leaders {
    /// None yet, of so many.
    pub fn new(n_lines: usize) -> Self {
        Leaders { values: Vec::with_capacity(n_lines + 1), n_lines }
    }

    /// What a move has to beat to be among them.
    pub fn alpha(&self) -> i32 {
        if self.values.len() < self.n_lines { -INFINITE } else { self.values[self.n_lines - 1] }
    }

    /// Takes a value in; whether it is the best.
    pub fn take(&mut self, value: i32) -> bool {
        let place = self.values.partition_point(|&better| better >= value);
        self.values.insert(place, value);
        self.values.truncate(self.n_lines);
        place == 0
    }
}

/// What a report says besides the moves, of a game for two.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// Who is to move.
    pub seat: usize,
    /// Moves reported.
    pub n_lines: usize,
    /// Plies completed.
    pub depth: u32,
    /// The distance to the end is true of the position, not of its best line
    /// alone.
    pub is_true_distance: bool,
    /// Positions visited.
    pub nodes: u64,
    /// What the search adds to every estimate of the side to move; reports take
    /// it off again.
    pub optimism: i32,
}

/// Sorts the moves best first; equals stay as they are.
pub fn rank<M: Clone, A>(moves: &mut [RootMove<M, A>]) {
    moves.sort_by_key(RootMove::rank);
}

/// Whether more search could change neither the lines nor their values. The
/// moves are ranked.
pub fn all_proven<M: Clone, A>(moves: &[RootMove<M, A>], n_lines: usize) -> bool {
    let n_lines = n_lines.min(moves.len());
    if !moves[..n_lines].iter().all(RootMove::is_proven) {
        return false;
    }
    let last = moves[n_lines - 1].value;
    // Behind a draw nothing may win; behind a loss there are only losses.
    is_win(last) || moves[n_lines..].iter().all(|mv| if is_loss(last) { is_loss(mv.value) } else { mv.facts.held() })
}

/// A report on ranked moves, with the play that `line` expects from each on.
pub fn report<M: Clone, A>(
    moves: &[RootMove<M, A>],
    summary: &Summary,
    line: impl Fn(&RootMove<M, A>) -> Vec<M>,
    stop: Option<StopReason>,
) -> Report<M> {
    let value = |mv: &RootMove<M, A>| {
        let plies = (mv.is_decided() && mv.is_true_distance).then(|| plies(mv.value));
        let sober = if mv.is_decided() { mv.value } else { sober(mv.value, summary.optimism) };
        evaluation(sober, mv.facts, plies, mv.depth, |score| Scores::pair(summary.seat, score))
    };
    let (lines, mut best) = told(moves, summary.n_lines, value, line);
    if !summary.is_true_distance {
        best.plies_to_end = best.plies_to_end.filter(|&plies| plies == 1);
    }
    Report { lines, evaluation: best, depth: summary.depth, nodes: summary.nodes, stop }
}

/// The lines of ranked moves, and the value of the position if no other moves
/// are legal.
pub(crate) fn told<M: Clone, A>(
    moves: &[RootMove<M, A>],
    n_lines: usize,
    value: impl Fn(&RootMove<M, A>) -> Evaluation,
    line: impl Fn(&RootMove<M, A>) -> Vec<M>,
) -> (Vec<Line<M>>, Evaluation) {
    let lines = moves.iter().take(n_lines).map(|mv| Line { moves: line(mv), evaluation: value(mv) }).collect();
    let best = value(&moves[0]);
    let is_best = is_win(moves[0].value) || moves.iter().all(|mv| mv.facts.held());
    (lines, if is_best { best } else { best.doubted() })
}

/// An estimate without the optimism. What optimism alone ranks above a draw is
/// called even, so that scores are in the order of the moves.
fn sober(value: i32, optimism: i32) -> i32 {
    match value {
        1.. => (value - optimism).max(0),
        0 => 0,
        _ => value - optimism,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many values are kept as there are lines, and the worst of them is what
    /// the next has to beat.
    #[test]
    fn leaders_are_the_best() {
        let mut leaders = Leaders::new(2);
        assert_eq!((leaders.alpha(), leaders.take(5), leaders.alpha()), (-INFINITE, true, -INFINITE));
        assert_eq!((leaders.take(5), leaders.alpha()), (false, 5));
        assert_eq!((leaders.take(9), leaders.alpha()), (true, 5));
        assert_eq!((leaders.take(7), leaders.alpha()), (false, 7));
    }

    /// Optimism is taken off, but never so far that an estimate above a draw
    /// falls below it.
    #[test]
    fn sober_estimates_keep_their_order() {
        let sober = [-60, -1, 0, 1, 50, 60].map(|value| sober(value, 50));
        assert_eq!(sober, [-110, -51, 0, 0, 0, 10]);
        assert_eq!([-60, 0, 60].map(|value| super::sober(value, 0)), [-60, 0, 60]);
    }
}
