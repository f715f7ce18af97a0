//! Searches through the ABI: what the host believes of a report, and who may
//! stop a search.

mod tour;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentad_host::{CallError, Control, FaultKind, Limits, Position, Report, Request, Ruleset, Searcher, StopReason};
use pentad_test_plugins::build;
use tour::{Quiet, search};

fn load(name: &str) -> (Arc<Ruleset>, Position) {
    let ruleset = Ruleset::load(&build(name), None).unwrap();
    let start = ruleset.start(0).unwrap();
    (ruleset, start)
}

/// Counts what it hears and stops after `stop_after` reports.
#[derive(Default)]
struct Listener {
    stop_after: usize,
    heard: Mutex<Vec<Report<String>>>,
    inside: AtomicUsize,
}

impl Control<String> for Listener {
    fn should_stop(&self) -> bool {
        self.heard.lock().unwrap().len() >= self.stop_after
    }

    fn report(&self, report: &Report<String>) {
        assert_eq!(self.inside.fetch_add(1, Ordering::SeqCst), 0, "two reports at once");
        self.heard.lock().unwrap().push(report.clone());
        self.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

fn request() -> Request<String> {
    Request { n_lines: 2, ..Request::new(Limits::default()) }
}

fn searcher(ruleset: &Arc<Ruleset>, variant: &str) -> (Searcher, Position) {
    let variant = ruleset.variant_idx(variant).unwrap();
    (ruleset.searcher(variant, 1 << 20, 1).unwrap(), ruleset.start(variant).unwrap())
}

/// Reports on the way go to the control, the last one is returned, and a stop
/// reaches the search.
#[test]
fn reports_and_stops() {
    let (ruleset, start) = load("well_behaved");
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    for (stop_after, stop) in [(100, StopReason::Depth), (1, StopReason::Cancelled)] {
        let listener = Listener { stop_after, ..Listener::default() };
        let last = searcher.run(&start, &request(), &listener).unwrap();
        assert_eq!((last.stop, last.lines[0].moves.as_slice()), (Some(stop), &["1".to_owned()][..]));
        let heard = listener.heard.into_inner().unwrap();
        assert_eq!(heard.iter().map(|report| report.stop).collect::<Vec<_>>(), [None]);
    }
    let over = ruleset.parse(0, "0 b").unwrap();
    assert_eq!(searcher.run(&over, &request(), &Quiet), Err(CallError::GameOver));
    assert_eq!(ruleset.faults(), 0);
}

/// Contexts move between threads with their searcher.
#[test]
fn a_searcher_moves_between_threads() {
    let (ruleset, start) = load("well_behaved");
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    drop(ruleset);
    for _ in 0..3 {
        searcher = std::thread::scope(|scope| {
            let run = || {
                let mut searcher = searcher;
                searcher.run(&start, &request(), &Quiet).unwrap();
                searcher
            };
            scope.spawn(run).join().unwrap()
        });
    }
}

/// Each unusable report is a fault, and the next honest search is answered.
#[test]
fn unusable_reports_are_faults() {
    let (ruleset, start) = load("search_reports");
    for (variant_idx, variant) in ruleset.variants().iter().enumerate() {
        let position = ruleset.start(variant_idx).unwrap();
        let result = search(&ruleset, variant_idx, &position);
        match variant.id.as_str() {
            "well_behaved" | "threads" => assert!(result.is_ok(), "{}: {result:?}", variant.id),
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

/// A search may say that it was stopped, if it was, after its last report.
#[test]
fn a_stopped_search_may_say_so() {
    // This search never asks, so it does not count as told.
    let (ruleset, _) = load("search_reports");
    let (mut searcher, start) = searcher(&ruleset, "says-stopped");
    let listener = Listener::default();
    assert!(matches!(searcher.run(&start, &request(), &listener), Err(CallError::Fault(_))));
}

/// A search that ends without its last report is a fault.
#[test]
fn a_last_report_is_required() {
    let (ruleset, _) = load("search_silent");
    for variant in ["running-only", "silent"] {
        let (mut searcher, start) = searcher(&ruleset, variant);
        let Err(CallError::Fault(fault)) = searcher.run(&start, &request(), &Quiet) else { panic!("{variant}") };
        assert_eq!((fault.kind, fault.detail.as_str()), (FaultKind::BadValue, "no last report"));
    }
}

/// Whether a move is legal is for the caller to find out: a report is only
/// well-formed.
#[test]
fn an_illegal_move_passes_as_text() {
    let (ruleset, start) = load("search_illegal");
    let report = search(&ruleset, 0, &start).unwrap();
    assert_eq!(report.lines[0].moves, ["3"]);
    assert!(ruleset.play(0, &start, "3").is_err());
}

/// Reports from several threads arrive one at a time.
#[test]
fn reports_from_threads_are_put_in_line() {
    let (ruleset, _) = load("search_reports");
    let (mut searcher, start) = searcher(&ruleset, "threads");
    let listener = Listener { stop_after: usize::MAX, ..Listener::default() };
    searcher.run(&start, &request(), &listener).unwrap();
    assert_eq!(listener.heard.into_inner().unwrap().len(), 2000);
}

/// A panic of the caller's own control comes back to the caller, through the
/// plugin but not by unwinding it.
#[test]
fn a_panicking_control_is_the_callers() {
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
        searcher.run(&start, &request(), &Quiet).unwrap();
    }
    assert_eq!(ruleset.faults(), 0);
}

/// Root moves that are no moves are refused before or by the plugin; a search
/// that does not listen holds its caller until it is done.
#[test]
fn a_deaf_search_holds_its_caller() {
    let (ruleset, start) = load("search_ignores_stop");
    let mut searcher = ruleset.searcher(0, 1 << 20, 1).unwrap();
    let bad = Request { root_moves: vec!["1".repeat(500)], ..request() };
    assert!(matches!(searcher.run(&start, &bad, &Quiet), Err(CallError::Malformed { .. })));
    let begun = Instant::now();
    let limits = Limits { time: Some(Duration::from_millis(10)), ..Limits::default() };
    let report = searcher.run(&start, &Request::new(limits), &Listener::default()).unwrap();
    assert_eq!(report.stop, Some(StopReason::Cancelled));
    assert!(begun.elapsed() >= Duration::from_secs(2), "whoever needs an answer must not wait for it");
}
