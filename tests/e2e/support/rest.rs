//! HTTP responses, whose `Debug` shows status, headers and body in failed assertions.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::failure::Failure;
use super::{TIMEOUT, TestServer};

/// A complete response.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Removes the fields that are null, which gRPC leaves out.
pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let present = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(present.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        plain => plain,
    }
}

/// Returns a client that follows no redirects.
pub(crate) fn client() -> reqwest::Client {
    let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT);
    builder.build().expect("these options go together")
}

/// Returns a minimal request of tic-tac-toe for a path of `/openapi.json`; only a comparison
/// has required fields.
pub(crate) fn least_request(server: &TestServer, method: &str, path: &str) -> reqwest::RequestBuilder {
    let url = server.rest_url(&path.replace("{game}", "tictactoe"));
    let request = server.http.request(method.to_uppercase().parse().expect("a method"), url);
    if path.ends_with("/compare") { request.json(&json!({"compareMoves": ["a1", "b2"]})) } else { request }
}

/// Sends a request and reads the response to its end.
pub(crate) async fn send(request: reqwest::RequestBuilder) -> Reply {
    let response = request.send().await.expect("the server answers");
    let (status, headers) = (response.status(), response.headers().clone());
    Reply { status, headers, body: response.bytes().await.expect("the answer is complete") }
}

impl Reply {
    /// Panics unless the status is 200.
    #[track_caller]
    pub(crate) fn ok(self) -> Reply {
        self.expect(200)
    }

    /// Panics unless the status is this one.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Reply {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap_or_else(|_| panic!("not UTF-8: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// Returns a header's value, or the empty string.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("headers are ASCII"))
    }

    /// Returns the problem document of a failure; panics unless it is well-formed.
    #[track_caller]
    pub(crate) fn problem(&self) -> Failure {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        let problem = self.json();
        assert_eq!(problem["status"], self.status.as_u16(), "{self:?}");
        assert_eq!(problem["requestId"], self.header("x-request-id"), "{self:?}");
        assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()), "{self:?}");
        Failure::from_problem(&problem)
    }

    /// Returns the JSON of a success, or the problem of a failure.
    #[track_caller]
    pub(crate) fn answer(&self) -> Result<Value, Box<Failure>> {
        if self.status.is_success() { Ok(self.json()) } else { Err(Box::new(self.problem())) }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        let shown: String = body.chars().take(2000).collect();
        write!(f, "{} {:?}\n{shown}", self.status, self.headers)
    }
}

/// Converts a request body to query parameters: lists repeat their name, each limit is a
/// parameter.
pub(crate) fn query(body: &Value) -> String {
    let mut pairs = Vec::new();
    for (name, value) in body.as_object().expect("request bodies are objects") {
        match value {
            Value::Array(items) => pairs.extend(items.iter().map(|item| pair(name, item))),
            Value::Object(limits) => pairs.extend(limits.iter().map(|(name, value)| pair(name, value))),
            value => pairs.push(pair(name, value)),
        }
    }
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

fn pair(name: &str, value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    format!("{name}={}", utf8_percent_encode(&text, NON_ALPHANUMERIC))
}
