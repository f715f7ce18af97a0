//! Every way a call can fail, and what callers and the log are told of it.
//!
//! [`ApiError::row`] is the one table: failure to gRPC code, HTTP status,
//! reason and log level. It has no wildcard, so a new failure must choose. Both
//! edges send the same `reason`. How it is written on the wire belongs to
//! `grpc::status` and `rest::problem`.
//!
//! What HTTP alone knows, a wrong path, method or media type, has the reason
//! `bad_argument` with the usual status.

use std::time::Duration;

use http::StatusCode;
use pentad_engine::{EngineError, TraceId};
use serde::Serialize;
use tonic::Code;
use tracing::Level;

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ApiError {
    /// The engine said so.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The request is not what the contract says.
    #[error("{message}")]
    BadRequest {
        /// `limits.timeMs`; empty if no field is at fault.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// The body or message is longer than the server takes.
    #[error("the request's body exceeds {bytes_max} bytes")]
    BodyTooLarge {
        /// The bound.
        bytes_max: usize,
    },
    /// Nothing is served under that path.
    #[error("nothing is served at {path}; see /docs")]
    UnknownPath {
        /// As asked.
        path: String,
    },
    /// The path is served, but not by this method.
    #[error("{path} is not served by {method}")]
    WrongMethod {
        /// As asked.
        path: String,
        /// As asked.
        method: String,
    },
    /// The body is not JSON.
    #[error("a body of type {found}; send application/json")]
    MediaType {
        /// As sent.
        found: String,
    },
    /// A defect of the server.
    #[error("internal error {id}")]
    Internal {
        /// Also in the log.
        id: String,
        /// For the log alone.
        cause: String,
    },
}

/// The closed list of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No such game is served.
    UnknownGame,
    /// The game has no such variant.
    UnknownVariant,
    /// The position's text is not a position.
    BadPosition,
    /// A move's text breaks the notation.
    BadMove,
    /// Another part of the request is wrong.
    BadArgument,
    /// The rules forbid a move.
    IllegalMove,
    /// A move was asked of, or played in, a finished game.
    GameOver,
    /// A part of the request exceeds its bound.
    TooLarge,
    /// Too many questions are waiting.
    Overloaded,
    /// This caller asks too much.
    RateLimited,
    /// The deadline passed before anything could be said.
    Deadline,
    /// The rule set misbehaved; this question is lost.
    RulesetFault,
    /// The rule set is not to be used at the moment.
    RulesetUnavailable,
    /// The caller has not said who it is.
    Unauthenticated,
    /// A defect of the server.
    Internal,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// For gRPC.
    pub code: Code,
    /// For REST.
    pub status: StatusCode,
    /// For both.
    pub reason: Reason,
    /// How loud the log is: a caller's mistake is `info`.
    pub level: Level,
}

/// The evidence that callers get besides the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// `position`, `moves[3]`, `limits.timeMs`.
    pub field: Option<String>,
    /// In that field, from 1.
    pub column: Option<u32>,
    /// Of the move in its list.
    pub index: Option<usize>,
    /// When it is worth another try.
    pub retry_after: Option<Duration>,
}

impl ApiError {
    /// The table.
    pub fn row(&self) -> Row {
        use EngineError as E;
        let row = |code, status, reason, level| Row { code, status, reason, level };
        match self {
            Self::Engine(error) => match error {
                E::UnknownGame { .. } => row(Code::NotFound, NOT_FOUND, Reason::UnknownGame, Level::INFO),
                E::UnknownVariant { .. } => row(Code::NotFound, NOT_FOUND, Reason::UnknownVariant, Level::INFO),
                E::BadPosition { .. } => row(Code::InvalidArgument, BAD_REQUEST, Reason::BadPosition, Level::INFO),
                E::BadMove { .. } => row(Code::InvalidArgument, BAD_REQUEST, Reason::BadMove, Level::INFO),
                E::BadArgument { .. } => row(Code::InvalidArgument, BAD_REQUEST, Reason::BadArgument, Level::INFO),
                E::IllegalMove { .. } => row(Code::FailedPrecondition, UNPROCESSABLE, Reason::IllegalMove, Level::INFO),
                E::GameOver { .. } => row(Code::FailedPrecondition, UNPROCESSABLE, Reason::GameOver, Level::INFO),
                E::TooLarge { .. } => row(Code::ResourceExhausted, TOO_LARGE, Reason::TooLarge, Level::INFO),
                E::Overloaded { .. } => row(Code::ResourceExhausted, TOO_MANY, Reason::Overloaded, Level::WARN),
                E::Deadline => row(Code::DeadlineExceeded, TIMEOUT, Reason::Deadline, Level::INFO),
                E::RulesetFault { .. } => row(Code::Unavailable, UNAVAILABLE, Reason::RulesetFault, Level::ERROR),
                E::RulesetUnavailable { .. } => {
                    row(Code::Unavailable, UNAVAILABLE, Reason::RulesetUnavailable, Level::WARN)
                }
                E::Internal { .. } => row(Code::Internal, INTERNAL, Reason::Internal, Level::ERROR),
            },
            Self::BadRequest { .. } => row(Code::InvalidArgument, BAD_REQUEST, Reason::BadArgument, Level::INFO),
            Self::BodyTooLarge { .. } => row(Code::ResourceExhausted, TOO_LARGE, Reason::TooLarge, Level::INFO),
            Self::UnknownPath { .. } => row(Code::Unimplemented, NOT_FOUND, Reason::BadArgument, Level::INFO),
            Self::WrongMethod { .. } => row(Code::Unimplemented, WRONG_METHOD, Reason::BadArgument, Level::INFO),
            Self::MediaType { .. } => row(Code::InvalidArgument, MEDIA_TYPE, Reason::BadArgument, Level::INFO),
            Self::Internal { .. } => row(Code::Internal, INTERNAL, Reason::Internal, Level::ERROR),
        }
    }

    /// What callers may know besides the message.
    pub fn evidence(&self) -> Evidence {
        use EngineError as E;
        let at = |field: &str| Evidence { field: Some(field.to_owned()), ..Evidence::default() };
        match self {
            Self::Engine(error) => match error {
                E::UnknownGame { .. } => at("game"),
                E::UnknownVariant { .. } => at("variant"),
                E::BadPosition { column, .. } => Evidence { column: *column, ..at("position") },
                E::BadMove { field, move_idx, column, .. } => {
                    Evidence { column: *column, index: Some(*move_idx), ..at(field) }
                }
                E::IllegalMove { field, move_idx, .. } => Evidence { index: Some(*move_idx), ..at(field) },
                E::GameOver { move_idx, .. } => match move_idx {
                    Some(idx) => Evidence { index: Some(*idx), ..at(&format!("moves[{idx}]")) },
                    None => Evidence::default(),
                },
                E::BadArgument { field, .. } | E::TooLarge { field, .. } => at(field),
                E::Overloaded { retry_after } => Evidence { retry_after: Some(*retry_after), ..Evidence::default() },
                E::Deadline | E::RulesetFault { .. } | E::RulesetUnavailable { .. } | E::Internal { .. } => {
                    Evidence::default()
                }
            },
            Self::BadRequest { field, .. } if field.is_empty() => Evidence::default(),
            Self::BadRequest { field, .. } => at(field),
            Self::BodyTooLarge { .. }
            | Self::UnknownPath { .. }
            | Self::WrongMethod { .. }
            | Self::MediaType { .. }
            | Self::Internal { .. } => Evidence::default(),
        }
    }

    /// Whether it is about HTTP rather than about the question.
    pub fn is_of_http(&self) -> bool {
        matches!(self, Self::UnknownPath { .. } | Self::WrongMethod { .. } | Self::MediaType { .. })
    }

    /// The same with the engine's defects behind an id: their text is for the
    /// log alone.
    pub fn for_callers(self) -> ApiError {
        match self {
            Self::Engine(EngineError::Internal { message }) => ApiError::internal(message),
            other => other,
        }
    }

    /// A defect, with an id that finds it in the log.
    pub fn internal(cause: impl Into<String>) -> ApiError {
        ApiError::Internal { id: crate::request_id::fresh(), cause: cause.into() }
    }

    /// A defect that showed as a panic.
    #[allow(clippy::needless_pass_by_value, reason = "this is what catching a panic gives")]
    pub fn panicked(payload: Box<dyn std::any::Any + Send>) -> ApiError {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        ApiError::internal(format!("panic: {}", text.unwrap_or_else(|| "without a message".to_owned())))
    }

    /// A request that is not what the contract says.
    pub fn bad_request(field: impl Into<String>, message: impl Into<String>) -> ApiError {
        ApiError::BadRequest { field: field.into(), message: message.into() }
    }

    /// A body that did not arrive in time.
    pub fn body_late(timeout_ms: u64) -> ApiError {
        ApiError::bad_request("", format!("the body did not arrive within {timeout_ms} ms"))
    }

    /// Writes the log's line.
    pub fn log(&self, request_id: &str, trace_id: TraceId) {
        let row = self.row();
        let cause: &dyn std::fmt::Display = match self {
            Self::Internal { cause, .. } => cause,
            Self::Engine(EngineError::RulesetFault { fault, .. }) => fault,
            _ => &"",
        };
        let reason = row.reason.as_str();
        match row.level {
            Level::ERROR => tracing::error!(request_id, %trace_id, reason, %cause, "{self}"),
            Level::WARN => tracing::warn!(request_id, %trace_id, reason, "{self}"),
            _ => tracing::info!(request_id, %trace_id, reason, "{self}"),
        }
    }
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 15] = [
        Reason::UnknownGame,
        Reason::UnknownVariant,
        Reason::BadPosition,
        Reason::BadMove,
        Reason::BadArgument,
        Reason::IllegalMove,
        Reason::GameOver,
        Reason::TooLarge,
        Reason::Overloaded,
        Reason::RateLimited,
        Reason::Deadline,
        Reason::RulesetFault,
        Reason::RulesetUnavailable,
        Reason::Unauthenticated,
        Reason::Internal,
    ];

    /// As on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::UnknownGame => "unknown_game",
            Reason::UnknownVariant => "unknown_variant",
            Reason::BadPosition => "bad_position",
            Reason::BadMove => "bad_move",
            Reason::BadArgument => "bad_argument",
            Reason::IllegalMove => "illegal_move",
            Reason::GameOver => "game_over",
            Reason::TooLarge => "too_large",
            Reason::Overloaded => "overloaded",
            Reason::RateLimited => "rate_limited",
            Reason::Deadline => "deadline",
            Reason::RulesetFault => "ruleset_fault",
            Reason::RulesetUnavailable => "ruleset_unavailable",
            Reason::Unauthenticated => "unauthenticated",
            Reason::Internal => "internal",
        }
    }

    /// The same for every failure of this kind.
    pub fn title(self) -> &'static str {
        match self {
            Reason::UnknownGame => "No such game",
            Reason::UnknownVariant => "No such variant",
            Reason::BadPosition => "Not a position",
            Reason::BadMove => "Not a move",
            Reason::BadArgument => "Bad request",
            Reason::IllegalMove => "Illegal move",
            Reason::GameOver => "The game is over",
            Reason::TooLarge => "Too large",
            Reason::Overloaded => "Overloaded",
            Reason::RateLimited => "Too many requests",
            Reason::Deadline => "Deadline exceeded",
            Reason::RulesetFault => "The rule set failed",
            Reason::RulesetUnavailable => "The rule set is not available",
            Reason::Unauthenticated => "Not authenticated",
            Reason::Internal => "Internal error",
        }
    }
}

const BAD_REQUEST: StatusCode = StatusCode::BAD_REQUEST;
const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;
const WRONG_METHOD: StatusCode = StatusCode::METHOD_NOT_ALLOWED;
const TOO_LARGE: StatusCode = StatusCode::PAYLOAD_TOO_LARGE;
const MEDIA_TYPE: StatusCode = StatusCode::UNSUPPORTED_MEDIA_TYPE;
const UNPROCESSABLE: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
const TOO_MANY: StatusCode = StatusCode::TOO_MANY_REQUESTS;
const INTERNAL: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
const TIMEOUT: StatusCode = StatusCode::GATEWAY_TIMEOUT;

#[cfg(test)]
mod tests {
    use pentad_host::{Fault, FaultKind};

    use super::*;

    /// The design's table, reason by reason.
    #[test]
    fn codes_and_statuses_are_the_contract() {
        let fault = Fault { kind: FaultKind::Panic, call: "play", detail: String::new() };
        let text = String::new;
        let table: [(ApiError, &str, Code, u16); 18] = [
            (E::UnknownGame { game: text(), served: vec![] }.into(), "unknown_game", Code::NotFound, 404),
            (
                E::UnknownVariant { game: text(), variant: text(), known: vec![] }.into(),
                "unknown_variant",
                Code::NotFound,
                404,
            ),
            (E::BadPosition { column: None, message: text() }.into(), "bad_position", Code::InvalidArgument, 400),
            (
                E::BadMove { field: text(), move_idx: 0, column: None, message: text() }.into(),
                "bad_move",
                Code::InvalidArgument,
                400,
            ),
            (E::BadArgument { field: text(), message: text() }.into(), "bad_argument", Code::InvalidArgument, 400),
            (
                E::IllegalMove { field: text(), move_idx: 0, mv: text(), message: text() }.into(),
                "illegal_move",
                Code::FailedPrecondition,
                422,
            ),
            (E::GameOver { move_idx: None, text: text() }.into(), "game_over", Code::FailedPrecondition, 422),
            (E::TooLarge { field: text(), message: text() }.into(), "too_large", Code::ResourceExhausted, 413),
            (E::Overloaded { retry_after: Duration::ZERO }.into(), "overloaded", Code::ResourceExhausted, 429),
            (E::Deadline.into(), "deadline", Code::DeadlineExceeded, 504),
            (E::RulesetFault { game: text(), fault }.into(), "ruleset_fault", Code::Unavailable, 503),
            (
                E::RulesetUnavailable { game: text(), message: text() }.into(),
                "ruleset_unavailable",
                Code::Unavailable,
                503,
            ),
            (E::Internal { message: text() }.into(), "internal", Code::Internal, 500),
            (ApiError::bad_request("", ""), "bad_argument", Code::InvalidArgument, 400),
            (ApiError::BodyTooLarge { bytes_max: 1 }, "too_large", Code::ResourceExhausted, 413),
            (ApiError::UnknownPath { path: text() }, "bad_argument", Code::Unimplemented, 404),
            (ApiError::WrongMethod { path: text(), method: text() }, "bad_argument", Code::Unimplemented, 405),
            (ApiError::internal(""), "internal", Code::Internal, 500),
        ];
        for (error, reason, code, status) in table {
            let row = error.row();
            assert_eq!((row.reason.as_str(), row.code, row.status.as_u16()), (reason, code, status), "{error:?}");
        }
    }

    /// The words in JSON are the words in gRPC's details.
    #[test]
    fn reasons_are_written_alike_on_both_edges() {
        for reason in Reason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
    }

    /// Nothing of an internal error's cause reaches the caller.
    #[test]
    fn causes_stay_in_the_log() {
        let error = ApiError::from(E::Internal { message: "secret".into() }).for_callers();
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    use EngineError as E;
}
