//! Everything that can be wrong with a question or go wrong with its answer.

use std::time::Duration;

use pentad_host::{CallError, Fault};

use crate::field::{Field, FieldMessage, FieldPath};

/// Why a question got no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// No such game is served.
    #[error("no game `{game}`; served are {}", served.join(", "))]
    UnknownGame {
        /// Id in the question.
        game: String,
        /// Ids of the served games.
        served: Vec<String>,
    },
    /// The game has no such variant.
    #[error("{game} has no variant `{variant}`; it has {}", known.join(", "))]
    UnknownVariant {
        /// The game.
        game: String,
        /// Id in the question.
        variant: String,
        /// Ids of the game's variants.
        known: Vec<String>,
    },
    /// The position's text is not a position.
    #[error("{message}")]
    BadPosition {
        /// Column of the offending character, from 1.
        column: Option<u32>,
        /// Names the part of the position that is wrong.
        message: String,
    },
    /// A move's text breaks the notation.
    #[error("{field}[{move_idx}]: {message}")]
    BadMove {
        /// The list that the move is in.
        field: Field,
        /// Index of the move in its list.
        move_idx: usize,
        /// Column of the offending character, from 1.
        column: Option<u32>,
        /// What is wrong.
        message: String,
    },
    /// Another part of the question is wrong.
    #[error("{message}")]
    BadArgument {
        /// The part that is wrong.
        field: FieldPath,
        /// What is wrong.
        message: FieldMessage,
    },
    /// The rules forbid a move.
    #[error("{field}[{move_idx}] `{mv}`: {message}")]
    IllegalMove {
        /// The list that the move is in.
        field: Field,
        /// Index of the move in its list.
        move_idx: usize,
        /// The move as the caller wrote it.
        mv: String,
        /// Why it is forbidden.
        message: String,
    },
    /// The game is over where a move was played or requested.
    #[error("the game is over: {text}")]
    GameOver {
        /// Index of the move after the end, if moves were given.
        move_idx: Option<usize>,
        /// How the game ended.
        text: String,
    },
    /// A part of the question exceeds its bound.
    #[error("{field}: {message}")]
    TooLarge {
        /// The part that is too large.
        field: Field,
        /// Its size and the bound.
        message: FieldMessage,
    },
    /// The queue is full.
    #[error("too many questions are waiting; try again in {} ms", retry_after.as_millis())]
    Overloaded {
        /// How long to wait before a retry.
        retry_after: Duration,
    },
    /// The deadline passed before there was an answer.
    #[error("the deadline passed before a move could be found")]
    Deadline,
    /// The rule set misbehaved; this question is lost.
    #[error("the rule set of {game} failed ({})", fault.kind.as_str())]
    RulesetFault {
        /// The game.
        game: String,
        /// For the log.
        fault: Fault,
    },
    /// The rule set cannot be used at present.
    #[error("the rule set of {game} is not available: {message}")]
    RulesetUnavailable {
        /// The game.
        game: String,
        /// Why.
        message: String,
    },
    /// A defect of the engine.
    #[error("internal error: {message}")]
    Internal {
        /// For the log.
        message: String,
    },
}

impl EngineError {
    /// Returns the message with an edge's names of the fields.
    pub fn message(&self, name: impl Fn(Field) -> &'static str) -> String {
        match self {
            EngineError::BadMove { field, move_idx, message, .. } => {
                format!("{}: {message}", field.item(*move_idx).spell(name))
            }
            EngineError::IllegalMove { field, move_idx, mv, message } => {
                format!("{} `{mv}`: {message}", field.item(*move_idx).spell(name))
            }
            EngineError::BadArgument { message, .. } => message.spell(name),
            EngineError::TooLarge { field, message } => format!("{}: {}", name(*field), message.spell(&name)),
            other => other.to_string(),
        }
    }

    pub(crate) fn bad_argument(field: impl Into<FieldPath>, message: impl Into<FieldMessage>) -> Self {
        EngineError::BadArgument { field: field.into(), message: message.into() }
    }

    pub(crate) fn too_large(field: Field, message: impl Into<FieldMessage>) -> Self {
        EngineError::TooLarge { field, message: message.into() }
    }

    /// Converts the error of a call that the rules should not refuse: it is a fault, or the end of the
    /// worker process; anything else means that the rule set contradicts itself.
    pub(crate) fn from_call(game: &str, error: CallError) -> Self {
        let fault = match error {
            CallError::Fault(fault) => fault,
            // The search is lost; others may have left by the next try.
            CallError::NoMemory { .. } => return EngineError::Overloaded { retry_after: Duration::from_secs(1) },
            CallError::Unavailable { message } => {
                return EngineError::RulesetUnavailable { game: game.to_owned(), message };
            }
            other => Fault {
                kind: pentad_model::FaultKind::BadValue,
                call: "rules",
                detail: format!("refused what it gave itself: {other}"),
            },
        };
        EngineError::RulesetFault { game: game.to_owned(), fault }
    }
}
