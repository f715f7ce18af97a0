//! Extracts questions from JSON bodies, strictly.
//!
//! An empty body stands for all defaults. Unknown fields are errors: a misspelt
//! `limts` would otherwise search for the default time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{HeaderMap, Uri, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{DeserializeOwned, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::json_error;
use crate::app::App;
use crate::error::ApiError;

/// Like [`axum::Json`], with our limits and errors.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<Arc<App>> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        check_no_query(&parts.uri)?;
        let bytes = read_json(&parts.headers, body, app).await?;
        if bytes.is_empty() {
            return Ok(Json(T::default()));
        }
        parse(&bytes).map(Json)
    }
}

/// Reads a body of JSON, within the limits of size and time. Fails if it is of another type.
pub(crate) async fn read_json(headers: &HeaderMap, body: axum::body::Body, app: &App) -> Result<Bytes, ApiError> {
    let read = read(body, app.config().body_bytes_max);
    let bytes = with_timeout(read, app.config().body_timeout_ms).await?;
    if !bytes.is_empty() {
        check_media_type(headers)?;
    }
    Ok(bytes)
}

/// Parameters in the address would be ignored, like misspelt fields.
pub(crate) fn check_no_query(uri: &Uri) -> Result<(), ApiError> {
    let Some(query) = uri.query().filter(|query| !query.is_empty()) else { return Ok(()) };
    let name = query.split(['=', '&']).next().unwrap_or_default();
    Err(ApiError::bad_request(name, "POST takes this from the body; send it there, or use GET"))
}

/// Without a bound a client that stops half-way would hold its call open.
async fn with_timeout(read: impl Future<Output = Result<Bytes, ApiError>>, timeout_ms: u64) -> Result<Bytes, ApiError> {
    let timed_out = |_| Err(ApiError::body_timeout(timeout_ms));
    timeout(Duration::from_millis(timeout_ms), read).await.unwrap_or_else(timed_out)
}

async fn read(body: axum::body::Body, bytes_max: usize) -> Result<Bytes, ApiError> {
    // A body that announces too much is refused before it is read, and before `100
    // Continue` is sent.
    if http_body::Body::size_hint(&body).lower() > bytes_max as u64 {
        return Err(ApiError::BodyTooLarge { bytes_max });
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(ApiError::BodyTooLarge { bytes_max }),
        Err(error) => Err(ApiError::bad_request("", format!("cannot read the body: {error}"))),
    }
}

fn check_media_type(headers: &HeaderMap) -> Result<(), ApiError> {
    check_media_type_of(headers, |essence| {
        essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
    })
}

/// Refuses encoded bodies, and those with a media type that is not allowed.
pub(crate) fn check_media_type_of(headers: &HeaderMap, is_allowed: impl Fn(&str) -> bool) -> Result<(), ApiError> {
    let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_lowercase());
    if let Some(found) = text(header::CONTENT_ENCODING).filter(|encoding| encoding != "identity") {
        return Err(ApiError::MediaType { found: format!("{found}-encoded bytes") });
    }
    let Some(found) = text(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = found.split(';').next().unwrap_or_default().trim();
    if is_allowed(essence) {
        return Ok(());
    }
    Err(ApiError::MediaType { found })
}

pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let malformed = |error: &serde_json::Error| {
        ApiError::bad_request("", format!("the body is not JSON: {}", json_error::malformed(error)))
    };
    // serde also deserialises structs from arrays, field by field.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
            Ok(_) => ApiError::bad_request("", "the body must be a JSON object"),
            Err(error) => malformed(&error),
        });
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let question = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| if error.inner().is_data() { wrong_field(&error) } else { malformed(error.inner()) })?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(question)
}

/// Reads a question from its fields.
pub(crate) fn from_object<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| wrong_field(&error))
}

fn wrong_field(error: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let field = field_path(&error.path().to_string(), &error.inner().to_string());
    let message = json_error::wrong_value(&field, error.inner());
    ApiError::bad_request(field, message)
}

/// The field's path. serde's path to an unknown field may or may not include
/// the field itself.
fn field_path(path: &str, message: &str) -> String {
    let path = if path == "." { "" } else { path };
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    match unknown {
        Some(name) if path.is_empty() => name.to_owned(),
        Some(name) if path != name && !path.ends_with(&format!(".{name}")) => format!("{path}.{name}"),
        _ => path.to_owned(),
    }
}

/// Deserialises an object or null; arrays are errors.
pub(crate) fn object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct ObjectOrNull<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectOrNull<T> {
        type Value = Option<T>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_unit<E>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }

    deserializer.deserialize_any(ObjectOrNull(std::marker::PhantomData))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::hints::HintsQuestion;

    fn rejection(body: &str) -> (Option<String>, String) {
        let error = parse::<HintsQuestion>(body.as_bytes()).unwrap_err();
        (error.details().field, error.to_string())
    }

    /// Null and absent mean the same.
    #[test]
    fn null_means_not_given() {
        let question: HintsQuestion = parse(br#"{"position": null, "limits": null, "moves": ["a"]}"#).unwrap();
        assert!(question.position.is_none() && question.limits.is_none());
        assert_eq!(question.moves.unwrap(), ["a"]);
        let question: HintsQuestion = parse(br#"{"limits": {"timeMs": 5}}"#).unwrap();
        assert_eq!(question.limits.unwrap().time_ms, Some(5));
    }

    /// Every error names the field by its path.
    #[test]
    fn errors_name_the_field() {
        for (body, field) in [
            (r#"{"colour": 1}"#, "colour"),
            (r#"{"limits": {"timems": 1}}"#, "limits.timems"),
            (r#"{"limits": {"timeMs": "1"}}"#, "limits.timeMs"),
            (r#"{"limits": {"timeMs": -1}}"#, "limits.timeMs"),
            (r#"{"limits": {"timeMs": 1.5}}"#, "limits.timeMs"),
            (r#"{"limits": [1, 2, 3]}"#, "limits"),
            (r#"{"moves": "a"}"#, "moves"),
            (r#"{"moves": ["a", 7]}"#, "moves[1]"),
            (r#"{"detail": "all"}"#, "detail"),
        ] {
            let (found, message) = rejection(body);
            assert_eq!(found.as_deref(), Some(field), "{body}: {message}");
        }
    }

    /// Malformed JSON is located; JSON that is not an object says so.
    #[test]
    fn malformed_json_is_located() {
        let (field, message) = rejection("{\n \"position\": oops}");
        assert_eq!(field, None);
        assert!(message.starts_with("the body is not JSON") && message.contains("line 2, column"), "{message}");
        for body in ["[]", "\"x\"", "7", "null", " [\"standard\"]"] {
            assert_eq!(rejection(body).1, "the body must be a JSON object", "{body}");
        }
        assert!(rejection("{} x").1.starts_with("the body is not JSON"));
        assert!(parse::<HintsQuestion>(b"{\"position\": \"\xff\"}").is_err());
    }
}
