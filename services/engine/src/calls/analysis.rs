//! Streams of improving answers.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::answer::Hints;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::question::Caller;
use crate::resolve::query::ResolvedQuery;
use crate::search::subscription::{SearchUpdate, Subscription};

/// A stream of improving answers. Dropping it ends the search.
pub struct Analysis {
    engine: Arc<Engine>,
    query: Arc<ResolvedQuery>,
    caller: Caller,
    /// `None` after the final answer.
    subscription: Option<Subscription>,
    report_interval: Duration,
    /// When the next improvement may be given.
    next_report: Option<Instant>,
}

impl std::fmt::Debug for Analysis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analysis").field("game", &self.query.game.id).finish_non_exhaustive()
    }
}

impl Analysis {
    pub(crate) fn new(
        engine: Arc<Engine>,
        query: Arc<ResolvedQuery>,
        caller: Caller,
        subscription: Subscription,
    ) -> Self {
        Analysis {
            engine,
            query,
            caller,
            subscription: Some(subscription),
            report_interval: Duration::ZERO,
            next_report: None,
        }
    }

    /// Gives at most one improvement per interval: the latest one. The first is given at once, and so is the
    /// last.
    #[must_use]
    pub fn with_report_interval(self, report_interval: Duration) -> Self {
        Analysis { report_interval, ..self }
    }

    /// Returns the next improvement; the last one has its stop reason set. `None` after that, or after an
    /// error.
    pub async fn next(&mut self) -> Option<Result<Hints, EngineError>> {
        let found = self.next_report().await?;
        if found.as_ref().map_or(true, |found| found.snapshot.stop.is_some()) {
            self.subscription = None;
        }
        Some(match found {
            Ok(found) => self.engine.render_hints(&self.query, &found, &self.caller).await,
            Err(error) => Err(error),
        })
    }

    /// Waits until there is something to report, and the interval since the last report has passed.
    async fn next_report(&mut self) -> Option<Result<SearchUpdate, EngineError>> {
        let subscription = self.subscription.as_mut()?;
        let mut latest = subscription.next().await;
        while let (Ok(found), Some(due)) = (&latest, self.next_report)
            && found.snapshot.stop.is_none()
        {
            // A dropped `next` has taken no improvement.
            tokio::select! {
                biased;
                () = sleep_until(due) => break,
                newer = subscription.next() => latest = newer,
            }
        }
        self.next_report = Instant::now().checked_add(self.report_interval).filter(|_| !self.report_interval.is_zero());
        Some(latest)
    }
}
