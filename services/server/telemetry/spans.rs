//! OpenTelemetry spans of a call and its parts.
//!
//! | span | covers | attributes |
//! | --- | --- | --- |
//! | `pentad.v1.Analysis/RPC` | a gRPC call, to its last message | `rpc.method`, `rpc.grpc.status_code` |
//! | `METHOD /path/{game}` | a REST call, to its last byte | `http.route`, `http.response.status_code` |
//! | `cache` | the cache lookup | `pentad.cache`: `hit`, `miss`, or `shared` with a link to the call that searches |
//! | `queue` | waiting for a worker | `pentad.pool`, `pentad.class`, `pentad.taken` |
//! | `search` | running on a worker | `pentad.stop_reason`, `pentad.nodes`, `pentad.depth` |
//! | `rules` | a call of the rules | `pentad.rules`: `describe`, `legal_moves`, `resolve`, `explain` |
//!
//! All have `pentad.game`, calls also `pentad.request_id`, and failed ones
//! `error.type`. The parts are children of their call.
//!
//! A call is sampled on arrival: as its caller decided, or by
//! `trace_sample_percent` where the trace starts here. A call that is not
//! sampled only has a trace id, for the log.
//!
//! Spans are built when they end, from recorded times. A call's span ends with
//! its response, even if a search goes on for other callers.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use opentelemetry::trace::{
    Link, SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId as OtelTraceId, TraceState,
};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};
use pentad_engine::{Class, Found, Part, Recorder, TraceId, Work};

use super::export::Exporter;
use super::traceparent::{self, TraceHeaders};

/// The trace id of a call, and its span if it is sampled.
pub(super) fn start(
    exporter: Option<&Arc<Exporter>>,
    headers: &TraceHeaders,
    arrived: Instant,
) -> (TraceId, Option<Arc<CallSpan>>) {
    let parent = headers.parent();
    let trace_id = parent.map_or_else(traceparent::new_trace_id, |parent| parent.trace_id);
    let Some(exporter) = exporter else { return (trace_id, None) };
    let is_sampled = parent.map_or_else(|| exporter.should_sample(trace_id.0 as u64), |parent| parent.is_sampled);
    if !is_sampled {
        return (trace_id, None);
    }
    let span = CallSpan {
        exporter: Arc::clone(exporter),
        trace_id,
        span_id: traceparent::new_span_id(),
        parent_id: parent.map(|parent| parent.span_id),
        // Malformed state is ignored, as malformed headers are.
        state: TraceState::from_str(headers.state()).unwrap_or_default(),
        arrived,
        arrived_at: SystemTime::now(),
    };
    (trace_id, Some(Arc::new(span)))
}

/// The span of a sampled call.
#[derive(Debug)]
pub(super) struct CallSpan {
    exporter: Arc<Exporter>,
    trace_id: TraceId,
    span_id: u64,
    /// The caller's span.
    parent_id: Option<u64>,
    state: TraceState,
    arrived: Instant,
    /// `arrived` by the wall clock.
    arrived_at: SystemTime,
}

impl CallSpan {
    pub(super) fn end(&self, name: Cow<'static, str>, attributes: Vec<KeyValue>, status: Status) {
        self.exporter.send(SpanData {
            parent_span_id: self.parent_id.map_or(SpanId::INVALID, id),
            parent_span_is_remote: self.parent_id.is_some(),
            span_kind: SpanKind::Server,
            status,
            ..self.span(self.span_id, name, attributes, self.arrived, Instant::now())
        });
    }

    /// A child of the call's span.
    fn span(
        &self,
        span_id: u64,
        name: Cow<'static, str>,
        attributes: Vec<KeyValue>,
        started: Instant,
        ended: Instant,
    ) -> SpanData {
        SpanData {
            span_context: context(self.trace_id, span_id, self.state.clone()),
            parent_span_id: id(self.span_id),
            parent_span_is_remote: false,
            span_kind: SpanKind::Internal,
            name,
            start_time: self.to_wall_clock(started),
            end_time: self.to_wall_clock(ended),
            attributes,
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: Status::Unset,
            instrumentation_scope: InstrumentationScope::builder("pentad").with_version(crate::VERSION).build(),
        }
    }

    fn to_wall_clock(&self, at: Instant) -> SystemTime {
        self.arrived_at + at.saturating_duration_since(self.arrived)
    }
}

impl Recorder for CallSpan {
    fn span_id(&self) -> u64 {
        self.span_id
    }

    fn record(&self, part: &Part<'_>) {
        let mut attributes = vec![KeyValue::new("pentad.game", part.game.to_owned())];
        let mut links = SpanLinks::default();
        let name = match part.work {
            Work::Queue { pool, class, taken } => {
                attributes.push(KeyValue::new("pentad.pool", pool));
                attributes.push(KeyValue::new("pentad.class", class_name(class)));
                attributes.push(KeyValue::new("pentad.taken", taken));
                "queue"
            }
            Work::Search { found } => {
                if let Some(Found { stop, nodes, depth }) = found {
                    attributes.push(KeyValue::new("pentad.stop_reason", stop.as_str()));
                    attributes.push(KeyValue::new("pentad.nodes", i64::try_from(nodes).unwrap_or(i64::MAX)));
                    attributes.push(KeyValue::new("pentad.depth", i64::from(depth)));
                }
                "search"
            }
            Work::Cache { result, shared_with } => {
                attributes.push(KeyValue::new("pentad.cache", result.as_str()));
                let search = shared_with.map(|(trace, span)| context(trace, span, TraceState::NONE));
                links.links.extend(search.map(|of| Link::new(of, Vec::new(), 0)));
                "cache"
            }
            Work::Rules { call } => {
                attributes.push(KeyValue::new("pentad.rules", call));
                "rules"
            }
        };
        let mut status = Status::Unset;
        if let Some(error) = part.error {
            attributes.push(KeyValue::new("error.type", error));
            status = Status::error(error);
        }
        let span = self.span(traceparent::new_span_id(), name.into(), attributes, part.started, part.ended);
        self.exporter.send(SpanData { links, status, ..span });
    }
}

fn context(trace: TraceId, span: u64, state: TraceState) -> SpanContext {
    SpanContext::new(OtelTraceId::from(trace.0), id(span), TraceFlags::SAMPLED, false, state)
}

fn id(span: u64) -> SpanId {
    SpanId::from(span)
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Interactive => "interactive",
        Class::Bulk => "bulk",
    }
}
