//! Single flight: equal questions share one search, which is cancelled when the
//! last of its waiters has left.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use crate::answer::StopReason;
use crate::error::EngineError;
use crate::schedule::cancel::CancelToken;
use crate::search::cache::Snapshot;
use crate::trace::Trace;

/// Progress of a search.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    /// Nothing is known yet.
    Pending,
    /// What is known so far.
    Partial(Arc<Snapshot>),
    /// The final result.
    Done(Arc<Snapshot>),
    /// A store had the result, so there was no search.
    Stored(Arc<Snapshot>),
    /// There will be no search: the engine is stopping, or no time would have been left.
    NotStarted(StopReason),
    /// There will be no answer.
    Failed(EngineError),
}

/// A search in progress, as the search itself and its watchdog see it.
#[derive(Clone, Debug)]
pub(crate) struct SharedSearch {
    pub(crate) cancel: Arc<CancelToken>,
    pub(crate) progress: watch::Sender<Progress>,
    /// Trace of the caller that started it.
    pub(crate) trace: Trace,
}

/// All searches in progress, by key.
#[derive(Debug)]
pub(crate) struct SingleFlight<K>(Arc<Mutex<HashMap<K, Entry>>>);

#[derive(Debug)]
struct Entry {
    search: SharedSearch,
    n_waiting: usize,
}

/// One caller that waits for a search. Dropping it leaves the search.
#[derive(Debug)]
pub(crate) struct Waiter<K: Eq + Hash> {
    in_flight: SingleFlight<K>,
    key: K,
    pub(crate) search: SharedSearch,
    pub(crate) progress: watch::Receiver<Progress>,
}

impl<K> Clone for SingleFlight<K> {
    fn clone(&self) -> Self {
        SingleFlight(self.0.clone())
    }
}

impl<K: Eq + Hash + Clone> SingleFlight<K> {
    pub(crate) fn new() -> Self {
        SingleFlight(Arc::default())
    }

    /// Joins the search for a question. `true` means that there was none and the caller must start it.
    pub(crate) fn join(&self, key: &K, trace: &Trace) -> (Waiter<K>, bool) {
        let mut map = self.lock();
        let mut is_first = false;
        let entry = map.entry(key.clone()).or_insert_with(|| {
            is_first = true;
            let progress = watch::Sender::new(Progress::Pending);
            let search = SharedSearch { cancel: Arc::default(), progress, trace: trace.clone() };
            Entry { search, n_waiting: 0 }
        });
        (self.waiter(key, entry), is_first)
    }

    /// Joins the search for a question, if there is one.
    pub(crate) fn join_existing(&self, key: &K) -> Option<Waiter<K>> {
        self.lock().get_mut(key).map(|entry| self.waiter(key, entry))
    }

    /// Whether there is a search for a question.
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.lock().contains_key(key)
    }

    fn waiter(&self, key: &K, entry: &mut Entry) -> Waiter<K> {
        entry.n_waiting += 1;
        let search = entry.search.clone();
        let progress = search.progress.subscribe();
        Waiter { in_flight: self.clone(), key: key.clone(), search, progress }
    }

    /// Cancels every search.
    pub(crate) fn stop_all(&self) {
        for entry in self.lock().values() {
            entry.search.cancel.cancel(StopReason::Shutdown);
        }
    }
}

impl<K: Eq + Hash> SingleFlight<K> {
    /// Removes a search: later callers start a new one.
    pub(crate) fn remove(&self, key: &K, search: &SharedSearch) {
        let mut map = self.lock();
        if map.get(key).is_some_and(|entry| Arc::ptr_eq(&entry.search.cancel, &search.cancel)) {
            map.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Entry>> {
        self.0.lock().expect("nothing panics while the searches are locked")
    }
}

impl<K: Eq + Hash> Drop for Waiter<K> {
    fn drop(&mut self) {
        let mut map = self.in_flight.lock();
        let Some(entry) = map.get_mut(&self.key) else { return };
        if !Arc::ptr_eq(&entry.search.cancel, &self.search.cancel) {
            return;
        }
        entry.n_waiting -= 1;
        if entry.n_waiting == 0 {
            entry.search.cancel.cancel(StopReason::Cancelled);
            map.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The search is cancelled when the last waiter leaves, not before.
    #[test]
    fn the_last_waiter_to_leave_cancels_the_search() {
        let in_flight = SingleFlight::new();
        let (first, starts) = in_flight.join(&"question", &Trace::default());
        let (second, joins) = in_flight.join(&"question", &Trace::default());
        assert!(starts && !joins);
        let cancel = first.search.cancel.clone();
        drop(first);
        assert!(!cancel.is_cancelled());
        drop(second);
        assert!(cancel.is_cancelled());
        let (_third, starts) = in_flight.join(&"question", &Trace::default());
        assert!(starts, "a search that was stopped is not joined");
    }

    /// Dropping a waiter of a removed search cancels nothing.
    #[test]
    fn a_removed_search_makes_room() {
        let in_flight = SingleFlight::new();
        let (waiter, _) = in_flight.join(&1, &Trace::default());
        in_flight.remove(&1, &waiter.search);
        let (other, starts) = in_flight.join(&1, &Trace::default());
        assert!(starts);
        drop(waiter);
        assert!(!other.search.cancel.is_cancelled());
    }
}
