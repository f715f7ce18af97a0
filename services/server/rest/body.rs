//! Questions in a JSON body, read strictly.
//!
//! An empty body asks with every default. Unknown fields are refused: a
//! misspelt `limts` would otherwise search for the default time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{DeserializeOwned, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use tokio::time::timeout;

use crate::app::App;
use crate::error::ApiError;

/// A question from the body.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned + Default> FromRequest<Arc<App>> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let read = read(body, app.config.body_bytes_max);
        let bytes = in_time(read, app.config.body_timeout_ms).await?;
        if bytes.is_empty() {
            return Ok(Json(T::default()));
        }
        check_media_type(&parts.headers)?;
        parse(&bytes).map(Json)
    }
}

/// Without a limit a client that stops half-way would hold its call open.
async fn in_time(read: impl Future<Output = Result<Bytes, ApiError>>, timeout_ms: u64) -> Result<Bytes, ApiError> {
    let late = |_| Err(ApiError::body_late(timeout_ms));
    timeout(Duration::from_millis(timeout_ms), read).await.unwrap_or_else(late)
}

async fn read(body: axum::body::Body, bytes_max: usize) -> Result<Bytes, ApiError> {
    match Limited::new(body, bytes_max).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(ApiError::BodyTooLarge { bytes_max }),
        Err(error) => Err(ApiError::bad_request("", format!("the body cannot be read: {error}"))),
    }
}

fn check_media_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_lowercase());
    if let Some(found) = text(header::CONTENT_ENCODING).filter(|encoding| encoding != "identity") {
        return Err(ApiError::MediaType { found: format!("{found}-encoded bytes") });
    }
    let Some(found) = text(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = found.split(';').next().unwrap_or_default().trim();
    if essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json")) {
        return Ok(());
    }
    Err(ApiError::MediaType { found })
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let malformed = |error: &serde_json::Error| ApiError::bad_request("", format!("the body is not JSON: {error}"));
    // serde would also take an array for an object, field by field.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
            Ok(_) => ApiError::bad_request("", "the body must be a JSON object"),
            Err(error) => malformed(&error),
        });
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let question = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        if error.inner().is_data() {
            let message = error.inner().to_string();
            ApiError::bad_request(field_of(&error.path().to_string(), &message), message)
        } else {
            malformed(error.inner())
        }
    })?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(question)
}

/// The field's path; the path to an unknown field ends before it, or at it.
fn field_of(path: &str, message: &str) -> String {
    let path = if path == "." { "" } else { path };
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    match unknown {
        Some(name) if path.is_empty() => name.to_owned(),
        Some(name) if path != name && !path.ends_with(&format!(".{name}")) => format!("{path}.{name}"),
        _ => path.to_owned(),
    }
}

/// An object or null, and not an array that happens to fit.
pub(super) fn object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
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
    use super::super::types::HintsQuestion;
    use super::*;

    fn refused(body: &str) -> (Option<String>, String) {
        let error = parse::<HintsQuestion>(body.as_bytes()).unwrap_err();
        (error.evidence().field, error.to_string())
    }

    /// Null and absent are the same.
    #[test]
    fn null_means_not_given() {
        let asked: HintsQuestion = parse(br#"{"position": null, "limits": null, "moves": ["a"]}"#).unwrap();
        assert!(asked.position.is_none() && asked.limits.is_none());
        assert_eq!(asked.moves.unwrap(), ["a"]);
        let asked: HintsQuestion = parse(br#"{"limits": {"timeMs": 5}}"#).unwrap();
        assert_eq!(asked.limits.unwrap().time_ms, Some(5));
    }

    /// Every refusal names the field by its path.
    #[test]
    fn refusals_name_the_field() {
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
            let (found, message) = refused(body);
            assert_eq!(found.as_deref(), Some(field), "{body}: {message}");
        }
    }

    /// What is not JSON says where; what is JSON but no object says so.
    #[test]
    fn malformed_bodies_say_where() {
        let (field, message) = refused("{\n \"position\": oops}");
        assert_eq!(field, None);
        assert!(message.starts_with("the body is not JSON") && message.contains("line 2 column"), "{message}");
        for body in ["[]", "\"x\"", "7", "null", " [\"standard\"]"] {
            assert_eq!(refused(body).1, "the body must be a JSON object", "{body}");
        }
        assert!(refused("{} x").1.starts_with("the body is not JSON"));
        assert!(parse::<HintsQuestion>(b"{\"position\": \"\xff\"}").is_err());
    }
}
