//! CPU time charged to callers.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use pentad_engine::{Caller, CostMeter, EngineConfig, HintQuestion, MovesQuestion, PositionSpec, QuestionLimits};

use crate::support::{ENDLESS, ask, config, endless_question, engine, eventually, spec};

fn metered() -> (Caller, Arc<CostMeter>) {
    let caller = Caller::now();
    let meter = caller.meter.clone();
    (caller, meter)
}

/// The caller that starts a search pays for it, and a cached answer costs a fraction.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_charged_and_a_cached_answer_is_not() {
    let (engine, _) = engine(config(), &[]);
    let limits = QuestionLimits { nodes: Some(200_000), ..QuestionLimits::default() };
    let spec = PositionSpec { variant: "finnish".to_owned(), ..spec("pentago", "") };
    let question = HintQuestion { limits, ..HintQuestion::new(spec) };
    let (caller, searched) = metered();
    assert!(!engine.hint(&question, caller).await.expect("a hint").cached);
    let (caller, looked_up) = metered();
    assert!(engine.hint(&question, caller).await.expect("a hint").cached);
    assert!(looked_up.cpu() < searched.cpu() / 2, "{looked_up:?} {searched:?}");
    assert!(looked_up.cpu() > Duration::ZERO, "its position was read");
}

/// Calls of the rules are charged as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_the_rules_is_charged() {
    let (engine, _) = engine(config(), &[]);
    let (caller, meter) = metered();
    let question = MovesQuestion { spec: spec("pentago", ""), ..MovesQuestion::default() };
    engine.legal_moves(&question, caller).await.expect("a page");
    assert!(meter.cpu() > Duration::ZERO);
}

/// A caller that joins a search does not pay for it; one that leaves pays for the work until the search
/// stopped.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_caller_pays_also_when_it_leaves() {
    let two = NonZeroUsize::new(2).expect("two");
    let config = EngineConfig { threads_per_long_search: two, ..config() };
    let (engine, notes) = engine(config, &[ENDLESS]);
    let minute = Duration::from_mins(1);
    let (caller, first) = metered();
    let starts = ask(&engine, endless_question(5, minute), caller);
    eventually("the search runs", || engine.stats().workers_busy == 1).await;
    let (caller, second) = metered();
    let joins = ask(&engine, endless_question(5, minute), caller);
    eventually("the second has joined", || notes.cache.lock().unwrap().get("shared") == Some(&1)).await;
    let before = first.cpu();
    starts.abort();
    joins.abort();
    eventually("the search is charged", || first.cpu() > before).await;
    eventually("the worker is free", || engine.stats().workers_busy == 0).await;
    assert!(second.cpu() < first.cpu() - before, "{second:?} {first:?}");
}
