//! What the moves of a position prove about it by the max^n rule: every seat
//! maximises its own score.

use crate::PentagoXl;
use crate::board::Turn;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{EndReason, GameResult};
use crate::search::endgame::SOLVED_EMPTY_MAX;
use crate::search::safe_moves::game_ending_moves;
use crate::variant::Objective;

/// Scores closer than this are equal.
pub(crate) const EPSILON: f32 = 1e-5;

/// Scores by seat.
pub(crate) type SeatValues = [f32; 4];

/// How final a value is. A node that is not open is *solved*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// More visits may change it.
    Open,
    /// The subtree is solved, but some seat is indifferent between moves that differ
    /// for others, so the value is a mean over them.
    Ambiguous,
    /// The value if nobody errs.
    Proven,
}

/// Collects the values of a position's moves for the seat that chooses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaxN {
    seat: usize,
    best: SeatValues,
    sum: SeatValues,
    n_best: f32,
    state: State,
    differ: bool,
}

impl MaxN {
    pub(crate) fn new(seat: usize) -> Self {
        let best = [f32::NEG_INFINITY; 4];
        MaxN { seat, best, sum: [0.0; 4], n_best: 0.0, state: State::Proven, differ: false }
    }

    /// Takes a move into account. An open move leaves the position open.
    pub(crate) fn add(&mut self, state: State, values: &SeatValues) {
        self.add_n(1, state, values);
    }

    /// Takes `n` moves of the same value into account.
    pub(crate) fn add_n(&mut self, n: u32, state: State, values: &SeatValues) {
        let n = n as f32;
        match state {
            State::Open => self.state = State::Open,
            // It may turn out better than its mean, so it proves nothing.
            State::Ambiguous if self.state == State::Proven => self.state = State::Ambiguous,
            _ => {}
        }
        let (mine, best) = (values[self.seat], self.best[self.seat]);
        if mine > best + EPSILON {
            (self.best, self.sum, self.n_best, self.differ) = (*values, values.map(|value| n * value), n, false);
        } else if mine > best - EPSILON {
            self.differ |= values.iter().zip(&self.best).any(|(a, b)| (a - b).abs() >= EPSILON);
            self.sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += n * value);
            self.n_best += n;
        }
    }

    /// Returns state and value, unless a move is open. If several moves are best but
    /// differ for others, the value is their mean and not proven.
    pub(crate) fn result(&self) -> Option<(State, SeatValues)> {
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
    /// Returns the scores of a finished game as values.
    pub(crate) fn values(&self, result: &GameResult) -> SeatValues {
        let scores = self.scores(result);
        let mut values = [0.0; 4];
        values.iter_mut().zip(scores.as_slice()).for_each(|(value, score)| *value = *score as f32);
        values
    }

    /// Returns the values if a seat alone makes five next, in a decisive position.
    pub(crate) fn values_after_five(&self, position: &Position, seat: usize) -> SeatValues {
        if self.variant.objective() != Objective::Places {
            let mut fives = [false; 4];
            fives[seat] = true;
            return self.values(&self.result_of_fives(fives));
        }
        let n_seats = self.variant.n_seats();
        let mut places = position.places;
        places[seat] = n_seats as u8 - 1;
        places[..n_seats].iter_mut().filter(|place| **place == 0).for_each(|place| *place = n_seats as u8);
        self.values(&GameResult { places, end_reason: EndReason::AllPlaced })
    }

    /// Returns a move that keeps the proven values of a position, if its next two plies
    /// prove them: a win in one, the last empty cells, or the lack of a safe move.
    pub(crate) fn proven_move(&self, position: &Position, values: &SeatValues) -> Option<Move> {
        let is_decisive = self.is_decisive(position);
        if is_decisive && let Some(mv) = self.winning_move(position) {
            return Some(mv);
        }
        if position.empty().count() <= SOLVED_EMPTY_MAX {
            return self.endgame_move(position, values);
        }
        if !is_decisive {
            return None;
        }
        let safe_moves = self.safe_moves(position);
        if safe_moves.any() {
            return None;
        }
        let next = self.next_to_move(position.side, &position.places);
        if safe_moves.n_unsafe > 0 && *values == self.values_after_five(position, next as usize) {
            // A lost player chooses the longer game.
            let turn = Turn::all().find(|turn| !safe_moves.ends_game[turn.index()])?;
            return position.empty().first().map(|cell| Move::place_and_turn(cell, turn));
        }
        let mut ending = Vec::new();
        game_ending_moves(position, &safe_moves, &mut ending);
        let keeps = |mv: &Move| {
            let result = self.game_result(&self.play_unchecked(position, *mv));
            result.is_some_and(|result| self.values(&result) == *values)
        };
        ending.into_iter().find(keeps)
    }

    /// Returns whether these values are the best that a seat can get. No other move
    /// has to be searched then, since nobody else's score can differ.
    pub(crate) fn is_best_possible(&self, position: &Position, seat: usize, values: &SeatValues) -> bool {
        self.is_decisive(position) && (values[seat] - self.values_after_five(position, seat)[seat]).abs() < EPSILON
    }
}
