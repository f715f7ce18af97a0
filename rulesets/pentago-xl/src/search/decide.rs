//! What the moves of a position prove about it.

use crate::PentagoXl;
use crate::position::Position;
use crate::rules::{Ending, Verdict};
use crate::variant::Aim;

/// Scores closer than this are the same.
pub(crate) const SAME: f32 = 1e-5;

/// Scores by seat.
pub(crate) type Values = [f32; 4];

/// How final a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// More visits may change it.
    Open,
    /// All is known, and yet the value hangs on a choice between equals.
    Ambiguous,
    /// It is so.
    Proven,
}

/// Collects the values of a position's moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    seat: usize,
    best: Values,
    sum: Values,
    n_best: f32,
    state: State,
    differ: bool,
}

impl Decision {
    pub(crate) fn new(seat: usize) -> Self {
        let best = [f32::NEG_INFINITY; 4];
        Decision { seat, best, sum: [0.0; 4], n_best: 0.0, state: State::Proven, differ: false }
    }

    /// Takes a move into account. What is open leaves all open.
    pub(crate) fn add(&mut self, state: State, values: &Values) {
        self.add_many(1, state, values);
    }

    /// Takes so many moves of the same value into account.
    pub(crate) fn add_many(&mut self, n: u32, state: State, values: &Values) {
        let n = n as f32;
        match state {
            State::Open => self.state = State::Open,
            // It may turn out better than its mean, so nothing follows from it.
            State::Ambiguous if self.state == State::Proven => self.state = State::Ambiguous,
            _ => {}
        }
        let (mine, best) = (values[self.seat], self.best[self.seat]);
        if mine > best + SAME {
            (self.best, self.sum, self.n_best, self.differ) = (*values, values.map(|value| n * value), n, false);
        } else if mine > best - SAME {
            self.differ |= values.iter().zip(&self.best).any(|(a, b)| (a - b).abs() >= SAME);
            self.sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += n * value);
            self.n_best += n;
        }
    }

    /// The state and value, if nothing is open. Where several moves are best
    /// but differ for others, the value is their mean and not proven.
    pub(crate) fn result(&self) -> Option<(State, Values)> {
        if self.state == State::Open || self.n_best == 0.0 {
            return None;
        }
        if self.state == State::Proven && !self.differ {
            return Some((State::Proven, self.best));
        }
        Some((State::Ambiguous, self.sum.map(|sum| sum / self.n_best)))
    }
}

impl PentagoXl {
    /// The values of an end.
    pub(crate) fn values(&self, verdict: &Verdict) -> Values {
        let scores = self.scores(verdict);
        let mut values = [0.0; 4];
        values.iter_mut().zip(scores.as_slice()).for_each(|(value, score)| *value = *score as f32);
        values
    }

    /// The values if a seat alone has five now, in a decisive position.
    pub(crate) fn values_of_five(&self, position: &Position, seat: usize) -> Values {
        if self.contest.aim() != Aim::Places {
            let mut fives = [false; 4];
            fives[seat] = true;
            return self.values(&self.after_fives(fives));
        }
        let n_seats = self.contest.n_seats();
        let mut places = position.places;
        places[seat] = n_seats as u8 - 1;
        places[..n_seats].iter_mut().filter(|place| **place == 0).for_each(|place| *place = n_seats as u8);
        self.values(&Verdict { places, ending: Ending::AllPlaced })
    }

    /// Whether values are the best that a seat can get, so that no other move
    /// need be looked at: nobody else's score can differ then.
    pub(crate) fn is_best_possible(&self, position: &Position, seat: usize, values: &Values) -> bool {
        self.is_decisive(position) && (values[seat] - self.values_of_five(position, seat)[seat]).abs() < SAME
    }
}
