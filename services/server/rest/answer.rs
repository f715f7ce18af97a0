//! Answers as JSON, and for GET with a tag by which they are known again.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

use super::types::HintsAnswer;
use crate::error::ApiError;

/// How long an answer to GET may be reused.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reuse {
    /// Follows from the rules alone.
    Hour,
    /// Might be better next time, or change when the server is updated.
    Minute,
    /// Was cut short: next time may be much better.
    Never,
}

impl Reuse {
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Reuse::Hour => "public, max-age=3600",
            Reuse::Minute => "public, max-age=60",
            Reuse::Never => "no-store",
        })
    }
}

/// The answer to POST.
pub(super) fn json<T: Serialize>(answer: &T) -> Result<Response, ApiError> {
    Ok(json_response(encode(answer)?))
}

/// The answer to GET.
pub(super) fn cacheable<T: Serialize>(asked: &HeaderMap, answer: &T, reuse: Reuse) -> Result<Response, ApiError> {
    let content = encode(answer)?;
    let tag = tag_of(&content);
    Ok(tagged(asked, &tag, reuse, || json_response(content)))
}

/// The answer to GET for hints. Time and cache are no part of what the tag
/// stands for.
pub(super) fn cacheable_hints(asked: &HeaderMap, answer: &HintsAnswer, reuse: Reuse) -> Result<Response, ApiError> {
    let lasting = HintsAnswer { elapsed_ms: 0.0, cached: false, ..answer.clone() };
    let tag = tag_of(&encode(&lasting)?);
    let content = encode(answer)?;
    Ok(tagged(asked, &tag, reuse, || json_response(content)))
}

/// The whole answer, or 304 if the caller has it already.
pub(super) fn tagged(asked: &HeaderMap, tag: &str, reuse: Reuse, whole: impl FnOnce() -> Response) -> Response {
    let known = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(',')).map(str::trim);
    // Tags are compared weakly: `W/` does not count.
    let is_known = known.any(|known| known == "*" || known.trim_start_matches("W/") == tag.trim_start_matches("W/"));
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { whole() };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, reuse.cache_control());
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// A weak tag, for the bytes may be compressed. FNV-1a, 64 bits: a tag tells
/// versions of one answer apart, it guards against nobody.
pub(super) fn tag_of(content: &[u8]) -> String {
    let hash = content
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    format!("W/\"{hash:016x}\"")
}

fn encode<T: Serialize>(answer: &T) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(answer).map_err(|error| ApiError::internal(format!("an answer is not JSON: {error}")))
}

fn json_response(content: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(content));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
