//! `impl Game`: Pentago XL for the generic search, which plays the opponents in
//! matches (`benches/strength.rs`).

use pentad_sdk::rng::mix;
use pentad_sdk::search::Game;
use pentad_sdk::{Ruleset, Scores};

use crate::PentagoXl;
use crate::moves::Move;
use crate::position::Position;

impl Game for PentagoXl {
    type Position = Position;
    type Move = Move;

    fn n_seats(&self) -> usize {
        self.variant.n_seats()
    }

    fn side_of(&self, seat: usize) -> usize {
        self.variant.side_of(seat)
    }

    fn n_sides(&self) -> usize {
        if self.variant.is_two_sided() { 2 } else { self.variant.n_seats() }
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    fn key(&self, position: &Position) -> u64 {
        position.packed_words().iter().fold(0, |key, &word| mix(key.rotate_left(23) ^ word))
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        self.game_result(position).map(|result| self.scores(&result))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let _complete = Ruleset::legal_moves(self, position, |mv| {
            out.push(mv);
            std::ops::ControlFlow::Continue(())
        });
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.play_unchecked(position, *mv)
    }

    /// Returns the log-odds on the scale of [`Game::evaluate`].
    fn evaluate(&self, position: &Position) -> i32 {
        let mine = self.static_scores(position)[position.side as usize].clamp(1e-6, 1.0 - 1e-6);
        ((mine / (1.0 - mine)).log10() * 400.0) as i32
    }

    fn evaluate_seats(&self, position: &Position) -> Scores {
        self.static_scores(position)
    }

    fn winning_move(&self, position: &Position) -> Option<Move> {
        self.winning_move(position)
    }

    fn can_cycle(&self) -> bool {
        false
    }
}
