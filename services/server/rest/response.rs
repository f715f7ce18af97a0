//! JSON responses; those to GET have an ETag and a cache policy.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

use super::types::HintsAnswer;
use crate::error::ApiError;

/// How long clients and proxies may reuse a response to GET.
#[derive(Clone, Copy, Debug)]
pub(super) enum CachePolicy {
    /// The content follows from the rules alone.
    Hour,
    /// The content may improve, or change with a new version of the server.
    Minute,
    /// The search was cut short, or chance decided: the next response may differ.
    Never,
}

impl CachePolicy {
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            CachePolicy::Hour => "public, max-age=3600",
            CachePolicy::Minute => "public, max-age=60",
            CachePolicy::Never => "no-store",
        })
    }
}

/// For POST.
pub(super) fn json<T: Serialize>(answer: &T) -> Result<Response, ApiError> {
    Ok(json_response(encode(answer)?))
}

/// For GET.
pub(super) fn cacheable<T: Serialize>(
    request_headers: &HeaderMap,
    answer: &T,
    policy: CachePolicy,
) -> Result<Response, ApiError> {
    let content = encode(answer)?;
    let etag = etag(&content);
    Ok(with_etag(request_headers, &etag, policy, || json_response(content)))
}

/// For GET of hints. The ETag does not depend on how long the search took or
/// whether it was cached.
pub(super) fn cacheable_hints(
    request_headers: &HeaderMap,
    mut answer: HintsAnswer,
    policy: CachePolicy,
) -> Result<Response, ApiError> {
    let (elapsed_ms, cached) = (answer.elapsed_ms, answer.cached);
    (answer.elapsed_ms, answer.cached) = (0.0, false);
    let etag = etag(&encode(&answer)?);
    (answer.elapsed_ms, answer.cached) = (elapsed_ms, cached);
    let content = encode(&answer)?;
    Ok(with_etag(request_headers, &etag, policy, || json_response(content)))
}

/// The full response, or 304 if the request's `If-None-Match` has the ETag.
pub(super) fn with_etag(
    request_headers: &HeaderMap,
    etag: &str,
    policy: CachePolicy,
    full: impl FnOnce() -> Response,
) -> Response {
    let known = request_headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(',')).map(str::trim);
    // The comparison is weak: `W/` does not count.
    let is_known = known.any(|known| known == "*" || known.trim_start_matches("W/") == etag.trim_start_matches("W/"));
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { full() };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, policy.cache_control());
    if let Ok(etag) = HeaderValue::from_str(etag) {
        headers.insert(header::ETAG, etag);
    }
    response
}

/// A weak ETag, since the bytes may be compressed: a 64-bit FNV-1a hash, which
/// need not resist attacks.
pub(super) fn etag(content: &[u8]) -> String {
    format!("W/\"{:016x}\"", fnv1a(content))
}

pub(super) fn fnv1a(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn encode<T: Serialize>(answer: &T) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(answer).map_err(|error| ApiError::internal(format!("cannot encode an answer as JSON: {error}")))
}

fn json_response(content: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(content));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
