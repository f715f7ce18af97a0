//! Rule sets in worker processes.
//!
//! A worker process, which this program starts from its own executable, loads the
//! library instead of this process. A crash, an exit, unbounded memory or a hang there
//! ends the worker and the calls running in it; other games are not affected, and a new
//! worker replaces it.
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
//! | `threats` | both | wins in one move: messages and calls |
//! | `supervisor` | host | starts, watches and restarts the worker; states |
//! | `restart` | host | when to restart |
//! | `process` | host | one process, its channels and stop flags |
//! | `stderr_forward` | host | its standard error, line by line, limited |
//! | `worker` | worker | loads the library and serves channels |
//! | `sandbox`, `file_gate` | worker | what a worker may not do |
//! | `monitor`, `hang_clock` | host | threads and CPU time of a worker; when a call has hung |
//! | `wire`, `wire_translations`, `channel`, `descriptors` | both | messages and their transport |
//!
//! A call takes a free channel, or opens another: calls and searches run side by side,
//! each on a thread of its own in the worker, and a searcher keeps its channel. Nothing
//! that arrives is trusted: what `wire` reads is validated as if a plugin had written
//! it, and a violation ends the worker.

mod channel;
mod client;
mod descriptors;
mod file_gate;
mod hang_clock;
mod monitor;
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
    /// Restrictions of the worker.
    pub confinement: Confinement,
    /// CPU time that a call of the rules may take. After that the worker is killed, or after
    /// five times as long if it sleeps.
    pub call_time_max: Duration,
    /// The same for a search after its cancellation.
    pub stop_time_max: Duration,
    /// Observer of the workers' events.
    pub observer: Arc<dyn WorkerObserver>,
}

/// Restrictions of a worker. The kernel may lack some of them; see [`Protections`].
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// Maximum writable memory of the library.
    pub memory_bytes_max: u64,
    /// Filters system calls: no processes, no network, no files.
    pub seccomp: bool,
    /// Restricts paths and the network by Landlock.
    pub landlock: bool,
    /// Protections without which no library is loaded.
    pub required: Protections,
}

impl Confinement {
    /// All restrictions, with this much memory.
    pub fn full(memory_bytes_max: u64) -> Confinement {
        Confinement { memory_bytes_max, seccomp: true, landlock: true, required: Protections::default() }
    }
}

/// A program that calls [`run_worker`], and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl WorkerCommand {
    /// Returns the running program with a subcommand. It is started as
    /// `/proc/self/exe`, so that a newer file under the same path does not replace it.
    pub fn this_program(subcommand: &str) -> WorkerCommand {
        WorkerCommand { program: "/proc/self/exe".into(), args: vec![subcommand.into()] }
    }
}

/// Protections that are active in a worker.
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
    const NO_FILES: u32 = 32;
    const NAMES: [(u32, &str); 6] = [
        (Protections::NO_NEW_PRIVS, "no_new_privs"),
        (Protections::NO_CAPABILITIES, "no_capabilities"),
        (Protections::MEMORY_LIMIT, "memory_limit"),
        (Protections::LANDLOCK, "landlock"),
        (Protections::SECCOMP, "seccomp"),
        (Protections::NO_FILES, "no_files"),
    ];

    /// Every protection.
    pub fn all() -> Protections {
        Protections { bits: Protections::NAMES.iter().fold(0, |bits, (bit, _)| bits | bit) }
    }

    /// Returns the protections with these names, or the first name that is unknown.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Protections, &'a str> {
        names.into_iter().try_fold(Protections::default(), |found, name| {
            let bit = Protections::NAMES.iter().find(|(_, known)| *known == name).map(|(bit, _)| bit).ok_or(name)?;
            Ok(Protections { bits: found.bits | bit })
        })
    }

    /// Returns those that are not among the `active` ones.
    pub fn missing_from(self, active: Protections) -> Protections {
        Protections { bits: self.bits & !active.bits }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Names, from a closed set.
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

/// Observer of the workers' events, for the log.
pub trait WorkerObserver: Send + Sync + UnwindSafe + RefUnwindSafe + fmt::Debug {
    /// `game` is the game's id, or the name of its file while the id is unknown.
    fn observe(&self, game: &str, event: WorkerEvent<'_>);
}

/// Event of a worker.
#[derive(Clone, Copy, Debug)]
pub enum WorkerEvent<'a> {
    /// It accepts calls.
    Started {
        /// Its process id.
        pid: u32,
        /// Protections that the kernel enforces.
        protections: Protections,
    },
    /// It ended or could not be started, and is restarted.
    Ended {
        /// Its process id, if it had one.
        pid: Option<u32>,
        /// Why, and during which calls.
        reason: &'a str,
        /// Delay of the restart.
        restart_after: Duration,
        /// Whether that is a quarantine after repeated failures.
        is_quarantine: bool,
    },
    /// It wrote a line to its standard error.
    Printed {
        /// The line, cut to a few hundred bytes, without control characters.
        line: &'a str,
    },
    /// It wrote more lines than are forwarded.
    LinesDropped {
        /// Number of dropped lines.
        n_lines: u64,
    },
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl WorkerObserver for NoObserver {
    fn observe(&self, _game: &str, _event: WorkerEvent<'_>) {}
}

/// Where a rule set runs, and the state of its worker.
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

/// Status of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerStatus {
    /// Current state.
    pub state: WorkerState,
    /// Id of the running process.
    pub pid: Option<u32>,
    /// Protections of the last process that started.
    pub protections: Protections,
    /// Number of processes started after the first.
    pub restarts: u64,
    /// Number of unexpected ends.
    pub crashes: u64,
    /// When the last process started.
    pub started: SystemTime,
}

/// State of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// It loads its library; calls wait.
    Starting,
    /// It accepts calls.
    Up,
    /// It ended and is restarted after a delay.
    Restarting,
    /// It failed repeatedly and is not restarted for some minutes.
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

/// Confines this process, loads a library that depends on the `needed` ones, and then
/// forbids opening files.
pub(crate) fn confined<T, E>(
    confinement: &Confinement,
    needed: &[String],
    load: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let confined = sandbox::confine(confinement, needed);
    let loaded = load()?;
    confined.forbid_files();
    Ok(loaded)
}

/// Returns the protections that the kernel enforces on workers, by starting one without
/// a library.
pub fn probe_protections(options: &IsolationOptions) -> Result<Protections, String> {
    process::probe(options).map_err(|error| error.to_string())
}

/// Parses any bytes as a worker's messages and validates their contents: for fuzzing.
#[doc(hidden)]
#[cfg(any(test, feature = "fuzzing"))]
pub fn read_arbitrary_bytes(bytes: &[u8]) {
    client::read_arbitrary_bytes(bytes);
}

/// Receives any bytes on a worker's channel and parses the messages in them: for
/// fuzzing.
#[doc(hidden)]
#[cfg(any(test, feature = "fuzzing"))]
pub fn receive_arbitrary_bytes(bytes: &[u8]) {
    use std::io::Write as _;

    // More would fill the socket's buffer, and nothing reads while it is written.
    let bytes = &bytes[..bytes.len().min(64 << 10)];
    let Ok((mut sender, receiver)) = channel::Channel::pair() else { return };
    sender.write_all(bytes).expect("it fits into the buffer");
    drop(sender);
    let mut channel = channel::Channel::new(receiver, process::REPLY_BYTES_MAX);
    while let Ok(message) = channel.receive() {
        client::read_arbitrary_bytes(message);
    }
}
