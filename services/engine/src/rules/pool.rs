//! The threads on which the rules are called.
//!
//! No rule set is called on the async runtime: a call that is slow or hangs there
//! would take a thread of all connections with it, and nothing would notice. Here
//! every call is watched.
//!
//! - A call that has run for `slow_after` gets a stand-in: a new worker takes its
//!   place, and its own thread ends when it returns. So the calls of other games
//!   wait for slow ones no longer than that.
//! - A game has at most `slow_calls_max` slow calls, and those that had started before
//!   they were known to be slow. Its further calls wait until one returns. This
//!   bounds the number of threads.
//! - A call that has not returned after `call_time_max` is given up. Once a game has
//!   `slow_calls_max` of those, its calls are refused until one returns.
//!
//! Handing a call over is cheap: [`Wakeups`] decides whether a worker has to be woken. So
//! is handing answers back: while calls are short and more of them wait, their callers are
//! woken a few at a time ([`WakeBatch`]).

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use crate::question::Class;
use crate::rules::queue::{Ended, Queued, RulesJob, RulesQueue};
use crate::schedule::pool::at_least_worthwhile;
use crate::schedule::wake_batch::WakeBatch;
use crate::schedule::wakeups::Wakeups;

/// Calls that take longer on average are answered one by one.
const SHORT_CALL: Duration = Duration::from_micros(50);
/// How often running calls are looked at.
const WATCH_INTERVAL: Duration = Duration::from_millis(10);

/// The bounds of a pool.
#[derive(Clone, Debug)]
pub(crate) struct RulesPoolConfig {
    pub(crate) name: &'static str,
    pub(crate) n_workers: usize,
    pub(crate) queue_len_max: usize,
    pub(crate) slow_after: Duration,
    pub(crate) slow_calls_max: usize,
    pub(crate) call_time_max: Duration,
}

/// The queue has no room.
#[derive(Debug)]
pub(crate) struct Full {
    /// How long the calls that wait will take.
    pub(crate) retry_after: Duration,
}

/// Threads with a queue, which end when it is dropped.
pub(crate) struct RulesPool {
    shared: Arc<Shared>,
}

struct Shared {
    config: RulesPoolConfig,
    state: Mutex<State>,
    wake: Condvar,
}

struct State {
    queue: RulesQueue,
    wakeups: Wakeups,
    /// Callers who have their answer and do not know it.
    answered: WakeBatch,
    /// Stand-ins for which the system had no thread.
    n_missing: usize,
    next_worker: u64,
    is_closed: bool,
}

impl RulesPool {
    /// Starts the workers and their watchdog.
    pub(crate) fn new(config: RulesPoolConfig) -> Self {
        const THREADS: &str = "the system gives the few threads that the engine needs";
        let (name, n_workers) = (config.name, config.n_workers);
        let state = State {
            queue: RulesQueue::new(config.slow_calls_max),
            wakeups: Wakeups::default(),
            answered: WakeBatch::default(),
            n_missing: 0,
            next_worker: 0,
            is_closed: false,
        };
        let shared = Arc::new(Shared { config, state: Mutex::new(state), wake: Condvar::new() });
        for _ in 0..n_workers {
            spawn_worker(&shared).expect(THREADS);
        }
        let watched = shared.clone();
        let watchdog = thread::Builder::new().name(format!("{name}-watchdog"));
        watchdog.spawn(move || while watch(&watched) {}).expect(THREADS);
        RulesPool { shared }
    }

    /// Queues a call; an urgent one goes before all others.
    pub(crate) fn submit(&self, job: Arc<dyn RulesJob>, is_urgent: bool) -> Result<(), Full> {
        let mut state = self.shared.lock();
        let mut evicted = None;
        if state.queue.n_waiting() >= self.shared.config.queue_len_max {
            let retry_after = at_least_worthwhile(state.queue.work() / self.shared.config.n_workers as u32);
            match state.queue.evict_for(&*job) {
                Some(queued) => evicted = Some((queued, retry_after)),
                None => return Err(Full { retry_after }),
            }
        }
        state.queue.push(Queued { job, since: Instant::now() }, is_urgent);
        self.shared.wake_if_needed(state);
        if let Some((queued, retry_after)) = evicted {
            queued.job.overload(retry_after);
        }
        Ok(())
    }

    pub(crate) fn name(&self) -> &'static str {
        self.shared.config.name
    }

    pub(crate) fn n_workers(&self) -> usize {
        self.shared.config.n_workers
    }

    /// Calls that run and are not given up.
    pub(crate) fn n_busy(&self) -> usize {
        self.shared.lock().queue.n_running()
    }

    /// Calls of a class that wait, and how long the first has done so.
    pub(crate) fn queue(&self, class: Class) -> (usize, Duration) {
        let state = self.shared.lock();
        let live = state.queue.waiting().filter(|queued| queued.job.class() == class && !queued.job.is_abandoned());
        let oldest = live.clone().map(|queued| queued.since).min();
        (live.count(), oldest.map_or(Duration::ZERO, |since| since.elapsed()))
    }
}

impl Drop for RulesPool {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no call runs while the pool is locked, so nothing panics there")
    }

    /// Wakes a worker for a call that no other is about to find.
    fn wake_if_needed(&self, mut state: MutexGuard<'_, State>) {
        if state.queue.has_work() && state.wakeups.wake_one() {
            drop(state);
            self.wake.notify_one();
        }
    }

    /// The next call, or `None` when the pool is gone. Whoever was answered is woken if there
    /// is none, or a while has passed.
    fn next_call(&self, worker_id: u64) -> Option<Queued> {
        let mut is_looking = false;
        let mut state = self.lock();
        while !state.is_closed {
            let now = Instant::now();
            let taken = state.queue.take(worker_id, now);
            if taken.call.is_some() {
                if is_looking {
                    state.wakeups.end_looking();
                }
                let is_due = state.answered.is_due(now) || state.queue.call_time_mean() > SHORT_CALL;
                let answered = if is_due { std::mem::take(&mut state.answered) } else { WakeBatch::default() };
                self.wake_if_needed(state);
                answered.wake();
                taken.refused.iter().for_each(|queued| queued.job.refuse());
                return taken.call;
            }
            if !state.answered.is_empty() || !taken.refused.is_empty() || !taken.abandoned.is_empty() {
                // Whoever is woken may ask again at once, and counts on those who look.
                let answered = std::mem::take(&mut state.answered);
                drop(state);
                answered.wake();
                taken.refused.iter().for_each(|queued| queued.job.refuse());
                drop(taken);
                state = self.lock();
            } else if !is_looking {
                // Whoever gets an answer may be about to ask again.
                is_looking = true;
                state.wakeups.begin_looking();
                drop(state);
                thread::yield_now();
                state = self.lock();
            } else {
                state.wakeups.fall_asleep();
                let is_asleep = |state: &mut State| state.wakeups.is_asleep() && !state.is_closed;
                state = self.wake.wait_while(state, is_asleep).expect("the lock is never poisoned");
                state.wakeups.wake_up();
            }
        }
        None
    }

    /// The call of a worker has returned; false if its thread is to end too.
    fn finish(&self, worker_id: u64, job: &Arc<dyn RulesJob>, caller: Option<(Waker, &Handle)>) -> bool {
        let mut state = self.lock();
        let now = Instant::now();
        let ended = state.queue.finish(worker_id, job, now);
        let elsewhere = caller.and_then(|(waker, runtime)| state.answered.push(waker, runtime, now));
        if let Some(waker) = elsewhere {
            drop(state);
            waker.wake();
            state = self.lock();
        }
        if ended == Ended::InTime {
            return true;
        }
        // It stays in place of a stand-in that could not be had.
        let stays = state.n_missing > 0;
        state.n_missing -= usize::from(stays);
        // Calls may have waited for this one.
        self.wake_if_needed(state);
        if ended == Ended::GivenUp {
            job.game().returned();
        }
        stays
    }
}

fn spawn_worker(shared: &Arc<Shared>) -> io::Result<()> {
    let worker_id = {
        let mut state = shared.lock();
        state.next_worker += 1;
        state.next_worker
    };
    let worker = shared.clone();
    let work = move || {
        while let Some(Queued { job, .. }) = worker.next_call(worker_id) {
            let caller = job.run();
            if !worker.finish(worker_id, &job, caller) {
                break;
            }
        }
    };
    let name = format!("{}-{worker_id}", shared.config.name);
    thread::Builder::new().name(name).spawn(work).map(drop)
}

/// One round of the watchdog; false when the pool is gone.
fn watch(shared: &Arc<Shared>) -> bool {
    thread::sleep(WATCH_INTERVAL);
    let RulesPoolConfig { slow_after, call_time_max, .. } = shared.config;
    let mut state = shared.lock();
    if state.is_closed {
        return false;
    }
    let now = Instant::now();
    let overdue = state.queue.check(now, slow_after, call_time_max);
    let n_stand_ins = overdue.n_slow + std::mem::take(&mut state.n_missing);
    // The worker that was about to wake them may be in a call that does not return.
    let answered = if state.answered.is_due(now) { std::mem::take(&mut state.answered) } else { WakeBatch::default() };
    drop(state);
    answered.wake();
    let n_started = (0..n_stand_ins).take_while(|_| spawn_worker(shared).is_ok()).count();
    if n_started < n_stand_ins {
        shared.lock().n_missing += n_stand_ins - n_started;
    }
    overdue.late_stores.iter().for_each(|job| job.skip_store());
    overdue.given_up.iter().for_each(|job| job.give_up());
    overdue.refused.iter().for_each(|queued| queued.job.refuse());
    true
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::task::Poll;

    use super::*;
    use crate::rules::queue::tests::game;
    use crate::served_game::ServedGame;

    /// A call that does what the test says, and gives back whom to wake.
    struct TestJob {
        game: Arc<ServedGame>,
        runtime: Option<Handle>,
        call: Box<dyn Fn() -> Option<Waker> + Send + Sync>,
    }

    impl TestJob {
        fn new(game: &Arc<ServedGame>, call: impl Fn() -> Option<Waker> + Send + Sync + 'static) -> Arc<TestJob> {
            Arc::new(TestJob { game: game.clone(), runtime: Handle::try_current().ok(), call: Box::new(call) })
        }

        /// Tells that it runs, and does so until it is released.
        fn held(game: &Arc<ServedGame>, started: &mpsc::Sender<()>) -> (Arc<TestJob>, mpsc::Sender<()>) {
            let (release, released) = mpsc::channel();
            let (started, released) = (started.clone(), Mutex::new(released));
            let job = TestJob::new(game, move || {
                started.send(()).expect("the test waits");
                let _released = released.lock().expect("it is used once").recv();
                None
            });
            (job, release)
        }
    }

    impl RulesJob for TestJob {
        fn game(&self) -> &Arc<ServedGame> {
            &self.game
        }
        fn class(&self) -> Class {
            Class::Interactive
        }
        fn is_abandoned(&self) -> bool {
            false
        }
        fn run(&self) -> Option<(Waker, &Handle)> {
            (self.call)().zip(self.runtime.as_ref())
        }
        fn give_up(&self) {}
        fn refuse(&self) {}
        fn overload(&self, _: Duration) {}
    }

    fn pool(n_workers: usize, slow_calls_max: usize) -> RulesPool {
        RulesPool::new(RulesPoolConfig {
            name: "test",
            n_workers,
            queue_len_max: 8,
            slow_after: Duration::from_millis(1),
            slow_calls_max,
            call_time_max: Duration::from_mins(10),
        })
    }

    fn submit(pool: &RulesPool, game: &Arc<ServedGame>, started: &mpsc::Sender<()>) -> mpsc::Sender<()> {
        let (job, release) = TestJob::held(game, started);
        pool.submit(job, false).expect("the queue has room");
        release
    }

    /// Slow calls get stand-ins, but no more than a game may have; when they return,
    /// those that waited run.
    #[test]
    fn slow_calls_get_stand_ins() {
        let (pool, slow, other) = (pool(1, 2), game("tictactoe"), game("well_behaved"));
        let (starts, started) = mpsc::channel();
        let held: Vec<_> = (0..4).map(|_| submit(&pool, &slow, &starts)).collect();
        started.recv().expect("the first runs");
        started.recv().expect("the second runs on a stand-in");
        let (other_starts, other_started) = mpsc::channel();
        drop(submit(&pool, &other, &other_starts));
        other_started.recv().expect("another game is served");
        assert!(started.try_recv().is_err(), "the third waits for the first two");
        assert_eq!(pool.queue(Class::Interactive).0, 2);
        drop(held);
        started.recv().expect("the third runs");
        started.recv().expect("the fourth runs");
    }

    /// Whoever hands over calls from several threads gets them all run, also when the
    /// workers have gone to sleep in between.
    #[test]
    fn no_call_is_forgotten() {
        let (pool, game, n_run) = (pool(3, 4), game("tictactoe"), Arc::new(AtomicUsize::new(0)));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let (done, is_done) = mpsc::channel();
                        let n_run = n_run.clone();
                        let job = TestJob::new(&game, move || {
                            n_run.fetch_add(1, Ordering::Relaxed);
                            done.send(()).expect("the test waits");
                            None
                        });
                        pool.submit(job, false).expect("at most four wait");
                        is_done.recv().expect("it runs");
                    }
                });
            }
        });
        assert_eq!(n_run.load(Ordering::Relaxed), 2000);
    }

    /// Whoever waits for calls one after the other is woken for each, however many do.
    #[test]
    fn every_caller_is_woken() {
        let (pool, game) = (Arc::new(pool(2, 4)), game("tictactoe"));
        // Alone, and at the same time as others.
        for n_callers in [1, 2, 7] {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime");
            let call = |pool: Arc<RulesPool>, game: Arc<ServedGame>| async move {
                for _ in 0..3000 {
                    let state = Arc::new(Mutex::new((false, None::<Waker>)));
                    let answering = state.clone();
                    let job = TestJob::new(&game, move || {
                        let mut state = answering.lock().expect("nothing panics");
                        state.0 = true;
                        state.1.take()
                    });
                    pool.submit(job, false).expect("at most seven wait");
                    let answered = poll_fn(|context| {
                        let mut state = state.lock().expect("nothing panics");
                        state.1 = Some(context.waker().clone());
                        if state.0 { Poll::Ready(()) } else { Poll::Pending }
                    });
                    answered.await;
                }
            };
            let callers: Vec<_> = (0..n_callers).map(|_| runtime.spawn(call(pool.clone(), game.clone()))).collect();
            runtime.block_on(async {
                for caller in callers {
                    caller.await.expect("no panic");
                }
            });
        }
    }

    /// A full queue refuses.
    #[test]
    fn the_queue_is_bounded() {
        let (pool, game) = (pool(1, 1), game("tictactoe"));
        let (starts, started) = mpsc::channel();
        let mut held = vec![submit(&pool, &game, &starts)];
        started.recv().expect("the first runs");
        held.extend((0..8).map(|_| submit(&pool, &game, &starts)));
        let full = pool.submit(TestJob::held(&game, &starts).0, false).expect_err("eight wait");
        assert!(full.retry_after >= Duration::from_millis(100));
    }
}
