//! One worker process, its channels and its stop flags.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

use super::channel::{Channel, is_timeout};
use super::hang_clock::{CHECK_INTERVAL, CallTimes, HangClock};
use super::wire::{Description, Init, Loaded, OpenChannel, printable};
use super::{Confinement, IsolationOptions, Protections, descriptors, monitor};
use crate::error::Fault;
use crate::image::Image;
use crate::shared_atomics::SharedAtomics;

/// Number of channels of one worker, each with a stop flag: more than there are threads
/// that call rule sets.
const SLOTS: usize = 512;
/// Maximum reply; lists of moves come in parts.
pub(super) const REPLY_BYTES_MAX: usize = 1 << 20;
/// Maximum description, with a board for each variant.
const DESCRIPTION_BYTES_MAX: usize = 32 << 20;
/// Loading may build tables.
const LOAD_TIME_MAX: Duration = Duration::from_secs(60);

/// Inputs for starting each process of a rule set.
#[derive(Debug)]
pub(super) struct Launch {
    /// Path of the original file.
    pub(super) path: String,
    pub(super) sha256: String,
    pub(super) image: Image,
    /// Libraries that it depends on.
    pub(super) needed: Vec<String>,
    pub(super) options: IsolationOptions,
}

/// A worker that has loaded its library.
#[derive(Debug)]
pub(super) struct WorkerProcess {
    pub(super) pid: u32,
    pub(super) protections: Protections,
    pub(super) started: SystemTime,
    child: Mutex<Child>,
    control: OwnedFd,
    stop_flags: SharedAtomics,
    pool: Mutex<Pool>,
    /// Why it was killed, if it was.
    verdict: Mutex<Option<Verdict>>,
    is_ended: AtomicBool,
    pub(super) call_time_max: Duration,
    pub(super) stop_time_max: Duration,
}

/// Why the host killed a worker.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// A fault that is already recorded.
    Fault(Fault),
    /// It used more threads or CPU time than its calls need.
    Overuse(String),
    /// The rule set was dropped.
    Dropped,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<(Channel, usize)>,
    n_slots: usize,
    free_slots: Vec<usize>,
    /// Running calls, by slot.
    running: Vec<Option<RunningCall>>,
    /// Duration of calls that have ended, times their threads.
    busy: Duration,
    /// Maximum number of threads of a search so far.
    search_threads_max: u32,
}

#[derive(Clone, Copy, Debug)]
struct RunningCall {
    name: &'static str,
    since: Instant,
    n_threads: u32,
}

impl RunningCall {
    fn busy(&self) -> Duration {
        self.since.elapsed().saturating_mul(self.n_threads)
    }
}

impl Pool {
    fn begin(&mut self, slot: usize, name: &'static str, n_threads: u32) {
        self.running[slot] = Some(RunningCall { name, since: Instant::now(), n_threads });
    }

    fn end(&mut self, slot: usize) {
        self.busy += self.running[slot].take().map_or(Duration::ZERO, |call| call.busy());
    }
}

/// Why a worker did not start.
#[derive(Debug)]
pub(super) enum StartError {
    /// The library cannot be loaded.
    Refused(String),
    /// The worker failed.
    Failed(String),
}

impl WorkerProcess {
    /// Starts a process and waits until it has loaded the library. `print` receives its
    /// standard error.
    pub(super) fn start(
        launch: &Launch,
        print: impl FnOnce(ChildStderr),
    ) -> Result<(Arc<WorkerProcess>, Box<Description>), StartError> {
        let failed = |error: io::Error| StartError::Failed(format!("cannot be started: {error}"));
        let (control, worker_control) = descriptors::control_pair().map_err(failed)?;
        let (stop_flags, stop_page) = SharedAtomics::create(SLOTS).map_err(failed)?;
        let (first, worker_first) = Channel::pair().map_err(failed)?;
        let Some(image) = launch.image.descriptor() else {
            return Err(StartError::Failed("isolation needs memfds, which this system does not have".to_owned()));
        };
        let mut child = spawn(&launch.options, worker_control).map_err(failed)?;
        print(child.stderr.take().expect("it is piped"));
        let init = Init {
            path: launch.path.clone(),
            sha256: launch.sha256.clone(),
            memory_bytes_max: launch.options.confinement.memory_bytes_max,
            seccomp: launch.options.confinement.seccomp,
            landlock: launch.options.confinement.landlock,
            required: launch.options.confinement.required.bits,
            needed: launch.needed.clone(),
        };
        let mut channel = Channel::new(first, DESCRIPTION_BYTES_MAX);
        let fds = [image, stop_page.as_fd(), worker_first.as_fd()];
        let sent = descriptors::send(control.as_fd(), &init, &fds);
        drop(worker_first);
        let loaded = sent.and_then(|()| receive_description(&mut channel));
        let description = match loaded {
            Ok(Loaded::Ready(description)) => description,
            Ok(Loaded::Refused(message)) => {
                end(&mut child);
                return Err(StartError::Refused(message));
            }
            Ok(Loaded::Probed(_)) => {
                end(&mut child);
                return Err(StartError::Failed("it loaded nothing".to_owned()));
            }
            Err(error) => return Err(StartError::Failed(load_failure(&mut child, &error))),
        };
        channel.set_message_bytes_max(REPLY_BYTES_MAX);
        let call_time_max = launch.options.call_time_max;
        set_timeouts(&channel, call_time_max).map_err(failed)?;
        let process = WorkerProcess {
            pid: child.id(),
            protections: Protections { bits: description.protections },
            started: SystemTime::now(),
            child: Mutex::new(child),
            control,
            stop_flags,
            pool: Mutex::new(Pool {
                idle: vec![(channel, 0)],
                n_slots: 1,
                free_slots: Vec::new(),
                running: vec![None],
                ..Pool::default()
            }),
            verdict: Mutex::new(None),
            is_ended: AtomicBool::new(false),
            call_time_max,
            stop_time_max: launch.options.stop_time_max,
        };
        Ok((Arc::new(process), description))
    }

    /// Control socket; readable once the worker has ended or closed its end.
    pub(super) fn control(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }

    pub(super) fn is_ended(&self) -> bool {
        self.is_ended.load(Ordering::Acquire)
    }

    /// Returns a channel for one call, or for all calls of a searcher.
    pub(super) fn lease(self: &Arc<Self>, call: &'static str) -> io::Result<Lease> {
        let mut pool = lock(&self.pool);
        let (channel, slot) = match pool.idle.pop() {
            Some(idle) => idle,
            None => self.open_channel(&mut pool)?,
        };
        pool.begin(slot, call, 1);
        drop(pool);
        Ok(Lease { process: Arc::clone(self), channel: Some(channel), slot, n_threads: 1, is_idle: false })
    }

    fn open_channel(&self, pool: &mut Pool) -> io::Result<(Channel, usize)> {
        let slot = match pool.free_slots.pop() {
            Some(slot) => slot,
            None if pool.n_slots < SLOTS => {
                pool.n_slots += 1;
                pool.running.push(None);
                pool.n_slots - 1
            }
            None => return Err(io::Error::other(format!("more than {SLOTS} calls at once"))),
        };
        let (own, other) = Channel::pair()?;
        descriptors::send(self.control.as_fd(), &OpenChannel { slot: slot as u32 }, &[other.as_fd()])?;
        let channel = Channel::new(own, REPLY_BYTES_MAX);
        set_timeouts(&channel, self.call_time_max)?;
        Ok((channel, slot))
    }

    /// CPU time of the process and duration of its calls.
    pub(super) fn call_times(&self) -> CallTimes {
        let pool = lock(&self.pool);
        let busy = pool.busy + pool.running.iter().flatten().map(RunningCall::busy).sum::<Duration>();
        drop(pool);
        CallTimes { cpu: monitor::cpu_time(self.pid).unwrap_or_default(), busy }
    }

    /// Number of threads that channels and searches may have.
    pub(super) fn n_threads_expected(&self) -> usize {
        let pool = lock(&self.pool);
        pool.n_slots * (1 + pool.search_threads_max as usize)
    }

    /// Kills the process. The first verdict counts.
    pub(super) fn kill(&self, verdict: Verdict) {
        lock(&self.verdict).get_or_insert(verdict);
        self.is_ended.store(true, Ordering::Release);
        // It may already have ended.
        let _ended = lock(&self.child).kill();
    }

    /// Waits for the process, killing it if it has not ended, and returns what happened
    /// to it.
    pub(super) fn reap(&self) -> (Option<Verdict>, String) {
        self.is_ended.store(true, Ordering::Release);
        let verdict = lock(&self.verdict).clone();
        let status = end(&mut lock(&self.child));
        let pool = lock(&self.pool);
        let mut calls: Vec<&str> = pool.running.iter().flatten().map(|call| call.name).collect();
        calls.sort_unstable();
        calls.dedup();
        let during = if calls.is_empty() { String::new() } else { format!(" during {}", calls.join(", ")) };
        (verdict, format!("{status}{during}"))
    }
}

/// A channel for the exclusive use of one caller. [`finish`](Lease::finish) returns it
/// to the pool; dropped in the middle of a call it is closed.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) process: Arc<WorkerProcess>,
    /// `None` once it is back in the pool.
    channel: Option<Channel>,
    slot: usize,
    /// Number of threads that a call may use.
    n_threads: u32,
    /// Whether nothing is running at the other end.
    is_idle: bool,
}

impl Lease {
    pub(super) fn channel(&mut self) -> &mut Channel {
        self.channel.as_mut().expect("it is there until the lease is finished")
    }

    pub(super) fn stop_flag(&self) -> &AtomicU64 {
        &self.process.stop_flags[self.slot]
    }

    /// Waits for the next message, with [`io::ErrorKind::TimedOut`] if the call has hung.
    pub(super) fn receive(&mut self) -> io::Result<&[u8]> {
        let mut clock: Option<HangClock> = None;
        loop {
            match self.channel().receive().map(drop) {
                Ok(()) => return Ok(self.channel().message()),
                Err(error) if is_timeout(&error) => {
                    let clock = clock.get_or_insert_with(|| HangClock::for_call(&self.process));
                    if clock.has_hung(&self.process) {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Resets the timeout of reads, after a search that polls.
    pub(super) fn reset_timeout(&mut self) -> io::Result<()> {
        self.channel().set_read_timeout(CHECK_INTERVAL)
    }

    /// Sets the number of threads of the searches on this channel.
    pub(super) fn set_threads(&mut self, n_threads: u32) {
        self.n_threads = n_threads.max(1);
        let mut pool = lock(&self.process.pool);
        pool.search_threads_max = pool.search_threads_max.max(n_threads);
    }

    /// Marks the beginning of a call.
    pub(super) fn begin(&mut self, call: &'static str) {
        self.is_idle = false;
        lock(&self.process.pool).begin(self.slot, call, self.n_threads);
    }

    /// Marks the call as complete; the channel stays with its owner.
    pub(super) fn complete(&mut self) {
        self.is_idle = true;
        lock(&self.process.pool).end(self.slot);
    }

    /// Marks the call as complete, and returns the channel to the pool.
    pub(super) fn finish(mut self) {
        let mut pool = lock(&self.process.pool);
        pool.end(self.slot);
        pool.idle.extend(self.channel.take().map(|channel| (channel, self.slot)));
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        match self.channel {
            None => {}
            Some(_) if self.is_idle => lock(&self.process.pool).free_slots.push(self.slot),
            // A call that is still running keeps the slot, whose flag cancels it.
            Some(_) => self.stop_flag().store(1, Ordering::Relaxed),
        }
    }
}

fn spawn(options: &IsolationOptions, control: OwnedFd) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;

    let mut command = Command::new(&options.command.program);
    command.args(&options.command.args).arg0("pentad-worker").env_clear().current_dir("/");
    command.stdin(control).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}

/// Returns the protections of a worker without a library.
pub(super) fn probe(options: &IsolationOptions) -> io::Result<Protections> {
    let (control, worker_control) = descriptors::control_pair()?;
    let (_flags, page) = SharedAtomics::create(1)?;
    let (first, worker_first) = Channel::pair()?;
    let mut child = spawn(options, worker_control)?;
    let Confinement { memory_bytes_max, seccomp, landlock, required } = options.confinement;
    let (path, sha256, needed) = (String::new(), String::new(), Vec::new());
    let init = Init { path, sha256, memory_bytes_max, seccomp, landlock, required: required.bits, needed };
    // There is no library: the page takes its place.
    let sent = descriptors::send(control.as_fd(), &init, &[page.as_fd(), page.as_fd(), worker_first.as_fd()]);
    drop(worker_first);
    let received = sent.and_then(|()| receive_description(&mut Channel::new(first, REPLY_BYTES_MAX)));
    let status = end(&mut child);
    match received? {
        Loaded::Probed(bits) => Ok(Protections { bits }),
        Loaded::Ready(_) | Loaded::Refused(_) => {
            Err(io::Error::other(format!("the worker answered wrongly ({status})")))
        }
    }
}

/// A reader checks often whether the call has hung; a writer waits only if the worker
/// does not read.
fn set_timeouts(channel: &Channel, call_time_max: Duration) -> io::Result<()> {
    channel.set_timeouts(call_time_max)?;
    channel.set_read_timeout(CHECK_INTERVAL)
}

fn receive_description(channel: &mut Channel) -> io::Result<Loaded> {
    channel.set_timeouts(CHECK_INTERVAL)?;
    // Counted in waits, so that time during which this process does not run is none.
    let mut n_waits_left = LOAD_TIME_MAX.as_millis() / CHECK_INTERVAL.as_millis();
    loop {
        match channel.receive() {
            Ok(message) => return postcard::from_bytes(message).map_err(io::Error::other),
            Err(error) if is_timeout(&error) && n_waits_left > 0 => n_waits_left -= 1,
            Err(error) => return Err(error),
        }
    }
}

fn load_failure(child: &mut Child, error: &io::Error) -> String {
    if is_timeout(error) {
        end(child);
        return format!("did not load within {} s", LOAD_TIME_MAX.as_secs());
    }
    let status = end(child);
    if error.kind() == io::ErrorKind::UnexpectedEof {
        format!("ended the worker while it was loaded ({status})")
    } else {
        format!("the worker sent an invalid message: {} ({status})", printable(&error.to_string()))
    }
}

/// Kills a child that has not ended, and describes how it ended.
fn end(child: &mut Child) -> String {
    // A worker closes its sockets on exit, before its status is available. It gets a
    // short grace period, so that its own end is reported and not the signal that
    // follows.
    let patience = Instant::now() + Duration::from_millis(500);
    let describe = |status: io::Result<ExitStatus>| match status {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    while Instant::now() < patience {
        match child.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Ok(Some(status)) => return describe(Ok(status)),
            Err(error) => return describe(Err(error)),
        }
    }
    let _ended = child.kill();
    describe(child.wait())
}

/// No code panics while it holds one of these locks, and what they guard is replaced as
/// a whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
