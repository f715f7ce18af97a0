//! What a pool runs, and what it tells its jobs.

use std::task::Waker;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::question::{CallerKey, Priority};

/// One piece of work, from the queue of a [`Pool`](crate::schedule::pool::Pool) to its end.
///
/// The pool calls these methods without holding its lock. Of `run`, `cancelled`, `evicted` and
/// `unavailable` it calls exactly one, once.
pub(crate) trait Job: Send + Sync {
    fn caller(&self) -> CallerKey;

    fn priority(&self) -> Priority;

    /// Whether nobody waits for the result any more.
    fn is_cancelled(&self) -> bool;

    /// Does the work. Returns the waker of the task that waits for it and that task's runtime, if the
    /// pool is to wake it.
    fn run(&self, load: &PoolLoad<'_>) -> Option<(Waker, &Handle)>;

    /// The job was cancelled before a worker took it.
    fn cancelled(&self) {}

    /// A caller with fewer jobs in the full queue got this job's place.
    fn evicted(&self, retry_after: Duration);

    /// The job's game has too many calls that do not return.
    fn unavailable(&self) {}

    /// The job runs and the store that it reads is late.
    fn store_late(&self) {}

    /// The job has not returned in time, and the pool no longer waits for it.
    fn hung(&self);

    /// A job that had hung has returned after all.
    fn returned(&self);
}

/// How busy the pool of a running job is.
pub(crate) struct PoolLoad<'a> {
    pub(crate) n_workers: usize,
    pub(crate) n_competing: &'a (dyn Fn(CallerKey) -> usize + Sync),
}

impl PoolLoad<'_> {
    /// Returns how many waiting jobs compete with one of this caller for the workers.
    pub(crate) fn n_competing(&self, caller: CallerKey) -> usize {
        (self.n_competing)(caller)
    }
}

/// Why a job was not queued.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The queue has no room.
    Full {
        /// Time that the jobs ahead are expected to take.
        retry_after: Duration,
    },
    /// The job is not expected to start before it is due.
    TooLate,
}
