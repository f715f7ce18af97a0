//! W3C Trace Context: the trace that a call belongs to.
//!
//! A malformed header is ignored, as specified: the call then starts a trace.

use std::borrow::Cow;

use http::HeaderMap;
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry_sdk::propagation::TraceContextPropagator;

const TRACEPARENT: &str = "traceparent";
const TRACESTATE: &str = "tracestate";

/// `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits.
const TRACEPARENT_LEN: usize = 55;

/// Returns a context with the caller's span, if the headers name one.
pub(super) fn extract(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract_with_context(&Context::new(), &TraceHeaders::from(headers))
}

/// The two headers for the propagator, which by itself reads the first of repeated
/// ones, and accepts fields of other lengths, with a sign and in upper case.
struct TraceHeaders<'a> {
    parent: Option<&'a str>,
    state: Option<Cow<'a, str>>,
}

impl<'a> From<&'a HeaderMap> for TraceHeaders<'a> {
    fn from(headers: &'a HeaderMap) -> TraceHeaders<'a> {
        let mut parents = headers.get_all(TRACEPARENT).iter().map(|value| value.to_str().unwrap_or_default());
        let parent = match (parents.next(), parents.next()) {
            (Some(parent), None) if is_well_formed(parent.as_bytes()) => parent,
            // More than one is malformed.
            _ => return TraceHeaders { parent: None, state: None },
        };
        // Repeated headers form one list.
        let states = headers.get_all(TRACESTATE).iter().filter_map(|value| value.to_str().ok().map(Cow::Borrowed));
        TraceHeaders { parent: Some(parent), state: states.reduce(|all, next| all + "," + next) }
    }
}

impl Extractor for TraceHeaders<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        match key {
            TRACEPARENT => self.parent,
            TRACESTATE => self.state.as_deref(),
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT, TRACESTATE]
    }
}

/// Whether every field has the right length. Later versions may append fields, version
/// 00 may not.
fn is_well_formed(parent: &[u8]) -> bool {
    let is_in_place = |(at, byte): (usize, &u8)| match at {
        2 | 35 | 52 => *byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    };
    let may_go_on = |next: u8| next == b'-' && !parent.starts_with(b"00");
    parent.len() >= TRACEPARENT_LEN
        && parent[..TRACEPARENT_LEN].iter().enumerate().all(is_in_place)
        && parent.get(TRACEPARENT_LEN).is_none_or(|next| may_go_on(*next))
}

/// Reads the headers of any request: for fuzzing. A caller's span is used only if its
/// ids are valid.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_arbitrary_trace_context(headers: &HeaderMap) {
    use opentelemetry::trace::TraceContextExt as _;

    let context = extract(headers);
    let (span, is_named) = (context.span(), headers.contains_key(TRACEPARENT));
    assert!(is_named || !span.span_context().is_valid(), "nobody named a span");
}

#[cfg(test)]
mod tests {
    use opentelemetry::trace::{SpanContext, TraceContextExt};

    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn caller(headers: &[(&'static str, &str)]) -> Option<SpanContext> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().expect("a header value"));
        }
        Some(extract(&map).span().span_context().clone()).filter(SpanContext::is_valid)
    }

    /// The specification's example, its flags, and a later version are accepted.
    #[test]
    fn good_headers() {
        let parent = |value: &str| caller(&[(TRACEPARENT, value)]).expect("a parent");
        let read = parent(GOOD);
        assert_eq!(read.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!((read.span_id().to_string().as_str(), read.is_sampled()), ("00f067aa0ba902b7", true));
        assert!(!parent(&GOOD.replace("-01", "-00")).is_sampled());
        assert!(parent(&GOOD.replace("-01", "-ff")).is_sampled(), "flags to come");
        let later = GOOD.replacen("00", "cc", 1);
        assert_eq!(parent(&later), read);
        assert_eq!(parent(&format!("{later}-what-comes")), read);
    }

    /// Malformed headers are ignored.
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
            &GOOD.replacen("00", "CC", 1),
            &GOOD.replace("4bf9", "4bg9"),
            &GOOD.replace("4bf9", "+bf9"),
            &GOOD.replace("4bf9", "bf9"),
            &format!("{GOOD}-"),
            &format!("{GOOD}-00"),
            &format!("{GOOD}0"),
            &format!("{}.00", GOOD.replacen("00", "cc", 1)),
            &zero_trace,
            &zero_span,
        ];
        for text in bad {
            assert_eq!(caller(&[(TRACEPARENT, text)]), None, "{text}");
        }
        assert_eq!(caller(&[(TRACEPARENT, GOOD), (TRACEPARENT, GOOD)]), None, "one of two");
        assert_eq!(caller(&[]), None);
    }

    /// Repeated `tracestate` headers form one list.
    #[test]
    fn tracestate_headers_are_joined() {
        let state = |headers: &[_]| caller(headers).expect("a parent").trace_state().header();
        let (parent, first, second) = ((TRACEPARENT, GOOD), (TRACESTATE, "a=1"), (TRACESTATE, "b=2"));
        assert_eq!(state(&[parent]), "");
        assert_eq!(state(&[parent, first]), "a=1");
        assert_eq!(state(&[parent, first, second]), "a=1,b=2");
    }
}
