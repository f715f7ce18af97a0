//! Errors as `application/problem+json`, RFC 9457.
//!
//! Handlers return [`ApiError`]s; the middleware writes the problem, because it
//! knows the request id.

use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::error::{ApiError, Reason};

/// Why a request failed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(example = json!({"type": "/docs/errors/illegal_move", "title": "Illegal move", "status": 422,
    "detail": "moves[1] `c3-1r`: c3 is occupied", "reason": "illegal_move", "field": "moves[1]", "index": 1,
    "requestId": "5b3f0c9d2a71e846"})))]
pub struct Problem {
    /// The path of a page on this server about the reason: `/docs/errors/` and the
    /// reason. `about:blank` for errors of HTTP itself: an unknown path, method, media
    /// type or host name, or a web page that may not call. Programs decide by `reason`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The same for every problem of this type.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// Describes this error.
    pub detail: String,
    /// From a closed list, the same in gRPC.
    pub reason: Reason,
    /// The invalid part of the request: `moves[1]`, `limits.timeMs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Position of the offending character in that field, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Index of the move in its list, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// How long to wait before a retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Id of the request, also in the header `x-request-id` and in the server's log.
    pub request_id: String,
}

impl Problem {
    pub(crate) fn new(error: &ApiError, request_id: &str) -> Problem {
        let mapping = error.mapping();
        let details = error.details();
        let (kind, title) = if error.is_http_error() {
            ("about:blank".to_owned(), mapping.status.canonical_reason().unwrap_or_default())
        } else {
            (mapping.reason.page(), mapping.reason.title())
        };
        Problem {
            kind,
            title,
            status: mapping.status.as_u16(),
            detail: error.message(),
            reason: mapping.reason,
            field: details.field,
            column: details.column,
            index: details.index,
            retry_after_ms: details.retry_after.map(|after| after.as_millis() as u64),
            request_id: request_id.to_owned(),
        }
    }
}

/// Carries the error of a response to the middleware, which passes it to
/// [`write`].
#[derive(Clone, Debug)]
pub(super) struct ErrorExtension(pub(super) Arc<ApiError>);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let error = self.redacted();
        let mut response = error.mapping().status.into_response();
        response.extensions_mut().insert(ErrorExtension(Arc::new(error)));
        response
    }
}

/// Replaces the response's body with the problem; other headers stay.
pub(super) fn write(response: &mut Response, error: &ApiError, request_id: &str) {
    let problem = Problem::new(error, request_id);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.remove(header::CONTENT_LENGTH);
    if let Some(after_ms) = problem.retry_after_ms {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(after_ms.div_ceil(1000).max(1)));
    }
    if let ApiError::Unauthenticated { failure } = error {
        headers.insert(header::WWW_AUTHENTICATE, failure.challenge());
    }
    *response.body_mut() = Body::from(serde_json::to_vec(&problem).unwrap_or_default());
}
