//! Solves the last two plies by trying every move.

use crate::PentagoXl;
use crate::board::Turn;
use crate::moves::Move;
use crate::position::Position;
use crate::search::proof::{EPSILON, MaxN, SeatValues, State};

/// Positions with no more empty cells than this are solved.
pub(crate) const SOLVED_EMPTY_MAX: u32 = 2;

impl PentagoXl {
    /// Returns the exact value of a position. The effort grows at least 16-fold with
    /// each empty cell, see [`SOLVED_EMPTY_MAX`].
    pub(crate) fn solve_endgame(&self, position: &Position) -> (State, SeatValues) {
        if let Some(result) = self.game_result(position) {
            return (State::Proven, self.values(&result));
        }
        let seat = position.side as usize;
        let decisive = self.is_decisive(position);
        if decisive && self.winning_move(position).is_some() {
            return (State::Proven, self.values_after_five(position, seat));
        }
        let mut max_n = MaxN::new(seat);
        for cell in position.empty().iter() {
            if position.own().with(cell).has_five() {
                let (state, values) = self.solve_endgame(&self.play_unchecked(position, Move::place(cell)));
                max_n.add(state, &values);
                continue;
            }
            for turn in Turn::all() {
                let next = self.play_unchecked(position, Move::place_and_turn(cell, turn));
                let (state, values) = self.solve_endgame(&next);
                if decisive && state == State::Proven && self.is_best_possible(position, seat, &values) {
                    return (State::Proven, values);
                }
                max_n.add(state, &values);
            }
        }
        max_n.result().unwrap_or((State::Ambiguous, [0.0; 4]))
    }

    /// Returns a move that keeps the proven values of a position with few empty cells.
    pub(crate) fn endgame_move(&self, position: &Position, values: &SeatValues) -> Option<Move> {
        let keeps = |mv: &Move| {
            let (state, result) = self.solve_endgame(&self.play_unchecked(position, *mv));
            state == State::Proven && result.iter().zip(values).all(|(a, b)| (a - b).abs() < EPSILON)
        };
        position.empty().iter().find_map(|cell| {
            if position.own().with(cell).has_five() {
                return Some(Move::place(cell)).filter(keeps);
            }
            Turn::all().map(|turn| Move::place_and_turn(cell, turn)).find(keeps)
        })
    }
}
