//! The `grpc-timeout` header.
//!
//! It becomes the deadline of the engine's [`Caller`](pentad_engine::Caller)
//! rather than a tonic timeout, which would drop the call: the engine answers
//! in time with the best it has.

use std::time::Duration;

use http::HeaderMap;

/// How long the caller waits. A malformed header is ignored: the specification
/// does not say otherwise, and client libraries do not send any.
pub(crate) fn grpc_timeout(headers: &HeaderMap) -> Option<Duration> {
    parse(headers.get("grpc-timeout")?.to_str().ok()?)
}

/// At most eight digits and a unit.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(value * 3600),
        "M" => Duration::from_secs(value * 60),
        "S" => Duration::from_secs(value),
        "m" => Duration::from_millis(value),
        "u" => Duration::from_micros(value),
        "n" => Duration::from_nanos(value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every unit of the specification, and nothing else.
    #[test]
    fn timeouts() {
        assert_eq!(parse("1H"), Some(Duration::from_secs(3600)));
        assert_eq!(parse("2M"), Some(Duration::from_secs(120)));
        assert_eq!(parse("3S"), Some(Duration::from_secs(3)));
        assert_eq!(parse("99999999m"), Some(Duration::from_millis(99_999_999)));
        assert_eq!(parse("250u"), Some(Duration::from_micros(250)));
        assert_eq!(parse("7n"), Some(Duration::from_nanos(7)));
        for bad in ["", "S", "1", "-1S", "1s", "123456789S", "1.5S", "é"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
