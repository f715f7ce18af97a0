//! Sends the requests of tools to the API.

use std::pin::Pin;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::Full;
use serde_json::{Map, Value};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The routes of REST, in this process or on another server. Dropping a request stops the
/// work for it.
pub(crate) trait Routes: Sync {
    /// Sends a request whose answer may take `time_ms` and a while. Fails with a sentence if
    /// there is no answer.
    fn send(&self, request: Request<Full<Bytes>>, time_ms: u64) -> RouteReply<'_>;
}

/// A response, with its whole body.
pub(crate) type RouteReply<'a> = Pin<Box<dyn Future<Output = Result<http::Response<Bytes>, String>> + Send + 'a>>;

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The API refused it: a problem (RFC 9457).
    Problem(Value),
    /// The API was not reached, or its answer could not be read.
    Failure(String),
}

/// Asks for a page of the API.
pub(super) async fn get(routes: &dyn Routes, path: &str) -> Result<Value, NoAnswer> {
    json(&text(routes, Method::GET, path, &Map::new()).await?)
}

/// Asks for a page of the API that is text.
pub(super) async fn get_text(routes: &dyn Routes, path: &str) -> Result<String, NoAnswer> {
    let body = text(routes, Method::GET, path, &Map::new()).await?;
    String::from_utf8(body.into()).map_err(|_| unreadable("it is not UTF-8"))
}

/// Asks a question. A stream answers with one object.
pub(super) async fn post(routes: &dyn Routes, path: &str, question: &Map<String, Value>) -> Result<Value, NoAnswer> {
    json(&text(routes, Method::POST, path, question).await?)
}

async fn text(
    routes: &dyn Routes,
    method: Method,
    path: &str,
    question: &Map<String, Value>,
) -> Result<Bytes, NoAnswer> {
    let mut request = Request::builder().method(&method).uri(path);
    let mut body = Bytes::new();
    if method == Method::POST {
        request = request.header(header::CONTENT_TYPE, JSON).header(header::ACCEPT, JSON);
        body = serde_json::to_vec(question).unwrap_or_default().into();
    }
    let request = request.body(Full::new(body)).map_err(|error| unreadable(&error.to_string()))?;
    let response = routes.send(request, time_ms(question)).await.map_err(NoAnswer::Failure)?;
    let status = response.status();
    if status == StatusCode::OK {
        return Ok(response.into_body());
    }
    match json(response.body()) {
        Ok(problem) if problem["reason"].is_string() => Err(NoAnswer::Problem(problem)),
        _ => Err(unreadable(&format!("the status is {status}"))),
    }
}

fn json(body: &[u8]) -> Result<Value, NoAnswer> {
    serde_json::from_slice(body).map_err(|error| unreadable(&error.to_string()))
}

fn unreadable(why: &str) -> NoAnswer {
    NoAnswer::Failure(format!("the answer cannot be read: {why}"))
}

/// Returns the time that an answer may take at least, in milliseconds.
fn time_ms(question: &Map<String, Value>) -> u64 {
    let limit = question.get("limits").and_then(|limits| limits.get("timeMs"));
    limit.or_else(|| question.get("totalTimeMs")).and_then(Value::as_u64).unwrap_or(0)
}
