//! Every error that a call can end with, and how callers and the log see it.
//!
//! [`ApiError::mapping`] is the one table: error to gRPC code, HTTP status,
//! reason and log level. It has no wildcard arm, so a new error must choose.
//! Both edges send the same `reason`. `grpc::status` and `rest::problem` write
//! errors to the wire.
//!
//! Errors of HTTP alone, an unknown path, method, media type or host name, or a web
//! page that may not call, have the reason `bad_argument` and the usual status.

use std::net::IpAddr;
use std::time::Duration;

use http::StatusCode;
use pentad_engine::{EngineError, Field, TraceId};
use serde::Serialize;
use tonic::Code;
use tracing::Level;

use crate::access::AuthFailure;
use crate::telemetry::{ANONYMOUS, Excerpt};
use crate::text_direction;

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ApiError {
    /// From the engine.
    #[error("{}", .0.message(json_name))]
    Engine(#[from] EngineError),
    /// The request violates the contract.
    #[error("{message}")]
    BadRequest {
        /// Such as `limits.timeMs`; empty if no single field is wrong.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// A part of the request that the engine does not see exceeds its limit.
    #[error("{field}: {message}")]
    TooLarge {
        /// Such as `id`; empty if it is not a field.
        field: String,
        /// Its size and the limit.
        message: String,
    },
    /// The body or message exceeds `body_bytes_max`.
    #[error("the request body exceeds {bytes_max} bytes")]
    BodyTooLarge {
        /// The setting.
        bytes_max: usize,
    },
    /// No route has this path.
    #[error("no such path: {path}; see /docs")]
    UnknownPath {
        /// As requested.
        path: String,
    },
    /// The route does not allow this method.
    #[error("{path} does not allow {method}")]
    WrongMethod {
        /// As requested.
        path: String,
        /// As requested.
        method: String,
    },
    /// The body is not JSON.
    #[error("unsupported body type {found}; send application/json")]
    MediaType {
        /// As sent.
        found: String,
    },
    /// The answer has no format that the request accepts.
    #[error("`Accept` does not allow {formats}; send one that does, or none")]
    NotAcceptable {
        /// The formats of the answer.
        formats: &'static str,
    },
    /// The call needs a token.
    #[error("{failure}")]
    Unauthenticated {
        /// What is wrong with it.
        failure: AuthFailure,
    },
    /// The caller's quota of CPU time is used up.
    #[error(
        "the quota of {} is used up: {cpu_ms_per_second} ms of CPU time per second; wait, or ask for less time",
        quota_owner(client)
    )]
    RateLimited {
        /// The name of the caller's token; `-` without one.
        client: String,
        /// The quota.
        cpu_ms_per_second: u64,
        /// Until there is enough.
        retry_after: Duration,
    },
    /// A web page of this origin may not call.
    #[error("web pages of {origin} may not call this server; the operator can list them in cors_origins")]
    ForeignOrigin {
        /// As the browser sent it.
        origin: String,
    },
    /// The server is not known by this name.
    #[error("this server is not called {host}; use its address, or let the operator list the name in allowed_hosts")]
    UnknownHost {
        /// As requested.
        host: String,
    },
    /// A bug in the server.
    #[error("internal error {id}")]
    Internal {
        /// Unique; also in the log.
        id: String,
        /// For the log only.
        cause: String,
    },
}

/// The closed list of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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
    /// Another part of the request is invalid.
    BadArgument,
    /// The rules forbid a move.
    IllegalMove,
    /// The game has ended, so it has no moves.
    GameOver,
    /// A part of the request exceeds its limit.
    TooLarge,
    /// Too many requests are waiting.
    Overloaded,
    /// This caller sends too many requests.
    RateLimited,
    /// The deadline passed before there was a result.
    Deadline,
    /// The rule set misbehaved during this request.
    RulesetFault,
    /// The rule set is quarantined.
    RulesetUnavailable,
    /// The caller is not authenticated.
    Unauthenticated,
    /// A bug in the server.
    Internal,
}

/// One line of the table of errors.
#[derive(Clone, Copy, Debug)]
pub struct ErrorMapping {
    /// For gRPC.
    pub code: Code,
    /// For REST.
    pub status: StatusCode,
    /// For both.
    pub reason: Reason,
    /// Callers' mistakes are `info`.
    pub level: Level,
}

/// Details for callers, in addition to the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorDetails {
    /// `position`, `moves[3]`, `limits.timeMs`.
    pub field: Option<String>,
    /// Position in that field, from 1.
    pub column: Option<u32>,
    /// Index of the move in its list.
    pub index: Option<usize>,
    /// How long to wait before a retry.
    pub retry_after: Option<Duration>,
    /// Whose quota is used up.
    pub quota_of: Option<String>,
}

impl ApiError {
    /// The table of errors.
    pub fn mapping(&self) -> ErrorMapping {
        use EngineError as E;
        let mapping = |code, status, reason, level| ErrorMapping { code, status, reason, level };
        match self {
            Self::Engine(error) => match error {
                E::UnknownGame { .. } => mapping(Code::NotFound, NOT_FOUND, Reason::UnknownGame, Level::INFO),
                E::UnknownVariant { .. } => mapping(Code::NotFound, NOT_FOUND, Reason::UnknownVariant, Level::INFO),
                E::BadPosition { .. } => mapping(Code::InvalidArgument, BAD_REQUEST, Reason::BadPosition, Level::INFO),
                E::BadMove { .. } => mapping(Code::InvalidArgument, BAD_REQUEST, Reason::BadMove, Level::INFO),
                E::BadArgument { .. } => mapping(Code::InvalidArgument, BAD_REQUEST, Reason::BadArgument, Level::INFO),
                E::IllegalMove { .. } => {
                    mapping(Code::FailedPrecondition, UNPROCESSABLE, Reason::IllegalMove, Level::INFO)
                }
                E::GameOver { .. } => mapping(Code::FailedPrecondition, UNPROCESSABLE, Reason::GameOver, Level::INFO),
                E::TooLarge { .. } => mapping(Code::ResourceExhausted, TOO_LARGE, Reason::TooLarge, Level::INFO),
                E::Overloaded { .. } => mapping(Code::ResourceExhausted, TOO_MANY, Reason::Overloaded, Level::WARN),
                E::Deadline => mapping(Code::DeadlineExceeded, TIMEOUT, Reason::Deadline, Level::INFO),
                E::RulesetFault { .. } => mapping(Code::Unavailable, UNAVAILABLE, Reason::RulesetFault, Level::ERROR),
                E::RulesetUnavailable { .. } => {
                    mapping(Code::Unavailable, UNAVAILABLE, Reason::RulesetUnavailable, Level::WARN)
                }
                E::Internal { .. } => mapping(Code::Internal, INTERNAL, Reason::Internal, Level::ERROR),
            },
            Self::BadRequest { .. } => mapping(Code::InvalidArgument, BAD_REQUEST, Reason::BadArgument, Level::INFO),
            Self::TooLarge { .. } | Self::BodyTooLarge { .. } => {
                mapping(Code::ResourceExhausted, TOO_LARGE, Reason::TooLarge, Level::INFO)
            }
            Self::UnknownPath { .. } => mapping(Code::Unimplemented, NOT_FOUND, Reason::BadArgument, Level::INFO),
            Self::WrongMethod { .. } => {
                mapping(Code::Unimplemented, METHOD_NOT_ALLOWED, Reason::BadArgument, Level::INFO)
            }
            Self::MediaType { .. } => mapping(Code::InvalidArgument, MEDIA_TYPE, Reason::BadArgument, Level::INFO),
            Self::NotAcceptable { .. } => {
                mapping(Code::InvalidArgument, NOT_ACCEPTABLE, Reason::BadArgument, Level::INFO)
            }
            Self::Unauthenticated { .. } => {
                mapping(Code::Unauthenticated, UNAUTHORIZED, Reason::Unauthenticated, Level::INFO)
            }
            Self::RateLimited { .. } => mapping(Code::ResourceExhausted, TOO_MANY, Reason::RateLimited, Level::INFO),
            Self::ForeignOrigin { .. } => mapping(Code::PermissionDenied, FORBIDDEN, Reason::BadArgument, Level::INFO),
            Self::UnknownHost { .. } => mapping(Code::PermissionDenied, MISDIRECTED, Reason::BadArgument, Level::INFO),
            Self::Internal { .. } => mapping(Code::Internal, INTERNAL, Reason::Internal, Level::ERROR),
        }
    }

    /// What happened, for callers and the log. Errors quote the request, which may
    /// be long; gRPC sends this in headers, whose size clients limit.
    pub fn message(&self) -> String {
        abridged(&self.to_string())
    }

    /// Details for callers, in addition to the message.
    pub fn details(&self) -> ErrorDetails {
        self.details_with(json_name)
    }

    fn details_with(&self, name: fn(Field) -> &'static str) -> ErrorDetails {
        use EngineError as E;
        let in_field = |field: &str| ErrorDetails { field: Some(abridged(field)), ..ErrorDetails::default() };
        match self {
            Self::Engine(error) => match error {
                E::UnknownGame { .. } => in_field("game"),
                E::UnknownVariant { .. } => in_field("variant"),
                E::BadPosition { column, .. } => ErrorDetails { column: *column, ..in_field("position") },
                E::BadMove { field, move_idx, column, .. } => ErrorDetails {
                    column: *column,
                    index: Some(*move_idx),
                    ..in_field(&field.item(*move_idx).spell(name))
                },
                E::IllegalMove { field, move_idx, .. } => {
                    ErrorDetails { index: Some(*move_idx), ..in_field(&field.item(*move_idx).spell(name)) }
                }
                E::GameOver { move_idx, .. } => match move_idx {
                    Some(idx) => ErrorDetails { index: Some(*idx), ..in_field(&format!("moves[{idx}]")) },
                    None => ErrorDetails::default(),
                },
                E::BadArgument { field, .. } => in_field(&field.spell(name)),
                E::TooLarge { field, .. } => in_field(name(*field)),
                E::Overloaded { retry_after } => {
                    ErrorDetails { retry_after: Some(*retry_after), ..ErrorDetails::default() }
                }
                E::Deadline | E::RulesetFault { .. } | E::RulesetUnavailable { .. } | E::Internal { .. } => {
                    ErrorDetails::default()
                }
            },
            Self::BadRequest { field, .. } if field.is_empty() => ErrorDetails::default(),
            Self::BadRequest { field, .. } | Self::TooLarge { field, .. } => in_field(field),
            Self::RateLimited { client, retry_after, .. } => ErrorDetails {
                retry_after: Some(*retry_after),
                quota_of: Some(client.clone()),
                ..ErrorDetails::default()
            },
            Self::BodyTooLarge { .. }
            | Self::UnknownPath { .. }
            | Self::WrongMethod { .. }
            | Self::MediaType { .. }
            | Self::NotAcceptable { .. }
            | Self::Unauthenticated { .. }
            | Self::ForeignOrigin { .. }
            | Self::UnknownHost { .. }
            | Self::Internal { .. } => ErrorDetails::default(),
        }
    }

    /// Returns the error with its fields named as in the proto files: `allow_moves[0]` for `allowMoves[0]`.
    #[must_use]
    pub fn with_proto_field(self) -> ProtoError {
        ProtoError(self)
    }

    /// Whether it is an error of HTTP rather than of the question.
    pub fn is_http_error(&self) -> bool {
        matches!(
            self,
            Self::UnknownPath { .. }
                | Self::WrongMethod { .. }
                | Self::MediaType { .. }
                | Self::NotAcceptable { .. }
                | Self::ForeignOrigin { .. }
                | Self::UnknownHost { .. }
        )
    }

    /// The error without the text of the engine's internal errors, which is for
    /// the log only; callers get an id instead.
    pub fn redacted(self) -> ApiError {
        match self {
            Self::Engine(EngineError::Internal { message }) => ApiError::internal(message),
            other => other,
        }
    }

    /// A bug in the server, with a new id.
    pub fn internal(cause: impl Into<String>) -> ApiError {
        ApiError::Internal { id: crate::request_id::generate(), cause: cause.into() }
    }

    /// An internal error from a panic's payload.
    #[allow(clippy::needless_pass_by_value, reason = "the type that `catch_unwind` returns")]
    pub fn from_panic(payload: Box<dyn std::any::Any + Send>) -> ApiError {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        ApiError::internal(format!("panic: {}", text.unwrap_or_else(|| "without a message".to_owned())))
    }

    /// A request that violates the contract.
    pub fn bad_request(field: impl Into<String>, message: impl Into<String>) -> ApiError {
        ApiError::BadRequest { field: field.into(), message: message.into() }
    }

    /// A body that did not arrive within `body_timeout_ms`.
    pub fn body_timeout(timeout_ms: u64) -> ApiError {
        ApiError::bad_request("", format!("the body did not arrive within {timeout_ms} ms"))
    }

    /// Logs the error at its level; a refused token with the client's address.
    pub fn log(&self, request_id: &str, trace_id: TraceId, client: Option<IpAddr>) {
        let mapping = self.mapping();
        let cause = match self {
            Self::Internal { cause, .. } => cause.clone(),
            Self::Engine(EngineError::RulesetFault { fault, .. }) => fault.to_string(),
            _ => String::new(),
        };
        let (reason, message) = (mapping.reason.as_str(), self.message());
        let (message, cause) = (Excerpt(&message), Excerpt(&cause));
        match mapping.level {
            Level::ERROR => tracing::error!(request_id, %trace_id, reason, %cause, "{message}"),
            Level::WARN => tracing::warn!(request_id, %trace_id, reason, "{message}"),
            _ if mapping.reason == Reason::Unauthenticated => {
                let client = client.map(tracing::field::display);
                tracing::info!(request_id, %trace_id, reason, client, "{message}");
            }
            _ => tracing::info!(request_id, %trace_id, reason, "{message}"),
        }
    }
}

/// An error whose texts name fields as the proto files do.
#[derive(Clone, Debug)]
pub struct ProtoError(ApiError);

impl ProtoError {
    /// The line of the table of errors.
    pub fn mapping(&self) -> ErrorMapping {
        self.0.mapping()
    }

    /// As [`ApiError::message`].
    pub fn message(&self) -> String {
        match &self.0 {
            ApiError::Engine(error) => abridged(&error.message(proto_name)),
            other => other.message(),
        }
    }

    /// As [`ApiError::details`].
    pub fn details(&self) -> ErrorDetails {
        let mut details = self.0.details_with(proto_name);
        if let (ApiError::BadRequest { .. }, Some(field)) = (&self.0, &mut details.field) {
            *field = snake_case(field);
        }
        details
    }
}

/// Both names of a field of the engine's questions: in JSON, and in the proto files.
fn names(field: Field) -> (&'static str, &'static str) {
    match field {
        Field::Position => ("position", "position"),
        Field::Moves => ("moves", "moves"),
        Field::AllowMoves => ("allowMoves", "allow_moves"),
        Field::AvoidMoves => ("avoidMoves", "avoid_moves"),
        Field::CompareMoves => ("compareMoves", "compare_moves"),
        Field::Count => ("count", "count"),
        Field::Level => ("level", "level"),
        Field::Detail => ("detail", "detail"),
        Field::Policy => ("policy", "policy"),
        Field::TimeLimit => ("limits.timeMs", "limits.time_ms"),
        Field::NodeLimit => ("limits.nodes", "limits.nodes"),
        Field::DepthLimit => ("limits.depth", "limits.depth"),
        Field::Depth => ("depth", "depth"),
        Field::TotalTime => ("totalTimeMs", "total_time_ms"),
        Field::Turns => ("turns", "turns"),
        Field::MinPlies => ("minPlies", "min_plies"),
        Field::MaxPlies => ("maxPlies", "max_plies"),
        Field::Prefix => ("prefix", "prefix"),
        Field::Distinct => ("distinct", "distinct"),
        Field::PageToken => ("pageToken", "page_token"),
        Field::GameId => ("id", "id"),
        Field::Scores => ("scores", "scores"),
    }
}

/// Returns the name of a field in JSON.
pub(crate) fn json_name(field: Field) -> &'static str {
    names(field).0
}

fn proto_name(field: Field) -> &'static str {
    names(field).1
}

/// Converts a name of JSON to that of the proto files.
fn snake_case(name: &str) -> String {
    name.chars().fold(String::new(), |mut name, letter| {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
        name
    })
}

impl Reason {
    /// All reasons, in the order of the enum.
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

    /// As on the wire and in metrics.
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

    /// The path of the page about this reason, and the type of its problems.
    pub fn page(self) -> String {
        format!("/docs/errors/{}", self.as_str())
    }

    /// The title of problems with this reason.
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

/// For the message: an address is not repeated to its client.
fn quota_owner(client: &str) -> String {
    match client {
        ANONYMOUS => "your address".to_owned(),
        name => format!("`{name}`"),
    }
}

/// The text, or its beginning and end: what is wrong and the remedy.
fn abridged(text: &str) -> String {
    const CHARS_PER_END: usize = 256;
    let text = &text.replace(text_direction::is_override, "\u{fffd}");
    let n_chars = text.chars().count();
    if n_chars <= 2 * CHARS_PER_END {
        return text.to_owned();
    }
    let start: String = text.chars().take(CHARS_PER_END).collect();
    let end: String = text.chars().skip(n_chars - CHARS_PER_END).collect();
    format!("{start}…{end}")
}

const BAD_REQUEST: StatusCode = StatusCode::BAD_REQUEST;
const UNAUTHORIZED: StatusCode = StatusCode::UNAUTHORIZED;
const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
const MISDIRECTED: StatusCode = StatusCode::MISDIRECTED_REQUEST;
const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;
const METHOD_NOT_ALLOWED: StatusCode = StatusCode::METHOD_NOT_ALLOWED;
const TOO_LARGE: StatusCode = StatusCode::PAYLOAD_TOO_LARGE;
const NOT_ACCEPTABLE: StatusCode = StatusCode::NOT_ACCEPTABLE;
const MEDIA_TYPE: StatusCode = StatusCode::UNSUPPORTED_MEDIA_TYPE;
const UNPROCESSABLE: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
const TOO_MANY: StatusCode = StatusCode::TOO_MANY_REQUESTS;
const INTERNAL: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
const TIMEOUT: StatusCode = StatusCode::GATEWAY_TIMEOUT;

#[cfg(test)]
mod tests {
    use pentad_engine::FieldMessage;
    use pentad_host::Fault;
    use pentad_model::FaultKind;

    use super::*;

    /// Codes and statuses are part of the contract.
    #[test]
    fn codes_and_statuses() {
        let fault = Fault { kind: FaultKind::Panic, call: "play", detail: String::new() };
        let text = String::new;
        let table: [(ApiError, &str, Code, u16); 23] = [
            (E::UnknownGame { game: text(), served: vec![] }.into(), "unknown_game", Code::NotFound, 404),
            (
                E::UnknownVariant { game: text(), variant: text(), known: vec![] }.into(),
                "unknown_variant",
                Code::NotFound,
                404,
            ),
            (E::BadPosition { column: None, message: text() }.into(), "bad_position", Code::InvalidArgument, 400),
            (
                E::BadMove { field: Field::Moves, move_idx: 0, column: None, message: text() }.into(),
                "bad_move",
                Code::InvalidArgument,
                400,
            ),
            (
                E::BadArgument { field: Field::Count.into(), message: text().into() }.into(),
                "bad_argument",
                Code::InvalidArgument,
                400,
            ),
            (
                E::IllegalMove { field: Field::Moves, move_idx: 0, mv: text(), message: text() }.into(),
                "illegal_move",
                Code::FailedPrecondition,
                422,
            ),
            (E::GameOver { move_idx: None, text: text() }.into(), "game_over", Code::FailedPrecondition, 422),
            (
                E::TooLarge { field: Field::Moves, message: text().into() }.into(),
                "too_large",
                Code::ResourceExhausted,
                413,
            ),
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
            (
                ApiError::Unauthenticated { failure: AuthFailure::Missing },
                "unauthenticated",
                Code::Unauthenticated,
                401,
            ),
            (
                ApiError::RateLimited { client: text(), cpu_ms_per_second: 1, retry_after: Duration::ZERO },
                "rate_limited",
                Code::ResourceExhausted,
                429,
            ),
            (ApiError::NotAcceptable { formats: "text/html" }, "bad_argument", Code::InvalidArgument, 406),
            (ApiError::ForeignOrigin { origin: text() }, "bad_argument", Code::PermissionDenied, 403),
            (ApiError::UnknownHost { host: text() }, "bad_argument", Code::PermissionDenied, 421),
            (ApiError::internal(""), "internal", Code::Internal, 500),
        ];
        for (error, reason, code, status) in table {
            let mapping = error.mapping();
            assert_eq!(
                (mapping.reason.as_str(), mapping.code, mapping.status.as_u16()),
                (reason, code, status),
                "{error:?}"
            );
        }
    }

    /// Each edge names fields in its own way, also within the message.
    #[test]
    fn fields_are_spelled_by_edge() {
        let message = FieldMessage::from("ask for ").field(Field::MaxPlies).text(" 1");
        let error = ApiError::from(E::BadArgument { field: Field::MinPlies.into(), message });
        assert_eq!((error.message(), error.details().field), ("ask for maxPlies 1".into(), Some("minPlies".into())));
        let error = error.with_proto_field();
        assert_eq!((error.message(), error.details().field), ("ask for max_plies 1".into(), Some("min_plies".into())));
        for field in Field::ALL {
            assert_eq!(snake_case(json_name(field)), proto_name(field));
        }
    }

    /// Long texts keep both ends, whole characters only; others are not touched.
    #[test]
    fn long_texts_are_abridged() {
        let game = |n| E::UnknownGame { game: "ü".repeat(n), served: vec!["pentago".to_owned()] };
        let short = ApiError::from(game(400));
        assert_eq!(short.message(), short.to_string());
        let message = ApiError::from(game(60_000)).message();
        assert_eq!(message.chars().count(), 513);
        assert!(message.starts_with("no game `ü") && message.ends_with("ü`; served are pentago"), "{message}");
    }

    /// JSON and gRPC's ErrorInfo have the same strings.
    #[test]
    fn both_edges_send_the_same_reasons() {
        for reason in Reason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
    }

    /// Callers do not see the cause of an internal error.
    #[test]
    fn causes_are_redacted() {
        let error = ApiError::from(E::Internal { message: "secret".into() }).redacted();
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    use EngineError as E;
}
