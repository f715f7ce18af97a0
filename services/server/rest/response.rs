//! JSON responses; those to GET have an ETag and a cache policy.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use pentad_model::i18n::Language;
use serde::Serialize;

use super::types::HintsAnswer;
use crate::error::ApiError;
use crate::language;

/// How long clients and proxies may reuse a response to GET.
#[derive(Clone, Copy, Debug)]
pub(super) enum CachePolicy {
    /// A proven answer: nothing will ever be better, and a CDN may keep it. A later
    /// version may only say it in other words.
    Proven,
    /// The content follows from the rules alone.
    Hour,
    /// The content may improve, or change with a new version of the server.
    Minute,
    /// The search was cut short, or chance decided: the next response may differ.
    Never,
    /// The content never changes: its path has a digest of it.
    Immutable,
    /// To be compared with the server's each time.
    Revalidate,
}

impl CachePolicy {
    /// Answers to callers with a token become `private` on their way out (`access`).
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            CachePolicy::Hour => "public, max-age=3600",
            CachePolicy::Minute => "public, max-age=60",
            CachePolicy::Never => "no-store",
            CachePolicy::Proven | CachePolicy::Immutable => "public, max-age=31536000, immutable",
            CachePolicy::Revalidate => "no-cache",
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

/// For GET of what has words in the caller's language, on which the ETag depends too.
pub(super) fn cacheable_words<T: Serialize>(
    request_headers: &HeaderMap,
    answer: &T,
    policy: CachePolicy,
) -> Result<Response, ApiError> {
    let content = encode(answer)?;
    let etag = in_language(etag(&content), request_headers);
    Ok(with_etag(request_headers, &etag, policy, || json_response(content)))
}

/// For GET of hints. The ETag does not depend on how long the search took or
/// whether it was cached.
pub(super) fn cacheable_hints(
    request_headers: &HeaderMap,
    answer: &HintsAnswer,
    policy: CachePolicy,
) -> Result<Response, ApiError> {
    let content = encode(answer)?;
    let etag = in_language(hints_etag(&content), request_headers);
    Ok(with_etag(request_headers, &etag, policy, || json_response(content)))
}

/// The ETag of encoded hints as if they had taken no time and were not cached. A
/// quote within a text is escaped, so the names stand for the fields alone.
fn hints_etag(content: &[u8]) -> String {
    let find = |name: &str| content.windows(name.len()).rposition(|window| window == name.as_bytes());
    match (find("\"elapsedMs\":"), find(",\"position\":")) {
        (Some(start), Some(end)) if start < end => {
            etag_of([&content[..start], b"\"elapsedMs\":0.0,\"cached\":false", &content[end..]])
        }
        _ => etag(content),
    }
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
    etag_of([content])
}

/// The ETag of the same content in the language of a request, different for each.
pub(super) fn in_language(etag: String, request_headers: &HeaderMap) -> String {
    match language::negotiate(request_headers) {
        Language::English => etag,
        other => format!("{}-{other}\"", etag.trim_end_matches('"')),
    }
}

fn etag_of<const N: usize>(parts: [&[u8]; N]) -> String {
    format!("W/\"{:016x}\"", fnv1a(parts.into_iter().flatten()))
}

pub(super) fn fnv1a<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    bytes.into_iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn encode<T: Serialize>(answer: &T) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(answer).map_err(|error| ApiError::internal(format!("cannot encode an answer as JSON: {error}")))
}

fn json_response(content: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(content));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of hints, the ETag is that of the same hints found in no time, whatever the
    /// texts in them are.
    #[test]
    fn etags_of_hints_leave_out_the_time() {
        let hints = |timing: &str| {
            let text = r#"\"elapsedMs\":7,\"position\":1"#;
            format!(r#"{{"hints":[{{"text":"{text}"}}],"nodes":3,{timing},"position":"{text}","toMove":"w"}}"#)
        };
        let found = hints(r#""elapsedMs":12.345,"cached":true"#);
        assert_eq!(hints_etag(found.as_bytes()), etag(hints(r#""elapsedMs":0.0,"cached":false"#).as_bytes()));
        assert_ne!(hints_etag(found.as_bytes()), hints_etag(found.replace("w", "b").as_bytes()));
    }
}
