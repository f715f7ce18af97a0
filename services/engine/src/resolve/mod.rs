//! From the texts of a question to a position that the rules accept.

pub(crate) mod position_key;
pub(crate) mod query;

use std::collections::HashSet;
use std::sync::Arc;

use pentad_host::{CallError, Failed, Position};
use pentad_model::Outcome;
use pentad_model::rng::mix;

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::question::{HintQuestion, PositionSpec};
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
    /// In the caller's orientation, and as text.
    pub(crate) position: Position,
    pub(crate) text: String,
    /// Seat number.
    pub(crate) to_move: usize,
    pub(crate) canonical: Position,
    /// Of the canonical position.
    pub(crate) key: PositionKey,
    /// The symmetry that leads from the canonical position to the caller's.
    pub(crate) to_caller: u32,
    /// The moves to consider in the canonical orientation, sorted, if not all.
    pub(crate) considered: Option<Arc<[String]>>,
    /// Of a finished game.
    pub(crate) outcome: Option<Outcome>,
    /// With another seat to move than a game leads to: it has no text of its own.
    pub(crate) is_off_turn: bool,
}

impl ResolvedPosition {
    /// Equal for equal and symmetric positions.
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
            Err(Failed { move_idx, reached, error: CallError::GameOver }) => {
                let text = rules.outcome(variant, &reached).map_err(fault)?.map_or_else(String::new, |it| it.text);
                return Err(EngineError::GameOver { move_idx: Some(move_idx), text });
            }
            Err(Failed { move_idx, error, .. }) => {
                let mv = spec.moves.get(move_idx).map_or("", String::as_str);
                return Err(refused_move(game, "moves", move_idx, mv, error));
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
            considered: None,
            outcome,
            is_off_turn: false,
        };
        if root.outcome.is_none() {
            root.considered = root.considered_moves(context, question, to_canonical)?;
        }
        Ok(root)
    }

    /// The same for a question that is kept.
    pub(crate) fn resolve_question(
        context: &CallContext<'_>,
        question: &Arc<HintQuestion>,
    ) -> Result<Self, EngineError> {
        SearchRoot::resolve(context, question)
    }

    /// The moves to consider, if the question restricts them.
    fn considered_moves(
        &self,
        context: &CallContext<'_>,
        question: &HintQuestion,
        to_canonical: u32,
    ) -> Result<Option<Arc<[String]>>, EngineError> {
        let CallContext { game, variant, config, .. } = *context;
        let normal = |field: &str, moves: &[String]| -> Result<Vec<String>, EngineError> {
            check_move_count(config, field, moves.len())?;
            let normal_one = |(move_idx, mv): (usize, &String)| {
                let refused = |error| refused_move(game, field, move_idx, mv, error);
                game.ruleset.play(variant, &self.position, mv).map(|played| played.canonical).map_err(refused)
            };
            moves.iter().enumerate().map(normal_one).collect()
        };
        let mut considered = normal("allowMoves", &question.allow_moves)?;
        let avoided = normal("avoidMoves", &question.avoid_moves)?;
        if considered.is_empty() && avoided.is_empty() {
            return Ok(None);
        }
        if considered.is_empty() {
            let _complete = game
                .ruleset
                .legal_moves(variant, &self.position, "", &mut |mv| {
                    considered.push(mv.to_owned());
                    context.check_cancelled()
                })
                .map_err(|error| EngineError::from_call(&game.id, error))?;
        }
        let avoided: HashSet<String> = avoided.into_iter().collect();
        considered.retain(|mv| !avoided.contains(mv));
        if considered.is_empty() {
            let message = "no legal move is left to consider".to_owned();
            return Err(EngineError::BadArgument { field: "avoidMoves".to_owned(), message });
        }
        let mapped = considered.iter().map(|mv| {
            let mapped = game.ruleset.apply_symmetry_to_move(variant, to_canonical, &self.position, mv);
            mapped.map_err(|error| EngineError::from_call(&game.id, error))
        });
        let mut mapped = mapped.collect::<Result<Vec<String>, _>>()?;
        mapped.sort_unstable();
        mapped.dedup();
        Ok(Some(mapped.into()))
    }
}

/// A hash of a position.
pub(crate) fn digest(position: &Position) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |word, &byte| (word << 8) | u64::from(byte));
    position.as_bytes().chunks(8).fold(0, |digest, chunk| mix(digest.rotate_left(23) ^ word(chunk)))
}

fn check_sizes(config: &EngineConfig, spec: &PositionSpec) -> Result<(), EngineError> {
    let len = spec.position.len();
    if len > config.position_len_max {
        let message = format!("{len} bytes, at most {} are read", config.position_len_max);
        return Err(EngineError::TooLarge { field: "position".to_owned(), message });
    }
    check_move_count(config, "moves", spec.moves.len())
}

fn check_move_count(config: &EngineConfig, field: &str, n_moves: usize) -> Result<(), EngineError> {
    if n_moves > config.moves_len_max {
        let message = format!("{n_moves} moves, at most {} are read", config.moves_len_max);
        return Err(EngineError::TooLarge { field: field.to_owned(), message });
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

pub(crate) fn refused_move(game: &ServedGame, list: &str, move_idx: usize, mv: &str, error: CallError) -> EngineError {
    let field = format!("{list}[{move_idx}]");
    match error {
        CallError::Malformed { column, message, .. } => EngineError::BadMove { field, move_idx, column, message },
        CallError::Illegal { message, .. } => EngineError::IllegalMove { field, move_idx, mv: mv.to_owned(), message },
        CallError::GameOver => EngineError::GameOver { move_idx: Some(move_idx), text: String::new() },
        error => EngineError::from_call(&game.id, error),
    }
}
