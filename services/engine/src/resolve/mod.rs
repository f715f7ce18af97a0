//! Resolves the texts of a question to a position that the rules accept.

pub(crate) mod considered;
pub(crate) mod position_key;
pub(crate) mod query;

use std::sync::Arc;

use pentad_host::{CallError, Failed, Position};
use pentad_model::Outcome;
use pentad_model::rng::mix;

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::field::Field;
use crate::question::{HintQuestion, PositionSpec};
use crate::resolve::considered::Considered;
use crate::resolve::position_key::PositionKey;
use crate::rules::job::CallContext;
use crate::served_game::ServedGame;

/// A position in the caller's orientation.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedPosition {
    pub(crate) position: Position,
    pub(crate) to_move: usize,
}

/// The root of a search: a position, canonical under the game's symmetries.
#[derive(Clone, Debug)]
pub(crate) struct SearchRoot {
    /// The position in the caller's orientation, and its text.
    pub(crate) position: Position,
    pub(crate) text: String,
    /// Seat number.
    pub(crate) to_move: usize,
    pub(crate) canonical: Position,
    /// Key of the canonical position.
    pub(crate) key: PositionKey,
    /// The symmetry that leads from the canonical position to the caller's.
    pub(crate) to_caller: u32,
    pub(crate) considered: Considered,
    /// Set if the game is over.
    pub(crate) outcome: Option<Outcome>,
    /// Whether the turn was given to another seat, as threats do: such a position has no text of its own.
    pub(crate) is_turn_changed: bool,
}

impl ResolvedPosition {
    /// Returns the key, equal for equal and symmetric positions.
    pub(crate) fn key(&self, context: &CallContext<'_>) -> Result<PositionKey, EngineError> {
        let CallContext { game, variant, .. } = *context;
        let canonical = game.ruleset.canonical(variant, &self.position);
        let (canonical, _) = canonical.map_err(|error| EngineError::from_call(&game.id, error))?;
        Ok(PositionKey::new(&game.ruleset, variant, &canonical))
    }

    /// Reads the position and plays the moves.
    pub(crate) fn resolve(context: &CallContext<'_>, spec: &PositionSpec) -> Result<Self, EngineError> {
        let CallContext { game, variant, .. } = *context;
        let rules = &game.ruleset;
        let fault = |error| EngineError::from_call(&game.id, error);
        let position = Self::before_moves(context, spec)?;
        let position = match rules.play_moves(variant, &position, &spec.moves) {
            Ok(position) => position,
            Err(failed) => {
                let Failed { move_idx, reached, error } = *failed;
                if error == CallError::GameOver {
                    let text = rules.outcome(variant, &reached).map_err(fault)?.map_or_else(String::new, |it| it.text);
                    return Err(EngineError::GameOver { move_idx: Some(move_idx), text });
                }
                let mv = spec.moves.get(move_idx).map_or("", String::as_str);
                return Err(refused_move(game, Field::Moves, move_idx, mv, error));
            }
        };
        let to_move = rules.to_move(variant, &position).map_err(fault)?;
        Ok(ResolvedPosition { position, to_move })
    }

    /// Reads the position that the moves are played from.
    pub(crate) fn before_moves(context: &CallContext<'_>, spec: &PositionSpec) -> Result<Position, EngineError> {
        let CallContext { game, variant, config, .. } = *context;
        check_sizes(config, spec)?;
        if spec.position.is_empty() {
            return game.ruleset.start(variant).map_err(|error| EngineError::from_call(&game.id, error));
        }
        game.ruleset.parse(variant, &spec.position).map_err(|error| bad_position(game, error))
    }
}

impl SearchRoot {
    /// Resolves the position of a question about moves, and the moves it names.
    pub(crate) fn resolve(context: &CallContext<'_>, question: &HintQuestion) -> Result<Self, EngineError> {
        let CallContext { game, variant, .. } = *context;
        let ResolvedPosition { position, to_move } = ResolvedPosition::resolve(context, &question.spec)?;
        let rules = &game.ruleset;
        let fault = |error| EngineError::from_call(&game.id, error);
        let text = rules.format(variant, &position).map_err(fault)?;
        let outcome = rules.outcome(variant, &position).map_err(fault)?;
        let (canonical, to_canonical) = rules.canonical(variant, &position).map_err(fault)?;
        let to_caller = rules.inverse_symmetry(variant, to_canonical).map_err(fault)?;
        let key = PositionKey::new(rules, variant, &canonical);
        let mut root = SearchRoot {
            position,
            text,
            to_move,
            canonical,
            key,
            to_caller,
            considered: Considered::All,
            outcome,
            is_turn_changed: false,
        };
        if root.outcome.is_none() {
            root.considered = Considered::read(context, question, &root, to_canonical)?;
        }
        Ok(root)
    }

    /// Like [`resolve`](Self::resolve), for the body of a rules call.
    pub(crate) fn resolve_question(
        context: &CallContext<'_>,
        question: &Arc<HintQuestion>,
    ) -> Result<Self, EngineError> {
        SearchRoot::resolve(context, question)
    }
}

/// Returns a hash of a position, the same in every process.
pub(crate) fn digest(position: &Position) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |word, &byte| (word << 8) | u64::from(byte));
    position.as_bytes().chunks(8).fold(0, |digest, chunk| mix(digest.rotate_left(23) ^ word(chunk)))
}

fn check_sizes(config: &EngineConfig, spec: &PositionSpec) -> Result<(), EngineError> {
    let len = spec.position.len();
    if len > config.position_len_max {
        let message = format!("{len} bytes, at most {} are read", config.position_len_max);
        return Err(EngineError::too_large(Field::Position, message));
    }
    check_move_count(config, Field::Moves, spec.moves.len())
}

fn check_move_count(config: &EngineConfig, field: Field, n_moves: usize) -> Result<(), EngineError> {
    if n_moves > config.moves_len_max {
        let message = format!("{n_moves} moves, at most {} are read", config.moves_len_max);
        return Err(EngineError::too_large(field, message));
    }
    Ok(())
}

fn bad_position(game: &ServedGame, error: CallError) -> EngineError {
    match error {
        CallError::Malformed { field, column, message } => {
            let message = if field.is_empty() { message } else { format!("{field}: {message}") };
            EngineError::BadPosition { column, message }
        }
        error => EngineError::from_call(&game.id, error),
    }
}

/// Converts the error of playing a caller's move, the one with this index in a list.
pub(crate) fn refused_move(
    game: &ServedGame,
    field: Field,
    move_idx: usize,
    mv: &str,
    error: CallError,
) -> EngineError {
    match error {
        CallError::Malformed { column, message, .. } => EngineError::BadMove { field, move_idx, column, message },
        CallError::Illegal { message, .. } => EngineError::IllegalMove { field, move_idx, mv: mv.to_owned(), message },
        CallError::GameOver => EngineError::GameOver { move_idx: Some(move_idx), text: String::new() },
        error => EngineError::from_call(&game.id, error),
    }
}
