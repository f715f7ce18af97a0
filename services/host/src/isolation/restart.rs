//! Restart policy of a worker.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A worker that lived this long has recovered: earlier ends are forgotten.
const WINDOW: Duration = Duration::from_secs(60);
/// Number of ends within the window that cause a quarantine.
const ENDS_MAX: usize = 5;
/// Delay of the second restart; each further one doubles it.
const DELAY_MIN: Duration = Duration::from_millis(100);
const DELAY_MAX: Duration = Duration::from_secs(30);
/// How long a rule set that keeps failing waits before its next try.
const QUARANTINE: Duration = Duration::from_secs(300);

/// Decides from the ends of a worker.
#[derive(Debug, Default)]
pub(super) struct RestartPolicy {
    /// Ends within the window, oldest first.
    ends: VecDeque<Instant>,
    n_consecutive: u32,
    /// Whether the current worker is the one try after a quarantine.
    is_on_probation: bool,
}

/// The next start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Restart {
    pub(super) after: Duration,
    pub(super) is_quarantine: bool,
}

impl RestartPolicy {
    /// Records that a worker started at `started` has ended, or could not be started.
    pub(super) fn ended(&mut self, started: Instant, now: Instant) -> Restart {
        if now.saturating_duration_since(started) >= WINDOW {
            *self = RestartPolicy::default();
        }
        while self.ends.front().is_some_and(|end| now.saturating_duration_since(*end) >= WINDOW) {
            self.ends.pop_front();
        }
        self.ends.push_back(now);
        self.n_consecutive += 1;
        if self.is_on_probation || self.ends.len() >= ENDS_MAX {
            self.is_on_probation = true;
            self.ends.clear();
            return Restart { after: QUARANTINE, is_quarantine: true };
        }
        let after = match self.n_consecutive {
            1 => Duration::ZERO,
            n => DELAY_MIN.saturating_mul(1 << (n - 2).min(16)).min(DELAY_MAX),
        };
        Restart { after, is_quarantine: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(10);

    fn restart(after: Duration) -> Restart {
        Restart { after, is_quarantine: false }
    }

    /// The first restart is immediate, each further one waits twice as long; the fifth
    /// end within a minute causes a quarantine, and so does a failed try after it.
    #[test]
    fn repeated_ends_are_a_quarantine() {
        let mut policy = RestartPolicy::default();
        let mut now = Instant::now();
        let mut end = |policy: &mut RestartPolicy, lived: Duration| {
            let started = now;
            now += lived;
            policy.ended(started, now)
        };
        for millis in [0, 100, 200, 400] {
            assert_eq!(end(&mut policy, SOON), restart(Duration::from_millis(millis)));
        }
        let quarantine = Restart { after: QUARANTINE, is_quarantine: true };
        assert_eq!(end(&mut policy, SOON), quarantine);
        assert_eq!(end(&mut policy, SOON), quarantine, "one try only");
        assert_eq!(end(&mut policy, WINDOW), restart(Duration::ZERO), "it had recovered");
    }

    /// Ends that are further apart increase the delay to its maximum, without a
    /// quarantine.
    #[test]
    fn delays_are_bounded() {
        let mut policy = RestartPolicy::default();
        let mut now = Instant::now();
        let mut delays = Vec::new();
        for _ in 0..20 {
            let started = now;
            now += Duration::from_secs(20);
            let Restart { after, is_quarantine } = policy.ended(started, now);
            assert!(!is_quarantine);
            delays.push(after);
        }
        assert!(delays.is_sorted());
        assert_eq!(delays.last(), Some(&DELAY_MAX));
    }
}
