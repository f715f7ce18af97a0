//! Rule sets that misbehave cost their own requests and no more.

use std::time::Duration;

use pentad_engine::{Caller, EngineConfig, EngineError};

use crate::support::{ask, config, engine, eventually, question};

/// A search that does not stop when its caller has left is charged as a hang and its worker replaced; other
/// games are served.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_ignores_its_stop_is_given_up() {
    let config = EngineConfig { hang_grace: Duration::from_millis(100), ..EngineConfig::default() };
    let (engine, notes) = engine(config, &["search_hangs"]);
    let waiting = ask(&engine, question("search-hangs", ""), Caller::now());
    eventually("the search runs", || engine.stats().workers_busy == 1).await;
    waiting.abort();
    eventually("the hang is noted", || notes.faults.lock().unwrap().contains(&"hang")).await;
    eventually("the worker is replaced", || engine.stats().workers_busy == 0).await;
    assert_eq!(engine.n_searches("search-hangs"), 1, "its thread has not returned");
    engine.hint(&question("pentago", ""), Caller::now()).await.expect("Pentago is served");
}

/// The callers of a search that hangs get an error when it is given up.
#[tokio::test(flavor = "multi_thread")]
async fn a_hang_is_answered() {
    let config = EngineConfig { hang_grace: Duration::from_millis(100), ..EngineConfig::default() };
    let (engine, _) = engine(config, &["search_hangs"]);
    let waiting = ask(&engine, question("search-hangs", ""), Caller::now());
    eventually("the search runs", || engine.stats().workers_busy == 1).await;
    engine.stop_searches();
    let answer = waiting.await.expect("no panic");
    assert!(matches!(answer, Err(EngineError::RulesetFault { .. })), "{answer:?}");
}

/// A search that returns an illegal move is a fault.
#[tokio::test(flavor = "multi_thread")]
async fn an_illegal_move_is_not_believed() {
    let (engine, notes) = engine(config(), &["search_illegal"]);
    let game = engine.rulesets().iter().map(|it| it.info().id.clone()).find(|id| id != "pentago").expect("loaded");
    let answered = engine.hint(&question(&game, "5 a"), Caller::now()).await;
    assert!(matches!(answered, Err(EngineError::RulesetFault { .. })), "{answered:?}");
    assert_eq!(*notes.fault_positions.lock().unwrap(), ["5 a"], "the fault is reported with its position");
    engine.hint(&question("pentago", ""), Caller::now()).await.expect("Pentago is served");
}
