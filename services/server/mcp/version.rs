//! Revisions of the protocol.
//!
//! Up to 2025-11-25 a client begins with `initialize`, which agrees on a revision; on HTTP,
//! later requests name it in a header. Since 2026-07-28 there is no such beginning: every
//! request names its revision and the client's capabilities in `_meta`. Both kinds of
//! clients are served at the same time, and nothing is kept for either.

use serde_json::{Map, Value, json};

use super::message::{INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION};

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A revision of the protocol; later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Version {
    const ALL: [Version; 5] =
        [Version::V2026_07_28, Version::V2025_11_25, Version::V2025_06_18, Version::V2025_03_26, Version::V2024_11_05];
    /// What a client that asks for an unknown revision gets from `initialize`.
    pub(super) const LATEST_WITH_HANDSHAKE: Version = Version::V2025_11_25;
    /// The revision of HTTP requests without a header, by the specification.
    pub(super) const WITHOUT_HEADER: Version = Version::V2025_03_26;

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Version::V2024_11_05 => "2024-11-05",
            Version::V2025_03_26 => "2025-03-26",
            Version::V2025_06_18 => "2025-06-18",
            Version::V2025_11_25 => "2025-11-25",
            Version::V2026_07_28 => "2026-07-28",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Version> {
        Version::ALL.into_iter().find(|version| version.as_str() == text)
    }

    /// Whether every request names its revision, instead of one that begins a session.
    pub(super) fn is_stateless(self) -> bool {
        self >= Version::V2026_07_28
    }

    /// Whether results may link to resources.
    pub(super) fn has_resource_links(self) -> bool {
        self >= Version::V2025_06_18
    }

    /// Returns the revision that `initialize` agrees on: the requested one if it is known and has
    /// that method.
    pub(super) fn negotiate(requested: &str) -> Version {
        let known = Version::parse(requested).filter(|version| !version.is_stateless());
        known.unwrap_or(Version::LATEST_WITH_HANDSHAKE)
    }

    /// Returns the revisions that a request may name in `_meta`, the latest first.
    pub(super) fn stateless() -> Vec<&'static str> {
        Version::ALL.into_iter().filter(|it| it.is_stateless()).map(Version::as_str).collect()
    }

    /// Returns the revision that a request names in `_meta`, if it names one.
    pub(super) fn of_request(params: &Map<String, Value>) -> Result<Option<Version>, RpcError> {
        let Some(meta) = params.get("_meta") else { return Ok(None) };
        let Some(meta) = meta.as_object() else {
            return Err(RpcError::malformed(INVALID_PARAMS, "`_meta` must be an object"));
        };
        let version = match meta.get(META_VERSION) {
            None => return Ok(None),
            Some(Value::String(version)) => version,
            Some(_) => {
                return Err(RpcError::malformed(INVALID_PARAMS, format!("`_meta.{META_VERSION}` must be a string")));
            }
        };
        let Some(version) = Version::parse(version).filter(|version| version.is_stateless()) else {
            return Err(unsupported(version));
        };
        match meta.get(META_CAPABILITIES) {
            Some(Value::Object(_)) => Ok(Some(version)),
            Some(_) => {
                let message = format!("`_meta.{META_CAPABILITIES}` must be an object");
                Err(RpcError::malformed(INVALID_PARAMS, message))
            }
            None => {
                let message = format!("`_meta.{META_CAPABILITIES}` is missing; it may be {{}}");
                Err(RpcError::malformed(INVALID_PARAMS, message))
            }
        }
    }

    /// Returns the error of a request in a stateless revision that does not name it.
    pub(super) fn missing_meta() -> RpcError {
        RpcError::malformed(INVALID_PARAMS, format!("`_meta.{META_VERSION}` is missing"))
    }
}

/// Returns the error of a request for a revision that is not served, or not without `initialize`.
pub(super) fn unsupported(requested: &str) -> RpcError {
    let supported = Version::stateless();
    let message = format!(
        "unsupported protocol version `{requested}`: requests without `initialize` may name {}; earlier versions, \
         from {}, begin with it",
        supported.join(", "),
        Version::V2024_11_05.as_str()
    );
    let data = json!({ "supported": supported, "requested": requested });
    RpcError::malformed(UNSUPPORTED_VERSION, message).with_data(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(meta: &Value) -> Result<Option<Version>, (i64, String)> {
        let params = json!({ "_meta": meta });
        Version::of_request(params.as_object().expect("an object")).map_err(|error| (error.code, error.message))
    }

    /// Known revisions are agreed on; others get the latest that begins with `initialize`.
    #[test]
    fn versions_are_negotiated() {
        for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            assert_eq!(Version::negotiate(version).as_str(), version);
        }
        for version in ["2026-07-28", "1999-01-01", "", "2025-11-25 "] {
            assert_eq!(Version::negotiate(version).as_str(), "2025-11-25", "{version}");
        }
        assert!(Version::ALL.is_sorted_by(|a, b| a > b), "the latest comes first");
    }

    #[test]
    fn requests_name_their_version() {
        let named = |version: &str| json!({ META_VERSION: version, META_CAPABILITIES: {} });
        assert_eq!(of(&named("2026-07-28")), Ok(Some(Version::V2026_07_28)));
        assert_eq!(of(&json!({ "progressToken": 1 })), Ok(None));
        assert_eq!(Version::of_request(&Map::new()), Ok(None));
        for (meta, code, part) in [
            (named("2030-01-01"), UNSUPPORTED_VERSION, "may name 2026-07-28"),
            (named("2025-11-25"), UNSUPPORTED_VERSION, "begin with it"),
            (json!(7), INVALID_PARAMS, "`_meta` must be an object"),
            (json!({ META_VERSION: 7 }), INVALID_PARAMS, "must be a string"),
            (json!({ META_VERSION: "2026-07-28" }), INVALID_PARAMS, "clientCapabilities` is missing"),
            (json!({ META_VERSION: "2026-07-28", META_CAPABILITIES: 1 }), INVALID_PARAMS, "must be an object"),
        ] {
            let (found, message) = of(&meta).expect_err("it is refused");
            assert!(found == code && message.contains(part), "{meta}: {found} {message}");
        }
        let data = unsupported("2030-01-01").data.expect("the supported versions");
        assert_eq!(data, json!({"supported": ["2026-07-28"], "requested": "2030-01-01"}));
    }
}
