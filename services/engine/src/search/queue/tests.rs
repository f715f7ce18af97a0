use std::sync::{Mutex, mpsc};
use std::task::Waker;

use tokio::runtime::Handle;

use super::*;
use crate::schedule::job::PoolLoad;
use crate::schedule::pool::{Pool, PoolConfig};

const MINUTE: Duration = Duration::from_mins(1);
const INTERVAL: Duration = Duration::from_millis(50);

type SearchPool = Pool<SearchQueue>;

fn config(n_workers: usize, queue_len_max: usize) -> SearchQueueConfig {
    SearchQueueConfig {
        class: Class::Interactive,
        n_workers,
        queue_len_max,
        queue_cost_max: 100 * MINUTE,
        hang: hang_after(MINUTE),
        yields_to: Vec::new(),
    }
}

fn hang_after(grace: Duration) -> HangLimits {
    HangLimits::new(grace, grace, INTERVAL)
}

fn pool_with(config: SearchQueueConfig) -> SearchPool {
    let pool = PoolConfig { name: "test", watch_interval: INTERVAL, niceness: None };
    Pool::new(pool, SearchQueue::new(config))
}

fn pool(queue_len_max: usize) -> SearchPool {
    pool_with(config(1, queue_len_max))
}

type BoxedCallback<A> = Box<dyn FnOnce(A) + Send>;

/// A callback that is called at most once.
struct Callback<A>(Mutex<Option<BoxedCallback<A>>>);

impl<A> Callback<A> {
    fn new(callback: impl FnOnce(A) + Send + 'static) -> Self {
        Callback(Mutex::new(Some(Box::new(callback))))
    }

    fn call(&self, argument: A) {
        let callback = self.0.lock().expect("nothing panics while it is locked").take();
        callback.expect("it is called once")(argument);
    }
}

struct TestJob {
    caller: CallerKey,
    cost: Duration,
    cancel: Arc<CancelToken>,
    due: Instant,
    time: Option<Duration>,
    work: Callback<()>,
    on_cancelled: Callback<()>,
    on_evicted: Callback<Duration>,
    on_hang: Callback<()>,
    on_return: Callback<()>,
}

impl Job for TestJob {
    fn caller(&self) -> CallerKey {
        self.caller
    }
    fn priority(&self) -> Priority {
        Priority::Normal
    }
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
    fn run(&self, _: &PoolLoad<'_>) -> Option<(Waker, &Handle)> {
        self.work.call(());
        None
    }
    fn cancelled(&self) {
        self.on_cancelled.call(());
    }
    fn evicted(&self, retry_after: Duration) {
        self.on_evicted.call(retry_after);
    }
    fn hung(&self) {
        self.on_hang.call(());
    }
    fn returned(&self) {
        self.on_return.call(());
    }
}

impl TimedJob for TestJob {
    fn cost(&self) -> Duration {
        self.cost
    }
    fn cancel(&self) -> &CancelToken {
        &self.cancel
    }
    fn due(&self) -> Instant {
        self.due
    }
    fn time(&self) -> Option<Duration> {
        self.time
    }
}

fn job(work: impl FnOnce() + Send + 'static) -> TestJob {
    TestJob {
        caller: CallerKey::default(),
        cost: MINUTE,
        cancel: Arc::new(CancelToken::default()),
        due: Instant::now() + MINUTE,
        time: None,
        work: Callback::new(|()| work()),
        on_cancelled: Callback::new(|()| {}),
        on_evicted: Callback::new(|_| {}),
        on_hang: Callback::new(|()| {}),
        on_return: Callback::new(|()| {}),
    }
}

fn job_of(caller: &str, work: impl FnOnce() + Send + 'static) -> TestJob {
    TestJob { caller: CallerKey::of(caller), ..job(work) }
}

fn submit(pool: &SearchPool, job: TestJob) -> Result<(), Refused> {
    let job: Arc<dyn TimedJob> = Arc::new(job);
    pool.submit(&job)
}

/// Occupies a worker of a pool until the sender is dropped.
fn occupy(pool: &SearchPool) -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    let (started, starts) = mpsc::channel();
    let work = move || {
        started.send(()).expect("the test waits");
        let _released = held.recv();
    };
    submit(pool, job_of("occupier", work)).expect("the queue is empty");
    starts.recv().expect("the job starts");
    release
}

/// A flood fills the queue, which refuses more of it; another caller's single job takes the place of the
/// flood's last one and is next.
#[test]
fn callers_take_turns_and_the_queue_is_bounded() {
    let pool = pool(3);
    let release = occupy(&pool);
    let (done, order) = mpsc::channel();
    let (evicts, evicted) = mpsc::channel();
    let named = |caller: &'static str, name: &'static str| {
        let (done, evicts) = (done.clone(), evicts.clone());
        let on_evicted = Callback::new(move |retry_after| evicts.send((name, retry_after)).expect("the test waits"));
        TestJob { on_evicted, ..job_of(caller, move || done.send(name).expect("the test waits")) }
    };
    for name in ["first", "second", "third"] {
        submit(&pool, named("flood", name)).expect("there is room");
    }
    let refused = submit(&pool, named("flood", "fourth")).expect_err("three is the bound");
    assert!(matches!(refused, Refused::Full { retry_after } if retry_after >= Duration::from_millis(100)));
    submit(&pool, named("single", "single")).expect("it has less in the queue than the flood");
    let (name, retry_after) = evicted.try_recv().expect("one is evicted at once");
    assert!(name == "third" && retry_after >= Duration::from_millis(100), "{name} {retry_after:?}");
    assert_eq!((pool.queue(Class::Interactive).0, pool.queue(Class::Bulk).0), (3, 0));
    drop(release);
    let order: Vec<&str> = (0..3).map(|_| order.recv().expect("all three run")).collect();
    assert_eq!(order, ["first", "single", "second"]);
}

/// A queue is full when its jobs may take too long, however few they are; a caller with less in the queue
/// still finds a place.
#[test]
fn the_queue_is_bounded_by_cost() {
    let pool = pool_with(SearchQueueConfig { queue_cost_max: 3 * MINUTE, ..config(1, 100) });
    let _release = occupy(&pool);
    let costly = |cost| TestJob { cost, ..job(|| {}) };
    submit(&pool, costly(2 * MINUTE)).expect("the first may cost what it likes");
    submit(&pool, costly(MINUTE)).expect("three minutes in all");
    assert!(matches!(submit(&pool, costly(Duration::from_secs(1))), Err(Refused::Full { .. })));
    let other = TestJob { caller: CallerKey::of("other"), ..costly(Duration::from_secs(1)) };
    submit(&pool, other).expect("the other caller has three minutes in the queue");
    assert_eq!(pool.queue(Class::Interactive).0, 2, "of which one minute has gone");
}

/// A job that could not start before it is due is refused at once.
#[test]
fn what_would_start_too_late_is_refused() {
    let pool = pool(100);
    let _release = occupy(&pool);
    let hurried = TestJob { due: Instant::now() + MINUTE / 2, ..job(|| {}) };
    assert_eq!(submit(&pool, hurried), Err(Refused::TooLate), "the worker is busy for a minute");
    submit(&pool, TestJob { due: Instant::now() + 2 * MINUTE, ..job(|| {}) }).expect("it has the time to wait");
}

/// Bulk jobs leave all workers except one to another pool's jobs; when that has none, all bulk jobs run.
#[test]
fn bulk_jobs_give_way() {
    let interactive = pool_with(config(2, 8));
    let yields_to = vec![interactive.with_policy(SearchQueue::n_active)];
    let bulk = pool_with(SearchQueueConfig { class: Class::Bulk, yields_to, ..config(2, 8) });
    let releases = [occupy(&interactive), occupy(&interactive)];
    let (starts, started) = mpsc::channel();
    let held: Vec<_> = (0..3)
        .map(|idx| {
            let (release, held) = mpsc::channel::<()>();
            let starts = starts.clone();
            let work = move || {
                starts.send(idx).expect("the test waits");
                let _released = held.recv();
            };
            submit(&bulk, job(work)).expect("room");
            release
        })
        .collect();
    assert_eq!(started.recv(), Ok(0), "one runs whatever else does");
    assert_eq!((bulk.n_busy(), bulk.queue(Class::Bulk).0), (1, 2));
    assert!(started.try_recv().is_err());
    drop(releases);
    assert_eq!(started.recv(), Ok(1), "the other pool is idle");
    drop(held);
    assert_eq!(started.recv(), Ok(2));
}

/// The time of a bulk job counts from its start.
#[test]
fn the_time_of_a_bulk_job_begins_with_it() {
    let pool = pool_with(SearchQueueConfig { class: Class::Bulk, ..config(1, 8) });
    let (starts, started) = mpsc::channel();
    let (release, held) = mpsc::channel::<()>();
    let work = move || {
        starts.send(()).expect("the test waits");
        let _released = held.recv();
    };
    let before = Instant::now();
    submit(&pool, TestJob { due: before + 100 * MINUTE, time: Some(MINUTE), ..job(work) }).expect("room");
    started.recv().expect("it starts");
    let (running_since, due) = pool.with_policy(|queue| {
        let running = queue.running.values().next().expect("it runs");
        (running.started, running.due)
    });
    assert_eq!(due, running_since + MINUTE);
    drop(release);
}

/// A refusal says how long the work ahead of the refused job takes.
#[test]
fn a_full_queue_says_how_long_it_needs() {
    let now = Instant::now();
    let due_in = |seconds| now + Duration::from_secs(seconds);
    let mut queue = SearchQueue::new(config(1, 8));
    for (caller, seconds) in [("flood", 4), ("flood", 8), ("flood", 8), ("other", 6)] {
        let caller = CallerKey::of(caller);
        let cost = Duration::from_secs(seconds);
        let job = Arc::new(TestJob { caller, cost, due: due_in(seconds), ..job(|| {}) });
        queue.queue.push(caller, Priority::Normal, cost, Queued { since: now, job });
    }
    let overrun = Overrun::default();
    queue.running.insert(1, Running { job: Arc::new(job(|| {})), started: now, due: due_in(2), overrun });
    let needs = |queue: &SearchQueue, caller: &str, n_workers| {
        queue.time_ahead(CallerKey::of(caller), Priority::Normal, n_workers, now).as_millis()
    };
    assert_eq!(needs(&queue, "new", 2), 6000, "2 s run; of the others the first go first, 4 s and 6 s");
    assert_eq!(needs(&queue, "new", 4), 3000);
    assert_eq!(needs(&queue, "other", 4), 5000, "its own goes first, and by then the flood's second, 8 s");
    assert_eq!(needs(&queue, "flood", 1), 8000, "by then all are due");
    // Searches that took half of their time.
    (0..200).for_each(|_| queue.pace.record(Duration::from_secs(1), Duration::from_secs(2)));
    assert_eq!(needs(&queue, "new", 2), 3000);
}

/// Jobs that are cancelled while they wait get their callback at once.
#[test]
fn cancelled_jobs_leave_the_queue() {
    let pool = pool(8);
    let release = occupy(&pool);
    let (cancels, cancelled) = mpsc::channel();
    let mut waiting = job(|| panic!("it is cancelled"));
    let cancel = waiting.cancel.clone();
    waiting.on_cancelled = Callback::new(move |()| cancels.send(()).expect("the test waits"));
    submit(&pool, waiting).expect("room");
    pool.skip_cancelled();
    assert_eq!(pool.queue(Class::Interactive).0, 1, "it is not cancelled yet");
    cancel.cancel(crate::StopReason::Shutdown);
    pool.skip_cancelled();
    cancelled.try_recv().expect("it leaves before any worker is free");
    drop(release);
}

/// A job that ignores its cancellation is given up and its worker replaced.
#[test]
fn a_hung_job_is_replaced() {
    let pool = pool_with(SearchQueueConfig { hang: hang_after(Duration::from_millis(50)), ..config(1, 8) });
    let (hangs, hung) = mpsc::channel();
    let (returns, returned) = mpsc::channel();
    let (release, held) = mpsc::channel::<()>();
    let (starts, started) = mpsc::channel();
    let mut stuck = job(move || {
        starts.send(()).expect("the test waits");
        let _released = held.recv();
    });
    let cancel = stuck.cancel.clone();
    stuck.on_hang = Callback::new(move |()| hangs.send(()).expect("the test waits"));
    stuck.on_return = Callback::new(move |()| returns.send(()).expect("the test waits"));
    submit(&pool, stuck).expect("the queue is empty");
    started.recv().expect("the job starts");
    cancel.cancel(crate::StopReason::Cancelled);
    hung.recv().expect("the hang is noticed");
    let (done, next) = mpsc::channel();
    submit(&pool, job(move || done.send(()).expect("the test waits"))).expect("room");
    next.recv().expect("the new worker serves");
    drop(release);
    returned.recv().expect("the old worker ends");
}

/// A search that is late because the machine is busy, or was paused, has not hung; one that uses its grace of
/// CPU time has.
#[test]
fn a_late_search_has_hung_only_if_it_works_on() {
    let now = Instant::now();
    let mut queue = SearchQueue::new(SearchQueueConfig { hang: hang_after(MINUTE / 60), ..config(1, 8) });
    let overdue: Arc<dyn TimedJob> = Arc::new(TestJob { due: now, ..job(|| {}) });
    assert!(queue.admit(&overdue, now).result.is_ok() && queue.take(1, now).job.is_some());
    let mut n_hung = |at: Instant, cpu: Duration, is_blocked: bool| {
        queue.check(at, &|_| Some(ThreadTime { cpu, is_blocked })).hung.len()
    };
    let looks = |from: Instant| (0..1200).map(move |look| from + look * INTERVAL);
    assert!(looks(now).all(|at| n_hung(at, Duration::ZERO, false) == 0), "it waits for a core");
    let later = now + 60 * MINUTE;
    assert_eq!(n_hung(later, Duration::ZERO, true), 0, "nobody looked for an hour");
    assert_eq!(n_hung(later + INTERVAL, Duration::from_millis(990), false), 0);
    assert_eq!(n_hung(later + 2 * INTERVAL, Duration::from_secs(1), false), 1);
}

/// A panic costs its job and nothing else.
#[test]
fn a_panic_costs_one_job() {
    let pool = pool(8);
    submit(&pool, job(|| panic!("a defect"))).expect("the queue is empty");
    let (done, next) = mpsc::channel();
    submit(&pool, job(move || done.send(()).expect("the test waits"))).expect("room");
    next.recv().expect("the worker lives on");
}
