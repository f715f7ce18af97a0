//! The queue between callers, which never wait, and the writer thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pentad_engine::Recorded;
use tokio::sync::oneshot;

use super::database::Change;
use crate::error::StoreError;

/// Changes that wait for the writer.
#[derive(Default)]
pub(crate) struct WriteQueue {
    state: Mutex<WriteState>,
    changed: Condvar,
}

#[derive(Default)]
struct WriteState {
    items: VecDeque<Write>,
    /// A caller waits for the queue to be written.
    is_urgent: bool,
    is_closing: bool,
    /// Error that a reader got from the file.
    failure: Option<StoreError>,
}

/// A change, and the caller to notify when it is on disk.
pub(crate) struct Write {
    pub(crate) change: Option<Change>,
    /// Whether it is kept when the queue is full.
    pub(crate) is_proof: bool,
    pub(crate) done: Option<Done>,
}

/// Notifies the caller that waits for a change.
pub(crate) enum Done {
    Stored(oneshot::Sender<bool>),
    Recorded(oneshot::Sender<Recorded>),
}

impl Done {
    /// Reports that the change failed. The caller may have stopped waiting.
    pub(crate) fn fail(self) {
        match self {
            Done::Stored(done) => drop(done.send(false)),
            Done::Recorded(done) => drop(done.send(Recorded::Failed)),
        }
    }
}

/// Work for the writer.
pub(crate) enum Work {
    Commit(Vec<Write>),
    /// The file failed.
    Failed(StoreError),
    /// Nothing arrived within the time.
    Idle,
    /// The queue is empty and closed.
    Closed,
}

impl WriteQueue {
    /// Adds a change. In a full queue a proof replaces the oldest estimate, and anything else
    /// is dropped. Returns how many changes were dropped.
    pub(crate) fn push(&self, write: Write, len_max: usize) -> u64 {
        let mut state = self.lock();
        let mut n_dropped = 0;
        if state.is_closing {
            return 1;
        }
        if state.items.len() >= len_max {
            let is_estimate = |it: &Write| !it.is_proof && it.done.is_none();
            let estimate_idx = if write.is_proof { state.items.iter().position(is_estimate) } else { None };
            let Some(idx) = estimate_idx else { return 1 };
            state.items.remove(idx);
            n_dropped = 1;
        }
        state.items.push_back(write);
        drop(state);
        self.changed.notify_one();
        n_dropped
    }

    /// Signals `done` once all changes pushed before are on disk or have failed.
    pub(crate) fn flush(&self, done: oneshot::Sender<bool>) {
        let mut state = self.lock();
        state.items.push_back(Write { change: None, is_proof: true, done: Some(Done::Stored(done)) });
        state.is_urgent = true;
        drop(state);
        self.changed.notify_one();
    }

    /// Waits for changes, then for `gather` to collect more, and takes all.
    pub(crate) fn take(&self, gather: Duration, idle_max: Duration) -> Work {
        let is_idle = |state: &mut WriteState| state.items.is_empty() && !state.is_closing && state.failure.is_none();
        let waited = self.changed.wait_timeout_while(self.lock(), idle_max, is_idle);
        let (mut state, _) = waited.expect("nothing panics while it is locked");
        if !state.items.is_empty() {
            let until = Instant::now() + gather;
            loop {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() || state.is_urgent || state.is_closing || state.failure.is_some() {
                    break;
                }
                state = self.changed.wait_timeout(state, left).expect("nothing panics while it is locked").0;
            }
        }
        if let Some(error) = state.failure.take() {
            return Work::Failed(error);
        }
        state.is_urgent = false;
        let items: Vec<Write> = state.items.drain(..).collect();
        match (items.is_empty(), state.is_closing) {
            (false, _) => Work::Commit(items),
            (true, true) => Work::Closed,
            (true, false) => Work::Idle,
        }
    }

    /// Waits while nothing can be written, and fails the changes that wait for an
    /// acknowledgement. Returns whether the queue is closed.
    pub(crate) fn pause(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut state = self.lock();
        loop {
            state.failure = None;
            state.is_urgent = false;
            let unacknowledged = |write: &mut Write| match write.done.take() {
                Some(done) => {
                    done.fail();
                    false
                }
                None => true,
            };
            let items = std::mem::take(&mut state.items);
            state.items = items.into_iter().filter_map(|mut it| unacknowledged(&mut it).then_some(it)).collect();
            let left = until.saturating_duration_since(Instant::now());
            if state.is_closing || left.is_zero() {
                return state.is_closing;
            }
            state = self.changed.wait_timeout(state, left).expect("nothing panics while it is locked").0;
        }
    }

    /// Reports a failure of the file to the writer.
    pub(crate) fn fail(&self, error: StoreError) {
        self.lock().failure.get_or_insert(error);
        self.changed.notify_one();
    }

    /// Closes the queue: its content is still written, and nothing more is accepted.
    pub(crate) fn close(&self) {
        self.lock().is_closing = true;
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, WriteState> {
        self.state.lock().expect("nothing panics while it is locked")
    }
}
