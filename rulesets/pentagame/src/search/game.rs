//! `impl Game`: the game for three or four players for the SDK's tree search. Its
//! moves are the candidates only.

use pentad_sdk::Scores;
use pentad_sdk::search::Game;

use crate::evaluate::Race;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::final_scores;
use crate::search::candidates::{CandidateLimits, candidates};

/// How many moves the tree search considers in a position.
const LIMITS: CandidateLimits =
    CandidateLimits { stops_per_block: 4, grey_origins: 1, blocks_wide_paths: false, moves_max: 24 };

/// A game of three or four players in which everybody maximises their own score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MultiplayerGame {
    pub(crate) n_seats: usize,
}

impl Game for MultiplayerGame {
    type Position = Position;
    type Move = Move;

    fn n_seats(&self) -> usize {
        self.n_seats
    }

    fn to_move(&self, position: &Position) -> usize {
        position.to_move()
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        position.is_over().then(|| final_scores(position))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let mut result = Vec::with_capacity(256);
        candidates(position, &Race::of(position), LIMITS, &mut result);
        out.extend(result.iter().map(|candidate| candidate.mv));
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        position.play_unchecked(*mv)
    }

    /// Orders by the expected score of the mover after the move.
    fn order(&self, position: &Position, mv: &Move) -> i32 {
        (self.evaluate_seats(&position.play_unchecked(*mv))[position.to_move()] * 1e6) as i32
    }

    /// Returns the bits of the figure and of the stop where it goes.
    fn alternative(&self, mv: &Move) -> Option<u64> {
        Some(mv.to_bits() >> 42)
    }

    fn evaluate(&self, position: &Position) -> i32 {
        position.static_eval(&Race::of(position))
    }

    fn evaluate_seats(&self, position: &Position) -> Scores {
        if position.is_over() {
            return final_scores(position);
        }
        let race = Race::of(position);
        position.probe_last_turn(&race.costs).unwrap_or_else(|| position.expected_scores_in(&race))
    }
}
