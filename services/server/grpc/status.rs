//! Errors as gRPC statuses: a code, a message, and details.
//!
//! Every error carries google.rpc.ErrorInfo, also those that tonic raises before
//! a call reaches its service.

use std::collections::HashMap;

use http::Response;
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails as StatusDetails, StatusExt};

use crate::error::ApiError;
use crate::telemetry::TrackedCall;

/// The `domain` of every ErrorInfo.
const DOMAIN: &str = "pentad";

pub(super) fn from_error(error: &ApiError, request_id: &str) -> Status {
    let error = error.clone().with_proto_field();
    let mapping = error.mapping();
    let error_details = error.details();
    let message = error.message();
    let mut metadata = HashMap::new();
    let mut insert = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            metadata.insert(key.to_owned(), value);
        }
    };
    insert("field", error_details.field.clone());
    insert("column", error_details.column.map(|column| column.to_string()));
    insert("index", error_details.index.map(|index| index.to_string()));
    insert("retryAfterMs", error_details.retry_after.map(|after| after.as_millis().to_string()));
    let mut details = StatusDetails::with_error_info(mapping.reason.as_str(), DOMAIN, metadata);
    if let Some(field) = error_details.field {
        details.add_bad_request_violation(field, message.clone());
    }
    if error_details.retry_after.is_some() {
        details.set_retry_info(error_details.retry_after);
    }
    if let Some(client) = error_details.quota_of {
        details.add_quota_failure_violation(format!("client:{client}"), message.clone());
    }
    details.set_request_info(request_id, "");
    Status::with_error_details(mapping.code, message, details)
}

/// Ends a call that tonic refused before the service saw it, and gives the
/// response our code and details where tonic's do not say what was wrong.
pub(super) fn for_refused_by_tonic(
    response: Response<Body>,
    call: TrackedCall,
    body_bytes_max: usize,
) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    let error = match status.code() {
        // RESOURCE_EXHAUSTED if only the decompressed message is too long.
        Code::OutOfRange | Code::ResourceExhausted => ApiError::BodyTooLarge { bytes_max: body_bytes_max },
        // The message cannot be decoded, or `TimeoutBody` cut it off.
        Code::Internal | Code::InvalidArgument => ApiError::bad_request("", status.message()),
        // An unknown method or encoding: the code is enough.
        code => {
            call.finish_grpc(code);
            return response;
        }
    };
    for_refused(&error, call)
}

/// Ends a call that is refused before its body is read.
pub(super) fn for_refused(error: &ApiError, mut call: TrackedCall) -> Response<Body> {
    call.record_error(error);
    let status = from_error(error, call.request_id());
    call.finish_grpc(status.code());
    status.into_http()
}
