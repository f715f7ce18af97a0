//! Workers that crash, hang, or are no longer needed.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use pentad_host::{AllowList, CallError, Fault, IsolationOptions, LoadError, Ruleset, WorkerCommand, WorkerState};
use pentad_model::{Control, FaultKind, Limits, Report, Request, StopReason};
use rustix::process::{Pid, Signal, kill_process};

use crate::{Recorder, eventually, is_unavailable, isolated, options, status};

fn variant_of(ruleset: &Ruleset, id: &str) -> usize {
    ruleset.variant_idx(id).unwrap_or_else(|| panic!("no variant {id}"))
}

/// Plays the move at which `crashes` does what its variant is named after.
fn crash(ruleset: &Ruleset, variant: &str) -> Result<String, CallError> {
    let variant = variant_of(ruleset, variant);
    let one_left = ruleset.parse(variant, "1 a")?;
    ruleset.play(variant, &one_left, "2").map(|played| played.canonical)
}

fn kill(pid: u32) {
    let pid = Pid::from_raw(pid as i32).expect("a process id is positive");
    // It may have ended already.
    let _ended = kill_process(pid, Signal::KILL);
}

fn is_alive(pid: u32) -> bool {
    // A zombie is reaped by the supervisor soon.
    Path::new(&format!("/proc/{pid}")).exists()
}

/// A crash costs the call that was running; the next one is answered by a new process.
/// The fault names the call.
#[test]
fn crash_costs_one_call() {
    let ruleset = isolated("crashes");
    for (n_restarts, (variant, how)) in
        [("segfault", "signal: 11"), ("abort", "signal: 6"), ("exit", "exit status: 0")].into_iter().enumerate()
    {
        let first = status(&ruleset);
        let crashed = crash(&ruleset, variant);
        assert!(is_unavailable(&crashed), "{variant}: {crashed:?}");
        // A restart may be delayed, and calls are refused until then.
        let start = eventually("the game comes back", || ruleset.start(0).ok());
        assert_eq!(ruleset.format(0, &start).unwrap(), "5 a");
        let now = status(&ruleset);
        assert_eq!((now.state, now.restarts, now.crashes), (WorkerState::Up, n_restarts as u64 + 1, now.restarts));
        assert_ne!(now.pid, first.pid);
        let (_, fault) = ruleset.last_fault().expect("it is recorded");
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.detail.contains(how) && fault.detail.contains("during play"), "{variant}: {fault}");
    }
}

/// A crash of one rule set does not disturb another, and positions outlive workers.
#[test]
fn others_do_not_notice() {
    let (crashing, other) = (isolated("crashes"), isolated("tictactoe"));
    let (before, start) = (status(&other).pid, crashing.start(0).unwrap());
    assert!(is_unavailable(&crash(&crashing, "segfault")));
    assert_eq!(other.count_moves(0, &other.start(0).unwrap(), ""), Ok(9));
    assert_eq!(status(&other).pid, before);
    let moves = eventually("the game comes back", || crashing.count_moves(0, &start, "").ok());
    assert_eq!(moves, 2, "of a position that an earlier worker made");
}

/// Five crashes within a minute are a quarantine; calls then fail at once.
#[test]
fn repeated_crashes_are_a_quarantine() {
    let recorder = Arc::new(Recorder::default());
    let options = IsolationOptions { observer: recorder.clone(), ..options() };
    let ruleset = Ruleset::load_isolated(&pentad_test_plugins::build("crashes"), None, &options).unwrap();
    for n_crashes in 1..=5 {
        eventually("it is up", || (status(&ruleset).state == WorkerState::Up).then_some(()));
        assert!(is_unavailable(&crash(&ruleset, "abort")));
        eventually("the crash is seen", || (status(&ruleset).crashes == n_crashes).then_some(()));
    }
    eventually("it is quarantined", || (status(&ruleset).state == WorkerState::Quarantined).then_some(()));
    assert!(!ruleset.is_up());
    match ruleset.start(0) {
        Err(CallError::Unavailable { message }) => assert!(message.contains("quarantined"), "{message}"),
        other => panic!("{other:?}"),
    }
    let events = recorder.0.lock().unwrap().join("\n");
    assert_eq!(events.matches("Ended").count(), 5, "{events}");
    assert_eq!(events.matches("is_quarantine: true").count(), 1, "{events}");
}

/// A hang that the caller reports ends the worker: every call in it returns.
#[test]
fn hang_ends_the_worker() {
    let ruleset = isolated("crashes");
    let hanging = Arc::clone(&ruleset);
    let (sender, receiver) = mpsc::channel();
    let caller = thread::spawn(move || sender.send(crash(&hanging, "hang")).unwrap());
    let pid = status(&ruleset).pid.unwrap();
    // The call has been sent once its thread waits for the pipe; reporting too early
    // ends the worker nonetheless.
    assert!(receiver.try_recv().is_err());
    let fault = Fault { kind: FaultKind::Hang, call: "play", detail: "no answer".to_owned() };
    let result = eventually("the call returns", || {
        ruleset.record_fault(fault.clone());
        receiver.try_recv().ok()
    });
    assert!(is_unavailable(&result), "{result:?}");
    caller.join().unwrap();
    eventually("the worker is gone", || (!is_alive(pid)).then_some(()));
    assert_eq!(status(&ruleset).crashes, 0, "it is a hang, not a crash");
}

/// A call that exceeds its time limit is ended without a report by the caller.
#[test]
fn call_beyond_its_time_ends_the_worker() {
    let options = IsolationOptions { call_time_max: std::time::Duration::from_secs(2), ..options() };
    let ruleset = Ruleset::load_isolated(&pentad_test_plugins::build("hostile"), None, &options).unwrap();
    // On a busy machine other calls may take that long too: only the end counts.
    let hang = eventually("the endless call is a hang", || {
        let variant = variant_of(&ruleset, "spins");
        let start = ruleset.start(variant).ok()?;
        let result = ruleset.play(variant, &start, "1");
        let is_hang = matches!(&result, Err(CallError::Fault(fault)) if fault.kind == FaultKind::Hang);
        assert!(is_hang || is_unavailable(&result), "{result:?}");
        ruleset.last_fault().filter(|(_, fault)| fault.kind == FaultKind::Hang)
    });
    assert!(hang.1.detail.contains("2000 ms"), "{}", hang.1);
}

/// Killing the worker at any moment costs running calls and searches, nothing else.
#[test]
fn killed_at_any_moment() {
    let ruleset = isolated("search_endless");
    let start = ruleset.start(0).unwrap();
    let (is_over, n_answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    struct Until<'a>(&'a AtomicBool);
    impl Control<String> for Until<'_> {
        fn should_stop(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
        fn report(&self, _report: &Report<String>) {}
    }
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    match ruleset.count_moves(0, &start, "") {
                        Ok(count) => assert_eq!(count, 2),
                        Err(CallError::Unavailable { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                    n_answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let request = Request::new(Limits::default());
                let searched =
                    ruleset.searcher(0, 1 << 20, 1).and_then(|mut it| it.run(&start, &request, &Until(&is_over)));
                assert!(searched.is_ok() || is_unavailable(&searched), "{searched:?}");
            }
        });
        let _ends_the_threads = SetOnDrop(&is_over);
        for n_restarts in 1..=4 {
            let answers = n_answers.load(Ordering::Relaxed);
            eventually("calls are made", || (n_answers.load(Ordering::Relaxed) > answers + 20).then_some(()));
            kill(eventually("it is up", || status(&ruleset).pid));
            eventually("it is restarted", || (status(&ruleset).restarts == n_restarts).then_some(()));
        }
        eventually("it answers", || ruleset.count_moves(0, &start, "").ok());
    });
}

/// Dropping the last reference to a rule set ends its worker, even one that hangs.
#[test]
fn dropping_ends_the_worker() {
    let ruleset = isolated("hostile");
    let pid = status(&ruleset).pid.unwrap();
    assert!(is_alive(pid));
    drop(ruleset);
    eventually("the worker is gone", || (!is_alive(pid)).then_some(()));
}

/// A search that its control cancels stops without a message; several run side by side,
/// each with its own flag.
#[test]
fn searches_are_cancelled_one_by_one() {
    struct StopAfterReports {
        n_reports: AtomicUsize,
        n_max: usize,
    }
    impl Control<String> for StopAfterReports {
        fn should_stop(&self) -> bool {
            self.n_reports.load(Ordering::Relaxed) >= self.n_max
        }
        fn report(&self, _report: &Report<String>) {
            self.n_reports.fetch_add(1, Ordering::Relaxed);
        }
    }
    let ruleset = isolated("search_endless");
    thread::scope(|scope| {
        for n_max in [1, 30, 60] {
            let ruleset = &ruleset;
            scope.spawn(move || {
                let start = ruleset.start(0).unwrap();
                let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
                for _ in 0..2 {
                    let control = StopAfterReports { n_reports: AtomicUsize::new(0), n_max };
                    let report = searcher.run(&start, &Request::new(Limits::default()), &control).unwrap();
                    assert_eq!(report.stop, Some(StopReason::Cancelled));
                    assert!(report.depth as usize > n_max, "{} of {n_max}", report.depth);
                }
            });
        }
    });
    assert_eq!((status(&ruleset).restarts, ruleset.faults()), (0, 0));
}

/// A panic of the caller's control stops the search and reaches the caller.
#[test]
fn panicking_control() {
    struct Panics;
    impl Control<String> for Panics {
        fn should_stop(&self) -> bool {
            false
        }
        fn report(&self, _report: &Report<String>) {
            panic!("on purpose");
        }
    }
    let ruleset = isolated("search_endless");
    let start = ruleset.start(0).unwrap();
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    let run = std::panic::AssertUnwindSafe(|| searcher.run(&start, &Request::new(Limits::default()), &Panics));
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(ruleset.count_moves(0, &start, ""), Ok(2));
}

/// A program that is not a worker, or ends at once, is a load error that says so.
#[test]
fn other_programs_are_not_workers() {
    for program in ["/bin/true", "/no/such/program"] {
        let command = WorkerCommand { program: program.into(), args: Vec::new() };
        let options = IsolationOptions { command, ..options() };
        let result = Ruleset::load_isolated(&pentad_test_plugins::build("well_behaved"), None, &options);
        assert!(matches!(result, Err(LoadError::Worker { .. })), "{program}: {result:?}");
    }
}

/// Ends the threads of a test, even if it fails.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The hashed bytes are the ones that run: while a listed and an unlisted file
/// alternate under one name, only the listed one is ever loaded.
#[test]
fn unlisted_code_never_runs() {
    let dir = pentad_test_plugins::scratch_dir();
    let (listed, other) = (pentad_test_plugins::build("tictactoe"), pentad_test_plugins::build("crashes"));
    let path = dir.join("libgame.so");
    std::fs::copy(&listed, &path).unwrap();
    let hash = Ruleset::load(&listed, None).unwrap().info().sha256.clone();
    let allow = AllowList::parse(&format!("{hash}  libgame.so\n")).unwrap();
    let (is_over, n_renames) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (mut n_loaded, mut n_refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let next = dir.join("next");
            while !is_over.load(Ordering::Relaxed) {
                for file in [&other, &listed] {
                    std::fs::copy(file, &next).unwrap();
                    std::fs::rename(&next, &path).unwrap();
                    n_renames.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let _ends_the_thread = SetOnDrop(&is_over);
        for n in 0..60 {
            let before = n_renames.load(Ordering::Relaxed);
            let loaded = match n % 6 {
                0 => Ruleset::load_isolated(&path, Some(&allow), &options()),
                _ => Ruleset::load(&path, Some(&allow)),
            };
            match loaded {
                Ok(ruleset) => {
                    assert_eq!((ruleset.info().id.as_str(), &ruleset.info().sha256), ("tictactoe", &hash));
                    n_loaded += 1;
                }
                Err(LoadError::NotAllowed { sha256, .. }) => {
                    assert_ne!(sha256, hash);
                    n_refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
            eventually("the files change places", || (n_renames.load(Ordering::Relaxed) > before).then_some(()));
        }
    });
    println!("{n_loaded} loaded, {n_refused} refused, {} renames", n_renames.into_inner());
    assert!(n_loaded > 0 && n_refused > 0, "{n_loaded} loaded, {n_refused} refused");
}

/// Files and directories that others may write to are named.
#[test]
fn files_that_others_may_change() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = pentad_test_plugins::scratch_dir();
    let path = dir.join("libgame.so");
    std::fs::copy(pentad_test_plugins::build("well_behaved"), &path).unwrap();
    let set = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    for (file_mode, dir_mode, expected) in [
        (0o644, 0o755, vec![]),
        (0o664, 0o755, vec![&path]),
        (0o644, 0o777, vec![&dir]),
        (0o646, 0o775, vec![&path, &dir]),
    ] {
        set(&path, file_mode);
        set(&dir, dir_mode);
        let ruleset = Ruleset::load(&path, None).unwrap();
        let named: Vec<_> = ruleset.info().writable_by_others.iter().collect();
        assert_eq!(named, expected, "{file_mode:o} {dir_mode:o}");
    }
    let isolated = Ruleset::load_isolated(&path, None, &options()).unwrap();
    assert_eq!(isolated.info().writable_by_others, [path, dir]);
    drop(isolated.legal_moves(0, &isolated.start(0).unwrap(), "", &mut |_| ControlFlow::Continue(())));
}
