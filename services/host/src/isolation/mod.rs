//! Rule sets in worker processes.
//!
//! The same library that would be loaded here is loaded by a worker process, which
//! this program starts from its own executable. A crash, an exit, endless growth or
//! a hang there ends the worker and the calls that were running in it; the others
//! never notice, and a new worker takes its place.
//!
//! ```text
//!  host                                                worker process
//!  Ruleset ─ WorkerClient ─┬─ control socket ────────▶ library, page of stop flags, new channels
//!                          ├─ channel 0 ◀───────────▶ thread 0 ─ Ruleset (in process) ─ plugin
//!                          ├─ channel 1 ◀───────────▶ thread 1 ─ Searcher
//!                          ├─ stop flags (shared) ───▶ polled by searches
//!                          └─ log ◀────────────────── standard error
//! ```
//!
//! | module | side | contents |
//! | --- | --- | --- |
//! | `client` | host | the calls of a [`Ruleset`](crate::Ruleset), over a channel |
//! | `threats` | both | wins in one: messages and calls |
//! | `supervisor` | host | starts, watches and restarts the worker; states |
//! | `restart` | host | when to start again |
//! | `process` | host | one process, its channels and stop flags |
//! | `stderr_forward` | host | its standard error, line by line, limited |
//! | `worker` | worker | loads the library and serves channels |
//! | `sandbox` | worker | what it may not do |
//! | `wire`, `channel`, `descriptors` | both | messages and how they travel |
//!
//! A call takes a channel that is free, or opens another: calls and searches run
//! side by side, each on a thread of its own in the worker, and a searcher keeps its
//! channel. Nothing that arrives is trusted: what `wire` reads is validated as if a
//! plugin had written it, and a breach ends the worker.

mod channel;
mod client;
mod descriptors;
mod process;
mod restart;
mod sandbox;
mod stderr_forward;
mod supervisor;
mod threats;
mod wire;
mod wire_translations;
mod worker;

use std::ffi::OsString;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub(crate) use client::{SearchChannel, WorkerClient};
pub(crate) use wire::Described;
pub use worker::run_worker;

/// How workers are started and confined.
#[derive(Clone, Debug)]
pub struct IsolationOptions {
    /// The program that calls [`run_worker`].
    pub command: WorkerCommand,
    /// What a worker may not do.
    pub confinement: Confinement,
    /// How long a call of the rules may take, and a search that was asked to stop.
    /// Then the worker is ended.
    pub call_time_max: Duration,
    /// Is told what happens to workers.
    pub observer: Arc<dyn WorkerObserver>,
}

/// What a worker may not do. The kernel may lack some of it; see [`Protections`].
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// Writable memory that the library may take.
    pub memory_bytes_max: u64,
    /// Filters system calls: no processes, no network, no files.
    pub seccomp: bool,
    /// Restricts paths and the network by Landlock.
    pub landlock: bool,
}

impl Confinement {
    /// Everything, with this much memory.
    pub fn full(memory_bytes_max: u64) -> Confinement {
        Confinement { memory_bytes_max, seccomp: true, landlock: true }
    }
}

/// A program that calls [`run_worker`], and the arguments with which it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl WorkerCommand {
    /// The running program with a subcommand. It is started by `/proc/self/exe`, so
    /// that a newer file under the same path does not take its place.
    pub fn this_program(subcommand: &str) -> WorkerCommand {
        WorkerCommand { program: "/proc/self/exe".into(), args: vec![subcommand.into()] }
    }
}

/// The protections that are active in a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protections {
    bits: u32,
}

impl Protections {
    const NO_NEW_PRIVS: u32 = 1;
    const NO_CAPABILITIES: u32 = 2;
    const MEMORY_LIMIT: u32 = 4;
    const LANDLOCK: u32 = 8;
    const SECCOMP: u32 = 16;
    const NAMES: [(u32, &str); 5] = [
        (Protections::NO_NEW_PRIVS, "no_new_privs"),
        (Protections::NO_CAPABILITIES, "no_capabilities"),
        (Protections::MEMORY_LIMIT, "memory_limit"),
        (Protections::LANDLOCK, "landlock"),
        (Protections::SECCOMP, "seccomp"),
    ];

    /// Their names, from a closed set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Protections::NAMES.into_iter().filter(move |(bit, _)| self.bits & bit != 0).map(|(_, name)| name)
    }

    fn note(&mut self, bit: u32, is_active: bool) {
        if is_active {
            self.bits |= bit;
        }
    }
}

impl fmt::Display for Protections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(", "))
    }
}

/// Is told what happens to the workers, for the log.
pub trait WorkerObserver: Send + Sync + UnwindSafe + RefUnwindSafe + fmt::Debug {
    /// `game` is the game's id, or the name of its file while that is not known.
    fn observe(&self, game: &str, event: WorkerEvent<'_>);
}

/// What happened to a worker.
#[derive(Clone, Copy, Debug)]
pub enum WorkerEvent<'a> {
    /// It answers calls.
    Started {
        /// Its process id.
        pid: u32,
        /// What the kernel enforces.
        protections: Protections,
    },
    /// It ended or could not be started, and is started again.
    Ended {
        /// Its process id, if it had one.
        pid: Option<u32>,
        /// Why, and during which calls.
        reason: &'a str,
        /// When it is started again.
        restart_after: Duration,
        /// Whether that is a quarantine after repeated failures.
        is_quarantine: bool,
    },
    /// It wrote a line to its standard error.
    Printed {
        /// Cut to a few hundred bytes, without control characters.
        line: &'a str,
    },
    /// It wrote more lines than are passed on.
    LinesDropped {
        /// How many.
        n_lines: u64,
    },
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl WorkerObserver for NoObserver {
    fn observe(&self, _game: &str, _event: WorkerEvent<'_>) {}
}

/// Where a rule set runs, and how its worker fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IsolationStatus {
    /// In this process.
    InProcess,
    /// In a process of its own.
    Process(WorkerStatus),
}

impl IsolationStatus {
    /// `in-process` or `process`, as in settings and metrics.
    pub fn as_str(&self) -> &'static str {
        match self {
            IsolationStatus::InProcess => "in-process",
            IsolationStatus::Process(_) => "process",
        }
    }
}

/// How a worker fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerStatus {
    /// What it does.
    pub state: WorkerState,
    /// Of the running process.
    pub pid: Option<u32>,
    /// Of the last process that started.
    pub protections: Protections,
    /// Processes started after the first.
    pub restarts: u64,
    /// Ends that nobody asked for.
    pub crashes: u64,
    /// When the last process started.
    pub started: SystemTime,
}

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// It loads its library; calls wait for it.
    Starting,
    /// It answers.
    Up,
    /// It ended and is started again after a while.
    Restarting,
    /// It failed repeatedly and is left alone for some minutes.
    Quarantined,
}

impl WorkerState {
    /// In lower case, as in `/plugins`.
    pub fn as_str(self) -> &'static str {
        match self {
            WorkerState::Starting => "starting",
            WorkerState::Up => "up",
            WorkerState::Restarting => "restarting",
            WorkerState::Quarantined => "quarantined",
        }
    }
}

/// Confines this process, loads a library, and forbids it to open files from then on.
pub(crate) fn confined<T, E>(confinement: &Confinement, load: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let _active = sandbox::confine(confinement);
    let loaded = load()?;
    sandbox::forbid_files(confinement);
    Ok(loaded)
}

/// Reads bytes as a worker's messages and validates what they contain: for fuzzing.
#[doc(hidden)]
#[cfg(any(test, feature = "fuzzing"))]
pub fn read_arbitrary_bytes(bytes: &[u8]) {
    client::read_arbitrary_bytes(bytes);
}

/// Receives bytes as a worker's channel and reads the messages in them: for fuzzing.
#[doc(hidden)]
#[cfg(any(test, feature = "fuzzing"))]
pub fn receive_arbitrary_bytes(bytes: &[u8]) {
    use std::io::Write as _;

    // More would fill the socket's buffer, and nobody reads while it is written.
    let bytes = &bytes[..bytes.len().min(64 << 10)];
    let Ok((mut sender, receiver)) = channel::Channel::pair() else { return };
    sender.write_all(bytes).expect("it fits into the buffer");
    drop(sender);
    let mut channel = channel::Channel::new(receiver, process::REPLY_BYTES_MAX);
    while let Ok(message) = channel.receive() {
        client::read_arbitrary_bytes(message);
    }
}
