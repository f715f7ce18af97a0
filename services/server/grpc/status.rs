//! Failures as gRPC sees them: a code, a message, and details.
//!
//! Every failure has google.rpc.ErrorInfo, also those that tonic finds before
//! a call reaches its service.

use std::collections::HashMap;
use std::sync::Arc;

use http::{HeaderValue, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::app::App;
use crate::error::ApiError;
use crate::telemetry::{Call, Method, Protocol, TraceHeaders};

/// Named in every ErrorInfo.
const DOMAIN: &str = "pentad";

/// The status that tells of a failure.
pub(super) fn of(error: &ApiError, request_id: &str) -> Status {
    let row = error.row();
    let evidence = error.evidence();
    let message = error.to_string();
    let mut metadata = HashMap::new();
    let mut note = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            metadata.insert(key.to_owned(), value);
        }
    };
    note("field", evidence.field.clone());
    note("column", evidence.column.map(|column| column.to_string()));
    note("index", evidence.index.map(|index| index.to_string()));
    note("retryAfterMs", evidence.retry_after.map(|after| after.as_millis().to_string()));
    let mut details = ErrorDetails::with_error_info(row.reason.as_str(), DOMAIN, metadata);
    if let (Some(field), Code::InvalidArgument | Code::FailedPrecondition) = (evidence.field, row.code) {
        details.add_bad_request_violation(field, message.clone());
    }
    if evidence.retry_after.is_some() {
        details.set_retry_info(evidence.retry_after);
    }
    details.set_request_info(request_id, "");
    Status::with_error_details(row.code, message, details)
}

/// Gives the failures that tonic itself found their code, details and place in
/// the metrics; leaves the others as they are.
pub(super) fn explain(
    response: Response<Body>,
    app: &Arc<App>,
    method: Method,
    request_id: &HeaderValue,
    trace: &TraceHeaders,
) -> Response<Body> {
    let Some(found) = Status::from_header_map(response.headers()).filter(|status| status.details().is_empty()) else {
        return response;
    };
    let mut call = Call::new(&app.telemetry, Protocol::Grpc, method, request_id.clone(), trace);
    let error = match found.code() {
        // The second where it is the decompressed message that is too long.
        Code::OutOfRange | Code::ResourceExhausted => ApiError::BodyTooLarge { bytes_max: app.config.body_bytes_max },
        Code::Internal => ApiError::bad_request("", found.message()),
        // An unknown method or encoding: the code says it all.
        code => {
            call.end_grpc(code);
            return response;
        }
    };
    call.rejected(&error);
    let status = of(&error, call.request_id());
    call.end_grpc(status.code());
    status.into_http()
}
