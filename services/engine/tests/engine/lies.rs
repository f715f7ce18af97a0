//! Rule sets that misbehave cost their own requests and no more.

use std::time::Duration;

use pentad_engine::{Caller, EngineConfig, EngineError};

use crate::support::{engine, eventually, question};

/// A search that ignores its stop is answered for at the deadline, charged as a
/// hang, and its worker replaced; the other games go on.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_ignores_its_stop_is_given_up() {
    let config = EngineConfig { hang_grace: Duration::from_millis(100), ..EngineConfig::default() };
    let (engine, notes) = engine(config, &["search_ignores_stop"]);
    let game = engine.rulesets().iter().map(|it| it.info().id.clone()).find(|id| id != "pentago").expect("loaded");
    let answered = engine.hint(&question(&game, "", 50), Caller::now()).await;
    assert!(answered.is_ok() || matches!(answered, Err(EngineError::RulesetFault { .. })), "{answered:?}");
    eventually("the hang is noted", || notes.faults.lock().unwrap().contains(&"hang")).await;
    eventually("the worker is replaced", || engine.stats().workers_busy == 0).await;
    engine.hint(&question("pentago", "", 100), Caller::now()).await.expect("Pentago is served");
}

/// A search that names an illegal move is not believed.
#[tokio::test(flavor = "multi_thread")]
async fn an_illegal_move_is_not_believed() {
    let (engine, notes) = engine(EngineConfig::default(), &["search_illegal"]);
    let game = engine.rulesets().iter().map(|it| it.info().id.clone()).find(|id| id != "pentago").expect("loaded");
    let answered = engine.hint(&question(&game, "", 100), Caller::now()).await;
    assert!(matches!(answered, Err(EngineError::RulesetFault { .. })), "{answered:?}");
    assert!(!notes.faults.lock().unwrap().is_empty());
    engine.hint(&question("pentago", "", 100), Caller::now()).await.expect("Pentago is served");
}
