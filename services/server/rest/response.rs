//! JSON responses; those to GET have an ETag and a cache policy.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use pentad_model::i18n::Language;
use serde::Serialize;

use super::middleware::RequestContext;
use crate::error::ApiError;

/// How long clients and proxies may reuse a response to GET.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CachePolicy {
    /// Revalidated on every use. That is the policy of all answers, proofs included: their
    /// addresses do not name the version of the rules, and a reload may correct these.
    Revalidate,
    /// The search was cut short, or chance decided: the next response may differ.
    Never,
    /// A file of the server itself, under the same name in every version.
    Hour,
    /// The content never changes: its path has a digest of it.
    Immutable,
}

impl CachePolicy {
    /// Answers to callers with a token become `private` on their way out (`access`).
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            CachePolicy::Revalidate => "no-cache",
            CachePolicy::Never => "no-store",
            CachePolicy::Hour => "public, max-age=3600",
            CachePolicy::Immutable => "public, max-age=31536000, immutable",
        })
    }
}

/// The ETags that the client has.
pub(crate) struct IfNoneMatch(Vec<HeaderValue>);

impl IfNoneMatch {
    pub(super) fn new(headers: &HeaderMap) -> IfNoneMatch {
        IfNoneMatch(headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect())
    }

    /// Compares weakly: `W/` does not count.
    fn matches(&self, etag: &str) -> bool {
        let mut known = self.0.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
        known.any(|known| known.trim() == "*" || known.trim().trim_start_matches("W/") == etag.trim_start_matches("W/"))
    }
}

/// A response to POST.
pub(crate) fn json<T: Serialize>(answer: &T) -> Result<Response, ApiError> {
    Ok(json_response(encode(answer)?))
}

/// A response to GET.
pub(crate) fn cacheable<T: Serialize>(context: &RequestContext, answer: &T) -> Result<Response, ApiError> {
    let content = encode(answer)?;
    with_etag(&context.if_none_match, &etag(&content), CachePolicy::Revalidate, || Ok(json_response(content)))
}

/// A response to GET with texts in the caller's language, on which its ETag depends.
pub(crate) fn cacheable_text<T: Serialize>(context: &RequestContext, answer: &T) -> Result<Response, ApiError> {
    let content = encode(answer)?;
    let etag = in_language(etag(&content), context.admitted.caller.language);
    with_etag(&context.if_none_match, &etag, CachePolicy::Revalidate, || Ok(json_response(content)))
}

/// The ETag of an answer with texts in the caller's language.
pub(crate) fn translated_etag<T: Serialize>(context: &RequestContext, answer: &T) -> Result<String, ApiError> {
    Ok(in_language(etag(&encode(answer)?), context.admitted.caller.language))
}

/// The full response, or 304 if the client has this ETag.
pub(crate) fn with_etag(
    if_none_match: &IfNoneMatch,
    etag: &str,
    policy: CachePolicy,
    full: impl FnOnce() -> Result<Response, ApiError>,
) -> Result<Response, ApiError> {
    let is_known = if_none_match.matches(etag);
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { full()? };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, policy.cache_control());
    if let Ok(etag) = HeaderValue::from_str(etag) {
        headers.insert(header::ETAG, etag);
    }
    Ok(response)
}

/// A weak ETag, since the bytes may be compressed: a 64-bit FNV-1a hash, which
/// need not resist attacks.
pub(crate) fn etag(content: &[u8]) -> String {
    format!("W/\"{:016x}\"", fnv1a(content))
}

/// The ETag of content in a language, different for each.
pub(crate) fn in_language(etag: String, language: Language) -> String {
    match language {
        Language::English => etag,
        other => format!("{}-{other}\"", etag.trim_end_matches('"')),
    }
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
