//! What an answer costs: the CPU time of its searches and calls of the rules.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Counts the CPU time spent for a caller as it is spent: a dropped call has cost the work done until it
/// stopped.
///
/// Cached answers cost next to nothing, and a search is charged to the caller that started it, not to those
/// that joined it. The work of one thread is measured by that thread's CPU clock. A search with several
/// threads counts as all of them for as long as it took, because a rule set does not report the work of each
/// thread; the same holds for work in a worker process.
#[derive(Debug, Default)]
pub struct CostMeter {
    cpu_ns: AtomicU64,
}

impl CostMeter {
    /// Returns the CPU time so far.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed))
    }

    /// Returns the CPU time so far in whole milliseconds, rounded down.
    pub fn cpu_ms(&self) -> u64 {
        self.cpu_ns.load(Ordering::Relaxed) / 1_000_000
    }

    /// Does work on this thread and charges its CPU time.
    pub fn charge<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        let _metered = self.begin(1, false);
        work()
    }

    /// Charges the work of this thread, and of the other threads that work for it, until the guard is
    /// dropped. `is_elsewhere` means that this thread only waits for them.
    pub(crate) fn begin(self: &Arc<Self>, n_threads: usize, is_elsewhere: bool) -> MeteredWork {
        let is_own_work = n_threads <= 1 && !is_elsewhere;
        let clock = if is_own_work { WorkClock::ThreadCpu(thread_cpu()) } else { WorkClock::Wall(Instant::now()) };
        MeteredWork { meter: self.clone(), clock, n_threads }
    }

    /// Like [`begin`](Self::begin), for a call that is probably short, on a thread that makes only calls.
    /// Reading the thread's CPU clock is a system call, so a call of less than [`SHORT`] is charged its
    /// duration, and a longer one the CPU time since the clock was last read, if that is less.
    pub(crate) fn begin_call(self: &Arc<Self>, is_elsewhere: bool) -> MeteredWork {
        let now = Instant::now();
        let clock = if is_elsewhere { WorkClock::Wall(now) } else { WorkClock::Call(now) };
        MeteredWork { meter: self.clone(), clock, n_threads: 1 }
    }

    fn add(&self, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.cpu_ns.fetch_add(ns, Ordering::Relaxed);
    }
}

/// Work in progress. Dropped on the thread that began it.
#[derive(Debug)]
pub(crate) struct MeteredWork {
    meter: Arc<CostMeter>,
    clock: WorkClock,
    n_threads: usize,
}

/// When the work began.
#[derive(Clone, Copy, Debug)]
enum WorkClock {
    ThreadCpu(Duration),
    Wall(Instant),
    Call(Instant),
}

impl Drop for MeteredWork {
    fn drop(&mut self) {
        self.meter.add(match self.clock {
            WorkClock::ThreadCpu(begin) => thread_cpu().saturating_sub(begin),
            WorkClock::Wall(begin) => begin.elapsed() * self.n_threads as u32,
            WorkClock::Call(begin) => call_cpu(begin.elapsed()),
        });
    }
}

/// A shorter call is charged its duration.
const SHORT: Duration = Duration::from_micros(50);
/// Number of short calls after which the CPU clock is read again.
const SHORT_CALLS_MAX: u32 = 64;

thread_local! {
    /// The CPU time of this thread when it was last read, and short calls since.
    static LAST_READING: Cell<(Duration, u32)> = const { Cell::new((Duration::ZERO, 0)) };
}

/// Returns the charge of the call that ends now.
fn call_cpu(took: Duration) -> Duration {
    let (reading, n_short) = LAST_READING.get();
    if took < SHORT && n_short < SHORT_CALLS_MAX {
        LAST_READING.set((reading, n_short + 1));
        return took;
    }
    let now = thread_cpu();
    LAST_READING.set((now, 0));
    now.saturating_sub(reading).min(took)
}

/// Returns the CPU time of the calling thread since it started.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that works is charged, one that sleeps is not, and work that panics is charged too.
    #[test]
    fn work_is_charged_and_sleep_is_not() {
        let work = || {
            let begin = thread_cpu();
            while thread_cpu() - begin < Duration::from_millis(30) {}
        };
        let (worked, slept, panicked) = (Arc::<CostMeter>::default(), Arc::default(), Arc::<CostMeter>::default());
        {
            let _charged = worked.begin(1, false);
            work();
        }
        {
            let _charged = CostMeter::begin(&slept, 1, false);
            std::thread::sleep(Duration::from_millis(30));
        }
        let meter = panicked.clone();
        std::thread::spawn(move || {
            let _charged = meter.begin(1, false);
            work();
            panic!("a defect");
        })
        .join()
        .expect_err("it panics");
        assert!(worked.cpu_ms() >= 30 && panicked.cpu_ms() >= 30, "{worked:?} {panicked:?}");
        assert!(slept.cpu() < worked.cpu(), "{slept:?} {worked:?}");
    }

    /// Calls are charged their duration, long ones that wait only their work, and none more than its
    /// duration.
    #[test]
    fn calls_are_charged_what_they_do() {
        let charged = |work: &dyn Fn()| {
            let meter = Arc::<CostMeter>::default();
            let (begin, begin_cpu) = (Instant::now(), thread_cpu());
            let call = meter.begin_call(false);
            work();
            drop(call);
            (meter.cpu(), begin.elapsed(), thread_cpu() - begin_cpu)
        };
        let work = |time: Duration| {
            move || {
                let begin = thread_cpu();
                while thread_cpu() - begin < time {}
            }
        };
        let long = Duration::from_millis(20);
        // Sets the clock.
        charged(&work(long));
        for _ in 0..2 * SHORT_CALLS_MAX {
            let (cpu, took, _) = charged(&|| {});
            assert!(cpu <= took, "{cpu:?} of {took:?}");
        }
        let (cpu, took, _) = charged(&work(long));
        assert!(cpu >= long && cpu <= took, "{cpu:?} of {took:?}");
        let (cpu, took, worked) = charged(&|| std::thread::sleep(long));
        // It may include uncounted work of short calls before it.
        assert!(cpu <= took && cpu < long + worked, "{cpu:?} of {took:?}");
        let (cpu, ..) = charged(&|| std::thread::sleep(long));
        assert!(cpu < long, "nothing was done: {cpu:?}");
    }

    /// Several threads count for as long as the search takes, and so does one that works
    /// elsewhere.
    #[test]
    fn work_of_others_counts_by_the_time_it_takes() {
        let meter = Arc::<CostMeter>::default();
        let begin = Instant::now();
        {
            let _charged = meter.begin(3, false);
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(meter.cpu_ms() >= 15 && meter.cpu() <= begin.elapsed() * 3, "{meter:?}");
        {
            let _charged = meter.begin(1, true);
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(meter.cpu_ms() >= 20, "{meter:?}");
    }
}
