//! A circuit breaker: decides whether requests are made at all.
//!
//! | phase | requests | ends with |
//! | --- | --- | --- |
//! | closed | are made | several failures in a row, or as many recent failures as successes |
//! | open | are not made | a timeout, which doubles with every failed probe |
//! | half-open | one probe, which no question waits for | its result: closed, or open again |
//!
//! It does not read the clock; callers pass the time.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Number of consecutive failures that open it.
pub(super) const FAILURES_MAX: u32 = 5;
/// Recent results: at most `RECENT_LEN_MAX`, none older than `RECENT_AGE_MAX`. If there are
/// at least `RECENT_LEN_MIN` and half of them failed, it opens.
const RECENT_LEN_MAX: usize = 40;
const RECENT_AGE_MAX: Duration = Duration::from_secs(30);
const RECENT_LEN_MIN: usize = 20;
/// Number of consecutive successes after which a server that failed is fully trusted again.
const SUCCESSES_MIN: u32 = FAILURES_MAX;
/// How long it stays open, initially and at most.
const OPEN_MIN: Duration = Duration::from_millis(250);
const OPEN_MAX: Duration = Duration::from_secs(15);

#[derive(Debug)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Consecutive failures or successes up to the last result.
    n_failures: u32,
    n_successes: u32,
    /// Time, and whether the request failed; oldest first.
    recent: VecDeque<(Instant, bool)>,
    /// How long it will stay open next time.
    open_for: Duration,
    /// Problem of the last failure.
    problem: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    Open { until: Instant },
    HalfOpen,
}

impl Breaker {
    /// Creates a breaker that is open until the first probe, which is due at once.
    pub(super) fn new(now: Instant) -> Self {
        let phase = Phase::Open { until: now };
        Breaker(Mutex::new(State {
            phase,
            n_failures: 0,
            n_successes: 0,
            recent: VecDeque::with_capacity(RECENT_LEN_MAX),
            open_for: OPEN_MIN,
            problem: "connecting".to_owned(),
        }))
    }

    /// Returns whether requests are made.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().phase == Phase::Closed
    }

    /// Returns whether requests are made and the last one succeeded.
    pub(super) fn is_healthy(&self) -> bool {
        let state = self.lock();
        state.phase == Phase::Closed && state.n_failures == 0
    }

    /// Returns why requests are not made.
    pub(super) fn problem(&self) -> Option<String> {
        let state = self.lock();
        (state.phase != Phase::Closed).then(|| state.problem.clone())
    }

    /// Records that a request succeeded.
    pub(super) fn succeeded(&self, now: Instant) {
        let mut state = self.lock();
        state.n_failures = 0;
        if state.phase != Phase::Closed {
            return;
        }
        state.n_successes = state.n_successes.saturating_add(1);
        state.note(now, false);
        if state.n_successes >= SUCCESSES_MIN {
            state.open_for = OPEN_MIN;
        }
    }

    /// Records that a request failed. Requests in flight when it opened change nothing.
    pub(super) fn failed(&self, now: Instant, problem: &str) {
        let mut state = self.lock();
        if state.phase != Phase::Closed {
            return;
        }
        state.n_failures += 1;
        state.n_successes = 0;
        state.note(now, true);
        problem.clone_into(&mut state.problem);
        if state.n_failures >= FAILURES_MAX || state.fails_often() {
            state.open(now);
        }
    }

    /// Returns true if the caller is to make a probe now; it becomes half-open then.
    pub(super) fn begin_probe(&self, now: Instant) -> bool {
        let mut state = self.lock();
        let is_due = matches!(state.phase, Phase::Open { until } if now >= until);
        if is_due {
            state.phase = Phase::HalfOpen;
        }
        is_due
    }

    /// Records the result of the probe. A success does not yet shorten the time for which it
    /// opens again: a server may answer probes in time and questions too late.
    pub(super) fn end_probe(&self, now: Instant, result: Result<(), String>) {
        let mut state = self.lock();
        state.n_failures = 0;
        state.n_successes = 0;
        state.recent.clear();
        match result {
            Ok(()) => state.phase = Phase::Closed,
            Err(problem) => {
                state.problem = problem;
                state.open(now);
            }
        }
    }

    /// Returns how long until a probe is due.
    pub(super) fn until_probe(&self, now: Instant) -> Option<Duration> {
        match self.lock().phase {
            Phase::Open { until } => Some(until.saturating_duration_since(now)),
            Phase::Closed | Phase::HalfOpen => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nothing panics while it is locked")
    }
}

impl State {
    fn note(&mut self, now: Instant, has_failed: bool) {
        let is_old = |at: Instant| now.saturating_duration_since(at) > RECENT_AGE_MAX;
        while self.recent.len() >= RECENT_LEN_MAX || self.recent.front().is_some_and(|(at, _)| is_old(*at)) {
            self.recent.pop_front();
        }
        self.recent.push_back((now, has_failed));
    }

    /// Returns whether half of the recent requests failed: a server that answers only
    /// sometimes costs as much as one that never does.
    fn fails_often(&self) -> bool {
        let n_failed = self.recent.iter().filter(|(_, has_failed)| *has_failed).count();
        self.recent.len() >= RECENT_LEN_MIN && n_failed * 2 >= self.recent.len()
    }

    fn open(&mut self, now: Instant) {
        self.phase = Phase::Open { until: now + self.open_for };
        self.open_for = (self.open_for * 2).min(OPEN_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(now: Instant) -> Breaker {
        let breaker = Breaker::new(now);
        assert!(!breaker.is_closed() && breaker.begin_probe(now));
        breaker.end_probe(now, Ok(()));
        breaker
    }

    fn fail(breaker: &Breaker, now: Instant, times: u32) {
        (0..times).for_each(|_| breaker.failed(now, "refused"));
    }

    /// Reports one result per character, `F` for a failure.
    fn report(breaker: &Breaker, now: Instant, results: &str) {
        for result in results.bytes() {
            match result {
                b'F' => breaker.failed(now, "refused"),
                _ => breaker.succeeded(now),
            }
        }
    }

    /// Consecutive failures open it, occasional ones do not.
    #[test]
    fn failures_in_a_row_open_it() {
        let now = Instant::now();
        let breaker = closed(now);
        for _ in 0..3 {
            fail(&breaker, now, FAILURES_MAX - 1);
            assert!(breaker.is_closed() && !breaker.is_healthy());
            report(&breaker, now, "........");
            assert!(breaker.is_healthy());
        }
        fail(&breaker, now, FAILURES_MAX);
        assert_eq!((breaker.is_closed(), breaker.problem().as_deref()), (false, Some("refused")));
    }

    /// Probes are made one at a time, after a time that doubles up to its bound.
    #[test]
    fn probes_become_rarer() {
        let mut now = Instant::now();
        let breaker = closed(now);
        fail(&breaker, now, FAILURES_MAX);
        let mut waits = Vec::new();
        for _ in 0..10 {
            let wait = breaker.until_probe(now).expect("it is open");
            waits.push(wait.as_millis());
            assert!(!breaker.begin_probe(now + wait - Duration::from_millis(1)));
            now += wait;
            assert!(breaker.begin_probe(now));
            assert!(!breaker.begin_probe(now), "there is one already");
            breaker.end_probe(now, Err("silent".to_owned()));
        }
        assert_eq!(waits, [250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000]);
        assert_eq!(breaker.problem().as_deref(), Some("silent"));
    }

    /// If every second request fails, it opens as soon as there are enough results, for
    /// longer each time.
    #[test]
    fn a_share_of_failures_opens_it() {
        let mut now = Instant::now();
        let breaker = closed(now);
        for expected in [250, 500, 1000] {
            report(&breaker, now, &".F".repeat(9));
            assert!(breaker.is_closed(), "too few results");
            report(&breaker, now, ".F");
            let wait = breaker.until_probe(now).expect("it is open");
            assert_eq!(wait.as_millis(), expected);
            now += wait;
            assert!(breaker.begin_probe(now));
            breaker.end_probe(now, Ok(()));
        }
    }

    /// It tolerates that every third request fails, but not that most do.
    #[test]
    fn a_smaller_share_does_not_open_it() {
        let now = Instant::now();
        let breaker = closed(now);
        report(&breaker, now, &"..F".repeat(1000));
        assert!(breaker.is_closed());
        report(&breaker, now, &"FF.F.".repeat(6));
        assert!(!breaker.is_closed());
    }

    /// Old failures, and those before it opened, are forgotten.
    #[test]
    fn old_failures_are_forgotten() {
        let now = Instant::now();
        let breaker = closed(now);
        report(&breaker, now, &".F".repeat(9));
        let later = now + RECENT_AGE_MAX + Duration::from_millis(1);
        report(&breaker, later, &".F".repeat(9));
        assert!(breaker.is_closed());
        report(&breaker, later, ".F");
        assert!(!breaker.is_closed());
        let later = later + OPEN_MIN;
        assert!(breaker.begin_probe(later));
        breaker.end_probe(later, Ok(()));
        report(&breaker, later, "F");
        assert!(breaker.is_closed());
    }

    /// If only probes succeed, it opens for longer each time; several consecutive successes
    /// restore full trust.
    #[test]
    fn only_answers_restore_trust() {
        let mut now = Instant::now();
        let breaker = closed(now);
        for expected in [250, 500, 1000] {
            fail(&breaker, now, FAILURES_MAX);
            let wait = breaker.until_probe(now).expect("it is open");
            assert_eq!(wait.as_millis(), expected);
            now += wait;
            assert!(breaker.begin_probe(now));
            breaker.end_probe(now, Ok(()));
        }
        report(&breaker, now, "....FF.....");
        fail(&breaker, now, FAILURES_MAX);
        assert_eq!(breaker.until_probe(now), Some(OPEN_MIN));
    }

    /// Requests in flight when it opened neither delay nor replace the probe.
    #[test]
    fn late_results_change_nothing() {
        let now = Instant::now();
        let breaker = closed(now);
        fail(&breaker, now, FAILURES_MAX + 100);
        assert_eq!(breaker.until_probe(now), Some(OPEN_MIN));
        breaker.succeeded(now);
        assert!(!breaker.is_closed());
    }
}
