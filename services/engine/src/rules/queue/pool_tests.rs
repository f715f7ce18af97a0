//! The pool of calls of the rules, with its threads.

use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::task::{Poll, Waker};
use std::thread;

use tokio::runtime::Handle;

use super::tests::game;
use super::*;
use crate::question::{CallerKey, Priority};
use crate::schedule::job::PoolLoad;
use crate::schedule::pool::{Pool, PoolConfig};

/// A call that does what the test says, and returns the waker of its caller.
struct TestJob {
    game: Arc<ServedGame>,
    runtime: Option<Handle>,
    call: Box<dyn Fn() -> Option<Waker> + Send + Sync>,
}

impl TestJob {
    fn calling(game: &Arc<ServedGame>, call: impl Fn() -> Option<Waker> + Send + Sync + 'static) -> Arc<dyn RulesJob> {
        Arc::new(TestJob { game: game.clone(), runtime: Handle::try_current().ok(), call: Box::new(call) })
    }

    /// A call that reports its start and runs until it is released.
    fn held(game: &Arc<ServedGame>, started: &mpsc::Sender<()>) -> (Arc<dyn RulesJob>, mpsc::Sender<()>) {
        let (release, released) = mpsc::channel();
        let (started, released) = (started.clone(), Mutex::new(released));
        let job = TestJob::calling(game, move || {
            started.send(()).expect("the test waits");
            let _released = released.lock().expect("it is used once").recv();
            None
        });
        (job, release)
    }
}

impl Job for TestJob {
    fn caller(&self) -> CallerKey {
        CallerKey::default()
    }
    fn priority(&self) -> Priority {
        Priority::Normal
    }
    fn is_cancelled(&self) -> bool {
        false
    }
    fn run(&self, _: &PoolLoad<'_>) -> Option<(Waker, &Handle)> {
        (self.call)().zip(self.runtime.as_ref())
    }
    fn evicted(&self, _: Duration) {}
    fn hung(&self) {}
    fn returned(&self) {}
}

impl RulesJob for TestJob {
    fn game(&self) -> &Arc<ServedGame> {
        &self.game
    }
    fn class(&self) -> Class {
        Class::Interactive
    }
}

fn pool(n_workers: usize, slow_calls_max: usize) -> Pool<RulesQueue> {
    let config = RulesQueueConfig {
        n_workers,
        queue_len_max: 8,
        slow_after: Duration::from_millis(1),
        slow_calls_max,
        hang: HangLimits::new(Duration::from_mins(10), Duration::ZERO, Duration::from_millis(10)),
    };
    let pool = PoolConfig { name: "test", watch_interval: Duration::from_millis(10), niceness: None };
    Pool::new(pool, RulesQueue::new(config))
}

fn submit(pool: &Pool<RulesQueue>, game: &Arc<ServedGame>, started: &mpsc::Sender<()>) -> mpsc::Sender<()> {
    let (job, release) = TestJob::held(game, started);
    pool.submit(&job).expect("the queue has room");
    release
}

/// Slow calls get replacement workers, but no more than a game may have; when they return, the waiting
/// calls run.
#[test]
fn slow_calls_get_replacement_workers() {
    let (pool, slow, other) = (pool(1, 2), game("tictactoe"), game("well_behaved"));
    let (starts, started) = mpsc::channel();
    let held: Vec<_> = (0..4).map(|_| submit(&pool, &slow, &starts)).collect();
    started.recv().expect("the first runs");
    started.recv().expect("the second runs on a replacement worker");
    let (other_starts, other_started) = mpsc::channel();
    drop(submit(&pool, &other, &other_starts));
    other_started.recv().expect("another game is served");
    assert!(started.try_recv().is_err(), "the third waits for the first two");
    assert_eq!(pool.queue(Class::Interactive).0, 2);
    drop(held);
    started.recv().expect("the third runs");
    started.recv().expect("the fourth runs");
}

/// All calls submitted by several threads run, also when the workers have gone to sleep in between.
#[test]
fn no_call_is_forgotten() {
    let (pool, game, n_run) = (pool(3, 4), game("tictactoe"), Arc::new(AtomicUsize::new(0)));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let (done, is_done) = mpsc::channel();
                    let n_run = n_run.clone();
                    let job = TestJob::calling(&game, move || {
                        n_run.fetch_add(1, Ordering::Relaxed);
                        done.send(()).expect("the test waits");
                        None
                    });
                    pool.submit(&job).expect("at most four wait");
                    is_done.recv().expect("it runs");
                }
            });
        }
    });
    assert_eq!(n_run.load(Ordering::Relaxed), 2000);
}

/// Callers that make one call after the other are woken for each, however many callers there are.
#[test]
fn every_caller_is_woken() {
    let (pool, game) = (Arc::new(pool(2, 4)), game("tictactoe"));
    // Alone, and at the same time as others.
    for n_callers in [1, 2, 7] {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime");
        let call = |pool: Arc<Pool<RulesQueue>>, game: Arc<ServedGame>| async move {
            for _ in 0..3000 {
                let state = Arc::new(Mutex::new((false, None::<Waker>)));
                let answering = state.clone();
                let job = TestJob::calling(&game, move || {
                    let mut state = answering.lock().expect("nothing panics");
                    state.0 = true;
                    state.1.take()
                });
                pool.submit(&job).expect("at most seven wait");
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
    let refused = pool.submit(&TestJob::held(&game, &starts).0).expect_err("eight wait");
    assert!(matches!(refused, Refused::Full { retry_after } if retry_after >= Duration::from_millis(100)));
}
