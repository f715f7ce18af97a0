//! One caller's view of the search for its question.
//!
//! Equal questions share a search, which is due when the first caller's answer is. For a caller with a
//! later deadline the search is resumed for the time that is left.

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
use crate::search::immediate_move::{IMMEDIATE, immediate_move};
use crate::search::single_flight::Progress;
use crate::search::sources::{AnswerSource, AnswerSources, Found, Lookup, render_nothing};
use crate::store::stored::InStore;

/// How late an answer may be before what is known so far is given instead.
const LATENESS: Duration = Duration::from_millis(4);

/// A caller's place among the waiters of a search. Dropping it gives up the place.
pub(crate) struct Subscription {
    sources: Arc<AnswerSources>,
    rules_calls: Arc<RulesCalls>,
    query: Arc<ResolvedQuery>,
    caller: Caller,
    lookup: Lookup,
    /// The result of a search that ended too early for this caller.
    earlier: Option<Arc<Snapshot>>,
}

/// What is known about a question. `snapshot.stop` is set in the last update.
pub(crate) struct SearchUpdate {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) source: AnswerSource,
}

impl Subscription {
    pub(crate) fn new(
        sources: Arc<AnswerSources>,
        rules_calls: Arc<RulesCalls>,
        query: Arc<ResolvedQuery>,
        caller: Caller,
        lookup: Lookup,
    ) -> Self {
        Subscription { sources, rules_calls, query, caller, lookup, earlier: None }
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

    /// Waits for the next improvement. After the last one, and after an error, there is no next.
    pub(crate) async fn next(&mut self) -> Result<SearchUpdate, EngineError> {
        loop {
            let (waiter, is_own) = match &mut self.lookup {
                Lookup::Known(snapshot, source) => {
                    return Ok(SearchUpdate { snapshot: snapshot.clone(), source: *source });
                }
                Lookup::InFlight { waiter, is_own } => (waiter, *is_own),
            };
            let is_news = waiter.progress.has_changed().unwrap_or(true);
            let progress = waiter.progress.borrow_and_update().clone();
            match &progress {
                Progress::Done(snapshot) if !is_own && self.query.has_time_after(snapshot) => {
                    match self.resume(snapshot).await? {
                        Some(last) => return Ok(last),
                        None => continue,
                    }
                }
                Progress::Done(snapshot) => {
                    let stop = match snapshot.stop {
                        // This caller's deadline, or another's.
                        Some(StopReason::Deadline) | None => self.query.due_reason(),
                        Some(stop) => stop,
                    };
                    return Ok(searched(ended(better(&self.earlier, snapshot), stop)));
                }
                Progress::Stored(snapshot) => {
                    let snapshot = better(&self.earlier, snapshot).clone();
                    return Ok(SearchUpdate { snapshot, source: AnswerSource::Store });
                }
                Progress::NotStarted(stop) => return self.known_so_far(&progress, *stop).await,
                Progress::Failed(error) => {
                    // The result of an earlier search is an answer too.
                    let earlier = self.earlier.as_ref().ok_or_else(|| error.clone())?;
                    return Ok(searched(ended(earlier, self.query.due_reason())));
                }
                Progress::Partial(snapshot) if is_news && Arc::ptr_eq(better(&self.earlier, snapshot), snapshot) => {
                    return Ok(searched(snapshot.clone()));
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

    /// Resumes a search that ended too early for this caller. Returns the final answer if the queue has no
    /// room.
    async fn resume(&mut self, snapshot: &Arc<Snapshot>) -> Result<Option<SearchUpdate>, EngineError> {
        let known = better(&self.earlier, snapshot).clone();
        let (query, caller, resumed) = (&self.query, &self.caller, AnswerSource::RESUMED);
        match self.sources.find(resumed, query, caller, InStore::Nothing, render_nothing).await {
            Ok(Found::Lookup(lookup)) => self.lookup = lookup,
            Ok(Found::Rendered(snapshot, ())) => self.lookup = Lookup::Known(snapshot, AnswerSource::Store),
            Err(EngineError::Overloaded { .. }) => return Ok(Some(searched(ended(&known, StopReason::Load)))),
            Err(error) => return Err(error),
        }
        self.earlier = Some(known);
        Ok(None)
    }

    /// Returns what is known when no time is left, or any legal move.
    async fn known_so_far(&self, progress: &Progress, stop: StopReason) -> Result<SearchUpdate, EngineError> {
        let known = match (progress, &self.earlier) {
            (Progress::Partial(snapshot), _) => better(&self.earlier, snapshot).clone(),
            (_, Some(earlier)) => earlier.clone(),
            (_, None) => self.any_move().await?,
        };
        Ok(searched(ended(&known, stop)))
    }

    async fn any_move(&self) -> Result<Arc<Snapshot>, EngineError> {
        let query = &self.query;
        // A late move is worth more than none.
        let caller = Caller { deadline: None, ..self.caller.clone() };
        let call = RulesCall::ImmediateMove;
        let found = self.rules_calls.run(&query.game, call, &caller, query.variant, AnyMove(query.clone()), any_move);
        found.await?.map(Arc::new).ok_or(EngineError::Deadline)
    }
}

/// A question that any legal move answers.
struct AnyMove(Arc<ResolvedQuery>);

impl AboutPosition for AnyMove {
    fn position(&self) -> String {
        self.0.root.text.clone()
    }
}

fn any_move(context: &CallContext<'_>, AnyMove(query): &AnyMove) -> Result<Option<Snapshot>, EngineError> {
    let found = immediate_move(context.game, &query.key, Instant::now() + IMMEDIATE);
    found.map_err(|error| EngineError::from_call(&context.game.id, error))
}

/// Returns the new result, or the earlier one if that is better.
fn better<'a>(earlier: &'a Option<Arc<Snapshot>>, found: &'a Arc<Snapshot>) -> &'a Arc<Snapshot> {
    earlier.as_ref().filter(|earlier| !found.outranks(earlier)).unwrap_or(found)
}

fn searched(snapshot: Arc<Snapshot>) -> SearchUpdate {
    SearchUpdate { snapshot, source: AnswerSource::Search }
}

/// Returns the same as a final result.
fn ended(snapshot: &Arc<Snapshot>, stop: StopReason) -> Arc<Snapshot> {
    Arc::new(Snapshot { stop: Some(stop), ..Snapshot::clone(snapshot) })
}
