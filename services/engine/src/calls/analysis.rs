//! Answers that improve.

use std::sync::Arc;

use crate::answer::Hints;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::question::Caller;
use crate::resolve::query::ResolvedQuery;
use crate::search::subscription::Subscription;

/// A stream of improving answers. Dropping it ends the search.
pub struct Analysis {
    engine: Arc<Engine>,
    query: Arc<ResolvedQuery>,
    caller: Caller,
    /// `None` after the final answer.
    subscription: Option<Subscription>,
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
        Analysis { engine, query, caller, subscription: Some(subscription) }
    }

    /// The next improvement; the last one has its stop reason set. `None`
    /// after that, or after an error.
    pub async fn next(&mut self) -> Option<Result<Hints, EngineError>> {
        let found = self.subscription.as_mut()?.next().await;
        if found.as_ref().map_or(true, |found| found.snapshot.stop.is_some()) {
            self.subscription = None;
        }
        Some(match found {
            Ok(found) => self.engine.render_hints(&self.query, &found, &self.caller).await,
            Err(error) => Err(error),
        })
    }
}
