//! The record of a played game.

use pentad_host::{CallError, Played};
use pentad_model::Outcome;

use crate::error::EngineError;
use crate::field::Field;
use crate::question::PositionSpec;
use crate::resolve::{ResolvedPosition, refused_move};
use crate::rules::job::CallContext;

/// The moves of a game, and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct GameRecord {
    pub(crate) moves: Vec<PlayedMove>,
    /// `None` if it goes on after the last move.
    pub(crate) outcome: Option<Outcome>,
    /// Seat to move after the last move.
    pub(crate) to_move: usize,
}

/// A move that was played.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    /// In canonical notation.
    pub(crate) mv: String,
    pub(crate) seat: usize,
}

impl GameRecord {
    /// Plays the moves one by one.
    pub(crate) fn read(context: &CallContext<'_>, spec: &PositionSpec) -> Result<Self, EngineError> {
        let CallContext { game, variant, .. } = *context;
        let rules = &game.ruleset;
        let fault = |error| EngineError::from_call(&game.id, error);
        // Checks every move; its errors name the wrong one.
        let ResolvedPosition { to_move, .. } = ResolvedPosition::resolve(context, spec)?;
        let mut position = ResolvedPosition::before_moves(context, spec)?;
        let mut moves = Vec::with_capacity(spec.moves.len());
        for (move_idx, mv) in spec.moves.iter().enumerate() {
            let seat = rules.to_move(variant, &position).map_err(fault)?;
            let refused = |error: CallError| refused_move(game, Field::Moves, move_idx, mv, error);
            let Played { position: next, canonical } = rules.play(variant, &position, mv).map_err(refused)?;
            moves.push(PlayedMove { mv: canonical, seat });
            position = next;
        }
        let outcome = rules.outcome(variant, &position).map_err(fault)?;
        Ok(GameRecord { moves, outcome, to_move })
    }
}
