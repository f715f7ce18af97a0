//! Request ids, which link a call to log lines, here and at the caller.
//!
//! The caller's `x-request-id` is kept if it is valid, otherwise one is
//! generated. Every response carries it.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

/// Header of requests and responses on both protocols.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ids are replaced.
const LEN_MAX: usize = 128;

/// Returns the caller's id if it is valid, else a new one.
pub(crate) fn from_headers(headers: &HeaderMap) -> HeaderValue {
    match headers.get(&HEADER) {
        Some(given) if is_valid(given.as_bytes()) => given.clone(),
        _ => {
            let mut id = HeaderValue::try_from(generate()).expect("hexadecimal digits are a valid header value");
            // Unique values do not belong in HPACK's dynamic table.
            id.set_sensitive(true);
            id
        }
    }
}

/// For logs and problem bodies.
pub(crate) fn as_str(id: &HeaderValue) -> &str {
    id.to_str().unwrap_or_default()
}

/// Returns an id that is unique in this process and very likely elsewhere.
pub(crate) fn generate() -> String {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // An odd factor makes this a bijection, and spreads consecutive values.
    let n = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{:016x}", *PROCESS ^ n)
}

fn is_valid(id: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=@".contains(byte);
    (1..=LEN_MAX).contains(&id.len()) && id.iter().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids that could break a log line or a header are replaced.
    #[test]
    fn only_valid_ids_are_kept() {
        let with = |value: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, HeaderValue::from_bytes(value).unwrap());
            from_headers(&headers)
        };
        assert_eq!(with(b"3f2a-77:9"), "3f2a-77:9");
        for bad in [&b""[..], b"two words", b"caf\xc3\xa9", &[b'x'; 129]] {
            let generated = with(bad);
            assert_eq!(as_str(&generated).len(), 16, "{generated:?}");
        }
        assert_ne!(generate(), generate());
    }
}
