//! Estimates how long a queue of searches takes, for refused callers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// Share of their time limits that searches have taken lately: proofs, cancelled questions and searches cut
/// short by load end early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace(f64);

impl Default for Pace {
    /// Without history, searches are expected to take all of their time.
    fn default() -> Self {
        Pace(1.0)
    }
}

impl Pace {
    /// Records a search that took a part of its time limit.
    pub(crate) fn record(&mut self, took: Duration, limit: Duration) {
        if !limit.is_zero() {
            let share = (took.as_secs_f64() / limit.as_secs_f64()).min(1.0);
            self.0 += (share - self.0) / 8.0;
        }
    }

    /// Returns the expected duration of a search with this time limit.
    pub(crate) fn expected(self, limit: Duration) -> Duration {
        limit.mul_f64(self.0)
    }
}

/// Returns how long `n_workers` take for running searches with these expected times left, and for queued ones
/// with these times until they are due. No search waits longer than that: when it is due it leaves the queue.
pub(crate) fn queue_time(
    n_workers: usize,
    running: impl Iterator<Item = Duration>,
    queued: impl Iterator<Item = Duration> + Clone,
    pace: Pace,
) -> Duration {
    let (running, last_running) = sum_and_max(running);
    let (waiting, _) = sum_and_max(queued.clone().map(|left| pace.expected(left)));
    let last_due = queued.max().unwrap_or_default();
    ((running + waiting) / n_workers.max(1) as u32).min(last_due.max(last_running))
}

/// Returns when one of `n_workers` is free for a search behind the running and the queued ones, which start
/// in this order. A search that has not started when it is due leaves the queue.
pub(crate) fn start_time(
    n_workers: usize,
    running: impl Iterator<Item = Duration>,
    queued: impl Iterator<Item = Duration>,
    pace: Pace,
) -> Duration {
    // When each worker is free; idle ones are free now.
    let mut free: BinaryHeap<Reverse<Duration>> = running.map(Reverse).collect();
    let n_idle = n_workers.max(1).saturating_sub(free.len());
    free.extend((0..n_idle).map(|_| Reverse(Duration::ZERO)));
    // If more run than may, the first to end get no successor.
    while free.len() > n_workers.max(1) {
        free.pop();
    }
    let next = |free: &BinaryHeap<Reverse<Duration>>| free.peek().map_or(Duration::ZERO, |first| first.0);
    for left in queued {
        let start = next(&free);
        if start < left {
            free.pop();
            free.push(Reverse(start + pace.expected(left).min(left - start)));
        }
    }
    next(&free)
}

fn sum_and_max(times: impl Iterator<Item = Duration>) -> (Duration, Duration) {
    times.fold((Duration::ZERO, Duration::ZERO), |(sum, max), time| (sum + time, max.max(time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn time(n_workers: usize, running: &[u64], queued: &[u64], pace: Pace) -> Duration {
        let durations = |times: &[u64]| times.iter().map(|&time| seconds(time)).collect::<Vec<_>>().into_iter();
        queue_time(n_workers, durations(running), durations(queued), pace)
    }

    /// The workers share the work, and no search waits beyond the last due time.
    #[test]
    fn a_queue_needs_its_work_shared_by_the_workers() {
        let pace = Pace::default();
        assert_eq!(time(1, &[3], &[4, 5], pace), seconds(5), "all are due by then");
        assert_eq!(time(2, &[3, 1], &[4, 8], pace), seconds(8));
        assert_eq!(time(4, &[2, 2, 2, 2], &[10, 10], pace), seconds(7));
        assert_eq!(time(4, &[], &[], pace), Duration::ZERO);
        assert_eq!(time(2, &[6, 2], &[], pace), seconds(4));
    }

    /// A search starts when a worker is free that no search ahead takes; searches that are due by then have
    /// left.
    #[test]
    fn a_search_starts_when_a_worker_is_left_for_it() {
        let pace = Pace::default();
        let starts = |n_workers, running: &[u64], queued: &[u64]| {
            let durations = |times: &[u64]| times.iter().map(|&time| seconds(time)).collect::<Vec<_>>().into_iter();
            start_time(n_workers, durations(running), durations(queued), pace)
        };
        assert_eq!(starts(2, &[9], &[]), Duration::ZERO, "one is idle");
        assert_eq!(starts(2, &[9], &[4]), seconds(4));
        assert_eq!(starts(2, &[9, 1], &[]), seconds(1));
        assert_eq!(starts(2, &[9, 1], &[5]), seconds(5), "it is due then");
        assert_eq!(starts(1, &[9], &[5, 3]), seconds(9), "both have left by then");
        assert_eq!(starts(1, &[9, 1, 2], &[]), seconds(9), "two may not be replaced");
    }

    /// A queue that drained in half of its searches' time is expected to do so again.
    #[test]
    fn the_pace_is_that_of_the_searches_before() {
        let mut pace = Pace::default();
        (0..200).for_each(|_| pace.record(seconds(1), seconds(2)));
        let half = time(2, &[], &[4, 4, 4, 4], pace);
        assert!(half.abs_diff(seconds(4)) < Duration::from_millis(1), "{half:?}");
        (0..200).for_each(|_| pace.record(seconds(9), seconds(2)));
        assert!(pace.expected(seconds(8)) <= seconds(8), "an overrun is not the pace of the next");
        let before = pace;
        pace.record(seconds(1), Duration::ZERO);
        assert_eq!(pace, before);
    }
}
