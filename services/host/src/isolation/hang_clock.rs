//! Decides when a call in a worker has hung.
//!
//! The clock on the wall says little: a worker on a busy machine waits for the CPU, and a
//! machine may be suspended. A call has hung once it has used the CPU for as long as it
//! may take, or its process has slept for a few times as long. What neither works nor
//! sleeps waits for the CPU, and has hung after much longer, in time during which this
//! process ran.

use std::time::{Duration, Instant};

use super::monitor;
use super::process::WorkerProcess;

/// How often a waiting caller checks the clock.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// A call has hung after this many times its limit if every thread of its process sleeps.
pub(super) const ASLEEP_FACTOR: u32 = 5;
/// A call has hung after this many times `call_time_max`, whatever its process does.
const ELAPSED_FACTOR: u32 = 10;

/// Time of one call.
#[derive(Debug)]
pub(super) struct HangClock {
    limit: Duration,
    elapsed_max: Duration,
    before: CallTimes,
    checked_at: Instant,
    /// Time that passed while this process ran.
    elapsed: Duration,
    /// Value of `elapsed` when the threads of the worker were last observed.
    observed_at: Duration,
    /// Part of `elapsed` during which every thread of the worker slept.
    asleep: Duration,
}

/// Times of a worker over all its calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallTimes {
    /// CPU time of the process.
    pub(super) cpu: Duration,
    /// Duration of calls, times the number of threads that they may use.
    pub(super) busy: Duration,
}

impl HangClock {
    /// Starts the time of a call that may take `call_time_max`.
    pub(super) fn for_call(process: &WorkerProcess) -> HangClock {
        HangClock::new(process.call_time_max, process)
    }

    /// Starts the time of a search that is cancelled now and may take `stop_time_max`.
    pub(super) fn for_cancelled_search(process: &WorkerProcess) -> HangClock {
        HangClock::new(process.stop_time_max, process)
    }

    fn new(limit: Duration, process: &WorkerProcess) -> HangClock {
        HangClock {
            limit,
            elapsed_max: ELAPSED_FACTOR * process.call_time_max,
            before: process.call_times(),
            checked_at: Instant::now(),
            elapsed: Duration::ZERO,
            observed_at: Duration::ZERO,
            asleep: Duration::ZERO,
        }
    }

    /// Whether the call has hung. Call it at least every [`CHECK_INTERVAL`].
    pub(super) fn has_hung(&mut self, process: &WorkerProcess) -> bool {
        self.has_hung_at(Instant::now(), || process.call_times(), || monitor::is_asleep(process.pid))
    }

    fn has_hung_at(
        &mut self,
        now: Instant,
        times: impl FnOnce() -> CallTimes,
        is_asleep: impl FnOnce() -> bool,
    ) -> bool {
        // A longer interval means that this process did not run.
        self.elapsed += now.saturating_duration_since(self.checked_at).min(2 * CHECK_INTERVAL);
        self.checked_at = now;
        let since_observed = self.elapsed - self.observed_at;
        if self.elapsed < self.limit || since_observed < CHECK_INTERVAL {
            return false;
        }
        self.observed_at = self.elapsed;
        if is_asleep() {
            // Before the limit nobody looked.
            self.asleep += since_observed.min(2 * CHECK_INTERVAL);
        }
        let now = times();
        let cpu = now.cpu.saturating_sub(self.before.cpu);
        let busy = now.busy.saturating_sub(self.before.busy).max(self.elapsed);
        // The share of this call, if all calls use the CPU alike.
        let used = self.elapsed.mul_f64((cpu.as_secs_f64() / busy.as_secs_f64()).min(1.0));
        used >= self.limit || self.asleep >= ASLEEP_FACTOR * self.limit || self.elapsed >= self.elapsed_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);
    const ELAPSED_MAX: Duration = Duration::from_secs(600);

    /// Runs checks at this interval until the call has hung; returns after how many.
    fn n_checks(interval: Duration, cpu_share: f64, n_calls: u32, is_asleep: bool) -> u32 {
        let start = Instant::now();
        let mut clock = HangClock {
            limit: LIMIT,
            elapsed_max: ELAPSED_MAX,
            before: CallTimes::default(),
            checked_at: start,
            elapsed: Duration::ZERO,
            observed_at: Duration::ZERO,
            asleep: Duration::ZERO,
        };
        let hung = (1..1_000_000).find(|n| {
            let passed = interval * *n;
            let times = || CallTimes { cpu: passed.mul_f64(cpu_share), busy: passed * n_calls };
            clock.has_hung_at(start + passed, times, || is_asleep)
        });
        hung.expect("every call hangs some day")
    }

    /// A call that uses the CPU hangs at its limit, one that gets a tenth of it much later.
    #[test]
    fn waiting_for_the_cpu_is_not_hanging() {
        assert_eq!(n_checks(CHECK_INTERVAL, 1.0, 1, false), 20);
        assert_eq!(n_checks(CHECK_INTERVAL, 0.5, 1, false), 40);
        assert_eq!(n_checks(CHECK_INTERVAL, 0.001, 1, false), 6_000);
        assert_eq!(n_checks(CHECK_INTERVAL, 2.0, 4, false), 40, "four calls share two cores");
    }

    /// A call in a process whose threads all sleep hangs after a few times its limit,
    /// however often it is checked.
    #[test]
    fn sleeping_is_hanging() {
        assert_eq!(n_checks(CHECK_INTERVAL, 0.0, 1, true), 20 + 20 * ASLEEP_FACTOR - 2);
        assert_eq!(n_checks(CHECK_INTERVAL / 50, 0.0, 1, true), 50 * (20 + 20 * ASLEEP_FACTOR - 2));
    }

    /// Time during which this process did not run does not count.
    #[test]
    fn pauses_do_not_count() {
        assert_eq!(n_checks(Duration::from_secs(60), 0.0, 1, false), 3_000);
        assert_eq!(n_checks(Duration::from_secs(60), 0.0, 1, true), 10 + 10 * ASLEEP_FACTOR - 1);
    }
}
