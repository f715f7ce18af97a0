//! How long a search runs while others wait for its worker.
//!
//! Searches that compete for the workers get equal parts of their time limits: with eight of them and two
//! workers, each runs for a quarter of its limit. The part is one of the whole limit and not of what is left
//! of it, for a search that has waited starts late because others had their parts before. So each ends about
//! when its answer is due, the next one starts then, and no worker is idle.
//!
//! The number of competitors is read again while the search runs: it ends sooner if others arrive, and has
//! all of its time if they leave.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::question::CallerKey;
use crate::schedule::job::PoolLoad;

/// How often the competitors are counted.
const COUNT_INTERVAL: Duration = Duration::from_millis(1);
/// Share of a fair part that is used. The rest makes up for delays: without it, each search would start just when
/// the one before it is due, and a delay would be passed on to all that follow.
const USED: f64 = 0.95;
/// Shortest part of a search, however many wait.
const PART_MIN: Duration = Duration::from_millis(1);

/// The part of its time limit that a running search gets.
pub(crate) struct TimeShare<'a> {
    load: &'a PoolLoad<'a>,
    caller: CallerKey,
    /// Time from the arrival of the question until its answer is due.
    limit: Duration,
    started: Instant,
    /// Part as of the last count, and when to count again; nanoseconds since the start.
    part_ns: AtomicU64,
    next_count_ns: AtomicU64,
    is_used_up: AtomicBool,
}

impl<'a> TimeShare<'a> {
    pub(crate) fn new(load: &'a PoolLoad<'a>, caller: CallerKey, limit: Duration, started: Instant) -> Self {
        TimeShare {
            load,
            caller,
            limit,
            started,
            part_ns: AtomicU64::new(u64::MAX),
            next_count_ns: AtomicU64::new(0),
            is_used_up: AtomicBool::new(false),
        }
    }

    /// Whether the search has had its part. Once true, it stays true.
    pub(crate) fn is_used_up(&self, now: Instant) -> bool {
        if self.was_used_up() {
            return true;
        }
        let elapsed_ns = nanos(now.saturating_duration_since(self.started));
        if elapsed_ns >= self.next_count_ns.load(Ordering::Relaxed) {
            self.next_count_ns.store(elapsed_ns + nanos(COUNT_INTERVAL), Ordering::Relaxed);
            self.part_ns.store(self.part().map_or(u64::MAX, nanos), Ordering::Relaxed);
        }
        let is_used_up = elapsed_ns >= self.part_ns.load(Ordering::Relaxed);
        if is_used_up {
            self.is_used_up.store(true, Ordering::Relaxed);
        }
        is_used_up
    }

    /// Whether the search was ended because it had its part.
    pub(crate) fn was_used_up(&self) -> bool {
        self.is_used_up.load(Ordering::Relaxed)
    }

    /// Returns the part by the present number of competitors; `None` if nobody waits.
    fn part(&self) -> Option<Duration> {
        let n_waiting = self.load.n_competing(self.caller);
        let n_workers = self.load.n_workers;
        let share = n_workers as f64 / (n_workers + n_waiting) as f64;
        (n_waiting > 0).then(|| self.limit.mul_f64(USED * share).max(PART_MIN))
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);

    /// A search has its part of the whole limit, by the number that wait at the time.
    #[test]
    fn the_part_follows_the_load() {
        let n_waiting = AtomicUsize::new(0);
        let n_competing = |_| n_waiting.load(Ordering::Relaxed);
        let load = PoolLoad { n_workers: 2, n_competing: &n_competing };
        let started = Instant::now();
        let at = |ms| started + Duration::from_millis(ms);
        let share = TimeShare::new(&load, CallerKey::default(), LIMIT, started);
        assert!(!share.is_used_up(at(300)), "nobody waits");
        let share = TimeShare::new(&load, CallerKey::default(), LIMIT, started);
        n_waiting.store(6, Ordering::Relaxed);
        assert!(!share.is_used_up(at(23)));
        n_waiting.store(2, Ordering::Relaxed);
        assert!(!share.is_used_up(at(26)) && !share.is_used_up(at(47)), "others have left");
        assert!(!share.was_used_up());
        assert!(share.is_used_up(at(48)));
        n_waiting.store(0, Ordering::Relaxed);
        assert!(share.was_used_up() && share.is_used_up(at(52)), "a search does not go on");
        n_waiting.store(100_000, Ordering::Relaxed);
        let share = TimeShare::new(&load, CallerKey::default(), LIMIT, started);
        assert!(!share.is_used_up(started) && share.is_used_up(at(1)));
    }

    /// Callers that ask again at once get equal parts and use all the time of the workers: a simulation in
    /// steps of a tenth of a millisecond.
    #[test]
    fn callers_in_a_loop_share_the_workers() {
        for n_callers in [1, 2, 4, 8, 16, 32] {
            let parts = simulate(2, n_callers, 20);
            let fair = (2.0 / n_callers as f64).min(1.0);
            let means: Vec<f64> = parts.iter().map(|it| it.iter().sum::<f64>() / it.len() as f64).collect();
            let mean = means.iter().sum::<f64>() / means.len() as f64;
            assert!(mean >= 0.9 * fair, "{n_callers} callers get {mean:.3} of {fair:.3}");
            assert!(means.iter().all(|&it| it >= 0.8 * fair), "{n_callers} callers: {means:.3?}");
        }
    }

    /// Returns the part of its limit that each search got, by caller, after the first round. A caller's next
    /// question arrives 0.5 ms after its answer.
    fn simulate(n_workers: usize, n_callers: usize, n_rounds: usize) -> Vec<Vec<f64>> {
        const STEP: Duration = Duration::from_micros(100);
        const ROUND_TRIP: Duration = Duration::from_micros(500);
        let n_waiting = AtomicUsize::new(0);
        let n_competing = |_| n_waiting.load(Ordering::Relaxed);
        let load = PoolLoad { n_workers, n_competing: &n_competing };
        let begin = Instant::now();
        let mut arrivals: Vec<(Instant, usize)> = (0..n_callers).map(|caller| (begin, caller)).collect();
        let mut queue = std::collections::VecDeque::new();
        let mut running: Vec<(Instant, usize, TimeShare<'_>)> = Vec::new();
        let mut parts = vec![Vec::new(); n_callers];
        let mut now = begin;
        while now < begin + LIMIT * n_rounds as u32 {
            queue.extend(arrivals.extract_if(.., |(at, _)| *at <= now));
            n_waiting.store(queue.len(), Ordering::Relaxed);
            for (arrived, caller, share) in
                running.extract_if(.., |(arrived, _, share)| share.is_used_up(now) || now >= *arrived + LIMIT)
            {
                if arrived > begin {
                    parts[caller].push((now - share.started).as_secs_f64() / LIMIT.as_secs_f64());
                }
                arrivals.push((now + ROUND_TRIP, caller));
            }
            while running.len() < n_workers
                && let Some((arrived, caller)) = queue.pop_front()
            {
                running.push((arrived, caller, TimeShare::new(&load, CallerKey::default(), LIMIT, now)));
            }
            now += STEP;
        }
        parts
    }
}
