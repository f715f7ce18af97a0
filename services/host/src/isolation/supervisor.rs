//! Starts, watches and restarts the worker of one rule set.
//!
//! All of this happens on one thread, which lives as long as the rule set: the kernel
//! kills a worker when the thread that started it ends.

use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ChildStderr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use pentad_model::FaultKind;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::monitor::{MONITOR_INTERVAL, Monitor};
use super::process::{Launch, StartError, Verdict, WorkerProcess, lock};
use super::restart::{Restart, RestartPolicy};
use super::stderr_forward::{self, StderrEvent, SystemClock};
use super::wire::Description;
use super::{Protections, WorkerEvent, WorkerState, WorkerStatus};
use crate::error::{CallError, Fault, FaultLog};

/// How long a call waits for a worker that is starting.
const START_WAIT_MAX: Duration = Duration::from_secs(2);

/// The worker of one rule set, across its processes. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    /// Closed when this is dropped, which the thread notices.
    _alive: UnixStream,
}

#[derive(Debug)]
struct Shared {
    launch: Launch,
    /// The game's id, once known.
    game: OnceLock<String>,
    phase: Mutex<WorkerPhase>,
    phase_changed: Condvar,
    faults: Arc<FaultLog>,
    n_starts: AtomicU64,
    crashes: AtomicU64,
    last_start: Mutex<(SystemTime, Protections)>,
}

#[derive(Clone, Debug)]
enum WorkerPhase {
    Starting,
    Up(Arc<WorkerProcess>),
    Down { until: Instant, is_quarantine: bool },
    Stopped,
}

impl Supervisor {
    /// Starts the first process. Returns the library's description, or why it was not
    /// loaded.
    pub(super) fn start(launch: Launch, faults: Arc<FaultLog>) -> Result<(Supervisor, Box<Description>), String> {
        let (alive, dropped) = UnixStream::pair().map_err(|error| error.to_string())?;
        let shared = Arc::new(Shared {
            launch,
            game: OnceLock::new(),
            phase: Mutex::new(WorkerPhase::Starting),
            phase_changed: Condvar::new(),
            faults,
            n_starts: AtomicU64::new(0),
            crashes: AtomicU64::new(0),
            last_start: Mutex::new((SystemTime::now(), Protections::default())),
        });
        let (sender, receiver) = mpsc::sync_channel(1);
        let thread_shared = Arc::clone(&shared);
        thread::Builder::new()
            .name("worker-supervisor".to_owned())
            .spawn(move || thread_shared.run(&dropped, &sender))
            .map_err(|error| error.to_string())?;
        let supervisor = Supervisor { shared, _alive: alive };
        match receiver.recv() {
            Ok(Ok(description)) => Ok((supervisor, description)),
            Ok(Err(StartError::Refused(message) | StartError::Failed(message))) => Err(message),
            Err(_) => Err("its supervisor ended".to_owned()),
        }
    }

    /// Names the worker in events.
    pub(super) fn set_game(&self, game: &str) {
        // It is set once, after the first start.
        let _already = self.shared.game.set(game.to_owned());
    }

    /// Returns the running process; waits up to [`START_WAIT_MAX`] for one that is
    /// starting.
    pub(super) fn process(&self) -> Result<Arc<WorkerProcess>, CallError> {
        let unavailable = |message: String| Err(CallError::Unavailable { message });
        let deadline = Instant::now() + START_WAIT_MAX;
        let mut phase = lock(&self.shared.phase);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match &*phase {
                WorkerPhase::Up(process) if !process.is_ended() => return Ok(Arc::clone(process)),
                // It was just killed: its supervisor is about to start the next.
                WorkerPhase::Starting | WorkerPhase::Up(_) if !left.is_zero() => {
                    let changed = self.shared.phase_changed.wait_timeout(phase, left);
                    phase = changed.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
                }
                WorkerPhase::Starting | WorkerPhase::Up(_) => {
                    return unavailable("its worker process is starting".to_owned());
                }
                WorkerPhase::Down { until, is_quarantine } => {
                    let left_ms = until.saturating_duration_since(Instant::now()).as_millis();
                    let state = if *is_quarantine { "failed repeatedly and is quarantined" } else { "ended" };
                    return unavailable(format!("its worker process {state}; it is restarted in {left_ms} ms"));
                }
                WorkerPhase::Stopped => return unavailable("it is unloaded".to_owned()),
            }
        }
    }

    /// Kills the running process for a fault that is already recorded.
    pub(super) fn end_process(&self, fault: &Fault) {
        if let WorkerPhase::Up(process) = &*lock(&self.shared.phase) {
            process.kill(Verdict::Fault(fault.clone()));
        }
    }

    /// Whether calls can be made: it is running or starting.
    pub(super) fn is_up(&self) -> bool {
        matches!(*lock(&self.shared.phase), WorkerPhase::Up(_) | WorkerPhase::Starting)
    }

    pub(super) fn status(&self) -> WorkerStatus {
        let (state, pid) = match &*lock(&self.shared.phase) {
            WorkerPhase::Up(process) => (WorkerState::Up, Some(process.pid)),
            WorkerPhase::Starting => (WorkerState::Starting, None),
            WorkerPhase::Down { is_quarantine: true, .. } => (WorkerState::Quarantined, None),
            WorkerPhase::Down { .. } | WorkerPhase::Stopped => (WorkerState::Restarting, None),
        };
        let (started, protections) = *lock(&self.shared.last_start);
        WorkerStatus {
            state,
            pid,
            protections,
            restarts: self.shared.n_starts.load(Ordering::Relaxed).saturating_sub(1),
            crashes: self.shared.crashes.load(Ordering::Relaxed),
            started,
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The thread does the rest when `_alive` is closed.
        if let WorkerPhase::Up(process) = &*lock(&self.shared.phase) {
            process.kill(Verdict::Dropped);
        }
    }
}

type FirstStart = mpsc::SyncSender<Result<Box<Description>, StartError>>;

impl Shared {
    fn run(self: Arc<Self>, dropped: &UnixStream, first: &FirstStart) {
        let mut policy = RestartPolicy::default();
        let mut described: Option<Box<Description>> = None;
        loop {
            let started = Instant::now();
            let (pid, reason) = match self.start_process() {
                Ok((_, description)) if described.as_ref().is_some_and(|known| *known != description) => {
                    (None, "the library describes itself differently from before".to_owned())
                }
                Ok((process, description)) => {
                    let pid = process.pid;
                    self.began(&process);
                    if described.is_none() {
                        described = Some(description.clone());
                        if first.send(Ok(description)).is_err() {
                            process.kill(Verdict::Dropped);
                        }
                    }
                    match self.watch(&process, dropped) {
                        Some(reason) => (Some(pid), reason),
                        None => break,
                    }
                }
                Err(error) if described.is_none() => {
                    // Nobody waits if the loader gave up.
                    let _nobody = first.send(Err(error));
                    break;
                }
                Err(StartError::Refused(reason) | StartError::Failed(reason)) => {
                    self.record_crash(&reason);
                    (None, reason)
                }
            };
            let Restart { after, is_quarantine } = policy.ended(started, Instant::now());
            self.observe(WorkerEvent::Ended { pid, reason: &reason, restart_after: after, is_quarantine });
            if !after.is_zero() {
                self.set_phase(WorkerPhase::Down { until: Instant::now() + after, is_quarantine });
            }
            if is_dropped_within(dropped, after) {
                break;
            }
            self.set_phase(WorkerPhase::Starting);
        }
        self.set_phase(WorkerPhase::Stopped);
    }

    fn start_process(self: &Arc<Self>) -> Result<(Arc<WorkerProcess>, Box<Description>), StartError> {
        self.n_starts.fetch_add(1, Ordering::Relaxed);
        let shared = Arc::clone(self);
        WorkerProcess::start(&self.launch, |stderr| shared.forward_printed(stderr))
    }

    /// Forwards the worker's standard error until it is closed.
    fn forward_printed(self: Arc<Self>, stderr: ChildStderr) {
        let forward = move || {
            stderr_forward::forward(stderr, &SystemClock, |printed| {
                self.observe(match printed {
                    StderrEvent::Line(line) => WorkerEvent::Printed { line },
                    StderrEvent::Dropped(n_lines) => WorkerEvent::LinesDropped { n_lines },
                });
            });
        };
        // Without the thread the pipe is closed, and the worker's output is lost.
        let _best_effort = thread::Builder::new().name("worker-stderr".to_owned()).spawn(forward);
    }

    fn began(&self, process: &Arc<WorkerProcess>) {
        *lock(&self.last_start) = (process.started, process.protections);
        self.observe(WorkerEvent::Started { pid: process.pid, protections: process.protections });
        self.set_phase(WorkerPhase::Up(Arc::clone(process)));
    }

    /// Waits until the process ends, and reaps it. `None` if the rule set was dropped.
    fn watch(&self, process: &WorkerProcess, dropped: &UnixStream) -> Option<String> {
        let mut monitor = Monitor::new(process);
        let interval = Timespec { tv_sec: 0, tv_nsec: MONITOR_INTERVAL.as_nanos() as i64 };
        let is_dropped = loop {
            let control = process.control();
            let events = PollFlags::IN | PollFlags::HUP;
            let mut fds = [PollFd::from_borrowed_fd(control, events), PollFd::new(dropped, events)];
            match poll(&mut fds, Some(&interval)) {
                Ok(0) => {
                    if let Some(reason) = monitor.check(process) {
                        process.kill(Verdict::Overuse(reason));
                        break false;
                    }
                }
                Ok(_) if !fds[1].revents().is_empty() => break true,
                Ok(_) if !fds[0].revents().is_empty() => break false,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => break false,
            }
        };
        if is_dropped {
            process.kill(Verdict::Dropped);
        }
        let (verdict, status) = process.reap();
        match verdict {
            Some(Verdict::Dropped) => None,
            _ if is_dropped => None,
            Some(Verdict::Fault(fault)) => Some(format!("ended for a fault: {fault}")),
            Some(Verdict::Overuse(reason)) => {
                self.record_crash(&reason);
                Some(reason)
            }
            None => {
                self.record_crash(&status);
                Some(status)
            }
        }
    }

    fn record_crash(&self, reason: &str) {
        self.crashes.fetch_add(1, Ordering::Relaxed);
        let detail = format!("the worker process ended: {reason}");
        self.faults.record(Fault { kind: FaultKind::Crash, call: "worker", detail });
    }

    fn set_phase(&self, phase: WorkerPhase) {
        *lock(&self.phase) = phase;
        self.phase_changed.notify_all();
    }

    fn observe(&self, event: WorkerEvent<'_>) {
        let file = || self.launch.path.rsplit('/').next().unwrap_or_default();
        let game = self.game.get().map_or_else(file, String::as_str);
        self.launch.options.observer.observe(game, event);
    }
}

/// Waits for the rule set to be dropped, at most this long.
fn is_dropped_within(dropped: &UnixStream, wait: Duration) -> bool {
    let deadline = Instant::now() + wait;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut fds = [PollFd::from_borrowed_fd(dropped.as_fd(), PollFlags::IN | PollFlags::HUP)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => {
                // Unexpected; without a wait, restarts would follow each other at once.
                thread::sleep(left);
                return false;
            }
        }
    }
}
