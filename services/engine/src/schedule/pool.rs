//! Threads that run the jobs of one queue.
//!
//! The queue is a [`Policy`]: it decides which jobs are admitted, which is next and which are overdue. The
//! pool has what all queues need: workers, their wake-ups, their replacements and the watchdog. It locks the
//! policy and calls jobs back without the lock.
//!
//! Rule sets never run on the async runtime: a call that hangs there would take a thread of all
//! connections with it. Here every job is watched. A job that the policy reports as slow or hung gets a
//! replacement worker; its own thread ends when the job returns. So a rule set that hangs costs its own
//! requests and not the pool.
//!
//! Handing a job over is cheap: [`Wakeups`] decides whether a worker has to be woken. So is handing answers
//! back: while jobs are short and more of them wait, their callers are woken in batches ([`WakeBatch`]).

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use crate::question::Class;
use crate::schedule::job::{Job, PoolLoad, Refused};
use crate::schedule::policy::{Admission, Ended, Policy, Taken};
use crate::schedule::thread_time::WorkerThreads;
use crate::schedule::wake_batch::WakeBatch;
use crate::schedule::wakeups::Wakeups;

/// Shortest time after which a refused caller is asked to try again.
const RETRY_AFTER_MIN: Duration = Duration::from_millis(100);

/// The parts of a pool that do not depend on its jobs.
#[derive(Clone, Debug)]
pub(crate) struct PoolConfig {
    pub(crate) name: &'static str,
    /// How often the watchdog checks running jobs.
    pub(crate) watch_interval: Duration,
    /// Niceness of the workers in the system's scheduler, if not the default.
    pub(crate) niceness: Option<i32>,
}

/// Worker threads with a queue. They end when the pool is dropped.
pub(crate) struct Pool<P: Policy> {
    shared: Arc<Shared<P>>,
}

struct Shared<P> {
    config: PoolConfig,
    n_workers: usize,
    state: Mutex<State<P>>,
    wake: Condvar,
}

struct State<P> {
    policy: P,
    wakeups: Wakeups,
    threads: WorkerThreads,
    /// Answered callers that have not been woken yet.
    answered: WakeBatch,
    /// Replacement workers for which the system had no thread.
    n_missing: usize,
    next_worker: u64,
    is_closed: bool,
}

impl<P: Policy> Pool<P> {
    /// Starts the workers and their watchdog.
    pub(crate) fn new(config: PoolConfig, policy: P) -> Self {
        const THREADS: &str = "the system gives the few threads that the engine needs";
        let (name, n_workers) = (config.name, policy.n_workers());
        let state = State {
            policy,
            wakeups: Wakeups::default(),
            threads: WorkerThreads::default(),
            answered: WakeBatch::default(),
            n_missing: 0,
            next_worker: 0,
            is_closed: false,
        };
        let shared = Arc::new(Shared { config, n_workers, state: Mutex::new(state), wake: Condvar::new() });
        for _ in 0..n_workers {
            spawn_worker(&shared).expect(THREADS);
        }
        let weak = Arc::downgrade(&shared);
        let watchdog = thread::Builder::new().name(format!("{name}-watchdog"));
        watchdog.spawn(move || while watch(&weak) {}).expect(THREADS);
        Pool { shared }
    }

    /// Queues a job.
    pub(crate) fn submit(&self, job: &Arc<P::Job>) -> Result<(), Refused> {
        let mut state = self.shared.lock();
        let Admission { result, evicted, cancelled } = state.policy.admit(job, Instant::now());
        self.shared.wake_if_needed(state);
        cancelled.iter().for_each(|job| job.cancelled());
        evicted.iter().for_each(|(job, retry_after)| job.evicted(*retry_after));
        result
    }

    /// Removes cancelled jobs from the queue, instead of leaving them until a worker finds them.
    pub(crate) fn skip_cancelled(&self) {
        let cancelled = self.shared.lock().policy.remove_cancelled();
        cancelled.iter().for_each(|job| job.cancelled());
    }

    pub(crate) fn name(&self) -> &'static str {
        self.shared.config.name
    }

    pub(crate) fn n_workers(&self) -> usize {
        self.shared.n_workers
    }

    /// Returns the number of running jobs, without hung ones.
    pub(crate) fn n_busy(&self) -> usize {
        self.shared.lock().policy.n_running()
    }

    /// Returns how many jobs of a class wait, and how long the oldest has waited.
    pub(crate) fn queue(&self, class: Class) -> (usize, Duration) {
        let (len, oldest) = self.shared.lock().policy.waiting(class);
        (len, oldest.map_or(Duration::ZERO, |since| since.elapsed()))
    }

    #[cfg(test)]
    pub(crate) fn with_policy<T>(&self, read: impl FnOnce(&P) -> T) -> T {
        read(&self.shared.lock().policy)
    }
}

impl<P: Policy> Drop for Pool<P> {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
    }
}

impl<P: Policy> Shared<P> {
    fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().expect("no job runs while the pool is locked, so nothing panics there")
    }

    /// Wakes a worker for a job that no other worker is about to find.
    fn wake_if_needed(&self, mut state: MutexGuard<'_, State<P>>) {
        if state.policy.has_work() && state.wakeups.should_notify() {
            drop(state);
            self.wake.notify_one();
        }
    }

    /// Waits for the next job; `None` when the pool is gone. Wakes the callers that were answered
    /// once they have waited long enough, or there is no job.
    fn next_job(&self, worker_id: u64) -> Option<Arc<P::Job>> {
        let mut is_looking = false;
        let mut state = self.lock();
        while !state.is_closed {
            let now = Instant::now();
            let Taken { job, cancelled, unavailable } = state.policy.take(worker_id, now);
            let has_others = !cancelled.is_empty() || !unavailable.is_empty();
            let answer_others = || {
                cancelled.iter().for_each(|job| job.cancelled());
                unavailable.iter().for_each(|job| job.unavailable());
            };
            if let Some(job) = job {
                if is_looking {
                    state.wakeups.end_looking();
                }
                let is_due = state.answered.is_due(now) || state.policy.wakes_at_once();
                let answered = if is_due { std::mem::take(&mut state.answered) } else { WakeBatch::default() };
                self.wake_if_needed(state);
                answered.wake();
                answer_others();
                return Some(job);
            }
            if !state.answered.is_empty() || has_others {
                // A woken caller may submit again at once and relies on the workers that look.
                let answered = std::mem::take(&mut state.answered);
                drop(state);
                answered.wake();
                answer_others();
                state = self.lock();
            } else if !is_looking {
                // A caller that was just woken may be about to submit again.
                is_looking = true;
                state.wakeups.begin_looking();
                drop(state);
                thread::yield_now();
                state = self.lock();
            } else {
                state = self.sleep(state);
            }
        }
        None
    }

    /// Sleeps until a worker is woken, or until jobs that could not start may do so.
    fn sleep<'a>(&'a self, mut state: MutexGuard<'a, State<P>>) -> MutexGuard<'a, State<P>> {
        const LOCK: &str = "the lock is never poisoned";
        state.wakeups.fall_asleep();
        let is_asleep = |state: &mut State<P>| state.wakeups.is_asleep() && !state.is_closed;
        let Some(interval) = state.policy.poll_interval() else {
            let mut state = self.wake.wait_while(state, is_asleep).expect(LOCK);
            state.wakeups.wake_up();
            return state;
        };
        let (mut state, waited) = self.wake.wait_timeout_while(state, interval, is_asleep).expect(LOCK);
        if waited.timed_out() {
            state.wakeups.wake_up_alone();
        } else {
            state.wakeups.wake_up();
        }
        state
    }

    /// Notes that the job of a worker has returned. Returns false if the worker's thread is to end.
    fn finish(&self, worker_id: u64, job: &Arc<P::Job>, caller: Option<(Waker, &Handle)>) -> bool {
        let mut state = self.lock();
        let now = Instant::now();
        let ended = state.policy.finish(worker_id, job, now);
        let other_runtime = caller.and_then(|(waker, runtime)| state.answered.push(waker, runtime, now));
        if let Some(waker) = other_runtime {
            drop(state);
            waker.wake();
            state = self.lock();
        }
        if ended == Ended::InTime {
            return true;
        }
        // The worker stays in place of a replacement that could not be started.
        let stays = state.n_missing > 0;
        state.n_missing -= usize::from(stays);
        // Jobs may have waited for this one.
        self.wake_if_needed(state);
        if ended == Ended::Hung {
            job.returned();
        }
        stays
    }
}

/// Raises a retry time to the shortest that is worth waiting for.
pub(crate) fn retry_after(time: Duration) -> Duration {
    time.max(RETRY_AFTER_MIN)
}

fn spawn_worker<P: Policy>(shared: &Arc<Shared<P>>) -> io::Result<()> {
    let worker_id = {
        let mut state = shared.lock();
        state.next_worker += 1;
        state.next_worker
    };
    let (weak, niceness) = (Arc::downgrade(shared), shared.config.niceness);
    let name = format!("{}-{worker_id}", shared.config.name);
    let worker = move || {
        if let Some(niceness) = niceness {
            // Ignored: without it the jobs yield less, and no answer changes.
            let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), niceness);
        }
        let with_threads = |change: fn(&mut WorkerThreads, u64)| {
            if let Some(pool) = weak.upgrade() {
                change(&mut pool.lock().threads, worker_id);
            }
        };
        with_threads(WorkerThreads::insert_current);
        work(&weak, worker_id);
        with_threads(WorkerThreads::remove);
    };
    thread::Builder::new().name(name).spawn(worker).map(drop)
}

/// The loop of a worker. While a job runs it does not keep the pool alive.
fn work<P: Policy>(shared: &Weak<Shared<P>>, worker_id: u64) {
    let n_competing = |caller| shared.upgrade().map_or(0, |pool| pool.lock().policy.n_competing(caller));
    loop {
        let Some(pool) = shared.upgrade() else { return };
        let Some(job) = pool.next_job(worker_id) else { return };
        let load = PoolLoad { n_workers: pool.n_workers, n_competing: &n_competing };
        drop(pool);
        // A job reports through channels of its own; a panic closes them.
        let caller = catch_unwind(AssertUnwindSafe(|| job.run(&load))).unwrap_or(None);
        let Some(pool) = shared.upgrade() else {
            if let Some((waker, _)) = caller {
                waker.wake();
            }
            return;
        };
        if !pool.finish(worker_id, &job, caller) {
            return;
        }
    }
}

/// One round of the watchdog; false when the pool is gone.
fn watch<P: Policy>(shared: &Weak<Shared<P>>) -> bool {
    let Some(interval) = shared.upgrade().map(|pool| pool.config.watch_interval) else { return false };
    thread::sleep(interval);
    let Some(shared) = shared.upgrade() else { return false };
    let mut state = shared.lock();
    if state.is_closed {
        return false;
    }
    let now = Instant::now();
    let State { policy, threads, .. } = &mut *state;
    let overdue = policy.check(now, &|worker_id| threads.time(worker_id));
    let n_replacements = overdue.n_slow + std::mem::take(&mut state.n_missing);
    // The worker that was about to wake them may run a job that does not return.
    let answered = if state.answered.is_due(now) { std::mem::take(&mut state.answered) } else { WakeBatch::default() };
    drop(state);
    answered.wake();
    let n_started = (0..n_replacements).take_while(|_| spawn_worker(&shared).is_ok()).count();
    if n_started < n_replacements {
        shared.lock().n_missing += n_replacements - n_started;
    }
    overdue.store_late.iter().for_each(|job| job.store_late());
    overdue.hung.iter().for_each(|job| job.hung());
    overdue.unavailable.iter().for_each(|job| job.unavailable());
    true
}
