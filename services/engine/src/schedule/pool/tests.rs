use std::sync::mpsc;

use super::*;

const MINUTE: Duration = Duration::from_mins(1);

fn config(n_workers: usize, queue_len_max: usize) -> PoolConfig {
    PoolConfig {
        name: "test",
        class: Class::Interactive,
        n_workers,
        queue_len_max,
        queue_cost_max: 100 * MINUTE,
        hang_grace: MINUTE,
        yields_to: Vec::new(),
    }
}

fn pool(queue_len_max: usize) -> Pool {
    Pool::new(config(1, queue_len_max))
}

fn job(work: impl FnOnce() + Send + 'static) -> Job {
    Job {
        caller: CallerKey::default(),
        priority: Priority::Normal,
        cost: MINUTE,
        cancel: Arc::new(CancelToken::default()),
        due: Instant::now() + MINUTE,
        time: None,
        work: Box::new(work),
        on_cancelled: Box::new(|| {}),
        on_evicted: Box::new(|_| {}),
        on_hang: Box::new(|| {}),
        on_return: Box::new(|| {}),
    }
}

fn job_of(caller: &str, work: impl FnOnce() + Send + 'static) -> Job {
    Job { caller: CallerKey::of(caller), ..job(work) }
}

/// Occupies a worker of a pool until the sender is dropped.
fn occupy(pool: &Pool) -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    let (started, starts) = mpsc::channel();
    pool.submit(job_of("occupier", move || {
        started.send(()).expect("the test waits");
        let _released = held.recv();
    }))
    .expect("the queue is empty");
    starts.recv().expect("the job starts");
    release
}

/// A flood fills the queue, which refuses more of it; another caller's single job finds a
/// place there, for the flood's last, and is next.
#[test]
fn callers_take_turns_and_the_queue_is_bounded() {
    let pool = pool(3);
    let release = occupy(&pool);
    let (done, order) = mpsc::channel();
    let (evicts, evicted) = mpsc::channel();
    let named = |caller: &'static str, name: &'static str| {
        let (done, evicts) = (done.clone(), evicts.clone());
        let on_evicted = Box::new(move |retry_after| evicts.send((name, retry_after)).expect("the test waits"));
        Job { on_evicted, ..job_of(caller, move || done.send(name).expect("the test waits")) }
    };
    for name in ["first", "second", "third"] {
        pool.submit(named("flood", name)).expect("there is room");
    }
    let refused = pool.submit(named("flood", "fourth")).expect_err("three is the bound");
    assert!(matches!(refused, Refused::Full { retry_after } if retry_after >= Duration::from_millis(100)));
    pool.submit(named("single", "single")).expect("it has less in the queue than the flood");
    let (name, retry_after) = evicted.try_recv().expect("one is told at once");
    assert!(name == "third" && retry_after >= Duration::from_millis(100), "{name} {retry_after:?}");
    assert_eq!((pool.queue(Class::Interactive).0, pool.queue(Class::Bulk).0), (3, 0));
    drop(release);
    let order: Vec<&str> = (0..3).map(|_| order.recv().expect("all three run")).collect();
    assert_eq!(order, ["first", "single", "second"]);
}

/// A queue is full when what waits may take too long, however little of it there is;
/// whoever asks for less still finds a place.
#[test]
fn the_queue_is_bounded_by_cost() {
    let pool = Pool::new(PoolConfig { queue_cost_max: 3 * MINUTE, ..config(1, 100) });
    let _release = occupy(&pool);
    let costly = |cost| Job { cost, ..job(|| {}) };
    pool.submit(costly(2 * MINUTE)).expect("the first may cost what it likes");
    pool.submit(costly(MINUTE)).expect("three minutes in all");
    assert!(matches!(pool.submit(costly(Duration::from_secs(1))), Err(Refused::Full { .. })));
    let other = Job { caller: CallerKey::of("other"), ..costly(Duration::from_secs(1)) };
    pool.submit(other).expect("the other caller has three minutes in the queue");
    assert_eq!(pool.queue(Class::Interactive).0, 2, "of which one minute has gone");
}

/// A job that could not start before it is due is refused at once.
#[test]
fn what_would_start_too_late_is_refused() {
    let pool = pool(100);
    let _release = occupy(&pool);
    let hurried = Job { due: Instant::now() + MINUTE / 2, ..job(|| {}) };
    assert_eq!(pool.submit(hurried), Err(Refused::TooLate), "the worker is busy for a minute");
    pool.submit(Job { due: Instant::now() + 2 * MINUTE, ..job(|| {}) }).expect("it has the time to wait");
}

/// Bulk jobs leave their workers to another pool's, but one; when that has none, all of
/// them run.
#[test]
fn bulk_jobs_give_way() {
    let interactive = Pool::new(config(2, 8));
    let bulk = PoolConfig { class: Class::Bulk, yields_to: vec![interactive.clone()], ..config(2, 8) };
    let bulk = Pool::new(bulk);
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
            bulk.submit(job(work)).expect("room");
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
    let pool = Pool::new(PoolConfig { class: Class::Bulk, ..config(1, 8) });
    let (starts, started) = mpsc::channel();
    let (release, held) = mpsc::channel::<()>();
    let work = move || {
        starts.send(()).expect("the test waits");
        let _released = held.recv();
    };
    let before = Instant::now();
    pool.submit(Job { due: before + 100 * MINUTE, time: Some(MINUTE), ..job(work) }).expect("room");
    started.recv().expect("it starts");
    let (running_since, due) = {
        let state = pool.shared.lock();
        let running = state.running.values().next().expect("it runs");
        (running.started, running.due)
    };
    assert_eq!(due, running_since + MINUTE);
    drop(release);
}

/// Whoever is refused is told how long the work takes that goes before its own.
#[test]
fn a_full_queue_says_how_long_it_needs() {
    let now = Instant::now();
    let due_in = |seconds| now + Duration::from_secs(seconds);
    let mut state = State::default();
    for (caller, seconds) in [("flood", 4), ("flood", 8), ("flood", 8), ("other", 6)] {
        let caller = CallerKey::of(caller);
        let cost = Duration::from_secs(seconds);
        let job = Job { caller, cost, due: due_in(seconds), ..job(|| {}) };
        state.queue.push(caller, Priority::Normal, cost, Queued { since: now, job });
    }
    let (caller, cost) = (CallerKey::default(), MINUTE);
    let running =
        Running { caller, cost, cancel: Arc::default(), started: now, due: due_in(2), on_hang: Box::new(|| {}) };
    state.running.insert(1, running);
    let needs = |state: &State, caller: &str, n_workers| {
        state.time_ahead(CallerKey::of(caller), Priority::Normal, n_workers, now).as_millis()
    };
    assert_eq!(needs(&state, "new", 2), 6000, "2 s run; of the others the first go first, 4 s and 6 s");
    assert_eq!(needs(&state, "new", 4), 3000);
    assert_eq!(needs(&state, "other", 4), 5000, "its own goes first, and by then the flood's second, 8 s");
    assert_eq!(needs(&state, "flood", 1), 8000, "by then all are due");
    // Searches that took half of their time.
    (0..200).for_each(|_| state.pace.record(Duration::from_secs(1), Duration::from_secs(2)));
    assert_eq!(needs(&state, "new", 2), 3000);
}

/// Jobs that are cancelled while they wait are told so, at once.
#[test]
fn cancelled_jobs_leave_the_queue() {
    let pool = pool(8);
    let release = occupy(&pool);
    let (told, tells) = mpsc::channel();
    let mut waiting = job(|| panic!("it is cancelled"));
    let cancel = waiting.cancel.clone();
    waiting.on_cancelled = Box::new(move || told.send(()).expect("the test waits"));
    pool.submit(waiting).expect("room");
    pool.skip_cancelled();
    assert_eq!(pool.queue(Class::Interactive).0, 1, "it is not cancelled yet");
    cancel.cancel(crate::StopReason::Shutdown);
    pool.skip_cancelled();
    tells.try_recv().expect("it is told before any worker is free");
    drop(release);
}

/// A job that ignores its cancellation is given up and its worker replaced.
#[test]
fn a_hung_job_is_replaced() {
    let pool = Pool::new(PoolConfig { hang_grace: Duration::from_millis(50), ..config(1, 8) });
    let (hangs, hung) = mpsc::channel();
    let (returns, returned) = mpsc::channel();
    let (release, held) = mpsc::channel::<()>();
    let (starts, started) = mpsc::channel();
    let mut stuck = job(move || {
        starts.send(()).expect("the test waits");
        let _released = held.recv();
    });
    let cancel = stuck.cancel.clone();
    stuck.on_hang = Box::new(move || hangs.send(()).expect("the test waits"));
    stuck.on_return = Box::new(move || returns.send(()).expect("the test waits"));
    pool.submit(stuck).expect("the queue is empty");
    started.recv().expect("the job starts");
    cancel.cancel(crate::StopReason::Cancelled);
    hung.recv().expect("the hang is noticed");
    let (done, next) = mpsc::channel();
    pool.submit(job(move || done.send(()).expect("the test waits"))).expect("room");
    next.recv().expect("the new worker serves");
    drop(release);
    returned.recv().expect("the old worker ends");
}

/// A panic costs its job and nothing else.
#[test]
fn a_panic_costs_one_job() {
    let pool = pool(8);
    pool.submit(job(|| panic!("a defect"))).expect("the queue is empty");
    let (done, next) = mpsc::channel();
    pool.submit(job(move || done.send(()).expect("the test waits"))).expect("room");
    next.recv().expect("the worker lives on");
}
