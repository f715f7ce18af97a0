//! Searches under way, and everybody who waits for them.
//!
//! Equal questions share one search. It ends when the last of those who wait
//! has gone.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use crate::answer::StopReason;
use crate::cache::Snapshot;
use crate::error::EngineError;
use crate::stop::Stop;
use crate::trace::Trace;

/// How far a search has come.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    /// Nothing is known yet.
    Nothing,
    /// What is known so far.
    Some(Arc<Snapshot>),
    /// All there will be.
    Done(Arc<Snapshot>),
    /// There will be no answer.
    Failed(EngineError),
}

/// The search's end of a flight.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) stop: Arc<Stop>,
    pub(crate) progress: watch::Sender<Progress>,
    /// Whose question started it.
    pub(crate) trace: Trace,
}

/// All searches under way, by question.
#[derive(Debug)]
pub(crate) struct Flights<K>(Arc<Mutex<HashMap<K, Entry>>>);

#[derive(Debug)]
struct Entry {
    flight: Flight,
    n_waiting: usize,
}

/// One asker's end of a flight. Dropping it is giving up.
#[derive(Debug)]
pub(crate) struct Ticket<K: Eq + Hash> {
    flights: Flights<K>,
    key: K,
    pub(crate) flight: Flight,
    pub(crate) progress: watch::Receiver<Progress>,
}

impl<K> Clone for Flights<K> {
    fn clone(&self) -> Self {
        Flights(self.0.clone())
    }
}

impl<K: Eq + Hash + Clone> Flights<K> {
    pub(crate) fn new() -> Self {
        Flights(Arc::default())
    }

    /// Joins the search for a question. `true` means that there is none yet and
    /// the caller must start it.
    pub(crate) fn join(&self, key: &K, trace: &Trace) -> (Ticket<K>, bool) {
        let mut map = self.lock();
        let mut is_first = false;
        let entry = map.entry(key.clone()).or_insert_with(|| {
            is_first = true;
            let progress = watch::Sender::new(Progress::Nothing);
            let flight = Flight { stop: Arc::default(), progress, trace: trace.clone() };
            Entry { flight, n_waiting: 0 }
        });
        entry.n_waiting += 1;
        let flight = entry.flight.clone();
        let progress = flight.progress.subscribe();
        drop(map);
        (Ticket { flights: self.clone(), key: key.clone(), flight, progress }, is_first)
    }

    /// Ends every search.
    pub(crate) fn stop_all(&self) {
        for entry in self.lock().values() {
            entry.flight.stop.tell(StopReason::Shutdown);
        }
    }
}

impl<K: Eq + Hash> Flights<K> {
    /// Takes a search off the list: later askers start anew.
    pub(crate) fn land(&self, key: &K, flight: &Flight) {
        let mut map = self.lock();
        if map.get(key).is_some_and(|entry| Arc::ptr_eq(&entry.flight.stop, &flight.stop)) {
            map.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Entry>> {
        self.0.lock().expect("nothing panics while the flights are locked")
    }
}

impl<K: Eq + Hash> Drop for Ticket<K> {
    fn drop(&mut self) {
        let mut map = self.flights.lock();
        let Some(entry) = map.get_mut(&self.key) else { return };
        if !Arc::ptr_eq(&entry.flight.stop, &self.flight.stop) {
            return;
        }
        entry.n_waiting -= 1;
        if entry.n_waiting == 0 {
            entry.flight.stop.tell(StopReason::Cancelled);
            map.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The search is told to stop when the last asker goes, not before.
    #[test]
    fn the_last_to_leave_stops_the_search() {
        let flights = Flights::new();
        let (first, starts) = flights.join(&"question", &Trace::default());
        let (second, joins) = flights.join(&"question", &Trace::default());
        assert!(starts && !joins);
        let stop = first.flight.stop.clone();
        drop(first);
        assert!(!stop.is_told());
        drop(second);
        assert!(stop.is_told());
        let (_third, starts) = flights.join(&"question", &Trace::default());
        assert!(starts, "a search that was stopped is not joined");
    }

    /// A flight that landed is not stopped by those who still hold tickets.
    #[test]
    fn landing_makes_room() {
        let flights = Flights::new();
        let (ticket, _) = flights.join(&1, &Trace::default());
        flights.land(&1, &ticket.flight);
        let (other, starts) = flights.join(&1, &Trace::default());
        assert!(starts);
        drop(ticket);
        assert!(!other.flight.stop.is_told());
    }
}
