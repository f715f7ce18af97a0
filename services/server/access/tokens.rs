//! Bearer tokens of callers, from a file.
//!
//! The file contains only the SHA-256 of each token, so its readers cannot call. A
//! plain digest is enough: tokens are 256 random bits, not guessable passwords. A token
//! is looked up by its digest. The lookup time may depend on the digest, but an
//! attacker cannot choose digests, so the timing reveals nothing about those in the
//! file.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

/// Prefix of every token, so that scanners for leaked secrets recognise it and no token
/// looks like a digest.
const PREFIX: &str = "pentad_";
const NAME_LEN_MAX: usize = 64;
/// Every name is a label value in metrics.
const NAMES_MAX: usize = 10_000;
/// CPU time per second, in milliseconds: 1,000 cores.
const CPU_MS_PER_SECOND_MAX: u64 = 1_000_000;

type Digest = [u8; 32];

/// Why a tokens file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// From reading it.
        error: io::Error,
    },
    /// A line is invalid.
    #[error("{}:{line}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong; never quotes what could be a token.
        message: String,
    },
    /// It has no tokens, so nobody could call.
    #[error("{}: no tokens; `pentad token NAME` prints one and its line for the file", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// The tokens of a file.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// Indices of `holders`.
    by_digest: HashMap<Digest, usize>,
    holders: Vec<TokenHolder>,
}

/// A name in the file. It may have several tokens, so that they can be rotated one
/// caller at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TokenHolder {
    pub(super) name: Arc<str>,
    /// Unlimited if `None`.
    pub(super) cpu_ms_per_second: Option<NonZeroU64>,
}

/// Why a request is not authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthFailure {
    /// No `authorization` header.
    Missing,
    /// The `authorization` header is not `Bearer` and a token.
    Malformed,
    /// No line of the file has this token.
    Unknown,
    /// A token of the OpenID Connect provider that has expired or is not valid yet.
    Expired,
    /// A token with an unknown signature, or for another audience or issuer.
    Invalid,
}

impl AuthFailure {
    /// All variants, in order.
    pub const ALL: [AuthFailure; 5] = [
        AuthFailure::Missing,
        AuthFailure::Malformed,
        AuthFailure::Unknown,
        AuthFailure::Expired,
        AuthFailure::Invalid,
    ];

    /// The label in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            AuthFailure::Missing => "missing",
            AuthFailure::Malformed => "malformed",
            AuthFailure::Unknown => "unknown",
            AuthFailure::Expired => "expired",
            AuthFailure::Invalid => "invalid",
        }
    }

    /// The value of `WWW-Authenticate`, by RFC 6750.
    pub(crate) fn challenge(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            AuthFailure::Missing => "Bearer",
            AuthFailure::Malformed => "Bearer error=\"invalid_request\"",
            AuthFailure::Unknown | AuthFailure::Expired | AuthFailure::Invalid => "Bearer error=\"invalid_token\"",
        })
    }
}

impl fmt::Display for AuthFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AuthFailure::Missing => "this server needs a token; send `authorization: Bearer TOKEN`",
            AuthFailure::Malformed => "the authorization is not a bearer token; send `authorization: Bearer TOKEN`",
            AuthFailure::Unknown => "the token is unknown; ask the operator for a new one",
            AuthFailure::Expired => "the token has expired or is not valid yet; get a new one",
            AuthFailure::Invalid => {
                "the token is not for this server: its signature, issuer or audience does not match"
            }
        })
    }
}

impl Tokens {
    pub(super) fn read(path: &Path) -> Result<Tokens, TokensError> {
        let text = crate::settings_file::read_to_string(path)
            .map_err(|error| TokensError::Unreadable { path: path.to_owned(), error })?;
        let tokens = Tokens::parse(&text).map_err(|(line, message)| TokensError::Malformed {
            path: path.to_owned(),
            line,
            message,
        })?;
        if tokens.holders.is_empty() {
            return Err(TokensError::Empty { path: path.to_owned() });
        }
        Ok(tokens)
    }

    /// Fails with the line number, from 1, and what is wrong there.
    fn parse(text: &str) -> Result<Tokens, (usize, String)> {
        let mut tokens = Tokens::default();
        // Line of the first occurrence of each name and digest.
        let (mut names, mut digest_lines) = (HashMap::new(), HashMap::new());
        for (idx, line) in text.lines().enumerate() {
            let at = |message: String| (idx + 1, message);
            let line = line.split('#').next().unwrap_or_default();
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (name, digest, quota) = match fields[..] {
                [] => continue,
                [name, digest] => (name, digest, None),
                [name, digest, quota] => (name, digest, Some(quota)),
                _ => return Err(at("expected `name sha256-hex [cpu-ms per second]`".to_owned())),
            };
            let holder =
                TokenHolder { name: parse_name(name).map_err(at)?, cpu_ms_per_second: parse_quota(quota).map_err(at)? };
            let digest = parse_digest(digest).map_err(at)?;
            if let Some(other) = digest_lines.insert(digest, idx + 1) {
                return Err(at(format!("the same token as on line {other}")));
            }
            let n_holders = tokens.holders.len();
            let (holder_idx, first_line) = *names.entry(name).or_insert((n_holders, idx + 1));
            if holder_idx == n_holders {
                if n_holders == NAMES_MAX {
                    return Err(at(format!("more than {NAMES_MAX} names")));
                }
                tokens.holders.push(holder);
            } else if tokens.holders[holder_idx] != holder {
                return Err(at(format!("`{name}` has another quota on line {first_line}")));
            }
            tokens.by_digest.insert(digest, holder_idx);
        }
        Ok(tokens)
    }

    pub(super) fn holders(&self) -> &[TokenHolder] {
        &self.holders
    }

    /// Index of the holder of a token.
    pub(super) fn find(&self, token: &[u8]) -> Option<usize> {
        let digest: Digest = Sha256::digest(token).into();
        self.by_digest.get(&digest).copied()
    }
}

/// Extracts the token of a request.
pub(super) fn bearer_token(headers: &HeaderMap) -> Result<&[u8], AuthFailure> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(AuthFailure::Missing)?;
    if values.next().is_some() {
        return Err(AuthFailure::Malformed);
    }
    bearer(value).ok_or(AuthFailure::Malformed)
}

fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"Bearer ") && !token.is_empty()).then_some(token)
}

/// `-` alone is the label of callers without a token in metrics.
fn parse_name(name: &str) -> Result<Arc<str>, String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_name = name.len() <= NAME_LEN_MAX
        && name.bytes().all(is_allowed)
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && !name.starts_with(PREFIX);
    if !is_name {
        return Err(format!(
            "the first field must be a name: at most {NAME_LEN_MAX} letters, digits, `-`, `_` and `.`, a letter or digit first"
        ));
    }
    Ok(name.into())
}

fn parse_quota(text: Option<&str>) -> Result<Option<NonZeroU64>, String> {
    let Some(text) = text else { return Ok(None) };
    match text.parse::<NonZeroU64>() {
        Ok(quota) if quota.get() <= CPU_MS_PER_SECOND_MAX => Ok(Some(quota)),
        _ => Err(format!("the third field must be CPU milliseconds per second, from 1 to {CPU_MS_PER_SECOND_MAX}")),
    }
}

fn parse_digest(text: &str) -> Result<Digest, String> {
    let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex {
        let found = if text.starts_with(PREFIX) { "it looks like the token itself" } else { "it is something else" };
        return Err(format!("the second field must be the SHA-256 of a token, 64 hexadecimal digits; {found}"));
    }
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("both are hexadecimal digits");
    Ok(std::array::from_fn(|idx| digit(2 * idx)))
}

/// Parses any text as a tokens file: for fuzzing. Errors name a line of the file and
/// quote nothing that could be a token.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_arbitrary_tokens(text: &str) {
    match Tokens::parse(text) {
        Ok(tokens) => {
            assert!(tokens.holders.len() <= tokens.by_digest.len().min(NAMES_MAX));
            assert!(tokens.holders.iter().all(|holder| parse_name(&holder.name).is_ok()));
            assert!(tokens.by_digest.values().all(|idx| *idx < tokens.holders.len()));
        }
        Err((line, message)) => {
            assert!((1..=text.lines().count()).contains(&line), "line {line}: {message}");
            let mut words = text.split_whitespace().filter(|word| word.len() > NAME_LEN_MAX || word.contains(PREFIX));
            assert!(!words.any(|word| message.contains(word)), "{message}");
        }
    }
}

/// A new token and its line for the tokens file.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct NewToken {
    /// Shown once.
    pub(crate) secret: String,
    pub(crate) line: String,
}

impl NewToken {
    /// Fails if the name or quota is invalid in a tokens file, or without a source of
    /// randomness.
    pub(crate) fn generate(name: &str, cpu_ms_per_second: Option<u64>) -> Result<NewToken, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| format!("the system has no random numbers: {error}"))?;
        NewToken::from_random(bytes, name, cpu_ms_per_second)
    }

    fn from_random(bytes: [u8; 32], name: &str, cpu_ms_per_second: Option<u64>) -> Result<NewToken, String> {
        parse_name(name)?;
        let quota = cpu_ms_per_second.map(|quota| quota.to_string());
        parse_quota(quota.as_deref())?;
        let secret = format!("{PREFIX}{}", hex(&bytes));
        let digest: Digest = Sha256::digest(&secret).into();
        let quota = quota.map_or_else(String::new, |quota| format!(" {quota}"));
        Ok(NewToken { line: format!("{name} {}{quota}", hex(&digest)), secret })
    }
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authenticate(tokens: &Tokens, headers: &HeaderMap) -> Result<usize, AuthFailure> {
        tokens.find(bearer_token(headers)?).ok_or(AuthFailure::Unknown)
    }

    const A: &str = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    const B: &str = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d";

    fn headers(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().unwrap());
        }
        headers
    }

    /// Comments, blank lines, quotas, and several tokens of one name.
    #[test]
    fn files_are_parsed() {
        let text = format!("# callers\n\nweb {A} 250 # the front end\r\n  ci\t{}\n", B.to_uppercase());
        let tokens = Tokens::parse(&text).unwrap();
        let quotas: Vec<_> =
            tokens.holders.iter().map(|it| (&*it.name, it.cpu_ms_per_second.map(NonZeroU64::get))).collect();
        assert_eq!(quotas, [("web", Some(250)), ("ci", None)]);
        assert_eq!(authenticate(&tokens, &headers(&["Bearer a"])), Ok(0));
        assert_eq!(authenticate(&tokens, &headers(&["bearer  b "])), Ok(1));
        let rotated = Tokens::parse(&format!("web {A} 5\nweb {B} 5\n")).unwrap();
        assert_eq!(rotated.holders.len(), 1);
        assert_eq!(authenticate(&rotated, &headers(&["Bearer b"])), Ok(0));
    }

    /// Errors name the line and what is wrong, and never quote a token.
    #[test]
    fn bad_lines_are_named() {
        for (text, line, words) in [
            ("web".to_owned(), 1, "expected `name sha256-hex"),
            (format!("\nweb {A} 1 2"), 2, "expected `name sha256-hex"),
            (format!("- {A}"), 1, "must be a name"),
            (format!("a/b {A}"), 1, "must be a name"),
            (format!("{} {A}", "x".repeat(65)), 1, "must be a name"),
            (format!("web {}", &A[1..]), 1, "64 hexadecimal digits"),
            (format!("web {}g", &A[1..]), 1, "64 hexadecimal digits"),
            (format!("web {A} 0"), 1, "from 1 to 1000000"),
            (format!("web {A} 1.5"), 1, "from 1 to 1000000"),
            (format!("web {A} 1000001"), 1, "from 1 to 1000000"),
            (format!("web {A}\nci {A}"), 2, "the same token as on line 1"),
            (format!("web {A} 5\n#\nweb {B} 6"), 3, "`web` has another quota on line 1"),
        ] {
            let (found, message) = Tokens::parse(&text).unwrap_err();
            assert!(found == line && message.contains(words), "{text}: {found}: {message}");
        }
        let secret = NewToken::generate("web", None).unwrap().secret;
        for text in [format!("web {secret}"), format!("{secret} web"), secret.clone()] {
            let (_, message) = Tokens::parse(&text).unwrap_err();
            assert!(!message.contains(&secret[PREFIX.len()..]), "{message}");
        }
    }

    /// Only `Bearer` with a known token is accepted.
    #[test]
    fn requests_are_authenticated() {
        let tokens = Tokens::parse(&format!("web {A}")).unwrap();
        for (values, expected) in [
            (&[][..], AuthFailure::Missing),
            (&["Bearer"], AuthFailure::Malformed),
            (&["Bearer "], AuthFailure::Malformed),
            (&["Basic YTph"], AuthFailure::Malformed),
            (&["a"], AuthFailure::Malformed),
            (&["Bearer a", "Bearer a"], AuthFailure::Malformed),
            (&["Bearer b"], AuthFailure::Unknown),
            (&["Bearer a a"], AuthFailure::Unknown),
            // The digest itself is not the token.
            (&[&*format!("Bearer {A}")], AuthFailure::Unknown),
        ] {
            assert_eq!(authenticate(&tokens, &headers(values)), Err(expected), "{values:?}");
        }
    }

    /// The line of a new token matches that token, and no two tokens are the same.
    #[test]
    fn new_tokens_match_their_line() {
        let new = NewToken::generate("web", Some(250)).unwrap();
        let tokens = Tokens::parse(&new.line).unwrap();
        assert_eq!(authenticate(&tokens, &headers(&[&format!("Bearer {}", new.secret)])), Ok(0));
        assert!(new.line.ends_with(" 250"), "{}", new.line);
        assert_eq!(new.secret.len(), PREFIX.len() + 64);
        assert_ne!(new.secret, NewToken::generate("web", Some(250)).unwrap().secret);
        assert!(NewToken::generate("two words", None).is_err());
        assert!(NewToken::generate("web", Some(0)).is_err());
    }
}
