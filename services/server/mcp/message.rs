//! JSON-RPC 2.0 messages, as the Model Context Protocol restricts them: ids are strings or
//! integers, and parameters are objects.

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::rest::json_error;

pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;
pub(super) const INTERNAL_ERROR: i64 = -32603;
/// Headers do not match the body, since revision 2026-07-28.
pub(super) const HEADER_MISMATCH: i64 = -32020;
/// Since revision 2026-07-28.
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;
/// Up to revision 2025-11-25; [`INVALID_PARAMS`] since.
pub(super) const RESOURCE_NOT_FOUND: i64 = -32002;

/// A message from a client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Request(RpcRequest),
    Notification { method: String, params: Map<String, Value> },
}

#[derive(Debug, PartialEq)]
pub(super) struct RpcRequest {
    /// A string or an integer.
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RpcError {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Value>,
    /// The HTTP status, where there is one.
    pub(super) status: StatusCode,
}

/// A message that is no request and no notification; `id` is null if it has none.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed {
    pub(super) id: Value,
    pub(super) error: RpcError,
}

impl RpcError {
    /// Creates the error of a well-formed message.
    pub(super) fn new(code: i64, message: impl Into<String>) -> RpcError {
        RpcError { code, message: message.into(), data: None, status: StatusCode::OK }
    }

    /// Creates the error of a message that breaks the rules of the protocol.
    pub(super) fn malformed(code: i64, message: impl Into<String>) -> RpcError {
        RpcError { status: StatusCode::BAD_REQUEST, ..RpcError::new(code, message) }
    }

    #[must_use]
    pub(super) fn with_data(self, data: Value) -> RpcError {
        RpcError { data: Some(data), ..self }
    }

    /// Returns the response to the request with this id.
    pub(super) fn into_response(self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// Returns the response to the request with this id.
pub(super) fn result_response(id: &Value, result: Value) -> Value {
    let mut response = json!({ "jsonrpc": "2.0", "id": id });
    response["result"] = result;
    response
}

impl Message {
    pub(super) fn parse(text: &[u8]) -> Result<Message, Malformed> {
        let refused = |id: Value, code, message: String| Malformed { id, error: RpcError::malformed(code, message) };
        let invalid = |id: Value, message: &str| refused(id, INVALID_REQUEST, message.to_owned());
        let value = serde_json::from_slice(text).map_err(|error| {
            refused(Value::Null, PARSE_ERROR, format!("the message is not JSON: {}", json_error::malformed(&error)))
        })?;
        let mut fields = match value {
            Value::Object(fields) => fields,
            Value::Array(_) => {
                let message = "batches are not supported; send each message by itself, as since revision 2025-06-18";
                return Err(invalid(Value::Null, message));
            }
            _ => return Err(invalid(Value::Null, "a message must be a JSON object")),
        };
        let id = match fields.remove("id") {
            Some(id) if is_id(&id) => Some(id),
            Some(_) => return Err(invalid(Value::Null, "`id` must be a string or an integer")),
            None => None,
        };
        let known_id = || id.clone().unwrap_or(Value::Null);
        if fields.get("jsonrpc") != Some(&json!("2.0")) {
            return Err(invalid(known_id(), "`jsonrpc` must be \"2.0\""));
        }
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return Err(invalid(known_id(), "`method` must be a string")),
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Err(invalid(Value::Null, "this server sends no requests, so it takes no responses"));
            }
            None => return Err(invalid(known_id(), "`method` is missing")),
        };
        let params = match fields.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(Value::Array(_)) => {
                return Err(refused(known_id(), INVALID_PARAMS, "`params` must be an object, not a list".to_owned()));
            }
            Some(_) => return Err(invalid(known_id(), "`params` must be an object")),
        };
        Ok(match id {
            Some(id) => Message::Request(RpcRequest { id, method, params }),
            None => Message::Notification { method, params },
        })
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn malformed(text: &str) -> (Value, i64, String) {
        let Malformed { id, error } = Message::parse(text.as_bytes()).expect_err(text);
        assert_eq!(error.status, StatusCode::BAD_REQUEST, "{text}");
        (id, error.code, error.message)
    }

    #[test]
    fn requests_and_notifications_are_told_apart_by_their_id() {
        for id in [json!(0), json!(-7), json!("a"), json!("")] {
            let text = json!({"jsonrpc": "2.0", "id": id, "method": "ping", "params": {"a": 1}}).to_string();
            let Ok(Message::Request(request)) = Message::parse(text.as_bytes()) else { panic!("{text}") };
            assert_eq!((request.id, &*request.method, &request.params["a"]), (id, "ping", &json!(1)));
        }
        let text = br#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
        let expected = Message::Notification { method: "notifications/initialized".to_owned(), params: Map::new() };
        assert_eq!(Message::parse(text), Ok(expected));
    }

    /// Every malformed message gets the code of JSON-RPC, its id if it has one, and says why.
    #[test]
    fn malformed_messages_say_why() {
        let none = Value::Null;
        for (text, id, code, part) in [
            ("", none.clone(), PARSE_ERROR, "ends too early"),
            ("{\"jsonrpc\": \"2.0\", oops}", none.clone(), PARSE_ERROR, "line 1, column 20"),
            ("[]", none.clone(), INVALID_REQUEST, "batches are not supported"),
            (r#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#, none.clone(), INVALID_REQUEST, "by itself"),
            ("7", none.clone(), INVALID_REQUEST, "must be a JSON object"),
            (r#"{"id": 1, "method": "ping"}"#, json!(1), INVALID_REQUEST, "`jsonrpc`"),
            (r#"{"jsonrpc": "1.0", "id": "x", "method": "ping"}"#, json!("x"), INVALID_REQUEST, "`jsonrpc`"),
            (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, none.clone(), INVALID_REQUEST, "`id`"),
            (r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#, none.clone(), INVALID_REQUEST, "`id`"),
            (r#"{"jsonrpc": "2.0", "id": 3}"#, json!(3), INVALID_REQUEST, "`method` is missing"),
            (r#"{"jsonrpc": "2.0", "id": 3, "method": 7}"#, json!(3), INVALID_REQUEST, "must be a string"),
            (r#"{"jsonrpc": "2.0", "id": 3, "result": {}}"#, none, INVALID_REQUEST, "takes no responses"),
            (r#"{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": 1}"#, json!(3), INVALID_REQUEST, "`params`"),
            (r#"{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": []}"#, json!(3), INVALID_PARAMS, "not a list"),
        ] {
            let (found_id, found_code, message) = malformed(text);
            assert_eq!((found_id, found_code), (id, code), "{text}: {message}");
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
