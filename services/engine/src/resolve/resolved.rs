//! The first call of the rules for a question: it reads the position and, where a store has
//! the answer at hand, gives that.
//!
//! Handing a question from thread to thread takes longer than all the work for an answer
//! that is known. So what a file keeps is read by the thread that has resolved the
//! question, checked and presented there. If the disk is slow, the question goes on without
//! the store and the thread is replaced, as in any call that does not return.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::EngineError;
use crate::present::Presented;
use crate::question::{Caller, HintQuestion};
use crate::resolve::SearchRoot;
use crate::resolve::query::ResolvedQuery;
use crate::rules::job::{AboutPosition, CallBody, CallContext};
use crate::search::sources::Searches;
use crate::served_game::ServedGame;
use crate::store::stored::InStore;

/// What is due sooner is looked up by a reader of the store, and waits for it no longer than
/// it can.
const TIME_MIN: Duration = Duration::from_millis(100);

/// A question, and what is to be made of its answer.
pub(crate) struct Unresolved<T> {
    pub(crate) question: Arc<HintQuestion>,
    pub(crate) game: Arc<ServedGame>,
    pub(crate) caller: Caller,
    pub(crate) searches: Arc<Searches>,
    pub(crate) body: CallBody<Presented, T>,
}

/// The question, resolved; `None` if a store held it up.
pub(crate) type Resolved<T> = Option<(Arc<ResolvedQuery>, InStore<T>)>;

impl<T> AboutPosition for Unresolved<T> {
    fn position(&self) -> String {
        self.question.position()
    }
}

pub(crate) fn resolve<T>(context: &CallContext<'_>, input: &Unresolved<T>) -> Result<Resolved<T>, EngineError> {
    let Unresolved { question, game, caller, searches, body } = input;
    let root = SearchRoot::resolve(context, question)?;
    let query = ResolvedQuery::new(context.config, game.clone(), context.variant, root, question.clone(), caller);
    let has_time = query.due.saturating_duration_since(Instant::now()) >= TIME_MIN;
    let in_store = match searches.store_to_ask(&query).filter(|_| has_time) {
        Some(stored) => stored.find_here(context, &query, *body)?,
        None => InStore::NotAsked,
    };
    Ok(Some((Arc::new(query), in_store)))
}

/// What [`resolve`] answers if the store is late.
pub(crate) fn without_store<T>() -> Resolved<T> {
    None
}
