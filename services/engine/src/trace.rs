//! Whose call it is, and where its time goes.
//!
//! A [`Trace`] goes with its caller, also to the queue and to the worker, which
//! is another thread. Each part of a call has a span, a child of the call's own:
//!
//! | span | covers | attributes |
//! | --- | --- | --- |
//! | `cache` | the cache lookup | `pentad.cache`: `hit`, `miss`, or `shared` with a link to the call that searches |
//! | `queue` | waiting for a worker | `pentad.pool`: `rules`, `lists`, `short`, `long`; `pentad.class`; `pentad.taken` |
//! | `search` | running on a worker | `pentad.stop_reason`, `pentad.nodes`, `pentad.depth` |
//! | `rules` | a call of the rules | `pentad.rules`: `describe`, `legal_moves`, `resolve`, `immediate_move`, `evaluate`, `explain` |
//!
//! All have `pentad.game`, and failed ones `error.type`.
//!
//! Spans are made through OpenTelemetry's API, which does nothing by itself: the
//! tracer comes from the server. Without one, which is the rule, beginning a span
//! costs a comparison.
//!
//! The parent is known by its ids alone, so that no part keeps it open: a search
//! belongs to the call that started it, also when that call has gone and only
//! others, who joined it, still wait.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use opentelemetry::global::{BoxedSpan, BoxedTracer};
use opentelemetry::trace::{Span, SpanBuilder, SpanContext, Status, TraceContextExt, TraceId, Tracer};
use opentelemetry::{Context, KeyValue, Value};

use crate::question::Class;
use crate::schedule::cancel::CancelToken;

/// Whose call it is.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    id: Option<TraceId>,
    request_id: Option<Arc<str>>,
    recorded: Option<Recorded>,
}

/// What the spans of a call's parts are made with.
#[derive(Clone, Debug)]
struct Recorded {
    tracer: Arc<BoxedTracer>,
    /// Holds the context of the call's span.
    call: Context,
}

impl Trace {
    /// A call of which only the id is of use, for logs.
    pub fn unrecorded(id: TraceId) -> Self {
        Trace { id: Some(id), request_id: None, recorded: None }
    }

    /// A call with a span; its parts get spans of this tracer.
    pub fn recorded(call: SpanContext, tracer: Arc<BoxedTracer>) -> Self {
        let id = Some(call.trace_id());
        let recorded = Recorded { tracer, call: Context::new().with_remote_span_context(call) };
        Trace { id, request_id: None, recorded: Some(recorded) }
    }

    /// The same with the id by which the caller knows its request.
    #[must_use]
    pub fn with_request_id(self, request_id: &str) -> Self {
        Trace { request_id: Some(request_id.into()), ..self }
    }

    /// `None` for what the engine does on its own account.
    pub fn id(&self) -> Option<TraceId> {
        self.id
    }

    /// The id by which the caller knows its request, if it has one.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// Begins a span, which ends when it is dropped.
    pub(crate) fn begin(&self, name: &'static str, game: &Arc<str>) -> OpenSpan {
        OpenSpan(self.recorded.as_ref().map(|Recorded { tracer, call }| {
            let game = KeyValue::new("pentad.game", game.clone());
            tracer.build_with_context(SpanBuilder::from_name(name).with_attributes([game]), call)
        }))
    }

    /// Begins to wait for a worker of a pool.
    pub(crate) fn queue(&self, game: &Arc<str>, pool: &'static str, class: Class) -> QueueSpan {
        let mut span = self.begin("queue", game);
        span.set("pentad.pool", pool);
        span.set("pentad.class", class.as_str());
        QueueSpan { span, started: Instant::now(), cancel: None, is_taken: false }
    }
}

/// A part under way.
#[derive(Debug)]
pub(crate) struct OpenSpan(Option<BoxedSpan>);

impl OpenSpan {
    /// Adds an attribute; each is added once.
    pub(crate) fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        if let Some(span) = &mut self.0 {
            span.set_attribute(KeyValue::new(key, value));
        }
    }

    /// Records why it failed, in a word.
    pub(crate) fn fail(&mut self, error: &'static str) {
        if let Some(span) = &mut self.0 {
            span.set_attribute(KeyValue::new("error.type", error));
            span.set_status(Status::error(error));
        }
    }

    /// Refers to another call, if that is recorded too.
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

/// Waiting for a worker. Unless one takes it, it was refused, or nobody waited for
/// it any more.
#[derive(Debug)]
pub(crate) struct QueueSpan {
    span: OpenSpan,
    started: Instant,
    cancel: Option<Arc<CancelToken>>,
    is_taken: bool,
}

impl QueueSpan {
    /// The same for a job that stays in the queue when it is cancelled; the span
    /// ends then.
    #[must_use]
    pub(crate) fn until_cancelled(mut self, cancel: &Arc<CancelToken>) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// A worker takes the job. Returns how long it waited.
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

    use opentelemetry::trace::{SpanId, TraceFlags, TraceState, TracerProvider};
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

    /// Every part is recorded once, as it ended: in order, without a word, by a panic;
    /// and as a child of its call.
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
}
