use std::sync::mpsc;

use super::*;

fn job(class: Class, work: impl FnOnce() + Send + 'static) -> Job {
    Job {
        class,
        cancel: Arc::new(CancelToken::default()),
        due: Instant::now() + Duration::from_mins(1),
        work: Box::new(work),
        on_cancelled: Box::new(|| {}),
        on_hang: Box::new(|| {}),
        on_return: Box::new(|| {}),
    }
}

/// Holds the only worker of a pool until the sender is dropped.
fn occupy(pool: &Pool) -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    let (started, starts) = mpsc::channel();
    pool.submit(job(Class::Interactive, move || {
        started.send(()).expect("the test waits");
        let _released = held.recv();
    }))
    .expect("the queue is empty");
    starts.recv().expect("the job starts");
    release
}

/// Interactive jobs overtake bulk ones, and a full queue refuses.
#[test]
fn interactive_goes_first_and_the_queue_is_bounded() {
    let pool = Pool::new("test", 1, 3, Duration::from_mins(1));
    let release = occupy(&pool);
    let (done, order) = mpsc::channel();
    for (class, name) in [(Class::Bulk, "bulk"), (Class::Interactive, "first"), (Class::Interactive, "second")] {
        let done = done.clone();
        pool.submit(job(class, move || done.send(name).expect("the test waits"))).expect("there is room");
    }
    let full = pool.submit(job(Class::Interactive, || {})).expect_err("three is the bound");
    assert!(full.retry_after >= Duration::from_millis(100));
    assert_eq!(pool.queue(Class::Interactive).0, 2);
    drop(release);
    let order: Vec<&str> = (0..3).map(|_| order.recv().expect("all three run")).collect();
    assert_eq!(order, ["first", "second", "bulk"]);
}

/// Whoever is refused is told how long the work takes that goes before its own.
#[test]
fn a_full_queue_says_how_long_it_needs() {
    let now = Instant::now();
    let due_in = |seconds| now + Duration::from_secs(seconds);
    let queued = |class, seconds| Queued { since: now, job: Job { due: due_in(seconds), ..job(class, || {}) } };
    let running = Running { cancel: Arc::default(), started: now, due: due_in(2), on_hang: Box::new(|| {}) };
    let mut state = State {
        interactive: [4, 8].map(|seconds| queued(Class::Interactive, seconds)).into(),
        bulk: [6].map(|seconds| queued(Class::Bulk, seconds)).into(),
        running: HashMap::from([(1, running)]),
        ..State::default()
    };
    let needs = |state: &State, class, n_workers| state.time_ahead(class, n_workers, now).as_millis();
    assert_eq!((needs(&state, Class::Interactive, 2), needs(&state, Class::Interactive, 4)), (7000, 3500));
    assert_eq!(needs(&state, Class::Bulk, 4), 5000, "interactive ones go first");
    assert_eq!(needs(&state, Class::Bulk, 1), 8000, "by then all are due");
    // Searches that took half of their time.
    (0..200).for_each(|_| state.pace.record(Duration::from_secs(1), Duration::from_secs(2)));
    assert_eq!(needs(&state, Class::Interactive, 2), 3500);
}

/// Jobs that are cancelled while they wait are told so, at once.
#[test]
fn cancelled_jobs_leave_the_queue() {
    let pool = Pool::new("test", 1, 8, Duration::from_mins(1));
    let release = occupy(&pool);
    let (told, tells) = mpsc::channel();
    let mut waiting = job(Class::Bulk, || panic!("it is cancelled"));
    let cancel = waiting.cancel.clone();
    waiting.on_cancelled = Box::new(move || told.send(()).expect("the test waits"));
    pool.submit(waiting).expect("room");
    pool.skip_cancelled();
    assert_eq!(pool.queue(Class::Bulk).0, 1, "it is not cancelled yet");
    cancel.cancel(crate::StopReason::Shutdown);
    pool.skip_cancelled();
    tells.try_recv().expect("it is told before any worker is free");
    drop(release);
}

/// A job that ignores its cancellation is given up and its worker replaced.
#[test]
fn a_hung_job_is_replaced() {
    let pool = Pool::new("test", 1, 8, Duration::from_millis(50));
    let (hangs, hung) = mpsc::channel();
    let (returns, returned) = mpsc::channel();
    let (release, held) = mpsc::channel::<()>();
    let (starts, started) = mpsc::channel();
    let mut stuck = job(Class::Interactive, move || {
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
    pool.submit(job(Class::Interactive, move || done.send(()).expect("the test waits"))).expect("room");
    next.recv().expect("the new worker serves");
    drop(release);
    returned.recv().expect("the old worker ends");
}

/// A panic costs its job and nothing else.
#[test]
fn a_panic_costs_one_job() {
    let pool = Pool::new("test", 1, 8, Duration::from_mins(1));
    pool.submit(job(Class::Interactive, || panic!("a defect"))).expect("the queue is empty");
    let (done, next) = mpsc::channel();
    pool.submit(job(Class::Interactive, move || done.send(()).expect("the test waits"))).expect("room");
    next.recv().expect("the worker lives on");
}
