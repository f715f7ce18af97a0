//! What an answer costs: the CPU time of its searches and calls of the rules.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Counts the CPU time that is spent for a caller, while it is spent: a call that
/// is dropped has cost what was done for it until its work stopped.
///
/// Cached answers cost next to nothing, and a search is charged to the caller who
/// started it, not to those who joined it. The work of one thread is measured by
/// the CPU clock of that thread. A search with several threads counts as all of
/// them for as long as it took, because a rule set does not say what each of its
/// threads did; so does what a worker process did.
#[derive(Debug, Default)]
pub struct CostMeter {
    cpu_ns: AtomicU64,
}

impl CostMeter {
    /// CPU time so far.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed))
    }

    /// CPU time so far in whole milliseconds, rounded down.
    pub fn cpu_ms(&self) -> u64 {
        self.cpu_ns.load(Ordering::Relaxed) / 1_000_000
    }

    /// Charges the work of this thread, and of the other threads that work for
    /// it, until the guard is dropped. `is_elsewhere` if this thread only waits for
    /// them.
    pub(crate) fn begin(self: &Arc<Self>, n_threads: usize, is_elsewhere: bool) -> MeteredWork {
        let is_own_work = n_threads <= 1 && !is_elsewhere;
        let clock = if is_own_work { WorkClock::ThreadCpu(thread_cpu()) } else { WorkClock::Wall(Instant::now()) };
        MeteredWork { meter: self.clone(), clock, n_threads }
    }

    /// The same for a call that is probably short, on a thread that makes nothing but
    /// calls. To read the thread's CPU clock is a system call, so what took less than
    /// [`SHORT`] is charged by the time it took, and what took longer by the CPU time
    /// since the clock was last read, if that is less.
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

/// Work under way. Dropped on the thread that began it.
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

/// A call that takes less is charged by the time it took.
const SHORT: Duration = Duration::from_micros(50);
/// After so many short calls the CPU clock is read anew.
const SHORT_CALLS_MAX: u32 = 64;

thread_local! {
    /// The CPU time of this thread when it was last read, and short calls since.
    static LAST_READING: Cell<(Duration, u32)> = const { Cell::new((Duration::ZERO, 0)) };
}

/// What the call that ends now is charged, which took so long.
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

/// CPU time of the calling thread since it started.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that works is charged, one that sleeps is not, and a panic does
    /// not get away without paying.
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

    /// Calls are charged what they took, long ones that wait what they did, and none more
    /// than it took.
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
        // What short calls before it did may be counted, as far as they were not.
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
