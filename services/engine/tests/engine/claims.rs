//! Searches that another replica may be making.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentad_engine::{
    AnswerStore, Caller, Claim, Engine, SearchLease, StopReason, StoreClaim, StoreKey, StoreLookup, StoredAnswer,
};
use pentad_host::Ruleset;

use crate::support::{self, Notes, config, eventually, question};

/// White wins with `e1`.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";

/// A store in memory, and a replica that has claimed every search for some time.
#[derive(Debug, Default)]
struct Replicated {
    answers: Mutex<HashMap<StoreKey, StoredAnswer>>,
    taken: Mutex<Option<Duration>>,
    n_claims: AtomicUsize,
    /// Number of answers when each lease was given back.
    released: Arc<Mutex<Vec<usize>>>,
}

/// Needed because the trait and `Arc` are of other crates.
#[derive(Clone, Debug, Default)]
struct Store(Arc<Replicated>);

impl AnswerStore for Store {
    fn get(&self, key: &StoreKey) -> StoreLookup {
        Box::pin(std::future::ready(self.0.answers.lock().unwrap().get(key).cloned()))
    }

    fn offer(&self, key: &StoreKey, answer: &StoredAnswer) {
        self.0.answers.lock().unwrap().insert(key.clone(), answer.clone());
    }

    fn refuse(&self, _key: &StoreKey, _reason: &'static str) {}

    fn claim(&self, _search: &StoreKey, hold: Duration) -> StoreClaim {
        assert!(hold <= Duration::from_secs(61), "until the answer is due: {hold:?}");
        self.0.n_claims.fetch_add(1, Ordering::SeqCst);
        let claim = match *self.0.taken.lock().unwrap() {
            Some(expires_in) => Claim::Taken { expires_in },
            None => {
                let store = self.0.clone();
                Claim::Granted(SearchLease::new(move || {
                    let n_answers = store.answers.lock().unwrap().len();
                    store.released.lock().unwrap().push(n_answers);
                }))
            }
        };
        Box::pin(std::future::ready(claim))
    }
}

impl Store {
    fn serve(&self, ruleset: &Path) -> (Arc<Engine>, Arc<Notes>) {
        let notes = Arc::new(Notes::default());
        let rulesets = vec![Ruleset::load(ruleset, None).expect("the plugin loads")];
        (Engine::with_store(config(), rulesets, notes.clone(), Some(Arc::new(self.clone()))), notes)
    }

    async fn assert_waits(&self) {
        let n_claims = || self.0.n_claims.load(Ordering::SeqCst);
        eventually("it asks again and again", || n_claims() >= 3).await;
    }
}

fn n_searches(notes: &Notes) -> usize {
    notes.searches.lock().unwrap().len()
}

/// The second replica waits, and answers with the result of the first.
#[tokio::test]
async fn a_search_of_another_is_waited_for() {
    let store = Store::default();
    let (first, _) = store.serve(&support::pentago());
    let found = first.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    eventually("the lease is given back", || !store.0.released.lock().unwrap().is_empty()).await;
    assert_eq!(*store.0.released.lock().unwrap(), [1], "after the answer was offered");

    let answers = std::mem::take(&mut *store.0.answers.lock().unwrap());
    *store.0.taken.lock().unwrap() = Some(Duration::from_secs(1));
    store.0.n_claims.store(0, Ordering::SeqCst);
    let (second, notes) = store.serve(&support::pentago());
    let asked = tokio::spawn(async move { second.hint(&question("pentago", WON), Caller::now()).await });
    store.assert_waits().await;
    *store.0.answers.lock().unwrap() = answers;
    *store.0.taken.lock().unwrap() = None;
    let shared = asked.await.expect("no panic").expect("a hint");
    assert_eq!((shared.cached, shared.hints, n_searches(&notes)), (true, found.hints, 0));
}

/// If the other replica found nothing, or is gone, the question is searched after all.
#[tokio::test]
async fn a_search_that_nobody_makes_is_made() {
    let store = Store::default();
    *store.0.taken.lock().unwrap() = Some(Duration::from_secs(1));
    let (engine, notes) = store.serve(&support::pentago());
    let asked = tokio::spawn(async move { engine.hint(&question("pentago", WON), Caller::now()).await });
    store.assert_waits().await;
    assert_eq!(n_searches(&notes), 0);
    *store.0.taken.lock().unwrap() = None;
    let found = asked.await.expect("no panic").expect("a hint");
    assert_eq!((found.cached, n_searches(&notes)), (false, 1));
}

/// A question that would have no time left for a search of its own does not wait.
#[tokio::test]
async fn a_search_that_ends_too_late_is_not_waited_for() {
    let store = Store::default();
    *store.0.taken.lock().unwrap() = Some(Duration::from_mins(1));
    let (engine, notes) = store.serve(&support::pentago());
    let found = engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    assert_eq!((found.cached, n_searches(&notes), store.0.n_claims.load(Ordering::SeqCst)), (false, 1, 1));
}

/// An engine that stops does not wait for others.
#[tokio::test]
async fn stopping_ends_the_wait() {
    let store = Store::default();
    *store.0.taken.lock().unwrap() = Some(Duration::from_secs(1));
    let (engine, notes) = store.serve(&support::pentago());
    let asked = {
        let engine = engine.clone();
        tokio::spawn(async move { engine.hint(&question("pentago", WON), Caller::now()).await })
    };
    store.assert_waits().await;
    engine.stop_searches();
    let hints = asked.await.expect("no panic").expect("a move");
    assert_eq!((hints.stop, n_searches(&notes)), (Some(StopReason::Shutdown), 0));
}
