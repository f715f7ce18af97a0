//! Spans of a call.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use opentelemetry::Value;
use opentelemetry::global::BoxedTracer;
use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState, TracerProvider};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use pentad_engine::{Caller, HintQuestion, PositionSpec, QuestionLimits, Trace};

use crate::support::{ENDLESS, ask, config, endless_question, engine, eventually, eventually_queued, one_worker, spec};

/// Keeps the spans that have ended.
#[derive(Clone, Debug, Default)]
struct Ended(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Ended {
    async fn export(&self, spans: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().unwrap().extend(spans);
        Ok(())
    }
}

impl Ended {
    fn spans(&self) -> Vec<SpanData> {
        self.0.lock().unwrap().clone()
    }
}

fn get(span: &SpanData, key: &str) -> Option<Value> {
    span.attributes.iter().find(|it| it.key.as_str() == key).map(|it| it.value.clone())
}

fn recorded() -> (Caller, Ended) {
    let ended = Ended::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(ended.clone()).build();
    let tracer = BoxedTracer::new(Box::new(provider.tracer("test")));
    let call = SpanContext::new(TraceId::from(1), SpanId::from(1), TraceFlags::SAMPLED, false, TraceState::NONE);
    (Caller { trace: Trace::recorded(call, Arc::new(tracer)), ..Caller::now() }, ended)
}

/// Each part is recorded once, in order, with the values of the answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_hint_tells_its_parts() {
    let (engine, _) = engine(config(), &[]);
    let limits = QuestionLimits { nodes: Some(2000), ..QuestionLimits::default() };
    let spec = PositionSpec { variant: "finnish".to_owned(), ..spec("pentago", "") };
    let question = HintQuestion { limits, ..HintQuestion::new(spec) };
    let (caller, ended) = recorded();
    let hints = engine.hint(&question, caller).await.expect("a hint");
    let read = |span: &SpanData| {
        let attributes: Vec<String> = span.attributes.iter().map(|it| format!(" {}={}", it.key, it.value)).collect();
        format!("{}{}", span.name, attributes.concat())
    };
    let is_of_rules_pool = |span: &SpanData| get(span, "pentad.pool") == Some("rules".into());
    let spans: Vec<String> = ended.spans().iter().filter(|span| !is_of_rules_pool(span)).map(read).collect();
    let (nodes, depth) = (hints.nodes, hints.depth);
    let expected = [
        "rules pentad.game=pentago pentad.rules=resolve",
        "cache pentad.game=pentago pentad.cache=miss",
        "queue pentad.game=pentago pentad.pool=long pentad.class=interactive pentad.taken=true",
        &format!("search pentad.game=pentago pentad.stop_reason=nodes pentad.nodes={nodes} pentad.depth={depth}"),
        "rules pentad.game=pentago pentad.rules=explain",
    ];
    assert_eq!(spans, expected);

    let (caller, ended) = recorded();
    assert!(engine.hint(&question, caller).await.expect("a hint").cached);
    assert!(ended.spans().iter().any(|span| get(span, "pentad.cache") == Some("hit".into())), "{ended:?}");

    // The very same question again needs no call of the rules.
    let (caller, ended) = recorded();
    let again = engine.hint(&question, caller).await.expect("a hint");
    assert_eq!((again.cached, &again.hints, again.nodes), (true, &hints.hints, hints.nodes));
    let spans: Vec<String> = ended.spans().iter().map(read).collect();
    assert_eq!(spans, ["cache pentad.game=pentago pentad.cache=hit"]);
}

/// The span of a question that leaves the queue unserved says so, and ends when it left.
#[tokio::test(flavor = "multi_thread")]
async fn leaving_the_queue_is_told() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let running = ask(&engine, endless_question(1, Duration::from_mins(1)), Caller::now());
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let (caller, ended) = recorded();
    let asked_at = Instant::now();
    let waiting = ask(&engine, endless_question(2, Duration::from_mins(1)), caller);
    eventually_queued(&engine, &notes, 2, 1).await;
    waiting.abort();
    let left = |span: &SpanData| {
        get(span, "pentad.pool") == Some("long".into()) && get(span, "pentad.taken") == Some(false.into())
    };
    eventually("it has left", || engine.stats().queues[0].depth == 0).await;
    let left_after = asked_at.elapsed();
    running.abort();
    eventually("the queue's part is recorded", || ended.spans().iter().any(left)).await;
    assert!(ended.spans().iter().all(|span| get(span, "error.type").is_none()), "{ended:?}");
    let span = ended.spans().into_iter().find(left).expect("just seen");
    let took = span.end_time.duration_since(span.start_time).expect("it ends after its start");
    assert!(took <= left_after, "left after {left_after:?}, recorded {took:?}");
    assert!(!ended.spans().iter().any(|span| span.name == "search"), "{ended:?}");
}
