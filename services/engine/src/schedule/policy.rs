//! What the queue of a pool decides.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::question::{CallerKey, Class};
use crate::schedule::job::{Job, Refused};
use crate::schedule::thread_time::ThreadTime;

/// The queue of a pool: the jobs that wait and those that run.
///
/// All methods run under the pool's lock and call no job back.
pub(crate) trait Policy: Send + 'static {
    type Job: Job + ?Sized;

    /// Number of jobs that may run at once.
    fn n_workers(&self) -> usize;

    /// Queues a job, or refuses it.
    fn admit(&mut self, job: &Arc<Self::Job>, now: Instant) -> Admission<Self::Job>;

    /// Takes the next job that may start and enters it as running.
    fn take(&mut self, worker_id: u64, now: Instant) -> Taken<Self::Job>;

    /// Notes that the job of a worker has returned.
    fn finish(&mut self, worker_id: u64, job: &Arc<Self::Job>, now: Instant) -> Ended;

    /// Finds the running jobs that are overdue. Hung ones no longer count as running. `thread_time` returns
    /// what the thread of a worker has done, if that is known.
    fn check(&mut self, now: Instant, thread_time: &dyn Fn(u64) -> Option<ThreadTime>) -> Overdue<Self::Job>;

    /// Removes cancelled jobs from the queue.
    fn remove_cancelled(&mut self) -> Vec<Arc<Self::Job>>;

    /// Whether a worker that looks may find a job.
    fn has_work(&self) -> bool;

    /// How soon an idle worker looks again by itself, if jobs wait that may not start yet.
    fn poll_interval(&self) -> Option<Duration> {
        None
    }

    /// Whether jobs take so long that their callers are woken one by one.
    fn wakes_at_once(&self) -> bool {
        false
    }

    /// Number of running jobs, without hung ones.
    fn n_running(&self) -> usize;

    /// Number of waiting jobs of a class, without cancelled ones, and when the oldest was queued.
    fn waiting(&self, class: Class) -> (usize, Option<Instant>);

    /// Number of waiting jobs that compete with one of this caller.
    fn n_competing(&self, _caller: CallerKey) -> usize {
        0
    }
}

/// The result of [`Policy::admit`].
pub(crate) struct Admission<J: ?Sized> {
    pub(crate) result: Result<(), Refused>,
    /// Jobs whose place was needed, each with the time after which to try again.
    pub(crate) evicted: Vec<(Arc<J>, Duration)>,
    pub(crate) cancelled: Vec<Arc<J>>,
}

/// The result of [`Policy::take`].
pub(crate) struct Taken<J: ?Sized> {
    pub(crate) job: Option<Arc<J>>,
    pub(crate) cancelled: Vec<Arc<J>>,
    /// Jobs of games whose calls do not return.
    pub(crate) unavailable: Vec<Arc<J>>,
}

impl<J: ?Sized> Default for Taken<J> {
    fn default() -> Self {
        Taken { job: None, cancelled: Vec::new(), unavailable: Vec::new() }
    }
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    InTime,
    /// After a replacement worker had taken its worker's place.
    Slow,
    /// After it had been given up as hung.
    Hung,
}

/// The result of [`Policy::check`].
pub(crate) struct Overdue<J: ?Sized> {
    /// Number of jobs that need a replacement worker from now on.
    pub(crate) n_slow: usize,
    /// Running jobs whose store is late.
    pub(crate) store_late: Vec<Arc<J>>,
    pub(crate) hung: Vec<Arc<J>>,
    /// Jobs that waited for hung ones.
    pub(crate) unavailable: Vec<Arc<J>>,
}

impl<J: ?Sized> Default for Overdue<J> {
    fn default() -> Self {
        Overdue { n_slow: 0, store_late: Vec::new(), hung: Vec::new(), unavailable: Vec::new() }
    }
}
