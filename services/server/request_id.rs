//! Ids by which a call is found again in logs, here and at the caller's.
//!
//! A sane `x-request-id` of the caller is kept, otherwise one is made. Every
//! answer carries it.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

/// The header, on requests and answers of both edges.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ones are not taken over.
const LEN_MAX: usize = 128;

/// The caller's id if it is sane, else a fresh one.
pub(crate) fn of(headers: &HeaderMap) -> HeaderValue {
    match headers.get(&HEADER) {
        Some(given) if is_sane(given.as_bytes()) => given.clone(),
        _ => {
            let mut id = HeaderValue::try_from(fresh()).expect("hexadecimal digits are a header's value");
            // Keeps ids, each of which comes once, out of HTTP/2's table of
            // headers that repeat.
            id.set_sensitive(true);
            id
        }
    }
}

/// For logs and problem bodies.
pub(crate) fn text(id: &HeaderValue) -> &str {
    id.to_str().unwrap_or_default()
}

/// Unique in this process and very likely elsewhere.
pub(crate) fn fresh() -> String {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // An odd factor maps counters one to one, and far apart.
    let n = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{:016x}", *PROCESS ^ n)
}

fn is_sane(id: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=@".contains(byte);
    (1..=LEN_MAX).contains(&id.len()) && id.iter().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids that could break a log line or a header are replaced.
    #[test]
    fn only_sane_ids_are_kept() {
        let with = |value: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, HeaderValue::from_bytes(value).unwrap());
            of(&headers)
        };
        assert_eq!(with(b"3f2a-77:9"), "3f2a-77:9");
        for bad in [&b""[..], b"two words", b"caf\xc3\xa9", &[b'x'; 129]] {
            let made = with(bad);
            assert_eq!(text(&made).len(), 16, "{made:?}");
        }
        assert_ne!(fresh(), fresh());
    }
}
