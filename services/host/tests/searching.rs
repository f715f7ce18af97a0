//! Searches through the ABI: validation of reports, cancellation, threads.

mod calls;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use calls::{NeverStop, search};
use pentad_host::{CallError, Position, Ruleset, Searcher};
use pentad_model::{Control, FaultKind, Limits, Report, Request, StopReason};
use pentad_test_plugins::build;

fn load(name: &str) -> (Arc<Ruleset>, Position) {
    let ruleset = Ruleset::load(&build(name), None).unwrap();
    let start = ruleset.start(0).unwrap();
    (ruleset, start)
}

/// Collects reports and stops the search after `stop_after` of them.
#[derive(Default)]
struct CollectingControl {
    stop_after: usize,
    reports: Mutex<Vec<Report<String>>>,
    n_inside: AtomicUsize,
}

impl Control<String> for CollectingControl {
    fn should_stop(&self) -> bool {
        self.reports.lock().unwrap().len() >= self.stop_after
    }

    fn report(&self, report: &Report<String>) {
        assert_eq!(self.n_inside.fetch_add(1, Ordering::SeqCst), 0, "two reports at once");
        self.reports.lock().unwrap().push(report.clone());
        self.n_inside.fetch_sub(1, Ordering::SeqCst);
    }
}

fn request() -> Request<String> {
    Request { n_lines: 2, ..Request::new(Limits::default()) }
}

fn searcher(ruleset: &Arc<Ruleset>, variant: &str) -> (Searcher, Position) {
    let variant = ruleset.variant_idx(variant).unwrap();
    (ruleset.searcher(variant, 1 << 20, 1).unwrap(), ruleset.start(variant).unwrap())
}

/// Intermediate reports go to the control, the final one is returned, and a stop
/// reaches the search.
#[test]
fn reports_and_stops() {
    let (ruleset, start) = load("well_behaved");
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    for (stop_after, stop) in [(100, StopReason::Depth), (1, StopReason::Cancelled)] {
        let control = CollectingControl { stop_after, ..CollectingControl::default() };
        let last = searcher.run(&start, &request(), &control).unwrap();
        assert_eq!((last.stop, last.lines[0].moves.as_slice()), (Some(stop), &["1".to_owned()][..]));
        let reports = control.reports.into_inner().unwrap();
        assert_eq!(reports.iter().map(|report| report.stop).collect::<Vec<_>>(), [None]);
    }
    let over = ruleset.parse(0, "0 b").unwrap();
    assert_eq!(searcher.run(&over, &request(), &NeverStop), Err(CallError::GameOver));
    assert_eq!(ruleset.faults(), 0);
}

/// A searcher may be moved between threads.
#[test]
fn searcher_moves_between_threads() {
    let (ruleset, start) = load("well_behaved");
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    drop(ruleset);
    for _ in 0..3 {
        searcher = std::thread::scope(|scope| {
            let run = || {
                let mut searcher = searcher;
                searcher.run(&start, &request(), &NeverStop).unwrap();
                searcher
            };
            scope.spawn(run).join().unwrap()
        });
    }
}

/// Each invalid report is a fault, and the next well-behaved search works.
#[test]
fn invalid_reports_are_faults() {
    let (ruleset, start) = load("search_reports");
    for (variant_idx, variant) in ruleset.variants().iter().enumerate() {
        let position = ruleset.start(variant_idx).unwrap();
        let result = search(&ruleset, variant_idx, &position);
        match variant.id.as_str() {
            "well-behaved" | "threads" => assert!(result.is_ok(), "{}: {result:?}", variant.id),
            _ => {
                let Err(CallError::Fault(fault)) = result else { panic!("{}: {result:?}", variant.id) };
                let status = matches!(variant.id.as_str(), "game-over" | "says-stopped");
                let kind = if status { FaultKind::BadStatus } else { FaultKind::BadValue };
                assert_eq!(fault.kind, kind, "{}: {fault}", variant.id);
            }
        }
        search(&ruleset, 0, &start).unwrap();
    }
}

/// `STOPPED` is a fault from a search that did not poll `should_stop`.
#[test]
fn stopped_without_a_poll_is_a_fault() {
    // The control wants to stop, but the search never polls it.
    let (ruleset, _) = load("search_reports");
    let (mut searcher, start) = searcher(&ruleset, "says-stopped");
    let control = CollectingControl::default();
    assert!(matches!(searcher.run(&start, &request(), &control), Err(CallError::Fault(_))));
}

/// A search that ends without its final report is a fault.
#[test]
fn final_report_is_required() {
    let (ruleset, _) = load("search_silent");
    for variant in ["running-only", "silent"] {
        let (mut searcher, start) = searcher(&ruleset, variant);
        let Err(CallError::Fault(fault)) = searcher.run(&start, &request(), &NeverStop) else { panic!("{variant}") };
        assert_eq!((fault.kind, fault.detail.as_str()), (FaultKind::BadValue, "no final report"));
    }
}

/// The host checks that moves of a report are well-formed; whether they are legal
/// is left to the caller.
#[test]
fn illegal_move_in_a_report_is_not_detected() {
    let (ruleset, start) = load("search_illegal");
    let report = search(&ruleset, 0, &start).unwrap();
    assert_eq!(report.lines[0].moves, ["3"]);
    assert!(ruleset.play(0, &start, "3").is_err());
}

/// Reports from several threads arrive one at a time.
#[test]
fn reports_from_threads_are_serialised() {
    let (ruleset, _) = load("search_reports");
    let (mut searcher, start) = searcher(&ruleset, "threads");
    let control = CollectingControl { stop_after: usize::MAX, ..CollectingControl::default() };
    searcher.run(&start, &request(), &control).unwrap();
    assert_eq!(control.reports.into_inner().unwrap().len(), 2000);
}

/// A panic of the caller's control reaches the caller without unwinding through
/// the plugin.
#[test]
fn panic_of_the_control_is_resumed() {
    struct Panicking {
        in_report: bool,
    }
    impl Control<String> for Panicking {
        fn should_stop(&self) -> bool {
            assert!(self.in_report, "in should_stop");
            false
        }
        fn report(&self, _report: &Report<String>) {
            assert!(!self.in_report, "in report");
        }
    }
    let (ruleset, start) = load("well_behaved");
    for (in_report, message) in [(true, "in report"), (false, "in should_stop")] {
        let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
        let run = std::panic::AssertUnwindSafe(|| searcher.run(&start, &request(), &Panicking { in_report }));
        let panic = std::panic::catch_unwind(run).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&message));
        searcher.run(&start, &request(), &NeverStop).unwrap();
    }
    assert_eq!(ruleset.faults(), 0);
}

/// A root move that is too long is rejected; a search that does not poll blocks its
/// caller until it is done.
#[test]
fn search_that_ignores_stop_blocks_its_caller() {
    let (ruleset, start) = load("search_ignores_stop");
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    let bad = Request { root_moves: vec!["1".repeat(500)], ..request() };
    assert!(matches!(searcher.run(&start, &bad, &NeverStop), Err(CallError::Malformed { .. })));
    let begun = Instant::now();
    let limits = Limits { time: Some(Duration::from_millis(10)), ..Limits::default() };
    let report = searcher.run(&start, &Request::new(limits), &CollectingControl::default()).unwrap();
    assert_eq!(report.stop, Some(StopReason::Cancelled));
    assert!(begun.elapsed() >= Duration::from_secs(2), "`run` cannot return before the plugin does");
}
