//! Streamable HTTP without sessions: a POST for each message, answered with JSON.
//!
//! The request for `/mcp` passes the middleware of REST, which checks origin, host and token.
//! The requests of a tool pass it again with the headers of that request, so they are
//! admitted, charged, measured and logged like those of any caller. If the client closes the
//! connection, the handler is dropped, and with it the work for the tool.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use bytes::Bytes;
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full};
use pentad_engine::Trace;
use serde_json::Value;
use tower::ServiceExt as _;

use super::message::{HEADER_MISMATCH, METHOD_NOT_FOUND, Malformed, Message, RpcError, RpcRequest, result_response};
use super::routes::{RouteReply, Routes};
use super::server;
use super::tools::ToolSet;
use super::version::{self, Version};
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::error::ApiError;
use crate::listen::PeerAddress;
use crate::rest::{accepts, body};
use crate::{request_id, rest};

const PATH: &str = "/mcp";

const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const JSON: &str = "application/json";

/// Headers that the requests of a tool take from the client's.
const FORWARDED: [HeaderName; 10] = [
    header::AUTHORIZATION,
    header::HOST,
    header::ORIGIN,
    header::REFERER,
    HeaderName::from_static("sec-fetch-site"),
    header::ACCEPT_LANGUAGE,
    header::CACHE_CONTROL,
    header::USER_AGENT,
    request_id::HEADER,
    HeaderName::from_static("tracestate"),
];

/// Returns the route of the protocol. Its tools call the routes of `app`.
pub(crate) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let calls = rest::calls(app);
    let handle = move |State(app): State<Arc<App>>, request: Request| {
        let calls = calls.clone();
        async move { handle(&app, calls, request).await }
    };
    Router::new().route(PATH, post(handle))
}

async fn handle(app: &App, calls: Router, request: Request) -> Result<Response, ApiError> {
    let (parts, content) = request.into_parts();
    let tools = ToolSet::from_query(parts.uri.query().unwrap_or_default())
        .map_err(|(field, message)| ApiError::bad_request(field, message))?;
    if !accepts(&parts.headers, JSON) {
        return Err(ApiError::NotAcceptable { formats: JSON });
    }
    let content = body::read_json(&parts.headers, content, app).await?;
    let request = match Message::parse(&content) {
        Ok(Message::Request(request)) => request,
        // There is nothing to do: closing the connection cancels, and nothing is kept.
        Ok(Message::Notification { .. }) => return Ok(StatusCode::ACCEPTED.into_response()),
        Err(Malformed { id, error }) => return Ok(refusal(&id, error)),
    };
    let id = request.id.clone();
    let version = match version_of(&request, &parts.headers) {
        Ok(version) => version,
        Err(error) => return Ok(refusal(&id, error)),
    };
    let routes = CallerRoutes { calls, parts: &parts };
    Ok(match server::respond(request, version, &tools, &routes).await {
        Ok(result) => json_response(StatusCode::OK, &result_response(&id, result)),
        Err(error) if error.code == METHOD_NOT_FOUND && version.is_stateless() => {
            refusal(&id, RpcError { status: StatusCode::NOT_FOUND, ..error })
        }
        Err(error) => refusal(&id, error),
    })
}

/// Returns the revision that a request follows, which its headers and its body have to agree
/// on.
fn version_of(request: &RpcRequest, headers: &HeaderMap) -> Result<Version, RpcError> {
    let in_header = headers.get(VERSION_HEADER).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let named = Version::of_request(&request.params);
    let of_header = in_header.as_deref().and_then(Version::parse);
    match (named?, in_header) {
        (Some(version), Some(header)) if header == version.as_str() => {
            check_headers(request, headers)?;
            Ok(version)
        }
        (Some(version), Some(header)) => Err(mismatch(&VERSION_HEADER, &header, version.as_str())),
        (Some(_), None) => Err(missing(&VERSION_HEADER)),
        // It agrees on a revision in its body.
        (None, _) if request.method == "initialize" => Ok(Version::LATEST_WITH_HANDSHAKE),
        (None, None) => Ok(Version::WITHOUT_HEADER),
        (None, Some(header)) => match of_header {
            Some(version) if version.is_stateless() => Err(Version::missing_meta()),
            Some(version) => Ok(version),
            None => Err(version::unsupported(&header)),
        },
    }
}

/// Checks the headers that repeat parts of the body, since revision 2026-07-28.
fn check_headers(request: &RpcRequest, headers: &HeaderMap) -> Result<(), RpcError> {
    let check = |name: &HeaderName, expected: &str| {
        let Some(value) = headers.get(name) else { return Err(missing(name)) };
        let found = decoded(&String::from_utf8_lossy(value.as_bytes()));
        if found.as_deref() == Some(expected) {
            return Ok(());
        }
        Err(mismatch(name, found.as_deref().unwrap_or("(not base64 of UTF-8)"), expected))
    };
    check(&METHOD_HEADER, &request.method)?;
    let name = match &*request.method {
        "tools/call" => request.params.get("name"),
        "resources/read" => request.params.get("uri"),
        _ => None,
    };
    name.and_then(Value::as_str).map_or(Ok(()), |name| check(&NAME_HEADER, name))
}

fn missing(name: &HeaderName) -> RpcError {
    RpcError::malformed(HEADER_MISMATCH, format!("Header mismatch: the header `{name}` is missing"))
}

fn mismatch(name: &HeaderName, found: &str, expected: &str) -> RpcError {
    let message = format!("Header mismatch: `{name}` is `{found}`, but the body has `{expected}`");
    RpcError::malformed(HEADER_MISMATCH, message)
}

/// Decodes `=?base64?…?=`, in which clients send what a header cannot have as it is.
fn decoded(value: &str) -> Option<String> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.to_owned());
    };
    String::from_utf8(base64(encoded)?).ok()
}

/// Decodes base64 (RFC 4648, section 4).
fn base64(text: &str) -> Option<Vec<u8>> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let (mut bits, mut n_bits, mut bytes) = (0_u32, 0, Vec::with_capacity(digits.len()));
    for digit in digits.bytes() {
        let value = ALPHABET.iter().position(|it| *it == digit)?;
        bits = bits << 6 | value as u32;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
            bits &= (1 << n_bits) - 1;
        }
    }
    (bits == 0).then_some(bytes)
}

fn refusal(id: &Value, error: RpcError) -> Response {
    let status = error.status;
    json_response(status, &error.into_response(id))
}

fn json_response(status: StatusCode, message: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-store")];
    (status, headers, message.to_string()).into_response()
}

/// The routes of REST for the caller of a request.
struct CallerRoutes<'a> {
    calls: Router,
    parts: &'a Parts,
}

impl CallerRoutes<'_> {
    /// Gives a request the caller's identity.
    fn addressed(&self, request: http::Request<Full<Bytes>>) -> http::Request<Body> {
        let mut request = request.map(Body::new);
        *request.version_mut() = self.parts.version;
        for name in FORWARDED {
            for value in self.parts.headers.get_all(&name) {
                request.headers_mut().append(&name, value.clone());
            }
        }
        // They are parts of that call.
        let trace = self.parts.extensions.get::<Trace>().and_then(Trace::traceparent);
        if let Some(trace) = trace.and_then(|trace| HeaderValue::try_from(trace).ok()) {
            request.headers_mut().insert(TRACEPARENT, trace);
        }
        // HTTP/2 has the host there.
        let mut uri = self.parts.uri.clone().into_parts();
        uri.path_and_query = request.uri().path_and_query().cloned().or(Some(PathAndQuery::from_static("/")));
        if let Ok(uri) = Uri::from_parts(uri) {
            *request.uri_mut() = uri;
        }
        let (from, to) = (&self.parts.extensions, request.extensions_mut());
        if let Some(address) = from.get::<ClientAddress>() {
            to.insert(*address);
        }
        if let Some(address) = from.get::<PeerAddress>() {
            to.insert(*address);
        }
        request
    }
}

impl Routes for CallerRoutes<'_> {
    fn send(&self, request: http::Request<Full<Bytes>>, _time_ms: u64) -> RouteReply<'_> {
        let (calls, request) = (self.calls.clone(), self.addressed(request));
        Box::pin(async move {
            let (parts, body) = calls.oneshot(request).await.unwrap_or_else(|never| match never {}).into_parts();
            let body = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
            Ok(http::Response::from_parts(parts, body))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn request(method: &str, params: Value) -> RpcRequest {
        let params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        RpcRequest { id: json!(1), method: method.to_owned(), params }
    }

    fn version(request: &RpcRequest, headers: &[(&'static str, &str)]) -> Result<Version, i64> {
        let header = |(name, value): &(&'static str, &str)| (HeaderName::from_static(name), value.parse().unwrap());
        version_of(request, &headers.iter().map(header).collect()).map_err(|error| error.code)
    }

    /// Older clients name their revision in a header or not at all; newer ones in every body,
    /// with headers that agree.
    #[test]
    fn headers_and_body_agree_on_the_version() {
        let old = request("tools/list", json!({}));
        assert_eq!(version(&old, &[]), Ok(Version::V2025_03_26));
        assert_eq!(version(&old, &[("mcp-protocol-version", "2025-06-18")]), Ok(Version::V2025_06_18));
        assert_eq!(version(&old, &[("mcp-protocol-version", "2031-01-01")]), Err(-32022));
        assert_eq!(version(&old, &[("mcp-protocol-version", "2026-07-28")]), Err(-32602));
        let first = request("initialize", json!({"protocolVersion": "2031-01-01"}));
        assert_eq!(version(&first, &[("mcp-protocol-version", "2031-01-01")]), Ok(Version::V2025_11_25));
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}});
        let new = request("tools/call", json!({"_meta": meta, "name": "hint"}));
        let (known, method) = (("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"));
        assert_eq!(version(&new, &[known, method, ("mcp-name", "hint")]), Ok(Version::V2026_07_28));
        assert_eq!(version(&new, &[known, method, ("mcp-name", "=?base64?aGludA==?=")]), Ok(Version::V2026_07_28));
        for headers in [
            &[][..],
            &[known],
            &[known, method],
            &[known, method, ("mcp-name", "games")],
            &[known, method, ("mcp-name", "=?base64?aGlu?=")],
            &[known, method, ("mcp-name", "=?base64?!?=")],
            &[known, ("mcp-method", "tools/list"), ("mcp-name", "hint")],
            &[("mcp-protocol-version", "2025-11-25"), method, ("mcp-name", "hint")],
        ] {
            assert_eq!(version(&new, headers), Err(-32020), "{headers:?}");
        }
    }

    /// The examples of RFC 4648, and what is not base64.
    #[test]
    fn base64_is_decoded() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        for text in ["Z", "Zg", "Zg=", "Zh==", "Zm9v=", "====", "Z!==", "Zm9vYg=="[1..].trim_end_matches('=')] {
            assert_eq!(base64(text), None, "{text}");
        }
        assert_eq!(decoded("plain").as_deref(), Some("plain"));
        assert_eq!(decoded("=?base64?8J+YgA==?=").as_deref(), Some("😀"));
    }
}
