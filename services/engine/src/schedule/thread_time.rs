//! What a thread of this process has done: its CPU time, and whether it waits for something.
//!
//! A watchdog that counts wall time takes a healthy job for hung when the machine is busy, when its cgroup is
//! throttled or after a pause of the whole process. A job is judged by the work of its thread instead.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

use rustix::thread::Pid;

/// Ticks per second in the files of `/proc`, the same on every Linux that this runs on.
const TICKS_PER_SECOND: u64 = 100;

/// Number of graces that a blocked thread gets.
const BLOCKED_GRACES: u32 = 5;

/// What a thread has done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadTime {
    /// In steps of 10 ms.
    pub(crate) cpu: Duration,
    /// Whether it waits for something other than a core: a lock, a timer, another process.
    pub(crate) is_blocked: bool,
}

/// Threads of workers, by the worker's id.
#[derive(Debug, Default)]
pub(crate) struct WorkerThreads(HashMap<u64, Pid>);

impl WorkerThreads {
    /// Notes that the calling thread is this worker's.
    pub(crate) fn insert_current(&mut self, worker_id: u64) {
        self.0.insert(worker_id, rustix::thread::gettid());
    }

    pub(crate) fn remove(&mut self, worker_id: u64) {
        self.0.remove(&worker_id);
    }

    /// Returns what a worker's thread has done; `None` where the system does not say.
    pub(crate) fn time(&self, worker_id: u64) -> Option<ThreadTime> {
        let id = self.0.get(&worker_id)?.as_raw_nonzero();
        parse_stat(&fs::read_to_string(format!("/proc/self/task/{id}/stat")).ok()?)
    }
}

/// Reads a thread's state and CPU time, fields 3, 14 and 15 of its `stat`. The second field is its name in
/// parentheses, which may have spaces and parentheses of its own.
fn parse_stat(stat: &str) -> Option<ThreadTime> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?;
    let [user, system]: [u64; 2] = [fields.nth(10)?.parse().ok()?, fields.next()?.parse().ok()?];
    let cpu = Duration::from_millis((user + system) * 1000 / TICKS_PER_SECOND);
    Some(ThreadTime { cpu, is_blocked: state != "R" })
}

/// Bounds of a job that should have ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HangLimits {
    /// CPU time of its thread.
    pub(crate) cpu: Duration,
    /// Time during which its thread waits for something. Much longer, because that may be work on other
    /// threads or in another process, which a busy machine delays.
    pub(crate) blocked: Duration,
    /// Time between two looks of a watchdog that is not late.
    pub(crate) interval: Duration,
}

impl HangLimits {
    /// Returns the bounds of a job that may use this CPU time, of which `grace` is for a job that ends late.
    pub(crate) fn new(cpu: Duration, grace: Duration, interval: Duration) -> Self {
        HangLimits { cpu, blocked: cpu + grace * (BLOCKED_GRACES - 1), interval }
    }

    /// Returns the bounds of a job whose rule set is isolated or not. The thread of an isolated one waits for
    /// a worker process, however long a busy machine delays it: the host judges that process by its CPU time,
    /// and ends it if it hangs.
    pub(crate) fn for_job(self, is_isolated: bool) -> Self {
        HangLimits { blocked: if is_isolated { Duration::MAX } else { self.blocked }, ..self }
    }
}

/// What a job has done since it should have ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overrun {
    seen: Option<Seen>,
    blocked: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    /// CPU time at the first look.
    first_cpu: Duration,
    /// Time of the last look.
    last: Instant,
}

impl Overrun {
    /// Takes another look at a job that should have ended; returns whether it has hung.
    ///
    /// A thread that waits for a core is not charged. Nor is the time during which the watchdog did not look:
    /// then the process was paused, or the machine too busy for the watchdog itself. Where the system does
    /// not say what the thread does, it counts as blocked.
    pub(crate) fn has_hung(&mut self, now: Instant, time: Option<ThreadTime>, limits: &HangLimits) -> bool {
        let cpu = time.map(|time| time.cpu);
        let seen = self.seen.get_or_insert(Seen { first_cpu: cpu.unwrap_or_default(), last: now });
        let looked_away = now.saturating_duration_since(std::mem::replace(&mut seen.last, now));
        if time.is_none_or(|time| time.is_blocked) {
            self.blocked += looked_away.min(2 * limits.interval);
        }
        let used = cpu.unwrap_or_default().saturating_sub(seen.first_cpu);
        used >= limits.cpu || self.blocked >= limits.blocked
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const LIMITS: HangLimits = HangLimits { cpu: SECOND, blocked: Duration::from_secs(5), interval: INTERVAL };
    const INTERVAL: Duration = Duration::from_millis(50);

    /// Looks at a job every 50 ms for a time; its thread gets a share of a core or is blocked. Returns
    /// whether it has hung.
    fn watch(overrun: &mut Overrun, from: Instant, time: Duration, core_share: Option<f64>) -> bool {
        let n_looks = (time.as_secs_f64() / INTERVAL.as_secs_f64()) as u32;
        (0..=n_looks).any(|look| {
            let cpu = core_share.map_or(Duration::ZERO, |share| (look * INTERVAL).mul_f64(share));
            let thread = ThreadTime { cpu, is_blocked: core_share.is_none() };
            overrun.has_hung(from + look * INTERVAL, Some(thread), &LIMITS)
        })
    }

    /// A thread that waits for a core is not charged, however long; one that works has used up its time after
    /// a second of CPU time, and one that is blocked after five seconds.
    #[test]
    fn a_job_is_judged_by_its_work() {
        let now = Instant::now();
        assert!(watch(&mut Overrun::default(), now, 2 * SECOND, Some(1.0)), "it spins");
        assert!(!watch(&mut Overrun::default(), now, 90 * SECOND, Some(0.01)), "a hundred processes beside it");
        assert!(watch(&mut Overrun::default(), now, 110 * SECOND, Some(0.01)));
        assert!(!watch(&mut Overrun::default(), now, 4 * SECOND, None));
        assert!(watch(&mut Overrun::default(), now, 6 * SECOND, None), "it sleeps, or waits for a lock");
    }

    /// The thread of an isolated job may wait for its worker for as long as the host lets it.
    #[test]
    fn waiting_for_a_worker_process_is_not_hanging() {
        let (mut overrun, begin) = (Overrun::default(), Instant::now());
        let waiting = Some(ThreadTime { cpu: Duration::ZERO, is_blocked: true });
        let mut has_hung = |look: u32| overrun.has_hung(begin + look * INTERVAL, waiting, &LIMITS.for_job(true));
        assert_eq!((0..100_000).find(|look| has_hung(*look)), None);
        let spinning = Some(ThreadTime { cpu: 2 * SECOND, is_blocked: false });
        assert!(overrun.has_hung(begin, spinning, &LIMITS.for_job(true)), "its own CPU time still counts");
    }

    /// Pauses of the whole process are not charged: after each the watchdog looks for the first time.
    #[test]
    fn a_pause_is_not_charged() {
        let (mut overrun, mut now) = (Overrun::default(), Instant::now());
        for _ in 0..20 {
            assert!(!watch(&mut overrun, now, INTERVAL, None));
            now += 3600 * SECOND;
        }
    }

    /// Where the system says nothing about the thread, the longer time counts.
    #[test]
    fn an_unknown_thread_counts_as_blocked() {
        let (mut overrun, begin) = (Overrun::default(), Instant::now());
        let n_looks = (0..).find(|&look: &u32| overrun.has_hung(begin + look * INTERVAL, None, &LIMITS));
        assert_eq!(n_looks, Some(100));
    }

    /// The name of a thread may look like the fields after it.
    #[test]
    fn the_fields_of_a_thread_are_read() {
        let stat = "17 (a) R 1 (b) S 1 2 3 4 5 6 7 8 9 10 250 50 13 14 20 0 1 0 122831 3133440 353";
        assert_eq!(parse_stat(stat), Some(ThreadTime { cpu: 3 * SECOND, is_blocked: true }));
        assert_eq!(parse_stat("17 (a) R 1 2"), None);
        assert_eq!(parse_stat(""), None);
    }

    /// The CPU time of another thread grows while it works, and a thread that waits is blocked.
    #[test]
    fn threads_are_seen_from_outside() {
        let (starts, started) = mpsc::channel();
        let (release, held) = mpsc::channel::<()>();
        let worker = thread::spawn(move || {
            let mut threads = WorkerThreads::default();
            threads.insert_current(7);
            while threads.time(7).expect("/proc is mounted").cpu < Duration::from_millis(50) {}
            starts.send(threads).expect("the test waits");
            let _released = held.recv();
        });
        let mut threads = started.recv().expect("it has worked");
        let time = || threads.time(7).expect("it runs");
        while !time().is_blocked {
            thread::yield_now();
        }
        assert!(time().cpu >= Duration::from_millis(50));
        drop(release);
        worker.join().expect("no panic");
        threads.remove(7);
        assert_eq!(threads.time(7), None);
    }
}
