//! Log of answers that the engine or an authentication code refused.

use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pentad_engine::StoreKey;

/// Interval between two lines.
const INTERVAL: Duration = Duration::from_mins(1);

/// Logs refused answers, at most one line per interval.
#[derive(Default)]
pub(crate) struct RefusalLog(Mutex<State>);

#[derive(Default)]
struct State {
    logged: Option<Instant>,
    /// Number of refusals since the last line.
    n_unlogged: u64,
}

impl RefusalLog {
    pub(crate) fn log(&self, store: impl fmt::Display, key: &StoreKey, reason: &str) {
        if let Some(n_unlogged) = self.0.lock().expect("nothing panics while it is locked").take_turn(Instant::now()) {
            let (game, key) = (&key.scope.game, &key.digest);
            tracing::warn!(%store, game, %key, n_unlogged, "a stored answer is damaged or forged, and removed: {reason}");
        }
    }
}

impl State {
    /// Counts a refusal; returns the number of those not logged before it if it is to be logged.
    fn take_turn(&mut self, now: Instant) -> Option<u64> {
        if self.logged.is_some_and(|logged| now.duration_since(logged) < INTERVAL) {
            self.n_unlogged += 1;
            return None;
        }
        self.logged = Some(now);
        Some(std::mem::take(&mut self.n_unlogged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line per interval says how many refusals had none.
    #[test]
    fn lines_are_bounded() {
        let (mut state, start) = (State::default(), Instant::now());
        let turns: Vec<_> = [0, 1, 59, 60, 61].map(|s| state.take_turn(start + Duration::from_secs(s))).into();
        assert_eq!(turns, [Some(0), None, None, Some(2), None]);
    }
}
