//! Failures as REST sees them: `application/problem+json`, RFC 9457.
//!
//! A handler returns an error; its text is written on the way out, where the
//! request's id is known.

use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, Reason};

/// Why a call failed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"type": "urn:pentad:illegal_move", "title": "Illegal move", "status": 422,
    "detail": "moves[1] `c3-1r`: c3 is occupied", "reason": "illegal_move", "field": "moves[1]", "index": 1,
    "requestId": "5b3f0c9d2a71e846"}))]
pub struct Problem {
    /// `urn:pentad:` and the reason; `about:blank` for what HTTP itself refuses:
    /// an unknown path, method or media type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The same for every problem of this type.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What happened this time.
    pub detail: String,
    /// From a closed list, the same in gRPC.
    pub reason: Reason,
    /// Which part of the question is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Place of the offending character in that field, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Of the move in its list, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// When it is worth another try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// As in the header `x-request-id`, for the log.
    pub request_id: String,
}

impl Problem {
    pub(super) fn new(error: &ApiError, request_id: &str) -> Problem {
        let row = error.row();
        let evidence = error.evidence();
        let (kind, title) = if error.is_of_http() {
            ("about:blank".to_owned(), row.status.canonical_reason().unwrap_or_default())
        } else {
            (format!("urn:pentad:{}", row.reason.as_str()), row.reason.title())
        };
        Problem {
            kind,
            title,
            status: row.status.as_u16(),
            detail: error.to_string(),
            reason: row.reason,
            field: evidence.field,
            column: evidence.column,
            index: evidence.index,
            retry_after_ms: evidence.retry_after.map(|after| after.as_millis() as u64),
            request_id: request_id.to_owned(),
        }
    }
}

/// Left in a response for [`write`].
#[derive(Clone, Debug)]
pub(super) struct Failed(pub(super) Arc<ApiError>);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let error = self.for_callers();
        let mut response = error.row().status.into_response();
        response.extensions_mut().insert(Failed(Arc::new(error)));
        response
    }
}

/// Writes the failure into its response, which keeps its other headers.
pub(super) fn write(response: &mut Response, error: &ApiError, request_id: &str) {
    let problem = Problem::new(error, request_id);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.remove(header::CONTENT_LENGTH);
    if let Some(after_ms) = problem.retry_after_ms {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(after_ms.div_ceil(1000).max(1)));
    }
    *response.body_mut() = Body::from(serde_json::to_vec(&problem).unwrap_or_default());
}
