//! What a library in a worker cannot do, and what happens without the kernel's support.

use std::sync::Arc;

use pentad_host::{CallError, Confinement, IsolationOptions, Protections, Ruleset, WorkerState};
use pentad_model::FaultKind;

use crate::{Recorder, eventually, is_unavailable, options, status};

/// Variants of `hostile` that the system must stop.
const FORBIDDEN: [&str; 12] = [
    "reads-file",
    "writes-file",
    "opens-socket",
    "forks",
    "executes",
    "signals-parent",
    "raises-limit",
    "keeps-after-parent",
    "shares-memory",
    "grows-stack",
    "owns-descriptors",
    "finds-path",
];
/// Those that its constructor tries, which no filter stops without asking another process.
const FORBIDDEN_EARLY: [&str; 3] = ["reads-early", "writes-early", "finds-early"];

fn hostile(options: &IsolationOptions) -> Arc<Ruleset> {
    Ruleset::load_isolated(&pentad_test_plugins::build("hostile"), None, options).unwrap()
}

fn play(ruleset: &Ruleset, variant: &str) -> Result<String, CallError> {
    let variant = ruleset.variant_idx(variant).unwrap_or_else(|| panic!("no variant {variant}"));
    let start = ruleset.start(variant)?;
    ruleset.play(variant, &start, "1").map(|played| played.canonical)
}

fn protections(ruleset: &Ruleset) -> Vec<&'static str> {
    status(ruleset).protections.names().collect()
}

fn with(seccomp: bool, landlock: bool) -> IsolationOptions {
    IsolationOptions { confinement: Confinement { seccomp, landlock, ..options().confinement }, ..options() }
}

/// With everything that this kernel has, nothing that is forbidden succeeds, and the
/// library continues; all of its protections are reported.
#[test]
fn nothing_forbidden_succeeds() {
    let ruleset = hostile(&options());
    let active = protections(&ruleset);
    assert!(active.contains(&"no_new_privs") && active.contains(&"memory_limit"), "{active:?}");
    if !active.contains(&"seccomp") {
        println!("this kernel has no seccomp filters");
        return;
    }
    for variant in FORBIDDEN {
        assert_eq!(play(&ruleset, variant).as_deref(), Ok("1"), "{variant}");
    }
    if !active.contains(&"no_files") {
        println!("this kernel has no notifications of seccomp");
        return;
    }
    for variant in FORBIDDEN_EARLY {
        assert_eq!(play(&ruleset, variant).as_deref(), Ok("1"), "{variant}");
    }
    assert_eq!((status(&ruleset).restarts, ruleset.faults()), (0, 0));
}

/// Landlock alone blocks files, seccomp alone blocks files, the network and processes;
/// without both the worker still runs, and reports it.
#[test]
fn each_protection_by_itself() {
    let let_it = |result: Result<String, CallError>| match result {
        Ok(_) => false,
        Err(CallError::Fault(fault)) if fault.detail == "the system let it" => true,
        other => panic!("{other:?}"),
    };
    let by_landlock = hostile(&with(false, true));
    if protections(&by_landlock).contains(&"landlock") {
        assert!(!let_it(play(&by_landlock, "reads-file")) && !let_it(play(&by_landlock, "writes-file")));
    }
    assert!(!protections(&by_landlock).contains(&"seccomp"));
    let by_seccomp = hostile(&with(true, false));
    assert!(!protections(&by_seccomp).contains(&"landlock"));
    if protections(&by_seccomp).contains(&"seccomp") {
        let is_gated = protections(&by_seccomp).contains(&"no_files");
        for variant in FORBIDDEN.iter().chain(FORBIDDEN_EARLY.iter().filter(|it| is_gated || **it == "writes-early")) {
            assert!(!let_it(play(&by_seccomp, variant)), "{variant}");
        }
    }
    let by_none = hostile(&with(false, false));
    assert!(let_it(play(&by_none, "reads-file")) && let_it(play(&by_none, "opens-socket")));
    assert!(let_it(play(&by_none, "forks")) && let_it(play(&by_none, "reads-early")));
    assert!(let_it(play(&by_none, "owns-descriptors")) && let_it(play(&by_none, "shares-memory")));
}

/// Without a protection that is required, no code of the library runs.
#[test]
fn required_protections() {
    let names = ["no_new_privs", "landlock"];
    let required = Protections::from_names(names).unwrap();
    assert_eq!(Protections::from_names(["landlock", "moat"]), Err("moat"));
    let lacking =
        IsolationOptions { confinement: Confinement { required, ..with(true, false).confinement }, ..options() };
    let refused = Ruleset::load_isolated(&pentad_test_plugins::build("hangs"), None, &lacking).unwrap_err().to_string();
    assert!(refused.contains("does not enforce landlock, which"), "{refused}");
    let probed = pentad_host::probe_protections(&options()).unwrap();
    assert_eq!(probed, status(&hostile(&options())).protections);
    let confinement = Confinement { required: probed, ..options().confinement };
    assert_eq!(play(&hostile(&IsolationOptions { confinement, ..options() }), "forks").as_deref(), Ok("1"));
}

/// A library that starts very many threads, or uses the CPU outside of calls, ends its own
/// worker, and is charged with it.
#[test]
fn threads_and_idle_cpu_time_are_bounded() {
    let ruleset = hostile(&options());
    for (variant, is_answered, reason) in [("starts-threads", false, "threads"), ("spins-after", true, "CPU time")] {
        let n_crashes = status(&ruleset).crashes;
        let played = eventually("it is up", || Some(play(&ruleset, variant)).filter(|it| it.is_ok() == is_answered));
        assert!(is_answered || is_unavailable(&played), "{played:?}");
        eventually("it is ended", || (status(&ruleset).crashes > n_crashes).then_some(()));
        let (_, fault) = ruleset.last_fault().expect("it is recorded");
        assert!(fault.kind == FaultKind::Crash && fault.detail.contains(reason), "{variant}: {fault}");
        eventually("it comes back", || play(&ruleset, "reads-file").ok());
    }
}

/// A library that takes more and more memory ends its own worker.
#[test]
fn memory_is_bounded() {
    let confinement = Confinement::full(256 << 20);
    let ruleset = hostile(&IsolationOptions { confinement, ..options() });
    assert!(is_unavailable(&play(&ruleset, "grows")));
    eventually("it comes back", || play(&ruleset, "reads-file").ok());
    assert_eq!(ruleset.last_fault().map(|(_, fault)| fault.kind), Some(FaultKind::Crash));
}

/// Messages that a library forges in the worker's name are a fault that ends the
/// worker; this process neither crashes nor accepts them.
#[test]
fn lies_end_the_worker() {
    let ruleset = hostile(&options());
    // Either the first forged message is this call's reply, or the end of the control
    // socket is seen first.
    let result = play(&ruleset, "lies");
    assert!(matches!(result, Err(CallError::Fault(_) | CallError::Unavailable { .. })), "{result:?}");
    eventually("it comes back", || play(&ruleset, "reads-file").ok());
    assert_eq!(status(&ruleset).state, WorkerState::Up);
    assert!(ruleset.faults() >= 1 && status(&ruleset).restarts >= 1);
}

/// Output of a library is forwarded line by line, within limits.
#[test]
fn printed_lines_are_limited() {
    let recorder = Arc::new(Recorder::default());
    let ruleset = hostile(&IsolationOptions { observer: recorder.clone(), ..options() });
    assert_eq!(play(&ruleset, "floods").as_deref(), Ok("1"));
    drop(ruleset);
    let events = eventually("the rest is counted", || {
        let events = recorder.0.lock().unwrap().clone();
        events.iter().any(|event| event.contains("LinesDropped")).then_some(events)
    });
    assert!(events.iter().any(|event| event.contains("hostile Printed { line: \"line 0 of many\" }")), "{events:?}");
    let n_lines = events.iter().filter(|event| event.contains("Printed")).count();
    assert!(n_lines < 5000, "{n_lines} lines");
}
