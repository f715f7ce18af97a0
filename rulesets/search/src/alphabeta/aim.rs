//! What a node is asked: a window, and how deep to look.

use crate::alphabeta::facts::Facts;
use crate::alphabeta::table::{Bound, Entry};
use crate::alphabeta::value::{Found, WIN_MIN, is_decided};

/// A window and how deep to look.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Values up to here need not be told apart.
    pub alpha: i32,
    /// Nor those from here on.
    pub beta: i32,
    /// Plies to look ahead.
    pub depth: i32,
}

impl Aim {
    /// As the side to move next sees it, `less` plies less deep.
    #[inline]
    #[must_use]
    pub fn flipped(self, less: i32) -> Aim {
        Aim { alpha: -self.beta, beta: -self.alpha, depth: self.depth - less }
    }

    /// Whether the question is only which side of a value it is.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Proofs are not compared with each other, for searches that make
    /// distances true by other means.
    #[inline]
    #[must_use]
    pub fn clipped(self) -> Aim {
        Aim { alpha: self.alpha.clamp(-WIN_MIN, WIN_MIN - 1), beta: self.beta.clamp(1 - WIN_MIN, WIN_MIN), ..self }
    }

    /// What a stored entry already answers, where proofs are not compared.
    /// Proven values and facts answer at any depth; an estimate only at its
    /// depth and off the principal variation.
    #[inline]
    pub fn answer(self, entry: &Entry) -> Option<Found> {
        let Aim { alpha, beta, depth } = self;
        let Entry { value, facts, bound, .. } = *entry;
        if bound != Bound::Unknown && is_decided(value) {
            return Some(Found::new(value, facts));
        }
        if facts == Facts::DRAW || (facts.holds() && beta <= 0) || (facts.held() && alpha >= 0) {
            return Some(Found::new(0, facts));
        }
        let deep = i32::from(entry.depth) >= depth && self.is_null();
        let answers = match bound {
            Bound::Unknown => false,
            Bound::Lower => value >= beta && deep,
            Bound::Upper => value <= alpha && deep,
            Bound::Exact => deep,
        };
        answers.then_some(Found::new(value, facts))
    }

    /// Values a move that is not the first: with a null window and `less` plies
    /// less deep, and again each way if it turns out better. A proof is not
    /// asked about again. `value` searches what the move leads to with the aim
    /// it is given and says what that is worth to the one who moved.
    #[inline]
    pub fn attempt(self, less: i32, mut value: impl FnMut(Aim) -> Found) -> Found {
        let null = Aim { beta: self.alpha + 1, ..self };
        let mut found = value(null.flipped(1 + less));
        if less > 0 && found.value > self.alpha && !found.is_decided() {
            found = value(null.flipped(1));
        }
        if found.value > self.alpha && found.value < self.beta && !found.is_decided() {
            found = value(self.flipped(1));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A later move is asked about as often as its answers make it necessary,
    /// and a proof ends the questions.
    #[test]
    fn attempts_ask_again_only_where_needed() {
        let aim = Aim { alpha: 10, beta: 50, depth: 6 };
        let asked = |less: i32, answer: Found| {
            let mut asked = Vec::new();
            let found = aim.attempt(less, |Aim { alpha, beta, depth }| {
                asked.push((-beta, -alpha, depth));
                answer
            });
            assert_eq!(found, answer);
            asked
        };
        assert_eq!(asked(2, Found::estimate(10)), [(10, 11, 3)]);
        assert_eq!(asked(2, Found::estimate(20)), [(10, 11, 3), (10, 11, 5), (10, 50, 5)]);
        assert_eq!(asked(0, Found::estimate(20)), [(10, 11, 5), (10, 50, 5)]);
        assert_eq!(asked(2, Found::estimate(50)), [(10, 11, 3), (10, 11, 5)]);
        assert_eq!(asked(2, Found::win(3)), [(10, 11, 3)]);
    }
}
