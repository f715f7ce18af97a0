//! Where the time of a call goes.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentad_engine::{
    CacheResult, Caller, Class, HintQuestion, PositionSpec, QuestionLimits, SearchSummary, SpanDetails, SpanRecord,
    SpanRecorder, StopReason, Trace, TraceId,
};

use crate::support::{ENDLESS, ask, config, endless_question, engine, eventually, eventually_queued, one_worker, spec};

/// Remembers what it is told.
#[derive(Debug, Default)]
struct Parts(Mutex<Vec<(SpanDetails, Duration)>>);

impl SpanRecorder for Parts {
    fn span_id(&self) -> u64 {
        1
    }
    fn record(&self, part: &SpanRecord<'_>) {
        assert_eq!(part.error, None, "{}", part.game);
        self.0.lock().unwrap().push((part.work, part.ended - part.started));
    }
}

impl Parts {
    fn spans(&self) -> Vec<(SpanDetails, Duration)> {
        self.0.lock().unwrap().clone()
    }
}

fn recorded() -> (Caller, Arc<Parts>) {
    let parts = Arc::new(Parts::default());
    let recorder: Arc<dyn SpanRecorder> = parts.clone();
    (Caller { trace: Trace::new(TraceId(1), Some(recorder)), ..Caller::now() }, parts)
}

/// Each part is told once, in its order, and as it was answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_hint_tells_its_parts() {
    let (engine, _) = engine(config(), &[]);
    let limits = QuestionLimits { nodes: Some(2000), ..QuestionLimits::default() };
    let spec = PositionSpec { variant: "finnish".to_owned(), ..spec("pentago", "") };
    let question = HintQuestion { limits, ..HintQuestion::new(spec) };
    let (caller, parts) = recorded();
    let hints = engine.hint(&question, caller).await.expect("a hint");
    let is_of_rules_pool = |work: &SpanDetails| matches!(work, SpanDetails::Queue { pool: "rules", .. });
    let told: Vec<SpanDetails> =
        parts.spans().into_iter().map(|(work, _)| work).filter(|it| !is_of_rules_pool(it)).collect();
    let SpanDetails::Queue { pool, .. } = told[2] else { panic!("{told:?}") };
    let found = SearchSummary { stop: StopReason::Nodes, nodes: hints.nodes, depth: hints.depth };
    let expected = [
        SpanDetails::Rules { call: "resolve" },
        SpanDetails::Cache { result: CacheResult::Miss, shared_with: None },
        SpanDetails::Queue { pool, class: Class::Interactive, taken: true },
        SpanDetails::Search { found: Some(found) },
        SpanDetails::Rules { call: "explain" },
    ];
    assert_eq!(told, expected);

    let (caller, parts) = recorded();
    assert!(engine.hint(&question, caller).await.expect("a hint").cached);
    let hit = SpanDetails::Cache { result: CacheResult::Hit, shared_with: None };
    assert!(parts.spans().iter().any(|(work, _)| *work == hit), "{parts:?}");
}

/// A question that leaves the queue unserved says so, and when it left.
#[tokio::test(flavor = "multi_thread")]
async fn leaving_the_queue_is_told() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let running = ask(&engine, endless_question(1, Duration::from_mins(1)), Caller::now());
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let (caller, parts) = recorded();
    let asked_at = Instant::now();
    let waiting = ask(&engine, endless_question(2, Duration::from_mins(1)), caller);
    eventually_queued(&engine, &notes, 2, 1).await;
    waiting.abort();
    let left =
        |(work, _): &(SpanDetails, Duration)| matches!(work, SpanDetails::Queue { pool: "long", taken: false, .. });
    eventually("it has left", || engine.stats().queues[0].depth == 0).await;
    let left_after = asked_at.elapsed();
    running.abort();
    eventually("the queue's part is told", || parts.spans().iter().any(left)).await;
    let (_, took) = *parts.spans().iter().find(|part| left(part)).expect("just seen");
    assert!(took <= left_after, "left after {left_after:?}, told {took:?}");
    assert!(!parts.spans().iter().any(|(work, _)| matches!(work, SpanDetails::Search { .. })), "{parts:?}");
}
