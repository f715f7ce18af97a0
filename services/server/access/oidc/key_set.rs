//! A provider's public keys, as a JSON Web Key Set (RFC 7517).

use std::fmt;
use std::path::{Path, PathBuf};

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};

/// A larger set is refused; providers have a few keys, of less than 1 kB each.
pub(super) const BYTES_MAX: usize = 256 * 1024;
const KEYS_MAX: usize = 64;

/// Why a key set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeySetError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// From reading it.
        error: std::io::Error,
    },
    /// It is not a key set, is too large, or has no usable key.
    #[error("{place}: {message}")]
    Unusable {
        /// The file or URL.
        place: String,
        /// What is wrong.
        message: String,
    },
}

/// The keys that may have signed a token.
#[derive(Default)]
pub(super) struct KeySet {
    keys: Vec<NamedKey>,
}

struct NamedKey {
    id: Option<String>,
    key: SigningKey,
}

/// A key and the only algorithm it is for.
#[derive(Clone)]
pub(super) struct SigningKey {
    pub(super) key: DecodingKey,
    pub(super) algorithm: Algorithm,
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|key| &key.id)).finish()
    }
}

impl KeySet {
    pub(super) fn read(path: &Path) -> Result<KeySet, KeySetError> {
        let unreadable = |error| KeySetError::Unreadable { path: path.to_owned(), error };
        let bytes = crate::settings_file::read(path).map_err(unreadable)?;
        let unusable = |message| KeySetError::Unusable { place: path.display().to_string(), message };
        KeySet::parse(&bytes).map_err(unusable)
    }

    /// Leaves out keys for other purposes and of other types.
    pub(super) fn parse(bytes: &[u8]) -> Result<KeySet, String> {
        if bytes.len() > BYTES_MAX {
            return Err(format!("more than {BYTES_MAX} bytes"));
        }
        let set: JwkSet = serde_json::from_slice(bytes).map_err(|error| format!("not a JSON Web Key Set: {error}"))?;
        if set.keys.len() > KEYS_MAX {
            return Err(format!("{} keys, at most {KEYS_MAX} are allowed", set.keys.len()));
        }
        let keys: Vec<NamedKey> = set.keys.iter().filter_map(named_key).collect();
        if keys.is_empty() {
            return Err(format!("none of its {} keys signs with RS256 or ES256", set.keys.len()));
        }
        Ok(KeySet { keys })
    }

    /// Returns the key that a token's header names, for the algorithm in that header;
    /// without an id, the only key.
    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<SigningKey> {
        let mut fitting = self.keys.iter().filter(|key| key.key.algorithm == algorithm);
        let found = match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)),
            None => fitting.next().filter(|_| fitting.next().is_none()),
        };
        found.map(|found| found.key.clone())
    }
}

fn named_key(jwk: &Jwk) -> Option<NamedKey> {
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Algorithm::ES256,
        _ => return None,
    };
    let is_for_signatures = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let is_for_algorithm = match jwk.common.key_algorithm {
        None => true,
        Some(KeyAlgorithm::RS256) => algorithm == Algorithm::RS256,
        Some(KeyAlgorithm::ES256) => algorithm == Algorithm::ES256,
        Some(_) => false,
    };
    let key = DecodingKey::from_jwk(jwk).ok()?;
    let named = NamedKey { id: jwk.common.key_id.clone(), key: SigningKey { key, algorithm } };
    (is_for_signatures && is_for_algorithm).then_some(named)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn key(id: &str) -> Value {
        let (x, y) = ("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0");
        json!({"kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": id})
    }

    fn parse(keys: &[Value]) -> Result<KeySet, String> {
        KeySet::parse(json!({"keys": keys}).to_string().as_bytes())
    }

    /// A token finds its key by id, or without one if there is only one key.
    #[test]
    fn keys_are_found_by_id() {
        let one = parse(&[key("a")]).unwrap();
        assert!(one.find(Some("a"), Algorithm::ES256).is_some() && one.find(None, Algorithm::ES256).is_some());
        assert!(one.find(Some("b"), Algorithm::ES256).is_none());
        for other in [Algorithm::RS256, Algorithm::HS256, Algorithm::ES384] {
            assert!(one.find(Some("a"), other).is_none(), "a key has one algorithm");
        }
        let two = parse(&[key("a"), key("b")]).unwrap();
        assert!(two.find(Some("b"), Algorithm::ES256).is_some() && two.find(None, Algorithm::ES256).is_none());
    }

    /// Keys for other purposes are left out, above all secrets of symmetric algorithms.
    #[test]
    fn other_keys_are_left_out() {
        let with = |name: &str, value: Value| {
            let mut key = key("other");
            key[name] = value;
            key
        };
        let others = [
            with("use", json!("enc")),
            with("alg", json!("ES384")),
            with("alg", json!("RS256")),
            json!({"kty": "oct", "k": "c2VjcmV0", "kid": "other"}),
            json!({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "kid": "other"}),
        ];
        for other in &others {
            let set = parse(&[key("a"), other.clone()]).unwrap_or_else(|error| panic!("{error}: {other}"));
            assert_eq!(set.keys.len(), 1, "{other}");
            assert!(parse(std::slice::from_ref(other)).is_err(), "{other}");
        }
    }

    /// Sets that are too large, have too many keys or are no key sets are refused.
    #[test]
    fn malformed_sets_are_refused() {
        let many: Vec<Value> = (0..=KEYS_MAX).map(|n| key(&n.to_string())).collect();
        assert!(parse(&many).unwrap_err().contains("at most 64"));
        assert!(KeySet::parse(&vec![b' '; BYTES_MAX + 1]).unwrap_err().contains("more than"));
        for text in ["", "{}", "[]", "{\"keys\": {}}", "{\"keys\": []}", "<html>", "{\"keys\": [{\"kty\": \"EC\"}]}"] {
            assert!(KeySet::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
