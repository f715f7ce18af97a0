//! Why a question has no answer.

use std::error::Error;

use serde::Deserialize;

/// The parts of a problem (RFC 9457) that commands use.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct Problem {
    pub(in crate::cli) detail: String,
    pub(in crate::cli) reason: String,
    pub(in crate::cli) retry_after_ms: Option<u64>,
}

/// Why a question has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(in crate::cli) enum Failure {
    /// The API refused it.
    #[error("{}", refusal(problem, server.as_deref()))]
    Refused { problem: Problem, server: Option<String> },
    /// There is no connection.
    #[error("cannot reach {server}: {cause}")]
    Unreachable { server: String, cause: String },
    /// The connection ended too early.
    #[error("{server} broke off: {cause}")]
    BrokenOff { server: String, cause: String },
    /// The answer is not one of the API.
    #[error("the answer cannot be read: {message}")]
    Unexpected { message: String },
    /// The answer of a server is not one of the API.
    #[error("{server} does not answer as Pentad does: {message}")]
    NotPentad { server: String, message: String },
}

impl Failure {
    pub(super) fn broken_off(server: Option<String>, cause: String) -> Failure {
        Failure::BrokenOff { server: server.unwrap_or_else(|| "the answer".to_owned()), cause }
    }

    /// Names the server of an answer that cannot be read.
    pub(super) fn at(self, server: Option<String>) -> Failure {
        match (self, server) {
            (Failure::Unexpected { message }, Some(server)) => Failure::NotPentad { server, message },
            (failure, _) => failure,
        }
    }

    /// Returns the problem, if the API refused the question for a reason.
    pub(in crate::cli) fn problem(&self) -> Option<&Problem> {
        match self {
            Failure::Refused { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

/// The detail, with the remedy where this program has one.
fn refusal(problem: &Problem, server: Option<&str>) -> String {
    let Problem { detail, reason, retry_after_ms, .. } = problem;
    let remedy = match (reason.as_str(), retry_after_ms) {
        ("unauthenticated", _) => "; name its token with --token-file or PENTAD_TOKEN".to_owned(),
        (_, Some(after_ms)) => format!("; ask again in {:.1} s", *after_ms as f64 / 1000.0),
        _ => String::new(),
    };
    let is_about_the_server = matches!(
        reason.as_str(),
        "unauthenticated" | "rate_limited" | "overloaded" | "internal" | "ruleset_unavailable"
    );
    match server.filter(|_| is_about_the_server) {
        Some(server) => format!("{server} refuses: {detail}{remedy}"),
        None => format!("{detail}{remedy}"),
    }
}

/// Returns `connection error: Connection refused (os error 111)`, for example.
pub(super) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        // Some errors repeat their cause.
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}
