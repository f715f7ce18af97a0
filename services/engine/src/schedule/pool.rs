//! The threads of searches of one class, with a bounded queue in front.
//!
//! Searches run here and never on the async runtime. The queue is fair between callers
//! and bounded by length and by cost, the time that its jobs may take; a full one
//! refuses at once, whoever has most in it. A job that does not end when it is cancelled
//! or due is given up: its thread is replaced by a new one and ends whenever the job
//! returns, so that a rule set that hangs costs its own request and not the pool.
//!
//! A pool for bulk jobs gives way to others: what runs there leaves it fewer workers,
//! but always one, and its threads have a lower priority with the system.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::question::{CallerKey, Class, Priority};
use crate::schedule::cancel::CancelToken;
use crate::schedule::fair_queue::{Bound, FairQueue};
use crate::schedule::queue_time::{Pace, queue_time, start_time};

/// How often a worker without a job looks whether the pool is gone.
const IDLE_INTERVAL: Duration = Duration::from_millis(200);
/// How often it looks whether the pools that it gives way to have become less busy.
const YIELD_INTERVAL: Duration = Duration::from_millis(5);
/// A job is too late if it would start by this part of its time after it is due. Nobody
/// knows when searches end, and one that waits for others like it may yet find a worker.
const TOO_LATE: u32 = 4;
/// Of bulk workers, in the system's scheduler: beside busy interactive ones they get
/// about a tenth of a core, and all that is idle.
const BULK_NICENESS: i32 = 10;

/// One piece of work.
pub(crate) struct Job {
    pub(crate) caller: CallerKey,
    pub(crate) priority: Priority,
    /// The time that it may take, for bounds and fairness.
    pub(crate) cost: Duration,
    pub(crate) cancel: Arc<CancelToken>,
    /// When it ends by itself at the latest; [`PoolConfig::hang_grace`] comes on top.
    pub(crate) due: Instant,
    /// It ends so long after its start, if that is earlier than `due`.
    pub(crate) time: Option<Duration>,
    pub(crate) work: Box<dyn FnOnce() + Send>,
    /// Called instead of `work` if it is cancelled while it waits.
    pub(crate) on_cancelled: Box<dyn FnOnce() + Send>,
    /// Called instead of `work`, with the time to wait, if its place is needed for a
    /// caller that has less in the queue.
    pub(crate) on_evicted: Box<dyn FnOnce(Duration) + Send>,
    /// Called instead of waiting any longer for `work` to return.
    pub(crate) on_hang: Box<dyn FnOnce() + Send>,
    /// Called when a job that was given up returns after all.
    pub(crate) on_return: Box<dyn FnOnce() + Send>,
}

/// Why a job was not queued.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The queue has no room.
    Full {
        /// How long the work that goes first will take.
        retry_after: Duration,
    },
    /// By all that is known it would not have started before it is due.
    TooLate,
}

/// The bounds of a pool.
#[derive(Clone)]
pub(crate) struct PoolConfig {
    pub(crate) name: &'static str,
    /// Of all its jobs.
    pub(crate) class: Class,
    pub(crate) n_workers: usize,
    pub(crate) queue_len_max: usize,
    pub(crate) queue_cost_max: Duration,
    pub(crate) hang_grace: Duration,
    /// Pools to whose jobs it leaves its workers, but one.
    pub(crate) yields_to: Vec<Pool>,
}

#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    config: PoolConfig,
    state: Mutex<State>,
    wake: Condvar,
    /// Jobs that run and jobs that wait for a worker, for pools that give way to this.
    n_active: AtomicUsize,
}

#[derive(Default)]
struct State {
    queue: FairQueue<Queued>,
    running: HashMap<u64, Running>,
    next_worker: u64,
    pace: Pace,
    closed: bool,
}

struct Queued {
    since: Instant,
    job: Job,
}

struct Running {
    caller: CallerKey,
    cost: Duration,
    cancel: Arc<CancelToken>,
    started: Instant,
    due: Instant,
    on_hang: Box<dyn FnOnce() + Send>,
}

impl Pool {
    /// Starts its threads.
    pub(crate) fn new(config: PoolConfig) -> Self {
        let (name, n_workers) = (config.name, config.n_workers);
        let (state, n_active) = (Mutex::default(), AtomicUsize::new(0));
        let shared = Arc::new(Shared { config, state, wake: Condvar::new(), n_active });
        for _ in 0..n_workers {
            spawn_worker(&shared);
        }
        let weak = Arc::downgrade(&shared);
        spawn_thread(format!("{name}-watchdog"), move || watchdog(&weak));
        Pool { shared }
    }

    /// Puts a job into the queue.
    pub(crate) fn submit(&self, job: Job) -> Result<(), Refused> {
        let mut state = self.shared.lock();
        if self.shared.exceeded_bound(&state, job.cost).is_some() {
            drop(state);
            self.skip_cancelled();
            state = self.shared.lock();
        }
        let now = Instant::now();
        let n_workers = self.shared.n_workers_now();
        let left = job.due.saturating_duration_since(now);
        if state.starts_in(&job, n_workers, now) > left + left / TOO_LATE {
            return Err(Refused::TooLate);
        }
        let mut evicted = Vec::new();
        let mut refused = None;
        while let Some(bound) = self.shared.exceeded_bound(&state, job.cost) {
            let Some(queued) = state.queue.evict_for(job.caller, job.cost, bound) else {
                let retry_after = state.time_ahead(job.caller, job.priority, n_workers, now);
                refused = Some(Refused::Full { retry_after: at_least_worthwhile(retry_after) });
                break;
            };
            evicted.push(queued);
        }
        if refused.is_none() {
            let (caller, priority, cost) = (job.caller, job.priority, job.cost);
            state.queue.push(caller, priority, cost, Queued { since: now, job });
        }
        let evicted: Vec<_> = evicted
            .into_iter()
            .map(|Queued { job, .. }| {
                let time = state.time_ahead(job.caller, job.priority, n_workers, now);
                (job, at_least_worthwhile(time))
            })
            .collect();
        self.shared.note_active(&state);
        drop(state);
        self.shared.wake.notify_one();
        evicted.into_iter().for_each(|(job, retry_after)| (job.on_evicted)(retry_after));
        refused.map_or(Ok(()), Err)
    }

    /// Takes cancelled jobs out of the queue, instead of leaving them until a worker
    /// finds them.
    pub(crate) fn skip_cancelled(&self) {
        let skipped = {
            let mut state = self.shared.lock();
            let skipped = state.queue.remove_where(|queued| queued.job.cancel.is_cancelled());
            self.shared.note_active(&state);
            skipped
        };
        skipped.into_iter().for_each(|queued| (queued.job.on_cancelled)());
    }

    pub(crate) fn name(&self) -> &'static str {
        self.shared.config.name
    }

    pub(crate) fn n_workers(&self) -> usize {
        self.shared.config.n_workers
    }

    pub(crate) fn n_busy(&self) -> usize {
        self.shared.lock().running.len()
    }

    /// With how many jobs that wait one of this caller shares the workers.
    pub(crate) fn n_competing(&self, caller: CallerKey) -> usize {
        self.shared.lock().queue.n_competing(caller, |queued| !queued.job.cancel.is_cancelled())
    }

    /// Length of the queue and how long its oldest job has waited; nothing for
    /// another class than its own.
    pub(crate) fn queue(&self, class: Class) -> (usize, Duration) {
        if class != self.shared.config.class {
            return (0, Duration::ZERO);
        }
        let state = self.shared.lock();
        let live = state.queue.iter().filter(|queued| !queued.job.cancel.is_cancelled());
        let oldest = live.clone().map(|queued| queued.since).min();
        (live.count(), oldest.map_or(Duration::ZERO, |since| since.elapsed()))
    }
}

impl State {
    /// How long the jobs that go before a new one of this caller will take.
    fn time_ahead(&self, caller: CallerKey, priority: Priority, n_workers: usize, now: Instant) -> Duration {
        let ahead = self.queue.ahead_of(caller, priority);
        let queued = ahead.iter().map(|queued| queued.job.time_left(now));
        queue_time(n_workers, self.running_left(now), queued, self.pace)
    }

    /// In what time a new job will start.
    fn starts_in(&self, job: &Job, n_workers: usize, now: Instant) -> Duration {
        let ahead = self.queue.ahead_of(job.caller, job.priority);
        let queued = ahead.iter().map(|queued| queued.job.time_left(now));
        start_time(n_workers, self.running_left(now), queued, self.pace)
    }

    /// What is left to expect of each running job.
    fn running_left(&self, now: Instant) -> impl Iterator<Item = Duration> {
        self.running.values().map(move |running| {
            let elapsed = now.saturating_duration_since(running.started);
            self.pace.expected(running.due.saturating_duration_since(running.started)).saturating_sub(elapsed)
        })
    }
}

impl Job {
    /// The time that it has if it starts at once.
    fn time_left(&self, now: Instant) -> Duration {
        let left = self.due.saturating_duration_since(now);
        self.time.map_or(left, |time| time.min(left))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.lock().closed = true;
        self.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no job runs while the pool is locked, so nothing panics there")
    }

    /// By which a queue with one more job would be too large. A job that an idle worker
    /// is about to take does not wait, and one may wait however long it takes.
    fn exceeded_bound(&self, state: &State, cost: Duration) -> Option<Bound> {
        let n_idle = self.config.n_workers.saturating_sub(state.running.len());
        if state.queue.len() >= self.config.queue_len_max.saturating_add(n_idle) {
            return Some(Bound::Len);
        }
        let is_costly = state.queue.len() > n_idle && state.queue.cost() + cost > self.config.queue_cost_max;
        is_costly.then_some(Bound::Cost)
    }

    /// How many jobs may run now, at least one.
    fn n_workers_now(&self) -> usize {
        let n_taken: usize =
            self.config.yields_to.iter().map(|pool| pool.shared.n_active.load(Ordering::Relaxed)).sum();
        self.config.n_workers.saturating_sub(n_taken).max(1)
    }

    fn note_active(&self, state: &State) {
        self.n_active.store(state.running.len() + state.queue.len(), Ordering::Relaxed);
    }
}

/// To try again sooner is never worth it.
pub(crate) fn at_least_worthwhile(retry_after: Duration) -> Duration {
    retry_after.max(Duration::from_millis(100))
}

fn spawn_worker(shared: &Arc<Shared>) {
    let worker_id = {
        let mut state = shared.lock();
        state.next_worker += 1;
        state.next_worker
    };
    let weak = Arc::downgrade(shared);
    let is_bulk = shared.config.class == Class::Bulk;
    spawn_thread(format!("{}-{worker_id}", shared.config.name), move || {
        if is_bulk {
            // Ignored: without it bulk jobs give way less, and no answer changes.
            let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), BULK_NICENESS);
        }
        work(&weak, worker_id);
    });
}

fn spawn_thread(name: String, body: impl FnOnce() + Send + 'static) {
    thread::Builder::new().name(name).spawn(body).expect("the system gives the few threads that the engine needs");
}

fn work(shared: &Weak<Shared>, worker_id: u64) {
    while let Some(JobWork { work, on_return }) = next_job(shared, worker_id) {
        // A job reports through channels of its own; if it panics they close,
        // and whoever waits sees that.
        let _panicked = catch_unwind(AssertUnwindSafe(work));
        let Some(shared) = shared.upgrade() else { return };
        let mut state = shared.lock();
        let Some(Running { caller, cost, started, due, .. }) = state.running.remove(&worker_id) else {
            // Given up while it ran; somebody else has this place now.
            drop(state);
            on_return();
            return;
        };
        let took = started.elapsed();
        state.pace.record(took, due.saturating_duration_since(started));
        state.queue.settle(caller, cost, took);
        shared.note_active(&state);
    }
}

/// Waits for the next job that is not cancelled. `None` when the pool is gone.
fn next_job(shared: &Weak<Shared>, worker_id: u64) -> Option<JobWork> {
    loop {
        let shared = shared.upgrade()?;
        let mut state = shared.lock();
        if state.closed {
            return None;
        }
        let may_start = state.running.len() < shared.n_workers_now();
        let Some(queued) = may_start.then(|| state.queue.pop()).flatten() else {
            // The timeouts let the thread notice that the pool was dropped, or that it need
            // not give way any more.
            let interval = if state.queue.is_empty() { IDLE_INTERVAL } else { YIELD_INTERVAL };
            let (guard, _timed_out) = shared.wake.wait_timeout(state, interval).expect("the lock is never poisoned");
            drop(guard);
            continue;
        };
        let Job { caller, cost, cancel, due, time, work, on_cancelled, on_hang, on_return, .. } = queued.job;
        if cancel.is_cancelled() {
            state.queue.settle(caller, cost, Duration::ZERO);
            shared.note_active(&state);
            drop(state);
            on_cancelled();
            continue;
        }
        let started = Instant::now();
        // One that waited for longer than it had has its grace all the same.
        let due = time.map_or(due, |time| due.min(started + time)).max(started);
        state.running.insert(worker_id, Running { caller, cost, cancel, started, due, on_hang });
        shared.note_active(&state);
        return Some(JobWork { work, on_return });
    }
}

/// What is left of a job once it is entered as running.
struct JobWork {
    work: Box<dyn FnOnce() + Send>,
    on_return: Box<dyn FnOnce() + Send>,
}

/// Gives up jobs that should have ended, until the pool is gone.
fn watchdog(shared: &Weak<Shared>) {
    loop {
        thread::sleep(Duration::from_millis(50));
        let Some(shared) = shared.upgrade() else { return };
        let now = Instant::now();
        let hung: Vec<Running> = {
            let mut state = shared.lock();
            let is_hung = |running: &Running| {
                let should_end = running.cancel.cause().map_or(running.due, |(at, _)| at.min(running.due));
                now > should_end + shared.config.hang_grace
            };
            let ids: Vec<u64> =
                state.running.iter().filter(|(_, running)| is_hung(running)).map(|(&id, _)| id).collect();
            let hung = ids.iter().filter_map(|id| state.running.remove(id)).collect();
            shared.note_active(&state);
            hung
        };
        for running in hung {
            spawn_worker(&shared);
            (running.on_hang)();
        }
    }
}

#[cfg(test)]
mod tests;
