//! Ends a worker that uses more threads or CPU time than its calls need.
//!
//! The kernel bounds neither: its limit on processes does not apply to root, and a limit
//! on CPU time counts over the life of a process.

use std::time::{Duration, Instant};

use super::hang_clock::CallTimes;
use super::process::WorkerProcess;

/// How often a worker is checked: a check takes some microseconds.
pub(super) const MONITOR_INTERVAL: Duration = Duration::from_millis(50);
/// Threads beyond those of channels and searches.
const EXTRA_THREADS_MAX: usize = 256;
/// CPU time beyond that of calls, which accumulates ...
const EXCESS_MAX: Duration = Duration::from_secs(2);
/// ... and is forgiven at a fiftieth of a core.
const FORGIVEN_SHARE: u32 = 50;

/// Observes one worker.
#[derive(Debug)]
pub(super) struct Monitor {
    checked_at: Instant,
    last: CallTimes,
    excess: Duration,
}

impl Monitor {
    pub(super) fn new(process: &WorkerProcess) -> Monitor {
        Monitor { checked_at: Instant::now(), last: process.call_times(), excess: Duration::ZERO }
    }

    /// Returns why the worker has to end, if it has.
    pub(super) fn check(&mut self, process: &WorkerProcess) -> Option<String> {
        let (n_threads, n_max) = (n_threads(process.pid)?, process.n_threads_expected() + EXTRA_THREADS_MAX);
        if n_threads > n_max {
            return Some(format!("ended with {n_threads} threads, of which its calls need at most {n_max}"));
        }
        let excess = self.add(Instant::now(), process.call_times());
        let message = || format!("ended for {} ms of CPU time outside of calls", excess.as_millis());
        (excess >= EXCESS_MAX).then(message)
    }

    /// Returns the CPU time outside of calls that is not forgiven.
    fn add(&mut self, now: Instant, times: CallTimes) -> Duration {
        let passed = now.saturating_duration_since(self.checked_at);
        let (cpu, busy) = (times.cpu.saturating_sub(self.last.cpu), times.busy.saturating_sub(self.last.busy));
        self.excess = (self.excess + cpu.saturating_sub(busy)).saturating_sub(passed / FORGIVEN_SHARE);
        (self.checked_at, self.last) = (now, times);
        self.excess
    }
}

/// Number of threads of a process; `None` if it has ended.
fn n_threads(pid: u32) -> Option<usize> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may have spaces.
    stat.rsplit_once(')')?.1.split_whitespace().nth(17)?.parse().ok()
}

/// Whether every thread of a process sleeps: none uses the CPU, waits for it, or waits for a disk.
/// False if it has ended.
pub(super) fn is_asleep(pid: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    let states: Option<Vec<char>> = threads
        .map(|thread| {
            let stat = std::fs::read_to_string(thread.ok()?.path().join("stat")).ok()?;
            stat.rsplit_once(") ")?.1.chars().next()
        })
        .collect();
    // A thread that ended meanwhile has done something.
    states.is_some_and(|states| states.iter().all(|state| *state == 'S'))
}

/// CPU time of a process so far; `None` if it has ended.
pub(super) fn cpu_time(pid: u32) -> Option<Duration> {
    let (mut clock, mut time) = (0, libc::timespec { tv_sec: 0, tv_nsec: 0 });
    // SAFETY: the call writes the id of a clock.
    if unsafe { libc::clock_getcpuclockid(pid as libc::pid_t, &raw mut clock) } != 0 {
        return None;
    }
    // SAFETY: the call writes a time.
    let result = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (result == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// CPU time beyond that of the calls accumulates; a little is forgiven, and calls pay
    /// for their own.
    #[test]
    fn only_excess_counts() {
        let start = Instant::now();
        let after = |cpu: u32, busy: u32, seconds: u32| {
            let mut monitor = Monitor { checked_at: start, last: CallTimes::default(), excess: Duration::ZERO };
            (1..=seconds).fold(Duration::ZERO, |_, n| {
                monitor.add(start + SECOND * n, CallTimes { cpu: SECOND * cpu * n, busy: SECOND * busy * n })
            })
        };
        assert_eq!(after(2, 0, 4), SECOND * 8 - SECOND * 4 / 50);
        assert_eq!(after(2, 1, 4), SECOND * 4 - SECOND * 4 / 50);
        assert_eq!(after(2, 2, 1000), Duration::ZERO);
        assert_eq!(after(0, 8, 1000), Duration::ZERO);
    }

    /// A process that waits for its input is asleep; this one, which looks, is not.
    #[test]
    fn sleep_is_seen_from_outside() {
        assert!(!is_asleep(std::process::id()));
        assert!(!is_asleep(5_000_000));
        let mut child = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        while !is_asleep(child.id()) {
            std::thread::yield_now();
        }
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }

    /// A process has threads and uses the CPU; one that does not exist has neither.
    #[test]
    fn processes_are_measured() {
        let own = std::process::id();
        assert!(n_threads(own).is_some_and(|n| n >= 1));
        assert!(cpu_time(own).is_some_and(|time| !time.is_zero()));
        // Linux has no process ids beyond 2^22.
        let none = 5_000_000;
        assert_eq!((n_threads(none), cpu_time(none)), (None, None));
    }
}
