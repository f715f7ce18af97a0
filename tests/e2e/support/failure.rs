//! Failures of gRPC and REST in one form, so that they can be compared.

use serde_json::Value;
use tonic::Status;
use tonic_types::StatusExt;

/// A failure as the client receives it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) field: Option<String>,
    pub(crate) column: Option<u64>,
    pub(crate) index: Option<u64>,
    pub(crate) retry_after_ms: Option<u64>,
    pub(crate) request_id: String,
}

impl Failure {
    pub(crate) fn from_problem(problem: &Value) -> Failure {
        let text = |key: &str| problem[key].as_str().map(str::to_owned);
        let failure = Failure {
            reason: text("reason").unwrap_or_else(|| panic!("no reason: {problem}")),
            message: text("detail").unwrap_or_else(|| panic!("no detail: {problem}")),
            field: text("field"),
            column: problem["column"].as_u64(),
            index: problem["index"].as_u64(),
            retry_after_ms: problem["retryAfterMs"].as_u64(),
            request_id: text("requestId").unwrap_or_else(|| panic!("no request id: {problem}")),
        };
        let kind = problem["type"].as_str().unwrap_or_default();
        assert!(kind == format!("/docs/errors/{}", failure.reason) || kind == "about:blank", "{problem}");
        failure
    }

    /// Reads `google.rpc.ErrorInfo` and the other details; panics if they contradict
    /// each other.
    #[track_caller]
    pub(crate) fn from_status(status: &Status) -> Failure {
        let details = status.get_error_details();
        let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo: {status:?}"));
        assert_eq!(info.domain, "pentad", "{status:?}");
        let text = |key: &str| info.metadata.get(key).cloned();
        let number = |key: &str| text(key).map(|text| text.parse().unwrap_or_else(|_| panic!("{key}: {status:?}")));
        let failure = Failure {
            reason: info.reason.clone(),
            message: status.message().to_owned(),
            field: text("field"),
            column: number("column"),
            index: number("index"),
            retry_after_ms: number("retryAfterMs"),
            request_id: details.request_info().map(|info| info.request_id.clone()).unwrap_or_default(),
        };
        let violations: Vec<_> = details.bad_request().map(|bad| bad.field_violations.clone()).unwrap_or_default();
        match &failure.field {
            Some(field) => {
                assert_eq!(violations.len(), 1, "one violation for one field: {status:?}");
                assert_eq!((&violations[0].field, &*violations[0].description), (field, status.message()));
            }
            None => assert!(violations.is_empty(), "a violation without a field: {status:?}"),
        }
        let retry = details.retry_info().and_then(|info| info.retry_delay);
        assert_eq!(retry.map(|delay| delay.as_millis() as u64), failure.retry_after_ms, "{status:?}");
        failure
    }

    /// Returns the failure of REST with its field named as in gRPC.
    pub(crate) fn with_proto_field(mut self: Box<Self>) -> Box<Failure> {
        if let Some(field) = &mut self.field {
            let proto = proto_name(field);
            self.message = self.message.replace(field.as_str(), &proto);
            *field = proto;
        }
        self
    }

    /// Returns the failure without its request id, which differs from call to call.
    pub(crate) fn without_request_id(mut self: Box<Self>) -> Box<Failure> {
        self.request_id.clear();
        self
    }
}

/// Returns the name of a field in the proto files: `allow_moves[0]` for `allowMoves[0]`.
pub(crate) fn proto_name(field: &str) -> String {
    let letters = field.chars().flat_map(|letter| {
        let underscore = letter.is_ascii_uppercase().then_some('_');
        underscore.into_iter().chain([letter.to_ascii_lowercase()])
    });
    letters.collect()
}
