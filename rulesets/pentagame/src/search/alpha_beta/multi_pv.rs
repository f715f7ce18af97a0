//! Multi-PV over alternatives: the value that a root move has to beat to change the
//! reported lines.

use std::cmp::Reverse;

use pentad_sdk::search::primitives::INFINITE;

use crate::moves::Alternative;

/// Values of the root moves searched so far in an iteration.
#[derive(Debug)]
pub(crate) struct MultiPv {
    n_lines: usize,
    /// Number of lines left when each alternative has one.
    n_others: usize,
    /// The best move of each alternative, best first.
    best: Vec<(Alternative, i32)>,
    /// The other moves, best first; empty if no line is left for them.
    others: Vec<i32>,
}

impl MultiPv {
    /// Creates an empty list of `n_lines` lines over `n_alternatives` alternatives.
    pub(crate) fn new(n_lines: usize, n_alternatives: usize) -> Self {
        MultiPv { n_lines, n_others: n_lines.saturating_sub(n_alternatives), best: Vec::new(), others: Vec::new() }
    }

    /// Returns the value above which a move becomes a line or replaces the line of its
    /// alternative.
    pub(crate) fn alpha(&self, alternative: Alternative) -> i32 {
        let own = self.best.iter().find(|(known, _)| *known == alternative).map(|&(_, value)| value);
        match own {
            Some(own) if self.n_others > 0 => own.min(self.others.get(self.n_others - 1).copied().unwrap_or(-INFINITE)),
            _ => {
                let last_line = self.best.get(self.n_lines - 1).map_or(-INFINITE, |&(_, value)| value);
                own.unwrap_or(-INFINITE).max(last_line)
            }
        }
    }

    /// Inserts a move whose value is known.
    pub(crate) fn insert(&mut self, alternative: Alternative, value: i32) {
        let mut other = None;
        match self.best.iter_mut().find(|(known, _)| *known == alternative) {
            Some((_, own)) => {
                other = Some(value.min(*own));
                *own = value.max(*own);
            }
            None => self.best.push((alternative, value)),
        }
        self.best.sort_by_key(|&(_, value)| Reverse(value));
        if self.n_others > 0 {
            self.others.extend(other);
            self.others.sort_by_key(|&value| Reverse(value));
        }
    }

    /// Returns the number of alternatives with a searched move.
    pub(crate) fn n_alternatives(&self) -> usize {
        self.best.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Figure, Stop};
    use crate::moves::Move;

    fn alternative(to: u8) -> Alternative {
        Move::go(Figure(0), Stop(to)).alternative()
    }

    /// With enough alternatives, a move has to beat the last line and the best move of
    /// its own alternative.
    #[test]
    fn lines_are_alternatives() {
        let mut multi_pv = MultiPv::new(2, 3);
        assert_eq!(multi_pv.alpha(alternative(0)), -INFINITE);
        multi_pv.insert(alternative(0), 50);
        multi_pv.insert(alternative(0), 70);
        assert_eq!((multi_pv.alpha(alternative(0)), multi_pv.alpha(alternative(1))), (70, -INFINITE));
        multi_pv.insert(alternative(1), 20);
        let alphas = [0, 1, 2].map(|to| multi_pv.alpha(alternative(to)));
        assert_eq!((alphas, multi_pv.n_alternatives()), ([70, 20, 20], 2));
        multi_pv.insert(alternative(2), 60);
        assert_eq!([0, 1, 2].map(|to| multi_pv.alpha(alternative(to))), [70, 60, 60]);
    }

    /// With too few alternatives, other moves fill the remaining lines.
    #[test]
    fn lines_left_go_to_other_moves() {
        let mut multi_pv = MultiPv::new(3, 2);
        multi_pv.insert(alternative(0), 50);
        assert_eq!([0, 1].map(|to| multi_pv.alpha(alternative(to))), [-INFINITE; 2]);
        multi_pv.insert(alternative(0), 40);
        assert_eq!([0, 1].map(|to| multi_pv.alpha(alternative(to))), [40, -INFINITE]);
        multi_pv.insert(alternative(1), 10);
        assert_eq!([0, 1].map(|to| multi_pv.alpha(alternative(to))), [40, 10]);
    }

    /// With one line, a move has to beat the best.
    #[test]
    fn one_line_is_the_best_move() {
        let mut multi_pv = MultiPv::new(1, 9);
        multi_pv.insert(alternative(0), 50);
        multi_pv.insert(alternative(1), 10);
        assert_eq!([0, 1, 2].map(|to| multi_pv.alpha(alternative(to))), [50; 3]);
    }
}
