//! Failures: those of the contract, one [`Reason`] each, and those of the connection.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why a call failed.
#[derive(Clone, Debug)]
pub enum Error {
    /// The server refused the question.
    Api(Box<ApiError>),
    /// There was no answer: no connection, it broke, or the call's timeout passed.
    Transport(Box<Status>),
}

/// A failure as the contract describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// From the closed list of the contract.
    pub reason: Reason,
    /// The status code.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// The invalid part of the question: `moves[1]`, `limits.time_ms`.
    pub field: Option<String>,
    /// Position of the offending character in that field, from 1.
    pub column: Option<u32>,
    /// Index of the move in its list, from 0.
    pub index: Option<usize>,
    /// How long to wait before a retry.
    pub retry_after: Option<Duration>,
    /// As in the server's log.
    pub request_id: String,
}

macro_rules! reasons {
    ($($variant:ident $text:literal $doc:literal,)*) => {
        /// The closed list of reasons.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Reason {
            $(#[doc = $doc] $variant,)*
            /// One that this client does not know.
            Other(String),
        }

        impl Reason {
            fn parse(text: &str) -> Reason {
                match text {
                    $($text => Reason::$variant,)*
                    other => Reason::Other(other.to_owned()),
                }
            }

            /// As on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Reason::$variant => $text,)*
                    Reason::Other(text) => text,
                }
            }
        }
    };
}

reasons! {
    UnknownGame "unknown_game" "No such game is served.",
    UnknownVariant "unknown_variant" "The game has no such variant.",
    BadPosition "bad_position" "The position's text is not a position.",
    BadMove "bad_move" "A move's text breaks the notation.",
    BadArgument "bad_argument" "Another part of the question is invalid.",
    IllegalMove "illegal_move" "The rules forbid a move.",
    GameOver "game_over" "The game has ended, so it has no moves.",
    TooLarge "too_large" "A part of the question exceeds a bound of the server.",
    Overloaded "overloaded" "Too many questions are waiting.",
    RateLimited "rate_limited" "The caller's quota of CPU time is used up.",
    Deadline "deadline" "The deadline passed before there was even one legal move.",
    RulesetFault "ruleset_fault" "The rule set misbehaved while it worked on this question.",
    RulesetUnavailable "ruleset_unavailable" "The rule set is not called for a while.",
    Unauthenticated "unauthenticated" "The server requires a token, or a different one.",
    Internal "internal" "A bug in the server.",
}

impl Error {
    /// The reason, if the server gave one.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Error::Api(error) => Some(&error.reason),
            Error::Transport(_) => None,
        }
    }

    /// Whether the server did not work on the question, or was not reached: calls only read,
    /// so a repetition changes nothing and may succeed.
    pub(crate) fn may_repeat(&self) -> bool {
        match self {
            Error::Api(error) => {
                matches!(error.reason, Reason::Overloaded | Reason::RateLimited | Reason::RulesetUnavailable)
            }
            Error::Transport(status) => status.code() == Code::Unavailable,
        }
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Error {
        let details = status.get_error_details();
        let Some(info) = details.error_info().filter(|info| info.domain == "pentad") else {
            return Error::Transport(Box::new(status));
        };
        let text = |key: &str| info.metadata.get(key);
        Error::Api(Box::new(ApiError {
            reason: Reason::parse(&info.reason),
            code: status.code(),
            message: status.message().to_owned(),
            field: text("field").cloned(),
            column: text("column").and_then(|text| text.parse().ok()),
            index: text("index").and_then(|text| text.parse().ok()),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
            request_id: details.request_info().map(|info| info.request_id.clone()).unwrap_or_default(),
        }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Api(error) => write!(f, "{}: {}", error.reason.as_str(), error.message),
            Error::Transport(status) => write!(f, "no answer ({:?}): {}", status.code(), status.message()),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Api(_) => None,
            Error::Transport(status) => Some(&**status),
        }
    }
}
