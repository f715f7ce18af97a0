//! OpenTelemetry spans of calls.
//!
//! | span | covers | attributes |
//! | --- | --- | --- |
//! | `pentad.v1.Analysis/RPC` | a gRPC call, to its last message | `rpc.system.name`, `rpc.method`, `rpc.response.status_code` |
//! | `METHOD /path/{game}` | a REST call, to its last byte | `http.request.method`, `http.route`, `url.path`, `http.response.status_code` |
//!
//! All have `server.address`, `network.peer.address`, `user_agent.original`,
//! `pentad.game`, `pentad.request_id` and, if they failed, `error.type`. Names follow
//! OpenTelemetry's semantic conventions: the stable ones of HTTP, the release
//! candidate of RPC.
//!
//! The engine creates their children `cache`, `queue`, `store`, `search` and `rules`.
//!
//! A call is sampled on arrival: as its caller decided, or by `trace_sample_percent` if
//! the trace starts here. A call that is not sampled has only a trace id, for the log.
//!
//! Spans are made with OpenTelemetry's own `Tracer`. With `tracing` and
//! tracing-opentelemetry a call with one child takes nine times as long to record (19
//! µs instead of 2 µs), a child keeps its call open, and the process has one
//! subscriber, while each server has a collector of its own. In whole calls the tracer
//! costs as much as hand-made spans: a list of legal moves takes 97 µs of CPU with all
//! spans exported, about 80 µs without a collector (`cargo bench --bench edge`).

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::uri::Authority;
use http::{HeaderMap, Request, header};
use opentelemetry::global::{BoxedSpan, BoxedTracer};
use opentelemetry::trace::{Span, SpanBuilder, SpanKind, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator, Sampler, SdkTracerProvider};
use pentad_engine::{Trace, TraceId};

use super::export::Exporter;
use super::logs::Excerpt;
use super::trace_context;
use crate::config::Config;

/// Creates the spans of one server and exports them.
pub(super) struct Spans {
    tracer: Arc<BoxedTracer>,
    exporter: Exporter,
}

impl Spans {
    /// Returns `None` if no collector is configured. Call it on the runtime.
    #[cfg_attr(not(feature = "otlp"), allow(unreachable_code, unused_variables, reason = "there is never an exporter"))]
    pub(super) fn start(config: &Config) -> Result<Option<Spans>, Box<dyn Error + Send + Sync>> {
        let Some(exporter) = Exporter::start(config)? else { return Ok(None) };
        let sampler = Sampler::TraceIdRatioBased(f64::from(config.trace_sample_percent) / 100.0);
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::ParentBased(Box::new(sampler)))
            .with_span_processor(exporter.clone())
            .build();
        let scope = InstrumentationScope::builder("pentad").with_version(crate::VERSION).build();
        let tracer = BoxedTracer::new(Box::new(provider.tracer_with_scope(scope)));
        Ok(Some(Spans { tracer: Arc::new(tracer), exporter }))
    }

    /// Exports the queued spans, within the bound.
    pub(super) async fn shutdown(&self, bound: Duration) {
        self.exporter.shutdown(bound).await;
    }
}

/// Returns the trace of a call that arrives now, and the call's span if it is sampled.
pub(super) fn start_call(
    spans: Option<&Spans>,
    headers: &HeaderMap,
    name: &'static str,
) -> (TraceId, Trace, Option<BoxedSpan>) {
    let caller = trace_context::extract(headers);
    if let Some(Spans { tracer, .. }) = spans {
        let builder = SpanBuilder::from_name(name).with_kind(SpanKind::Server);
        let span = tracer.build_with_context(builder, &caller);
        if span.is_recording() {
            let context = span.span_context().clone();
            return (context.trace_id(), Trace::recorded(context, Arc::clone(tracer)), Some(span));
        }
    }
    let id = match caller.span().span_context().trace_id() {
        TraceId::INVALID => RandomIdGenerator::default().new_trace_id(),
        id => id,
    };
    (id, Trace::unrecorded(id), None)
}

/// Returns the attributes of a request and its connection, for the call's span.
pub(super) fn request_attributes<B>(request: &Request<B>, peer: Option<SocketAddr>) -> Vec<KeyValue> {
    let excerpt = |key: &'static str, text: &str| KeyValue::new(key, Excerpt(text).to_string());
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let host = || text(header::HOST).and_then(|host| host.parse().ok());
    let authority: Option<Authority> = request.uri().authority().cloned().or_else(host);
    let mut attributes: Vec<KeyValue> = Vec::new();
    attributes.extend(authority.as_ref().map(|authority| excerpt("server.address", authority.host())));
    let port = authority.as_ref().and_then(Authority::port_u16);
    attributes.extend(port.map(|port| KeyValue::new("server.port", i64::from(port))));
    attributes.extend(peer.map(|peer| KeyValue::new("network.peer.address", peer.ip().to_string())));
    attributes.extend(peer.map(|peer| KeyValue::new("network.peer.port", i64::from(peer.port()))));
    attributes.extend(text(header::USER_AGENT).map(|agent| excerpt("user_agent.original", agent)));
    attributes
}
