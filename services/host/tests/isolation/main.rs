//! Rule sets in worker processes.
//!
//! | module | question |
//! | --- | --- |
//! | `parity` | are the answers those of the same library in this process? |
//! | `lifecycle` | what happens to workers that crash, hang, or are no longer needed? |
//! | `confinement` | what can a library in a worker not do? |
//! | `calls` | (all calls of a rule set, which these compare) |

#![cfg(target_os = "linux")]

#[path = "../calls/mod.rs"]
mod calls;
mod confinement;
mod lifecycle;
mod parity;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pentad_host::{
    CallError, Confinement, IsolationOptions, IsolationStatus, NoObserver, Ruleset, WorkerCommand, WorkerEvent,
    WorkerObserver, WorkerStatus,
};

/// A bound against hanging; nothing asserts that something takes less.
const PATIENCE: Duration = Duration::from_secs(60);

fn options() -> IsolationOptions {
    IsolationOptions {
        command: WorkerCommand { program: env!("CARGO_BIN_EXE_pentad-host-worker").into(), args: Vec::new() },
        confinement: Confinement::full(512 << 20),
        call_time_max: PATIENCE,
        stop_time_max: PATIENCE,
        observer: Arc::new(NoObserver),
    }
}

fn isolated(name: &str) -> Arc<Ruleset> {
    load(&pentad_test_plugins::build(name))
}

fn load(path: &Path) -> Arc<Ruleset> {
    Ruleset::load_isolated(path, None, &options()).unwrap_or_else(|error| panic!("{error}"))
}

fn status(ruleset: &Ruleset) -> WorkerStatus {
    match ruleset.isolation() {
        IsolationStatus::Process(status) => status,
        IsolationStatus::InProcess => panic!("it runs in this process"),
    }
}

fn is_unavailable<T>(result: &Result<T, CallError>) -> bool {
    matches!(result, Err(CallError::Unavailable { .. }))
}

/// Waits until `probe` returns something.
fn eventually<T>(what: &str, mut probe: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = probe() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Records events.
#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<String>>);

impl WorkerObserver for Recorder {
    fn observe(&self, game: &str, event: WorkerEvent<'_>) {
        self.0.lock().unwrap().push(format!("{game} {event:?}"));
    }
}
