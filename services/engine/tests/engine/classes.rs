//! Interactive and bulk questions, and callers, at the same time.

use std::time::Duration;

use pentad_engine::{Caller, CallerKey, Class, EngineConfig, EngineError, HintQuestion, Priority, StopReason};
use pentad_model::Limits;

use crate::support::{ENDLESS, FrozenClock, ask, endless_question, engine, eventually, eventually_queued, one_worker};

const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(23);

fn bulk() -> Caller {
    Caller { class: Class::Bulk, ..Caller::now() }
}

fn caller(name: &str) -> Caller {
    Caller { key: CallerKey::of(name), ..Caller::now() }
}

/// A search that ends by itself, if it is ever started.
fn shallow_question(n_matches: usize) -> HintQuestion {
    let limits = Limits { time: Some(MINUTE), depth: Some(3), ..Limits::default() };
    HintQuestion { limits, ..endless_question(n_matches, MINUTE) }
}

/// Interactive questions do not wait for bulk ones, not even for the same one.
#[tokio::test(flavor = "multi_thread")]
async fn bulk_searches_leave_a_worker_to_interactive_ones() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let running = ask(&engine, endless_question(1, MINUTE), bulk());
    eventually("the worker is busy", || engine.stats().workers_busy == 1).await;
    let waiting = ask(&engine, shallow_question(2), bulk());
    eventually_queued(&engine, &notes, 2, 1).await;
    let hints = engine.hint(&shallow_question(2), Caller::now()).await.expect("a hint");
    assert_eq!((hints.stop, hints.cached, hints.depth), (Some(StopReason::Depth), false, 3));
    assert_eq!(notes.cache.lock().unwrap().get("shared"), None);
    assert!(!running.is_finished() && !waiting.is_finished());
    running.abort();
    let hints = waiting.await.expect("no panic").expect("a hint");
    assert_eq!(hints.stop, Some(StopReason::Depth));
}

/// A bulk question has all of its time, however long it has waited.
#[tokio::test]
async fn the_time_of_a_bulk_question_begins_with_its_search() {
    let clock = FrozenClock::new();
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let first = ask(&engine, endless_question(1, MINUTE), bulk());
    eventually("the worker is busy", || engine.stats().workers_busy == 1).await;
    let waiting = ask(&engine, shallow_question(2), bulk());
    eventually_queued(&engine, &notes, 2, 1).await;
    clock.advance(DAY).await;
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished() && !first.is_finished());
    first.abort();
    let hints = waiting.await.expect("no panic").expect("a hint");
    assert_eq!((hints.stop, hints.depth), (Some(StopReason::Depth), 3));
}

/// Bulk searches go on, one at a time, however many interactive ones wait.
#[tokio::test(flavor = "multi_thread")]
async fn bulk_searches_are_not_starved() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let interactive: Vec<_> =
        (4..=9).map(|n_matches| ask(&engine, endless_question(n_matches, MINUTE), Caller::now())).collect();
    eventually_queued(&engine, &notes, 6, 5).await;
    for n_matches in 1..=3 {
        let hints = engine.hint(&shallow_question(n_matches), bulk()).await.expect("a hint");
        assert_eq!((hints.stop, hints.depth), (Some(StopReason::Depth), 3));
    }
    assert_eq!(engine.stats().queues[0].depth, 5);
    interactive.iter().for_each(|waiting| waiting.abort());
}

/// A caller's single question finds a place in a queue that another caller has filled, and is searched before
/// the rest.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_starves_nobody() {
    let (engine, notes) = engine(EngineConfig { queue_len_max: 3, ..one_worker() }, &[ENDLESS]);
    let running = ask(&engine, endless_question(1, MINUTE), caller("flood"));
    eventually("the worker is busy", || engine.stats().workers_busy == 1).await;
    let flood: Vec<_> =
        (2..=4).map(|n_matches| ask(&engine, endless_question(n_matches, 2 * MINUTE), caller("flood"))).collect();
    eventually_queued(&engine, &notes, 4, 3).await;
    let refused = engine.hint(&endless_question(5, 2 * MINUTE), caller("flood")).await;
    assert!(matches!(refused, Err(EngineError::Overloaded { .. })), "{refused:?}");
    let single = ask(&engine, HintQuestion { ..shallow_question(6) }, caller("single"));
    eventually("one of the flood is refused for it", || flood.iter().any(|asked| asked.is_finished())).await;
    running.abort();
    let hints = single.await.expect("no panic").expect("a hint");
    assert_eq!((hints.stop, hints.depth), (Some(StopReason::Depth), 3));
    let (refused, others): (Vec<_>, Vec<_>) = flood.into_iter().partition(|asked| asked.is_finished());
    assert_eq!((refused.len(), others.len()), (1, 2));
    for refused in refused {
        let refused = refused.await.expect("no panic");
        assert!(matches!(refused, Err(EngineError::Overloaded { .. })), "{refused:?}");
    }
    assert_eq!(notes.searches.lock().unwrap().iter().filter(|stop| **stop == StopReason::Depth).count(), 1);
    others.iter().for_each(|asked| asked.abort());
}

/// One caller's bulk questions of a higher priority are searched first.
#[tokio::test(flavor = "multi_thread")]
async fn priority_decides_among_bulk_questions() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let running = ask(&engine, endless_question(1, MINUTE), bulk());
    eventually("the worker is busy", || engine.stats().workers_busy == 1).await;
    let low = ask(&engine, endless_question(2, MINUTE), Caller { priority: Priority::Low, ..bulk() });
    eventually_queued(&engine, &notes, 2, 1).await;
    let high = ask(&engine, shallow_question(3), Caller { priority: Priority::High, ..bulk() });
    eventually_queued(&engine, &notes, 3, 2).await;
    running.abort();
    let hints = high.await.expect("no panic").expect("a hint");
    assert_eq!(hints.stop, Some(StopReason::Depth));
    assert!(!low.is_finished());
    low.abort();
}
