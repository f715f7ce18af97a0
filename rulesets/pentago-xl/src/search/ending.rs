//! The last two plies, solved by trying everything.

use crate::PentagoXl;
use crate::board::Turn;
use crate::moves::Move;
use crate::position::Position;
use crate::search::decide::{Decision, State, Values};

/// Positions with no more empty cells than this are solved.
pub(crate) const EMPTY_MAX: u32 = 2;

impl PentagoXl {
    /// What a position with few empty cells is worth.
    pub(crate) fn solve(&self, position: &Position) -> (State, Values) {
        if let Some(verdict) = self.verdict(position) {
            return (State::Proven, self.values(&verdict));
        }
        let seat = position.side as usize;
        let decisive = self.is_decisive(position);
        if decisive && self.win_in_one(position).is_some() {
            return (State::Proven, self.values_of_five(position, seat));
        }
        let mut decision = Decision::new(seat);
        for cell in position.empty().iter() {
            if position.own().with(cell).has_five() {
                let (state, values) = self.solve(&self.play_unchecked(position, Move::place(cell)));
                decision.add(state, &values);
                continue;
            }
            for turn in Turn::all() {
                let (state, values) = self.solve(&self.play_unchecked(position, Move::place_and_turn(cell, turn)));
                if decisive && state == State::Proven && self.is_best_possible(position, seat, &values) {
                    return (State::Proven, values);
                }
                decision.add(state, &values);
            }
        }
        decision.result().unwrap_or((State::Ambiguous, [0.0; 4]))
    }
}
