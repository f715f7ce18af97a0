//! W3C Trace Context: the trace that a call belongs to.
//!
//! A malformed header is ignored, as specified: the call then starts a trace.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};
use pentad_engine::TraceId;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits.
const LEN: usize = 55;

/// The caller's headers, unparsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceHeaders {
    parent: Option<HeaderValue>,
    state: Option<HeaderValue>,
}

/// The caller's span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TraceParent {
    pub(super) trace_id: TraceId,
    pub(super) span_id: u64,
    /// Whether the caller recorded its span.
    pub(super) is_sampled: bool,
}

impl TraceHeaders {
    pub(crate) fn from_headers(headers: &HeaderMap) -> TraceHeaders {
        let mut parents = headers.get_all(TRACEPARENT).into_iter();
        match (parents.next(), parents.next()) {
            (Some(parent), None) => TraceHeaders { parent: Some(parent.clone()), state: joined_tracestate(headers) },
            // More than one is malformed.
            _ => TraceHeaders::default(),
        }
    }

    pub(super) fn parent(&self) -> Option<TraceParent> {
        TraceParent::parse(self.parent.as_ref()?.as_bytes())
    }

    /// `tracestate`; empty if there is none.
    pub(super) fn state(&self) -> &str {
        self.state.as_ref().and_then(|state| state.to_str().ok()).unwrap_or_default()
    }
}

/// Repeated headers form one list.
fn joined_tracestate(headers: &HeaderMap) -> Option<HeaderValue> {
    let mut states = headers.get_all(TRACESTATE).into_iter();
    let (first, second) = (states.next()?, states.next());
    if second.is_none() {
        return Some(first.clone());
    }
    let all: Vec<&[u8]> = headers.get_all(TRACESTATE).into_iter().map(HeaderValue::as_bytes).collect();
    HeaderValue::from_bytes(&all.join(&b","[..])).ok()
}

impl TraceParent {
    fn parse(text: &[u8]) -> Option<TraceParent> {
        let version = hex(text.get(..2)?)?;
        // Later versions may append fields, version 00 may not.
        let is_known_form = match text.get(LEN) {
            None => true,
            Some(next) => version != 0 && *next == b'-',
        };
        let dashes = [2, 35, 52].iter().all(|&at| text.get(at) == Some(&b'-'));
        if version == 0xff || !is_known_form || !dashes {
            return None;
        }
        let trace_id = u128::from(hex(text.get(3..19)?)?) << 64 | u128::from(hex(text.get(19..35)?)?);
        let span_id = hex(text.get(36..52)?)?;
        let flags = hex(text.get(53..55)?)?;
        (trace_id != 0 && span_id != 0).then_some(TraceParent {
            trace_id: TraceId(trace_id),
            span_id,
            is_sampled: flags & 1 == 1,
        })
    }
}

/// At most 16 digits, in lower case as specified.
fn hex(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |value, digit| {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        Some(value << 4 | u64::from(digit))
    })
}

pub(super) fn new_trace_id() -> TraceId {
    TraceId(u128::from(next_id()) << 64 | u128::from(next_id()))
}

pub(super) fn new_span_id() -> u64 {
    next_id()
}

/// Looks random, is never 0 and unique in this process.
fn next_id() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // SplitMix64, a bijection.
    let mut z = SEED.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn parent(values: &[&str]) -> Option<TraceParent> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(TRACEPARENT, value.parse().expect("a header value"));
        }
        TraceHeaders::from_headers(&headers).parent()
    }

    /// The specification's example, its flags, and a later version.
    #[test]
    fn good_headers() {
        let read = parent(&[GOOD]).expect("a parent");
        assert_eq!(read.trace_id.to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!((read.span_id, read.is_sampled), (0x00f0_67aa_0ba9_02b7, true));
        assert!(!parent(&[&GOOD.replace("-01", "-00")]).expect("a parent").is_sampled);
        assert!(parent(&[&GOOD.replace("-01", "-ff")]).expect("flags to come").is_sampled);
        let later = GOOD.replacen("00", "cc", 1);
        assert_eq!(parent(&[&later]), Some(read));
        assert_eq!(parent(&[&format!("{later}-what-comes")]), Some(read));
    }

    /// Whatever is malformed is ignored.
    #[test]
    fn bad_headers() {
        let zero_trace = GOOD.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32));
        let zero_span = GOOD.replace("00f067aa0ba902b7", &"0".repeat(16));
        let bad = [
            "",
            "00",
            "0",
            &GOOD[..54],
            &GOOD.to_uppercase(),
            &GOOD.replace('-', "_"),
            &GOOD.replacen("00", "ff", 1),
            &GOOD.replace("4bf9", "4bg9"),
            &format!("{GOOD}-00"),
            &format!("{GOOD}0"),
            &format!("{}.00", GOOD.replacen("00", "cc", 1)),
            &zero_trace,
            &zero_span,
        ];
        for text in bad {
            assert_eq!(parent(&[text]), None, "{text}");
        }
        assert_eq!(parent(&[GOOD, GOOD]), None, "one of two");
        assert_eq!(parent(&[]), None);
    }

    /// Repeated `tracestate` headers form one list.
    #[test]
    fn tracestate_headers_are_joined() {
        let mut headers = HeaderMap::new();
        headers.insert(TRACEPARENT, GOOD.parse().expect("a header value"));
        assert_eq!(TraceHeaders::from_headers(&headers).state(), "");
        headers.append(TRACESTATE, "a=1".parse().expect("a header value"));
        assert_eq!(TraceHeaders::from_headers(&headers).state(), "a=1");
        headers.append(TRACESTATE, "b=2".parse().expect("a header value"));
        assert_eq!(TraceHeaders::from_headers(&headers).state(), "a=1,b=2");
    }

    /// No two ids are alike, and none is zero.
    #[test]
    fn new_ids_differ() {
        let ids: std::collections::HashSet<u64> = (0..1000).map(|_| new_span_id()).collect();
        assert!(ids.len() == 1000 && !ids.contains(&0));
        assert_ne!(new_trace_id(), new_trace_id());
    }
}
