//! Tokens of an OpenID Connect provider: signed JWTs, validated by the provider's
//! public keys.
//!
//! A token is valid if one of the keys signed it (RS256 or ES256, whatever algorithm
//! the token asks for), its issuer and audience are the configured ones, and it is
//! neither expired nor too early, within [`CLOCK_SKEW`]. Its subject names the caller,
//! for quotas and the log. Metrics have one label for all subjects, [`OIDC_CLIENT`],
//! since subjects are not a closed set.
//!
//! | module | contents |
//! | --- | --- |
//! | `key_set` | a JWKS: parses and selects keys |
//! | `remote_keys` | a JWKS at a URL, fetched periodically |
//! | `signature` | verifies signatures, with ring |

mod key_set;
mod remote_keys;
mod signature;

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::tokens::AuthFailure;
use crate::config::{Config, JwksSource};

pub use key_set::KeySetError;

use key_set::KeySet;
use remote_keys::RemoteKeys;

/// Name of all callers with such a token in metrics; no token in the file can have it.
pub(super) const OIDC_CLIENT: &str = "+oidc";

/// Allowed difference between the provider's clock and this one.
const CLOCK_SKEW: Duration = Duration::from_secs(60);
/// Longer tokens are refused without parsing.
const TOKEN_LEN_MAX: usize = 8 * 1024;
/// Longer subjects are cut and made unique by their digest.
const SUBJECT_LEN_MAX: usize = 64;

/// The provider whose tokens are valid.
#[derive(Debug)]
pub(super) struct Oidc {
    keys: Keys,
    issuer: String,
    audience: String,
    /// Quota of each subject; unlimited if `None`.
    pub(super) cpu_ms_per_second: Option<NonZeroU64>,
}

#[derive(Debug)]
enum Keys {
    Fixed(KeySet),
    Remote(Arc<RemoteKeys>),
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

impl Oidc {
    /// Reads the settings, if they name a provider. Keys fetched from the same URL by
    /// `before` are used until the next fetch.
    pub(super) fn load(config: &Config, before: Option<&Oidc>) -> Result<Option<Oidc>, KeySetError> {
        let (Some(issuer), Some(audience), Some(source)) =
            (&config.oidc_issuer.0, &config.oidc_audience.0, &config.oidc_jwks)
        else {
            return Ok(None);
        };
        signature::install();
        let keys = match source {
            JwksSource::File(path) => Keys::Fixed(KeySet::read(path)?),
            JwksSource::Url(url) => Keys::Remote(match before.map(|oidc| &oidc.keys) {
                Some(Keys::Remote(keys)) if keys.url() == url => Arc::clone(keys),
                _ => RemoteKeys::start(url)?,
            }),
        };
        let cpu_ms_per_second = NonZeroU64::new(config.oidc_cpu_ms_per_second);
        Ok(Some(Oidc { keys, issuer: issuer.clone(), audience: audience.clone(), cpu_ms_per_second }))
    }

    /// Whether this looks like a JWT and is worth validating.
    pub(super) fn is_candidate(token: &[u8]) -> bool {
        token.iter().filter(|byte| **byte == b'.').count() == 2
    }

    /// Returns the subject of a valid token, in printable characters.
    pub(super) fn authenticate(&self, token: &[u8]) -> Result<Arc<str>, AuthFailure> {
        if token.len() > TOKEN_LEN_MAX {
            return Err(AuthFailure::Malformed);
        }
        let header = decode_header(token).map_err(|_| AuthFailure::Malformed)?;
        let find = |keys: &KeySet| keys.find(header.kid.as_deref(), header.alg);
        let key = match &self.keys {
            Keys::Fixed(keys) => find(keys),
            // The provider may have a new key.
            Keys::Remote(keys) => find(&keys.load()).or_else(|| {
                keys.refresh_soon();
                None
            }),
        };
        let key = key.ok_or(AuthFailure::Invalid)?;
        let mut validation = Validation::new(key.algorithm);
        validation.leeway = CLOCK_SKEW.as_secs();
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims: Claims = decode(token, &key.key, &validation).map_err(|error| failure(error.kind()))?.claims;
        if claims.sub.is_empty() {
            return Err(AuthFailure::Invalid);
        }
        Ok(subject_name(&claims.sub).into())
    }
}

fn failure(kind: &ErrorKind) -> AuthFailure {
    match kind {
        ErrorKind::ExpiredSignature | ErrorKind::ImmatureSignature => AuthFailure::Expired,
        ErrorKind::Base64(_) | ErrorKind::Json(_) | ErrorKind::Utf8(_) | ErrorKind::InvalidToken => {
            AuthFailure::Malformed
        }
        _ => AuthFailure::Invalid,
    }
}

/// Encodes a subject as a name: letters, digits and a few others unchanged, the rest in
/// hexadecimal. Different subjects have different names.
fn subject_name(subject: &str) -> String {
    let mut name = String::new();
    for byte in subject.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'@' | b'|' | b':' => {
                name.push(byte.into());
            }
            other => write!(name, "%{other:02X}").expect("writing to a string cannot fail"),
        }
        if name.len() > SUBJECT_LEN_MAX {
            name.truncate(SUBJECT_LEN_MAX / 2);
            let digest = Sha256::digest(subject.as_bytes());
            digest[..8]
                .iter()
                .try_for_each(|byte| write!(name, "{byte:02x}"))
                .expect("writing to a string cannot fail");
            // Names that are not cut never contain this.
            name.push('~');
            break;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are printable, bounded, and differ where their subjects do.
    #[test]
    fn subjects_become_names() {
        assert_eq!(subject_name("auth0|5f7c8ec7c33c6c004bbafe82"), "auth0|5f7c8ec7c33c6c004bbafe82");
        assert_eq!(subject_name("a b\n\u{202e}%"), "a%20b%0A%E2%80%AE%25");
        let long = ["x".repeat(1000), "x".repeat(1001), "\n".repeat(100)].map(|subject| subject_name(&subject));
        assert!(long.iter().all(|name| name.len() <= SUBJECT_LEN_MAX && name.ends_with('~')), "{long:?}");
        assert!(long[0] != long[1] && long[0] != long[2]);
        assert_eq!(subject_name(&"x".repeat(SUBJECT_LEN_MAX)), "x".repeat(SUBJECT_LEN_MAX));
    }
}
