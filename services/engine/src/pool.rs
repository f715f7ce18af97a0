//! The threads of searches, with a bounded queue in front.
//!
//! Searches run here and never on the async runtime. Interactive jobs go
//! before bulk ones; a full queue refuses at once. A job that does not end when it
//! is cancelled or due is given up: its thread is replaced by a new one and
//! ends whenever the job returns, so that a rule set that hangs costs its own
//! request and not the pool.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;
use crate::question::Class;
use crate::queue_time::{Pace, queue_time};

/// One piece of work.
pub(crate) struct Job {
    pub(crate) class: Class,
    pub(crate) cancel: Arc<CancelToken>,
    /// When it ends by itself at the latest; [`Pool::new`]'s grace comes on top.
    pub(crate) due: Instant,
    pub(crate) work: Box<dyn FnOnce() + Send>,
    /// Called instead of `work` if it is cancelled while it waits.
    pub(crate) on_cancelled: Box<dyn FnOnce() + Send>,
    /// Called instead of waiting any longer for `work` to return.
    pub(crate) on_hang: Box<dyn FnOnce() + Send>,
    /// Called when a job that was given up returns after all.
    pub(crate) on_return: Box<dyn FnOnce() + Send>,
}

/// The queue has no room.
#[derive(Debug)]
pub(crate) struct Full {
    /// How long the work that goes first will take.
    pub(crate) retry_after: Duration,
}

#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    name: &'static str,
    n_workers: usize,
    queue_len_max: usize,
    hang_grace: Duration,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    interactive: VecDeque<Queued>,
    bulk: VecDeque<Queued>,
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
    cancel: Arc<CancelToken>,
    started: Instant,
    due: Instant,
    on_hang: Box<dyn FnOnce() + Send>,
}

impl Pool {
    /// Starts `n_workers` threads.
    pub(crate) fn new(name: &'static str, n_workers: usize, queue_len_max: usize, hang_grace: Duration) -> Self {
        let state = Mutex::default();
        let shared = Arc::new(Shared { name, n_workers, queue_len_max, hang_grace, state, wake: Condvar::new() });
        for _ in 0..n_workers {
            spawn_worker(&shared);
        }
        let weak = Arc::downgrade(&shared);
        spawn_thread(format!("{name}-watchdog"), move || watchdog(&weak));
        Pool { shared }
    }

    /// Puts a job into the queue.
    pub(crate) fn submit(&self, job: Job) -> Result<(), Full> {
        let mut state = self.shared.lock();
        // A job that an idle worker is about to take does not wait.
        let n_idle = self.shared.n_workers.saturating_sub(state.running.len());
        let n_waiting_max = self.shared.queue_len_max.saturating_add(n_idle);
        if state.interactive.len() + state.bulk.len() >= n_waiting_max {
            drop(state);
            self.skip_cancelled();
            state = self.shared.lock();
        }
        if state.interactive.len() + state.bulk.len() >= n_waiting_max {
            let retry_after = state.time_ahead(job.class, self.shared.n_workers, Instant::now());
            return Err(Full { retry_after: at_least_worthwhile(retry_after) });
        }
        let queued = Queued { since: Instant::now(), job };
        match queued.job.class {
            Class::Interactive => state.interactive.push_back(queued),
            Class::Bulk => state.bulk.push_back(queued),
        }
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Takes cancelled jobs out of the queue, instead of leaving them until a worker
    /// finds them.
    pub(crate) fn skip_cancelled(&self) {
        let skipped = self.shared.lock().remove_cancelled();
        skipped.into_iter().for_each(|queued| (queued.job.on_cancelled)());
    }

    pub(crate) fn name(&self) -> &'static str {
        self.shared.name
    }

    pub(crate) fn n_workers(&self) -> usize {
        self.shared.n_workers
    }

    pub(crate) fn n_busy(&self) -> usize {
        self.shared.lock().running.len()
    }

    /// Interactive jobs in the queue that are not cancelled.
    pub(crate) fn n_waiting(&self) -> usize {
        self.shared.lock().interactive.iter().filter(|queued| !queued.job.cancel.is_cancelled()).count()
    }

    /// Length of a class's queue and how long its oldest job has waited.
    pub(crate) fn queue(&self, class: Class) -> (usize, Duration) {
        let state = self.shared.lock();
        let queue = match class {
            Class::Interactive => &state.interactive,
            Class::Bulk => &state.bulk,
        };
        let live = || queue.iter().filter(|queued| !queued.job.cancel.is_cancelled());
        (live().count(), live().next().map_or(Duration::ZERO, |queued| queued.since.elapsed()))
    }
}

impl State {
    fn remove_cancelled(&mut self) -> Vec<Queued> {
        let mut removed = Vec::new();
        for queue in [&mut self.interactive, &mut self.bulk] {
            let is_cancelled = |queued: &Queued| queued.job.cancel.is_cancelled();
            let (cancelled, kept): (VecDeque<_>, VecDeque<_>) =
                std::mem::take(queue).into_iter().partition(is_cancelled);
            *queue = kept;
            removed.extend(cancelled);
        }
        removed
    }

    /// How long the jobs that go before a new one of this class will take.
    fn time_ahead(&self, class: Class, n_workers: usize, now: Instant) -> Duration {
        let bulk = match class {
            Class::Interactive => None,
            Class::Bulk => Some(&self.bulk),
        };
        let left = |due: Instant| due.saturating_duration_since(now);
        let queued = self.interactive.iter().chain(bulk.into_iter().flatten()).map(|queued| left(queued.job.due));
        let running = self.running.values().map(|running| {
            let elapsed = now.saturating_duration_since(running.started);
            self.pace.expected(running.due.saturating_duration_since(running.started)).saturating_sub(elapsed)
        });
        queue_time(n_workers, running, queued, self.pace)
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
    spawn_thread(format!("{}-{worker_id}", shared.name), move || work(&weak, worker_id));
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
        let Some(Running { started, due, .. }) = state.running.remove(&worker_id) else {
            // Given up while it ran; somebody else has this place now.
            drop(state);
            on_return();
            return;
        };
        state.pace.record(started.elapsed(), due.saturating_duration_since(started));
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
        let Some(queued) = state.interactive.pop_front().or_else(|| state.bulk.pop_front()) else {
            // The timeout lets the thread notice that the pool was dropped.
            let (guard, _timed_out) =
                shared.wake.wait_timeout(state, Duration::from_millis(200)).expect("the lock is never poisoned");
            drop(guard);
            continue;
        };
        let Job { cancel, due, work, on_cancelled, on_hang, on_return, .. } = queued.job;
        if cancel.is_cancelled() {
            drop(state);
            on_cancelled();
            continue;
        }
        let started = Instant::now();
        // One that waited for longer than it had has its grace all the same.
        let due = due.max(started);
        state.running.insert(worker_id, Running { cancel, started, due, on_hang });
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
                now > should_end + shared.hang_grace
            };
            let ids: Vec<u64> =
                state.running.iter().filter(|(_, running)| is_hung(running)).map(|(&id, _)| id).collect();
            ids.iter().filter_map(|id| state.running.remove(id)).collect()
        };
        for running in hung {
            spawn_worker(&shared);
            (running.on_hang)();
        }
    }
}

#[cfg(test)]
mod tests;
