//! Which calls are repeated, and when.

use std::time::{Duration, Instant, SystemTime};

use crate::Error;

const BACKOFF_FIRST: Duration = Duration::from_millis(100);
const BACKOFF_MAX: Duration = Duration::from_secs(2);

/// The attempts of one call.
#[derive(Debug)]
pub(crate) struct Attempts {
    left: u32,
    backoff: Duration,
    deadline: Option<Instant>,
}

impl Attempts {
    pub(crate) fn new(retries: u32, timeout: Option<Duration>) -> Attempts {
        Attempts { left: retries, backoff: BACKOFF_FIRST, deadline: timeout.map(|timeout| Instant::now() + timeout) }
    }

    /// Time left for the next attempt.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Waits before the next attempt, or returns the error if there is none.
    pub(crate) async fn wait(&mut self, error: Error) -> Result<(), Error> {
        if self.left == 0 || !error.may_repeat() {
            return Err(error);
        }
        let asked = match &error {
            Error::Api(error) => error.retry_after,
            Error::Transport(_) => None,
        };
        // Callers that are refused together do not come back together.
        let jitter = self.backoff.mul_f64(0.5 + fraction() / 2.0);
        let delay = asked.map_or(jitter, |asked| asked + jitter / 4);
        if self.timeout().is_some_and(|left| left <= delay) {
            return Err(error);
        }
        self.left -= 1;
        self.backoff = (self.backoff * 2).min(BACKOFF_MAX);
        tokio::time::sleep(delay).await;
        Ok(())
    }
}

/// Differs from caller to caller, from 0 to 1; the clock's last digits are random enough.
fn fraction() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    f64::from(now.subsec_nanos() % 1_000) / 1_000.0
}
