//! `impl Game`: Pentaflip for the generic searches, which tests and benches compare
//! with the game's own.

use std::ops::ControlFlow;

use pentad_sdk::search::Game;
use pentad_sdk::{Ruleset, Scores};

use crate::Pentaflip;
use crate::moves::Move;
use crate::position::{Position, RelativePosition};

impl Game for Pentaflip {
    type Position = Position;
    type Move = Move;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        let result = self.game_result(position)?;
        Some(result.winner().map_or(Scores::pair(0, 0.5), |winner| Scores::pair(winner as usize, 1.0)))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let _complete = Ruleset::legal_moves(self, position, |mv| {
            out.push(mv);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.play_unchecked(position, *mv)
    }

    fn evaluate(&self, position: &Position) -> i32 {
        self.static_eval(position)
    }

    /// Scores by the static evaluation of the position after the move.
    fn order(&self, position: &Position, mv: &Move) -> i32 {
        -RelativePosition::of(position).play_unchecked(*mv).static_eval()
    }

    #[inline]
    fn winning_move(&self, position: &Position) -> Option<Move> {
        self.winning_move(position)
    }

    fn n_slots(&self) -> usize {
        Move::COUNT
    }

    fn slot(&self, mv: &Move) -> usize {
        mv.index()
    }
}
