//! Everything that can be wrong with a question or go wrong with its answer.

use std::time::Duration;

use pentad_host::{CallError, Fault};

/// Why a question got no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// No such game is served.
    #[error("no game `{game}`; served are {}", served.join(", "))]
    UnknownGame {
        /// As asked.
        game: String,
        /// Ids of the games there are.
        served: Vec<String>,
    },
    /// The game has no such variant.
    #[error("{game} has no variant `{variant}`; it has {}", known.join(", "))]
    UnknownVariant {
        /// The game.
        game: String,
        /// As asked.
        variant: String,
        /// Ids of the variants there are.
        known: Vec<String>,
    },
    /// The position's text is not a position.
    #[error("{message}")]
    BadPosition {
        /// Place of the offending character, from 1.
        column: Option<u32>,
        /// Names the part of the position that is wrong.
        message: String,
    },
    /// A move's text breaks the notation.
    #[error("{field}: {message}")]
    BadMove {
        /// `moves[3]`, `allowMoves[0]`.
        field: String,
        /// Of the move in its list.
        move_idx: usize,
        /// Place of the offending character, from 1.
        column: Option<u32>,
        /// What is wrong.
        message: String,
    },
    /// Another part of the question is wrong.
    #[error("{message}")]
    BadArgument {
        /// The question's field.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// The rules forbid a move.
    #[error("{field} `{mv}`: {message}")]
    IllegalMove {
        /// `moves[3]`, `allowMoves[0]`.
        field: String,
        /// Of the move in its list.
        move_idx: usize,
        /// As asked.
        mv: String,
        /// Why it is forbidden.
        message: String,
    },
    /// A move was asked of, or played in, a finished game.
    #[error("the game is over: {text}")]
    GameOver {
        /// Of the move that came too late, if moves were given.
        move_idx: Option<usize>,
        /// How it ended.
        text: String,
    },
    /// A part of the question exceeds its bound.
    #[error("{field}: {message}")]
    TooLarge {
        /// The question's field.
        field: String,
        /// By how much.
        message: String,
    },
    /// The queue is full.
    #[error("too many questions are waiting; try again in {} ms", retry_after.as_millis())]
    Overloaded {
        /// When it is worth another try.
        retry_after: Duration,
    },
    /// The deadline passed before anything could be said.
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
    /// The rule set is not to be used at the moment.
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
    /// A call that should not have been refused was: only a fault may come
    /// from it, or the end of its worker process; anything else means the rule set
    /// contradicts itself.
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
