//! Calls of the rules that are slow, endless or hang.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_engine::{Caller, Engine, EngineConfig, EngineError, ExploreQuestion, Field, MovePage, MovesQuestion};
use tokio::task::JoinHandle;

use crate::support::{
    ENDLESS, FrozenClock, ask, config, endless_question, engine, eventually, eventually_queued, one_worker, spec,
    timed_question,
};

const MINUTE: Duration = Duration::from_mins(1);

/// With nine matches its list of moves never returns, or only when the writer stops it; with fewer it is
/// quick.
const MOVES_HANG: &str = "moves_hang";
const MOVES_ENDLESS: &str = "moves_endless";

fn moves(game: &str, position: &str, distinct: bool) -> MovesQuestion {
    MovesQuestion { spec: spec(game, position), distinct, ..MovesQuestion::default() }
}

fn list(engine: &Arc<Engine>, question: MovesQuestion, caller: Caller) -> JoinHandle<Result<MovePage, EngineError>> {
    let engine = engine.clone();
    tokio::spawn(async move { engine.legal_moves(&question, caller).await })
}

/// A rule set that suddenly hangs in more calls than there are threads costs its own callers and no others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_calls_cost_their_game_alone() {
    let config = EngineConfig { hang_grace: Duration::from_millis(100), ..config() };
    let (engine, notes) = engine(config, &[MOVES_HANG]);
    for _ in 0..200 {
        engine.legal_moves(&moves("moves-hang", "5 a", false), Caller::now()).await.expect("it is quick");
    }
    let n_workers = engine.stats().pools[3].workers;
    let hanging: Vec<_> =
        (0..2 * n_workers + 4).map(|_| list(&engine, moves("moves-hang", "9 a", false), Caller::now())).collect();
    eventually("all workers hang", || engine.stats().pools[3].busy >= n_workers).await;
    for _ in 0..10 {
        engine.legal_moves(&moves("pentago", "", false), Caller::now()).await.expect("Pentago is served");
    }
    assert!(hanging.iter().all(|call| !call.is_finished()), "others did not wait until the hangs were noticed");
    eventually("one more than the workers hangs at most", || engine.stats().pools[3].busy <= n_workers + 1).await;
    let (mut n_faults, mut n_refused) = (0, 0);
    for call in hanging {
        match call.await.expect("no panic") {
            Err(EngineError::RulesetFault { .. }) => n_faults += 1,
            Err(EngineError::RulesetUnavailable { .. }) => n_refused += 1,
            answer => panic!("{answer:?}"),
        }
    }
    assert!(n_faults >= 2 && n_faults <= n_workers + 1 && n_refused > 0, "{n_faults} faults, {n_refused} refused");
    assert_eq!(notes.faults.lock().unwrap().iter().filter(|&&kind| kind == "hang").count(), n_faults);
    assert!(!engine.is_up("moves-hang") && engine.is_up("pentago"));
}

/// A question that is due before its search began takes any legal move; if listing those hangs, the runtime
/// does not.
#[tokio::test]
async fn a_hang_at_the_due_time_holds_up_nobody() {
    let clock = FrozenClock::new();
    let (engine, notes) = engine(EngineConfig { time_max: 10 * MINUTE, ..one_worker() }, &[ENDLESS, MOVES_HANG]);
    let running = ask(&engine, endless_question(1, 10 * MINUTE), Caller::now());
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    // Just before the other, so that it is not refused for starting too late.
    let waiting = ask(&engine, timed_question(spec("moves-hang", "9 a"), 9 * MINUTE), Caller::now());
    eventually_queued(&engine, &notes, 2, 1).await;
    clock.advance(10 * MINUTE - MINUTE / 2).await;
    eventually("the moves are listed", || engine.stats().pools[3].busy == 1).await;
    engine.describe(&spec("pentago", ""), Caller::now()).await.expect("Pentago is served");
    assert!(!waiting.is_finished());
    running.abort();
    waiting.abort();
}

/// A long list ends when its caller leaves.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_ends_with_its_caller() {
    let (engine, _) = engine(config(), &[MOVES_ENDLESS]);
    let lists_busy = || engine.stats().pools[4].busy;
    let call = list(&engine, moves("moves-endless", "9 a", true), Caller::now());
    eventually("the list is made", || lists_busy() == 1).await;
    call.abort();
    eventually("the list has ended", || lists_busy() == 0).await;
    assert!(engine.is_up("moves-endless"), "it has done nothing wrong");
}

/// A long list ends when its caller's deadline passes.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_ends_at_the_deadline() {
    let (engine, _) = engine(config(), &[MOVES_ENDLESS]);
    let deadline = Some(Instant::now() + Duration::from_millis(200));
    let caller = Caller { deadline, ..Caller::now() };
    let answer = engine.legal_moves(&moves("moves-endless", "9 a", true), caller).await;
    assert!(matches!(answer, Err(EngineError::Deadline)), "{answer:?}");
    eventually("the list has ended", || engine.stats().pools[4].busy == 0).await;
}

/// Short calls do not wait for long lists, not even those of the same game.
#[tokio::test(flavor = "multi_thread")]
async fn short_calls_do_not_wait_for_long_lists() {
    let (engine, _) = engine(config(), &[MOVES_ENDLESS]);
    let n_lists = 8;
    let lists: Vec<_> =
        (0..n_lists).map(|_| list(&engine, moves("moves-endless", "9 a", true), Caller::now())).collect();
    eventually("one runs and the others wait", || {
        let stats = engine.stats();
        stats.pools[4].busy == 1 && stats.queues[0].depth == n_lists - 1
    })
    .await;
    for game in ["moves-endless", "pentago"] {
        engine.legal_moves(&moves(game, "", false), Caller::now()).await.expect("a page");
        engine.describe(&spec(game, ""), Caller::now()).await.expect("a description");
    }
    assert!(lists.iter().all(|call| !call.is_finished()));
    lists.iter().for_each(JoinHandle::abort);
    eventually("all have ended", || engine.stats().pools[4].busy == 0).await;
}

/// A list that is too long to be compared is refused with a remedy.
#[tokio::test]
async fn too_long_a_list_is_refused() {
    let (engine, _) = engine(config(), &[MOVES_ENDLESS]);
    let error = engine.legal_moves(&moves("moves-endless", "8 a", true), Caller::now()).await.expect_err("too long");
    assert!(matches!(&error, EngineError::TooLarge { field: Field::Distinct, .. }), "{error:?}");
    assert!(error.to_string().contains("2000000 legal moves") && error.to_string().contains("`prefix`"), "{error}");
}

/// A page token that cannot be right is refused before anything is listed.
#[tokio::test]
async fn a_bad_page_token_costs_no_list() {
    let (engine, _) = engine(config(), &[MOVES_ENDLESS]);
    for page_token in ["nonsense", "1-00000000"] {
        let page_token = page_token.to_owned();
        let question = ExploreQuestion { spec: spec("moves-endless", "9 a"), page_size: 0, page_token };
        match engine.explore(&question, Caller::now()).await {
            Err(EngineError::BadArgument { field, .. }) => assert_eq!(field, Field::PageToken.into()),
            answer => panic!("{answer:?}"),
        }
    }
}
