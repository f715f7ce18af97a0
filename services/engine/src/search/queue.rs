//! The queue of searches of one class: which is next, and which are overdue.
//!
//! The queue is fair between callers and bounded by length and by cost, the time that its searches may
//! take. A full queue evicts the last search of the caller that has most in it, or refuses. A search that
//! goes on after it is cancelled or due is given up, by the work of its thread and not by the clock alone.
//!
//! The queue of bulk searches yields to others: what runs and waits there leaves it fewer workers, but
//! always one.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::question::{CallerKey, Class, Priority};
use crate::schedule::cancel::CancelToken;
use crate::schedule::fair_queue::{Bound, FairQueue};
use crate::schedule::job::{Job, Refused};
use crate::schedule::policy::{Admission, Ended, Overdue, Policy, Taken};
use crate::schedule::pool::retry_after;
use crate::schedule::queue_time::{Pace, queue_time, start_time};
use crate::schedule::thread_time::{HangLimits, Overrun, ThreadTime};

/// How often an idle worker checks whether the queues that it yields to have become less busy.
const YIELD_INTERVAL: Duration = Duration::from_millis(5);
/// A job is refused if its expected start is later than its due time by more than 1/N of the time left.
/// Searches often end early, so a job that waits for others may still find a worker.
const TOO_LATE: u32 = 4;

/// A job that ends by itself.
pub(crate) trait TimedJob: Job {
    /// Time that it may take, for bounds and fairness.
    fn cost(&self) -> Duration;

    fn cancel(&self) -> &CancelToken;

    /// When it ends by itself at the latest; after that, [`SearchQueueConfig::hang`] counts.
    fn due(&self) -> Instant;

    /// Maximum run time, if that ends before `due`.
    fn time(&self) -> Option<Duration>;

    /// Whether its rule set runs in a worker process.
    fn is_isolated(&self) -> bool {
        false
    }
}

/// Bounds of a queue.
#[derive(Clone, Debug)]
pub(crate) struct SearchQueueConfig {
    /// Class of all its jobs.
    pub(crate) class: Class,
    pub(crate) n_workers: usize,
    pub(crate) queue_len_max: usize,
    pub(crate) queue_cost_max: Duration,
    /// Bounds of a search that should have ended.
    pub(crate) hang: HangLimits,
    /// [`SearchQueue::n_active`] of the queues that get this one's workers, except one.
    pub(crate) yields_to: Vec<Arc<AtomicUsize>>,
}

/// The jobs of one pool that wait and those that run.
pub(crate) struct SearchQueue {
    config: SearchQueueConfig,
    queue: FairQueue<Queued>,
    running: HashMap<u64, Running>,
    pace: Pace,
    /// Number of jobs that run or wait, for queues that yield to this one.
    n_active: Arc<AtomicUsize>,
}

struct Queued {
    since: Instant,
    job: Arc<dyn TimedJob>,
}

struct Running {
    job: Arc<dyn TimedJob>,
    started: Instant,
    due: Instant,
    overrun: Overrun,
}

impl SearchQueue {
    pub(crate) fn new(config: SearchQueueConfig) -> Self {
        SearchQueue {
            config,
            queue: FairQueue::default(),
            running: HashMap::new(),
            pace: Pace::default(),
            n_active: Arc::default(),
        }
    }

    pub(crate) fn n_active(&self) -> Arc<AtomicUsize> {
        self.n_active.clone()
    }

    /// Returns the bound that a queue with one more job would exceed. A job that an idle worker is about
    /// to take does not wait, and a single job may wait whatever it costs.
    fn exceeded_bound(&self, cost: Duration) -> Option<Bound> {
        let n_idle = self.config.n_workers.saturating_sub(self.running.len());
        if self.queue.len() >= self.config.queue_len_max.saturating_add(n_idle) {
            return Some(Bound::Len);
        }
        let is_costly = self.queue.len() > n_idle && self.queue.cost() + cost > self.config.queue_cost_max;
        is_costly.then_some(Bound::Cost)
    }

    /// Returns how many jobs may run now, at least one.
    fn n_workers_now(&self) -> usize {
        let n_taken: usize = self.config.yields_to.iter().map(|n_active| n_active.load(Ordering::Relaxed)).sum();
        self.config.n_workers.saturating_sub(n_taken).max(1)
    }

    fn update_n_active(&self) {
        self.n_active.store(self.running.len() + self.queue.len(), Ordering::Relaxed);
    }

    /// Returns how long the jobs ahead of a new one of this caller will take.
    fn time_ahead(&self, caller: CallerKey, priority: Priority, n_workers: usize, now: Instant) -> Duration {
        let ahead = self.queue.ahead_of(caller, priority);
        let queued = ahead.iter().map(|queued| time_left(&*queued.job, now));
        queue_time(n_workers, self.running_left(now), queued, self.pace)
    }

    /// Returns the expected time until a new job starts.
    fn starts_in(&self, job: &dyn TimedJob, n_workers: usize, now: Instant) -> Duration {
        let ahead = self.queue.ahead_of(job.caller(), job.priority());
        let queued = ahead.iter().map(|queued| time_left(&*queued.job, now));
        start_time(n_workers, self.running_left(now), queued, self.pace)
    }

    /// Returns the time that each running job is expected to take from now.
    fn running_left(&self, now: Instant) -> impl Iterator<Item = Duration> {
        self.running.values().map(move |running| {
            let elapsed = now.saturating_duration_since(running.started);
            self.pace.expected(running.due.saturating_duration_since(running.started)).saturating_sub(elapsed)
        })
    }

    /// Evicts jobs until a new one fits, and queues that. If nothing can be evicted, refuses it.
    fn push_or_refuse(&mut self, job: &Arc<dyn TimedJob>, now: Instant) -> Admission<dyn TimedJob> {
        let n_workers = self.n_workers_now();
        let (caller, priority, cost) = (job.caller(), job.priority(), job.cost());
        let (mut result, mut evicted) = (Ok(()), Vec::new());
        while let Some(bound) = self.exceeded_bound(cost) {
            let Some(queued) = self.queue.evict_for(caller, cost, bound) else {
                let time = self.time_ahead(caller, priority, n_workers, now);
                result = Err(Refused::Full { retry_after: retry_after(time) });
                break;
            };
            evicted.push(queued.job);
        }
        if result.is_ok() {
            self.queue.push(caller, priority, cost, Queued { since: now, job: job.clone() });
        }
        let timed = |job: Arc<dyn TimedJob>| {
            let time = self.time_ahead(job.caller(), job.priority(), n_workers, now);
            (job, retry_after(time))
        };
        let evicted = evicted.into_iter().map(timed).collect();
        Admission { result, evicted, cancelled: Vec::new() }
    }
}

impl Policy for SearchQueue {
    type Job = dyn TimedJob;

    fn n_workers(&self) -> usize {
        self.config.n_workers
    }

    fn admit(&mut self, job: &Arc<dyn TimedJob>, now: Instant) -> Admission<dyn TimedJob> {
        let is_full = self.exceeded_bound(job.cost()).is_some();
        let cancelled = if is_full { self.remove_cancelled() } else { Vec::new() };
        let left = job.due().saturating_duration_since(now);
        let is_late = self.starts_in(&**job, self.n_workers_now(), now) > left + left / TOO_LATE;
        let admission = if is_late {
            Admission { result: Err(Refused::TooLate), evicted: Vec::new(), cancelled: Vec::new() }
        } else {
            self.push_or_refuse(job, now)
        };
        self.update_n_active();
        Admission { cancelled, ..admission }
    }

    fn take(&mut self, worker_id: u64, now: Instant) -> Taken<dyn TimedJob> {
        let mut taken = Taken::default();
        while self.running.len() < self.n_workers_now() {
            let Some(Queued { job, .. }) = self.queue.pop() else { break };
            if job.is_cancelled() {
                self.queue.settle(job.caller(), job.cost(), Duration::ZERO);
                taken.cancelled.push(job);
                continue;
            }
            // A job that waited for longer than it had still gets its grace.
            let due = job.time().map_or(job.due(), |time| job.due().min(now + time)).max(now);
            self.running
                .insert(worker_id, Running { job: job.clone(), started: now, due, overrun: Overrun::default() });
            taken.job = Some(job);
            break;
        }
        self.update_n_active();
        taken
    }

    fn finish(&mut self, worker_id: u64, _: &Arc<dyn TimedJob>, now: Instant) -> Ended {
        let Some(Running { job, started, due, .. }) = self.running.remove(&worker_id) else { return Ended::Hung };
        let took = now.saturating_duration_since(started);
        self.pace.record(took, due.saturating_duration_since(started));
        self.queue.settle(job.caller(), job.cost(), took);
        self.update_n_active();
        Ended::InTime
    }

    fn check(&mut self, now: Instant, thread_time: &dyn Fn(u64) -> Option<ThreadTime>) -> Overdue<dyn TimedJob> {
        let is_hung = |worker_id: u64, running: &mut Running| {
            let limits = self.config.hang.for_job(running.job.is_isolated());
            let should_end = running.job.cancel().cause().map_or(running.due, |(at, _)| at.min(running.due));
            now > should_end && running.overrun.has_hung(now, thread_time(worker_id), &limits)
        };
        let hung = self.running.extract_if(|id, running| is_hung(*id, running)).map(|(_, running)| running.job);
        let hung: Vec<_> = hung.collect();
        self.update_n_active();
        Overdue { n_slow: hung.len(), hung, ..Overdue::default() }
    }

    fn remove_cancelled(&mut self) -> Vec<Arc<dyn TimedJob>> {
        let removed = self.queue.remove_where(|queued| queued.job.is_cancelled());
        self.update_n_active();
        removed.into_iter().map(|queued| queued.job).collect()
    }

    fn has_work(&self) -> bool {
        !self.queue.is_empty()
    }

    fn poll_interval(&self) -> Option<Duration> {
        self.has_work().then_some(YIELD_INTERVAL)
    }

    fn n_running(&self) -> usize {
        self.running.len()
    }

    fn waiting(&self, class: Class) -> (usize, Option<Instant>) {
        if class != self.config.class {
            return (0, None);
        }
        let live = self.queue.iter().filter(|queued| !queued.job.is_cancelled());
        (live.clone().count(), live.map(|queued| queued.since).min())
    }

    fn n_competing(&self, caller: CallerKey) -> usize {
        self.queue.n_competing(caller, |queued| !queued.job.is_cancelled())
    }
}

/// Returns the time that a job has if it starts at once.
fn time_left(job: &dyn TimedJob, now: Instant) -> Duration {
    let left = job.due().saturating_duration_since(now);
    job.time().map_or(left, |time| time.min(left))
}

#[cfg(test)]
mod tests;
