//! Decides when a call in a worker has hung.
//!
//! The clock on the wall says little: a worker on a busy machine waits for the CPU, and a
//! machine may be suspended. A call has hung once it has used the CPU for as long as it
//! may take, or has waited for much longer in time during which this process ran.

use std::time::{Duration, Instant};

use super::process::WorkerProcess;

/// How often a waiting caller checks the clock.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// How many times its limit a call may take that does not use the CPU, for example
/// because it sleeps.
const IDLE_FACTOR: u32 = 10;

/// Time of one call.
#[derive(Debug)]
pub(super) struct HangClock {
    limit: Duration,
    before: CallTimes,
    checked_at: Instant,
    /// Time that passed while this process ran.
    elapsed: Duration,
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
    pub(super) fn start(process: &WorkerProcess) -> HangClock {
        let (limit, before) = (process.call_time_max, process.call_times());
        HangClock { limit, before, checked_at: Instant::now(), elapsed: Duration::ZERO }
    }

    /// Whether the call has hung. Call it at least every [`CHECK_INTERVAL`].
    pub(super) fn has_hung(&mut self, process: &WorkerProcess) -> bool {
        self.has_hung_at(Instant::now(), || process.call_times())
    }

    fn has_hung_at(&mut self, now: Instant, times: impl FnOnce() -> CallTimes) -> bool {
        // A longer interval means that this process did not run.
        self.elapsed += now.saturating_duration_since(self.checked_at).min(2 * CHECK_INTERVAL);
        self.checked_at = now;
        if self.elapsed < self.limit {
            return false;
        }
        let now = times();
        let cpu = now.cpu.saturating_sub(self.before.cpu);
        let busy = now.busy.saturating_sub(self.before.busy).max(self.elapsed);
        // The share of this call, if all calls use the CPU alike.
        let used = self.elapsed.mul_f64((cpu.as_secs_f64() / busy.as_secs_f64()).min(1.0));
        used >= self.limit || self.elapsed >= IDLE_FACTOR * self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);

    /// Runs checks at this interval until the call has hung; returns after how many.
    fn n_checks(interval: Duration, cpu_share: f64, n_calls: u32) -> u32 {
        let start = Instant::now();
        let before = CallTimes::default();
        let mut clock = HangClock { limit: LIMIT, before, checked_at: start, elapsed: Duration::ZERO };
        let hung = (1..10_000).find(|n| {
            let passed = interval * *n;
            clock.has_hung_at(start + passed, || CallTimes { cpu: passed.mul_f64(cpu_share), busy: passed * n_calls })
        });
        hung.expect("every call hangs some day")
    }

    /// A call that uses the CPU hangs at its limit, one that gets a tenth of it or sleeps
    /// much later.
    #[test]
    fn waiting_for_the_cpu_is_not_hanging() {
        assert_eq!(n_checks(CHECK_INTERVAL, 1.0, 1), 20);
        assert_eq!(n_checks(CHECK_INTERVAL, 0.5, 1), 40);
        assert_eq!(n_checks(CHECK_INTERVAL, 0.01, 1), 20 * IDLE_FACTOR);
        assert_eq!(n_checks(CHECK_INTERVAL, 2.0, 4), 40, "four calls share two cores");
    }

    /// Time during which this process did not run does not count.
    #[test]
    fn pauses_do_not_count() {
        assert_eq!(n_checks(Duration::from_secs(60), 0.0, 1), 10 * IDLE_FACTOR);
    }
}
