//! Traces: the identity of a call, and spans for where its time goes.
//!
//! A [`Trace`] travels with its caller, also to the queue and to the worker, which is another thread. Each
//! part of a call has a span, a child of the call's own:
//!
//! | span | covers | attributes |
//! | --- | --- | --- |
//! | `cache` | the cache lookup | `pentad.cache`: `hit`, `miss`, or `shared` with a link to the call that searches |
//! | `queue` | waiting for a worker | `pentad.pool`: `short`, `long`, `bulk`, `rules`, `lists`; `pentad.class`; `pentad.taken` |
//! | `store` | a lookup in a store of answers | `pentad.store`: `hit`, `miss`, or `elsewhere` if another thread has to look it up |
//! | `search` | running on a worker | `pentad.stop_reason`, `pentad.nodes`, `pentad.depth` |
//! | `rules` | a call of the rules | `pentad.rules`: `describe`, `legal_moves`, `threats`, `resolve`, `immediate_move`, `evaluate`, `explain`, `read_game`, `list_choices`, `solve`, `list_successors`, `present_successors`, `replay_game`, `fingerprint`, `present_stored`, `say_moves` |
//!
//! All have `pentad.game`, and failed ones `error.type`.
//!
//! Spans are made through OpenTelemetry's API, which does nothing by itself: the tracer comes from the
//! server. Without a tracer, which is the default, beginning a span costs a comparison.
//!
//! The parent is known by its ids alone, so that no part keeps it open: a search belongs to the call that
//! started it, also when that call has ended and only callers that joined the search still wait.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use opentelemetry::global::{BoxedSpan, BoxedTracer};
use opentelemetry::trace::{
    Span, SpanBuilder, SpanContext, SpanId, Status, TraceContextExt, TraceFlags, TraceId, Tracer,
};
use opentelemetry::{Context, KeyValue, Value};

use crate::question::Class;
use crate::schedule::cancel::CancelToken;

/// The identity of a call, and how its parts are recorded.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    id: Option<TraceId>,
    request_id: Option<Arc<str>>,
    recorded: Option<SpanParent>,
}

/// The parent of a call's spans, and their tracer.
#[derive(Clone, Debug)]
struct SpanParent {
    tracer: Arc<BoxedTracer>,
    /// Context of the call's span.
    call: Context,
}

impl Trace {
    /// Creates the trace of a call that is not recorded; its id is for logs.
    pub fn unrecorded(id: TraceId) -> Self {
        Trace { id: Some(id), request_id: None, recorded: None }
    }

    /// Creates the trace of a call with a span; its parts get spans from this tracer.
    pub fn recorded(call: SpanContext, tracer: Arc<BoxedTracer>) -> Self {
        let id = Some(call.trace_id());
        let recorded = SpanParent { tracer, call: Context::new().with_remote_span_context(call) };
        Trace { id, request_id: None, recorded: Some(recorded) }
    }

    /// Returns the trace with the caller's id of its request.
    #[must_use]
    pub fn with_request_id(self, request_id: &str) -> Self {
        Trace { request_id: Some(request_id.into()), ..self }
    }

    /// Returns the trace id; `None` for work that no call asked for.
    pub fn id(&self) -> Option<TraceId> {
        self.id
    }

    /// Returns the caller's id of its request, if it has one.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// Returns the header `traceparent` (W3C Trace Context) of requests that are part of this
    /// call; `None` for work that no call asked for.
    pub fn traceparent(&self) -> Option<String> {
        let id = self.id?;
        let (span, flags) = match &self.recorded {
            Some(SpanParent { call, .. }) => (call.span().span_context().span_id(), TraceFlags::SAMPLED),
            None => {
                // No span is exported under this id, but the header needs one other than 0.
                let first = u128::from_be_bytes(id.to_bytes()) >> 64;
                (SpanId::from_bytes((first as u64 | 1).to_be_bytes()), TraceFlags::NOT_SAMPLED)
            }
        };
        Some(format!("00-{id}-{span}-{:02x}", flags.to_u8()))
    }

    /// Begins a span, which ends when it is dropped.
    pub(crate) fn begin(&self, name: &'static str, game: &Arc<str>) -> OpenSpan {
        OpenSpan(self.recorded.as_ref().map(|SpanParent { tracer, call }| {
            let game = KeyValue::new("pentad.game", game.clone());
            tracer.build_with_context(SpanBuilder::from_name(name).with_attributes([game]), call)
        }))
    }

    /// Begins the span of waiting for a worker of a pool.
    pub(crate) fn queue(&self, game: &Arc<str>, pool: &'static str, class: Class) -> QueueSpan {
        let mut span = self.begin("queue", game);
        span.set("pentad.pool", pool);
        span.set("pentad.class", class.as_str());
        QueueSpan { span, started: Instant::now(), cancel: None, is_taken: false }
    }
}

/// A span that ends when it is dropped.
#[derive(Debug)]
pub(crate) struct OpenSpan(Option<BoxedSpan>);

impl OpenSpan {
    /// Adds an attribute; each is added once.
    pub(crate) fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        if let Some(span) = &mut self.0 {
            span.set_attribute(KeyValue::new(key, value));
        }
    }

    /// Records the failure under a short name.
    pub(crate) fn fail(&mut self, error: &'static str) {
        if let Some(span) = &mut self.0 {
            span.set_attribute(KeyValue::new("error.type", error));
            span.set_status(Status::error(error));
        }
    }

    /// Links to another call, if that is recorded too.
    pub(crate) fn link(&mut self, other: &Trace) {
        if let (Some(span), Some(other)) = (&mut self.0, &other.recorded) {
            span.add_link(other.call.span().span_context().clone(), Vec::new());
        }
    }
}

impl Drop for OpenSpan {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.fail("panic");
        }
    }
}

/// The span of waiting for a worker. If no worker takes the job, it was refused or cancelled.
#[derive(Debug)]
pub(crate) struct QueueSpan {
    span: OpenSpan,
    started: Instant,
    cancel: Option<Arc<CancelToken>>,
    is_taken: bool,
}

impl QueueSpan {
    /// Ends the span when the job is cancelled, even if the job stays in the queue.
    #[must_use]
    pub(crate) fn until_cancelled(mut self, cancel: &Arc<CancelToken>) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Notes that a worker takes the job. Returns how long the job waited.
    pub(crate) fn taken(mut self) -> Duration {
        self.is_taken = true;
        self.started.elapsed()
    }
}

impl Drop for QueueSpan {
    fn drop(&mut self) {
        self.span.set("pentad.taken", self.is_taken);
        let cause = self.cancel.as_ref().and_then(|cancel| cancel.cause());
        if let (Some(span), Some((cancelled_at, _))) = (&mut self.span.0, cause) {
            let ago = cancelled_at.max(self.started).elapsed();
            span.end_with_timestamp(SystemTime::now() - ago);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use opentelemetry::trace::{TraceState, TracerProvider};
    use opentelemetry_sdk::error::OTelSdkResult;
    use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};

    use super::*;
    use crate::answer::StopReason;

    /// Keeps the spans that have ended.
    #[derive(Clone, Debug, Default)]
    struct Ended(Arc<Mutex<Vec<SpanData>>>);

    impl SpanExporter for Ended {
        async fn export(&self, spans: Vec<SpanData>) -> OTelSdkResult {
            self.0.lock().expect("no panics while it is locked").extend(spans);
            Ok(())
        }
    }

    fn recorded() -> (Trace, Ended) {
        let ended = Ended::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(ended.clone()).build();
        let tracer = BoxedTracer::new(Box::new(provider.tracer("test")));
        let call = SpanContext::new(TraceId::from(5), SpanId::from(7), TraceFlags::SAMPLED, false, TraceState::NONE);
        (Trace::recorded(call, Arc::new(tracer)), ended)
    }

    /// Every part is recorded once, as it ended (in order, silently, by a panic), as a child of its call.
    #[test]
    fn parts_are_recorded_as_they_end() {
        let (trace, ended) = recorded();
        let game: Arc<str> = "pentago".into();
        let taken = trace.queue(&game, "short", Class::Interactive);
        drop(trace.queue(&game, "long", Class::Bulk));
        taken.taken();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _span = trace.begin("search", &game);
            panic!("a defect");
        }));
        assert!(panicked.is_err());
        let mut failing = trace.begin("search", &game);
        failing.fail("hang");
        drop(failing);
        let ended = ended.0.lock().expect("no panics while it is locked");
        let read = |span: &SpanData| {
            assert_eq!((span.span_context.trace_id(), span.parent_span_id), (TraceId::from(5), SpanId::from(7)));
            assert!(!span.parent_span_is_remote && span.start_time <= span.end_time, "{span:?}");
            let attributes: Vec<String> = span.attributes.iter().map(|it| format!("{}={}", it.key, it.value)).collect();
            format!("{} {} {:?}", span.name, attributes.join(" "), span.status)
        };
        let expected = [
            "queue pentad.game=pentago pentad.pool=long pentad.class=bulk pentad.taken=false Unset",
            "queue pentad.game=pentago pentad.pool=short pentad.class=interactive pentad.taken=true Unset",
            "search pentad.game=pentago error.type=panic Error { description: \"panic\" }",
            "search pentad.game=pentago error.type=hang Error { description: \"hang\" }",
        ];
        assert_eq!(ended.iter().map(read).collect::<Vec<_>>(), expected);
    }

    /// Waiting ends when the job is cancelled, but never before it began.
    #[test]
    fn cancelling_ends_the_wait() {
        let (trace, ended) = recorded();
        let cancel: Arc<CancelToken> = Arc::default();
        let before = trace.queue(&"pentago".into(), "short", Class::Bulk).until_cancelled(&cancel);
        cancel.cancel(StopReason::Cancelled);
        let cancelled_by = SystemTime::now();
        let after = trace.queue(&"pentago".into(), "short", Class::Bulk).until_cancelled(&cancel);
        drop((before, after));
        let ended = ended.0.lock().expect("no panics while it is locked");
        assert!(ended[0].start_time <= ended[0].end_time && ended[0].end_time <= cancelled_by, "{ended:#?}");
        assert!(ended[1].start_time <= ended[1].end_time, "{ended:#?}");
    }

    /// Requests that are part of a call are children of its span; those of an unrecorded call
    /// share its trace id, and are not sampled.
    #[test]
    fn parts_of_a_call_share_its_trace() {
        let header = recorded().0.traceparent().expect("a call");
        assert_eq!(header, "00-00000000000000000000000000000005-0000000000000007-01");
        for id in [1_u128, u128::MAX] {
            let header = Trace::unrecorded(TraceId::from(id)).traceparent().expect("a call");
            let parts: Vec<&str> = header.split('-').collect();
            assert_eq!((parts[0], parts[1], parts[3]), ("00", &*format!("{id:032x}"), "00"), "{header}");
            assert!(parts[2].len() == 16 && parts[2].bytes().any(|byte| byte != b'0'), "{header}");
        }
        assert_eq!(Trace::default().traceparent(), None);
    }
}
