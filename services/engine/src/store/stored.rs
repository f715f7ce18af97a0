//! How the engine uses a store of answers.
//!
//! Only answers that the cache lacks and no search is under way for are looked up. The call of the rules
//! that renders a stored answer first checks it (`check`): a damaged or forged store costs a search, and gives
//! neither an illegal move nor a proof that its own line refutes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_host::Position;
use tokio::time::timeout_at;

use crate::calls::explore::Successors;
use crate::error::EngineError;
use crate::present::RenderInput;
use crate::question::Caller;
use crate::resolve::SearchRoot;
use crate::resolve::position_key::PositionKey;
use crate::resolve::query::ResolvedQuery;
use crate::rules::calls::{RulesCall, RulesCalls};
use crate::rules::job::{CallBody, CallContext};
use crate::search::cache::Snapshot;
use crate::served_game::ServedGame;
use crate::store::answer_store::{
    AnswerStore, Claim, LocalLookup, SearchLease, StoreClaim, StoreKey, StoreScope, StoredAnswer,
};
use crate::store::check::{Subject, cut_contradictory_lines};
use crate::store::checked::{Checked, CheckedAnswers, Lookup};
use crate::store::fingerprint::{self, AboutRules};
use crate::store::game_store::{Explored, Recorded, RecordedGame};
use crate::store::recorded::ReplayedGame;

/// What a lookup in the store gave.
pub(crate) enum InStore<T> {
    /// An answer, and its rendering.
    Found(Arc<Snapshot>, T),
    Nothing,
    /// The store was not queried.
    NotAsked,
}

/// The store, and the rules by which its answers are checked.
pub(crate) struct StoredAnswers {
    store: Arc<dyn AnswerStore>,
    rules_calls: Arc<RulesCalls>,
    checked: Arc<CheckedAnswers>,
}

impl StoredAnswers {
    pub(crate) fn new(store: Arc<dyn AnswerStore>, rules_calls: Arc<RulesCalls>) -> Self {
        StoredAnswers { store, rules_calls, checked: Arc::default() }
    }

    /// Returns the stored answer to a question, if there is one that suffices and is true to the rules, and
    /// its rendering by the call that checks it.
    pub(crate) async fn find<T: Send + 'static>(
        &self,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
        render: impl CallBody<RenderInput, T>,
    ) -> Option<(Arc<Snapshot>, T)> {
        // The query has limits of its own, and the engine watches the caller's deadline.
        let caller = Caller { deadline: None, ..caller.clone() };
        let scopes = self.scopes(&query.game, &caller).await?;
        let key = store_key(scopes, query.variant, &query.root);
        let mut span = caller.trace.begin("store", &query.game.id);
        let answer = self.get(&key, query.due).await;
        span.set("pentad.store", if answer.is_some() { "hit" } else { "miss" });
        drop(span);
        let lookup = Lookup::new(query, answer?)?;
        let checked = self.checked.clone();
        let body = move |context: &CallContext<'_>, lookup: &Lookup| checked.render(context, lookup, &render);
        let (calls, call) = (&self.rules_calls, RulesCall::PresentStored);
        match calls.run(&query.game, call, &caller, query.variant, lookup, body).await.ok()? {
            Checked::Rendered(snapshot, rendered) => Some((snapshot, rendered)),
            Checked::Insufficient => None,
            Checked::Refused(reason) => {
                self.store.refuse(&key, reason);
                None
            }
        }
    }

    /// Like [`find`](Self::find), within a call of the rules, if the store lets its thread read.
    pub(crate) fn find_here<T>(
        &self,
        context: &CallContext<'_>,
        query: &ResolvedQuery,
        render: impl CallBody<RenderInput, T>,
    ) -> Result<InStore<T>, EngineError> {
        let Some(Some(scopes)) = query.game.store_scopes.get() else { return Ok(InStore::NotAsked) };
        let key = store_key(scopes, query.variant, &query.root);
        let mut span = context.trace.begin("store", &query.game.id);
        let found = context.read_store(|| self.store.get_here(&key));
        span.set(
            "pentad.store",
            match &found {
                LocalLookup::Found(_) => "hit",
                LocalLookup::Nothing => "miss",
                LocalLookup::Elsewhere => "elsewhere",
            },
        );
        drop(span);
        let answer = match found {
            LocalLookup::Found(answer) => answer,
            LocalLookup::Nothing => return Ok(InStore::Nothing),
            LocalLookup::Elsewhere => return Ok(InStore::NotAsked),
        };
        let Some(lookup) = Lookup::new(query, *answer) else { return Ok(InStore::Nothing) };
        match self.checked.render(context, &lookup, &render)? {
            Checked::Rendered(snapshot, rendered) => Ok(InStore::Found(snapshot, rendered)),
            Checked::Insufficient => Ok(InStore::Nothing),
            Checked::Refused(reason) => {
                self.store.refuse(&key, reason);
                Ok(InStore::Nothing)
            }
        }
    }

    /// Returns the answer under a key, if it is there in time.
    async fn get(&self, key: &StoreKey, due: Instant) -> Option<StoredAnswer> {
        let lookup = self.store.get(key);
        // A timer costs more than most lookups.
        let may_be_late = due.saturating_duration_since(Instant::now()) < self.store.get_time_max();
        if may_be_late { timeout_at(due.into(), lookup).await.ok()? } else { lookup.await }
    }

    /// Claims the right to be the only one that searches for the answer to a question. Without a
    /// fingerprint of the rules the claim is granted.
    pub(crate) fn claim(&self, query: &ResolvedQuery, hold: Duration) -> StoreClaim {
        let Some(Some(scopes)) = query.game.store_scopes.get() else {
            return Box::pin(std::future::ready(Claim::Granted(SearchLease::default())));
        };
        let StoreKey { scope, digest } = store_key(scopes, query.variant, &query.root);
        let digest = digest.searched(&query.effort.limits, query.effort.n_lines);
        self.store.claim(&StoreKey { scope, digest }, hold)
    }

    /// Offers the result of a search to the store. The fingerprint of the rules was taken before the search
    /// began; without it nothing is stored.
    pub(crate) fn offer(&self, query: &ResolvedQuery, snapshot: &Snapshot) {
        let ResolvedQuery { game, root, variant, .. } = query;
        let Some(Some(scopes)) = game.store_scopes.get() else { return };
        let position = match root.is_turn_changed {
            true => String::new(),
            // A fault is recorded, and the answer stored without the text.
            false => game.ruleset.format(*variant, &root.canonical).unwrap_or_default(),
        };
        let mut snapshot = snapshot.clone();
        let moves = Some(&root.considered);
        let subject = Subject { rules: &game.ruleset, variant: *variant, position: &root.canonical, moves };
        // A fault is recorded, and the answer not stored.
        if cut_contradictory_lines(&subject, &mut snapshot.report.lines).is_ok() {
            self.store.offer(&store_key(scopes, *variant, root), &StoredAnswer::of(&snapshot, position));
        }
    }

    /// Returns what the store knows about a position and the positions after its moves.
    pub(crate) async fn explore(
        &self,
        game: &Arc<ServedGame>,
        variant: usize,
        successors: &Successors,
        caller: &Caller,
    ) -> Explored {
        let Some(scopes) = self.scopes(game, caller).await else { return Explored::default() };
        let after: Vec<PositionKey> = successors.looked_up().map(|(_, key)| key).collect();
        self.store.explore(&store_key(scopes, variant, &successors.root), &after).await
    }

    /// Checks an answer that an exploration found about a canonical position, and returns it;
    /// `None` if it cannot be confirmed.
    pub(crate) fn explored_answer(
        &self,
        context: &CallContext<'_>,
        (position, key): (&Position, PositionKey),
        answer: &StoredAnswer,
    ) -> Result<Option<Arc<Snapshot>>, EngineError> {
        match self.checked.replayed(context, position, answer)? {
            Checked::Rendered(snapshot, ()) => Ok(Some(snapshot)),
            Checked::Insufficient => Ok(None),
            Checked::Refused(reason) => {
                if let Some(Some(scopes)) = context.game.store_scopes.get() {
                    let scope = scopes[context.variant].clone();
                    self.store.refuse(&StoreKey { scope, digest: key }, reason);
                }
                Ok(None)
            }
        }
    }

    /// Records a game. Without a fingerprint of the rules nothing is stored.
    pub(crate) async fn record(
        &self,
        game: &Arc<ServedGame>,
        variant: usize,
        (id, replayed): (String, ReplayedGame),
        caller: &Caller,
    ) -> Recorded {
        let Some(scopes) = self.scopes(game, caller).await else { return Recorded::Failed };
        let ReplayedGame { key, position, moves, scores, steps } = replayed;
        let scope = scopes[variant].clone();
        self.store.record(&Arc::new(RecordedGame { scope, key, id, position, moves, scores, steps })).await
    }

    /// Returns what identifies the rules of each variant, by variant.
    async fn scopes<'a>(&self, game: &'a Arc<ServedGame>, caller: &Caller) -> Option<&'a Vec<Arc<StoreScope>>> {
        let find = async || {
            let scopes = fingerprint::scopes;
            match self.rules_calls.run(game, RulesCall::Fingerprint, caller, 0, AboutRules, scopes).await {
                Ok(scopes) => Ok(Some(scopes)),
                // It may succeed later.
                Err(EngineError::Overloaded { .. } | EngineError::RulesetUnavailable { .. }) => Err(()),
                Err(_) => Ok(None),
            }
        };
        game.store_scopes.get_or_try_init(find).await.ok()?.as_ref()
    }
}

fn store_key(scopes: &[Arc<StoreScope>], variant: usize, root: &SearchRoot) -> StoreKey {
    StoreKey { scope: scopes[variant].clone(), digest: root.key.considering(&root.considered) }
}
