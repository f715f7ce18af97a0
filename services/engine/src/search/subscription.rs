//! What one caller sees of the search for its question.
//!
//! Equal questions share a search, which is due when the first caller's answer
//! is. A caller with a later deadline is not served less for that: the search is
//! taken up again for the time that is left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use crate::answer::StopReason;
use crate::error::EngineError;
use crate::question::Caller;
use crate::resolve::query::ResolvedQuery;
use crate::rules::calls::{RulesCall, RulesCalls};
use crate::rules::job::{AboutPosition, CallContext};
use crate::search::cache::Snapshot;
use crate::search::job::immediate_move;
use crate::search::single_flight::Progress;
use crate::search::sources::{Lookup, Origin, Searches};

/// An answer may be this late before what is known so far is given instead.
const LATENESS: Duration = Duration::from_millis(4);
/// How long finding any legal move may take once the answer is due.
const IMMEDIATE: Duration = Duration::from_millis(1);

/// A caller's place among those who wait for a search. Dropping it gives up.
pub(crate) struct Subscription {
    searches: Arc<Searches>,
    rules_calls: Arc<RulesCalls>,
    query: Arc<ResolvedQuery>,
    caller: Caller,
    lookup: Lookup,
    /// The result of a search that ended too early for this caller.
    earlier: Option<Arc<Snapshot>>,
}

/// What is known of a question. `snapshot.stop` is set in the last one.
pub(crate) struct SearchUpdate {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) origin: Origin,
}

impl Subscription {
    pub(crate) fn new(
        searches: Arc<Searches>,
        rules_calls: Arc<RulesCalls>,
        query: Arc<ResolvedQuery>,
        caller: Caller,
        lookup: Lookup,
    ) -> Self {
        Subscription { searches, rules_calls, query, caller, lookup, earlier: None }
    }

    /// Waits for the final result.
    pub(crate) async fn last(mut self) -> Result<SearchUpdate, EngineError> {
        loop {
            let found = self.next().await?;
            if found.snapshot.stop.is_some() {
                return Ok(found);
            }
        }
    }

    /// Waits for the next improvement. After the last one, and after an error,
    /// there is no next.
    pub(crate) async fn next(&mut self) -> Result<SearchUpdate, EngineError> {
        let searched = |snapshot| Ok(SearchUpdate { snapshot, origin: Origin::Search });
        loop {
            let (waiter, is_own) = match &mut self.lookup {
                Lookup::Known(snapshot, origin) => {
                    return Ok(SearchUpdate { snapshot: snapshot.clone(), origin: *origin });
                }
                Lookup::InFlight { waiter, is_own } => (waiter, *is_own),
            };
            let is_news = waiter.progress.has_changed().unwrap_or(true);
            let progress = waiter.progress.borrow_and_update().clone();
            match &progress {
                Progress::Done(snapshot) if !is_own && self.query.has_time_after(snapshot) => {
                    let known = better(&self.earlier, snapshot).clone();
                    let (query, caller) = (&self.query, &self.caller);
                    let in_memory = self.searches.find_in_memory(query, caller);
                    match in_memory.map_or_else(|| self.searches.join_or_start(query, caller), Ok) {
                        Ok(lookup) => self.lookup = lookup,
                        Err(EngineError::Overloaded { .. }) => return searched(ended(&known, StopReason::Load)),
                        Err(error) => return Err(error),
                    }
                    self.earlier = Some(known);
                    continue;
                }
                Progress::Done(snapshot) => {
                    let stop = match snapshot.stop {
                        // Another caller's, or this one's.
                        Some(StopReason::Deadline) | None => self.query.due_reason(),
                        Some(stop) => stop,
                    };
                    return searched(ended(better(&self.earlier, snapshot), stop));
                }
                Progress::Stored(snapshot) => {
                    let snapshot = better(&self.earlier, snapshot).clone();
                    return Ok(SearchUpdate { snapshot, origin: Origin::Store });
                }
                Progress::NotStarted(stop) => return self.known_so_far(&progress, *stop).await,
                Progress::Failed(error) => {
                    // What an earlier search found is an answer all the same.
                    let earlier = self.earlier.as_ref().ok_or_else(|| error.clone())?;
                    return searched(ended(earlier, self.query.due_reason()));
                }
                Progress::Partial(snapshot) if is_news && Arc::ptr_eq(better(&self.earlier, snapshot), snapshot) => {
                    return searched(snapshot.clone());
                }
                Progress::Partial(_) | Progress::Pending => {}
            }
            tokio::select! {
                changed = waiter.progress.changed() => match changed {
                    // The next round sees it as news.
                    Ok(()) => waiter.progress.mark_changed(),
                    Err(_) => {
                        let message = "a search ended without a result".to_owned();
                        return Err(EngineError::Internal { message });
                    }
                },
                () = sleep_until((self.query.due + LATENESS).into()) => {
                    return self.known_so_far(&progress, self.query.due_reason()).await;
                }
            }
        }
    }

    /// There is no time left: what is known, or any legal move.
    async fn known_so_far(&self, progress: &Progress, stop: StopReason) -> Result<SearchUpdate, EngineError> {
        let known = match (progress, &self.earlier) {
            (Progress::Partial(snapshot), _) => better(&self.earlier, snapshot).clone(),
            (_, Some(earlier)) => earlier.clone(),
            (_, None) => self.any_move().await?,
        };
        Ok(SearchUpdate { snapshot: ended(&known, stop), origin: Origin::Search })
    }

    async fn any_move(&self) -> Result<Arc<Snapshot>, EngineError> {
        let query = &self.query;
        // A moment late it is worth more than none.
        let caller = Caller { deadline: None, ..self.caller.clone() };
        let call = RulesCall::ImmediateMove;
        let found = self.rules_calls.run(&query.game, call, &caller, query.variant, AnyMove(query.clone()), any_move);
        found.await?.map(Arc::new).ok_or(EngineError::Deadline)
    }
}

/// The question to which any legal move is the answer.
struct AnyMove(Arc<ResolvedQuery>);

impl AboutPosition for AnyMove {
    fn position(&self) -> String {
        self.0.root.text.clone()
    }
}

fn any_move(context: &CallContext<'_>, AnyMove(query): &AnyMove) -> Result<Option<Snapshot>, EngineError> {
    let found = immediate_move(context.game, &query.search_key.key, Instant::now() + IMMEDIATE);
    found.map_err(|error| EngineError::from_call(&context.game.id, error))
}

/// The new result, or the earlier one if that is worth more.
fn better<'a>(earlier: &'a Option<Arc<Snapshot>>, found: &'a Arc<Snapshot>) -> &'a Arc<Snapshot> {
    earlier.as_ref().filter(|earlier| !found.outranks(earlier)).unwrap_or(found)
}

/// The same as a final result.
fn ended(snapshot: &Arc<Snapshot>, stop: StopReason) -> Arc<Snapshot> {
    Arc::new(Snapshot { stop: Some(stop), ..Snapshot::clone(snapshot) })
}
