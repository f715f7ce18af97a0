//! How the engine uses a store of answers.
//!
//! Only what its own cache does not have is looked up, once for all who ask the same
//! (single flight), and before a search is queued. What is found is checked against the
//! rules: a damaged store, or one that somebody else writes to, costs a search and never
//! gives an illegal move.

use std::sync::Arc;
use std::time::Duration;

use pentad_host::CallError;
use tokio::time::timeout_at;

use crate::answer_store::{AnswerStore, Claim, SearchLease, StoreClaim, StoreKey, StoreScope, StoredAnswer};
use crate::cache::Snapshot;
use crate::error::EngineError;
use crate::explore::Successors;
use crate::fingerprint::{self, AboutRules};
use crate::game_store::{Explored, Recorded, RecordedGame};
use crate::level;
use crate::position_key::PositionKey;
use crate::query::ResolvedQuery;
use crate::question::Caller;
use crate::recorded::ReplayedGame;
use crate::resolve::SearchRoot;
use crate::rules_calls::{RulesCall, RulesCalls};
use crate::rules_job::{AboutPosition, CallContext};
use crate::search_job::SearchKey;
use crate::served_game::ServedGame;

/// The store, and the rules by which its answers are checked.
pub(crate) struct StoredAnswers {
    store: Arc<dyn AnswerStore>,
    rules_calls: Arc<RulesCalls>,
}

impl StoredAnswers {
    pub(crate) fn new(store: Arc<dyn AnswerStore>, rules_calls: Arc<RulesCalls>) -> Self {
        StoredAnswers { store, rules_calls }
    }

    /// The stored answer to a question, if there is one that suffices and is true to the
    /// rules.
    pub(crate) async fn find(&self, query: &Arc<ResolvedQuery>, caller: &Caller) -> Option<Arc<Snapshot>> {
        // Its own limits are the query's; the call's deadline is the engine's business.
        let caller = Caller { deadline: None, ..caller.clone() };
        let scopes = self.scopes(&query.game, &caller).await?;
        let key = store_key(scopes, query.variant, &query.root);
        let answer = timeout_at(query.due.into(), self.store.get(&key)).await.ok()??;
        let SearchKey { limits, n_lines, .. } = &query.search_key;
        let stored = StoredInput { query: query.clone(), answer };
        let (calls, variant) = (&self.rules_calls, query.variant);
        let checked = calls.run(&query.game, RulesCall::CheckStored, &caller, variant, stored, checked).await.ok()?;
        match checked {
            Some(snapshot) => Some(Arc::new(snapshot)).filter(|snapshot| snapshot.satisfies(limits, *n_lines)),
            None => {
                self.store.refuse(&key);
                None
            }
        }
    }

    /// Asks to be the only one that searches for the answer to a question, once the rules
    /// were asked for their fingerprint.
    pub(crate) fn claim(&self, query: &ResolvedQuery, hold: Duration) -> StoreClaim {
        let Some(Some(scopes)) = query.game.store_scopes.get() else {
            return Box::pin(std::future::ready(Claim::Granted(SearchLease::default())));
        };
        let StoreKey { scope, digest } = store_key(scopes, query.variant, &query.root);
        let SearchKey { limits, n_lines, .. } = &query.search_key;
        self.store.claim(&StoreKey { scope, digest: digest.searched(limits, *n_lines) }, hold)
    }

    /// Offers what a search found, if it is worth keeping. The rules were asked for their
    /// fingerprint before the search began; without it nothing is stored.
    pub(crate) fn offer(&self, game: &ServedGame, root: &SearchRoot, key: &SearchKey, snapshot: &Snapshot) {
        let Some(Some(scopes)) = game.store_scopes.get() else { return };
        let variant = key.key.variant;
        let position = match root.is_off_turn {
            true => String::new(),
            // A fault is recorded, and the answer stored without the text.
            false => game.ruleset.format(variant, &root.canonical).unwrap_or_default(),
        };
        self.store.offer(&store_key(scopes, variant, root), &StoredAnswer::of(snapshot, position));
    }

    /// What the store knows of a position and of those after its moves.
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

    /// Counts a game. Without a fingerprint of the rules nothing is stored.
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

    /// What identifies the rules of each variant.
    async fn scopes<'a>(&self, game: &'a Arc<ServedGame>, caller: &Caller) -> Option<&'a Vec<Arc<StoreScope>>> {
        let find = async || {
            let scopes = fingerprint::scopes;
            match self.rules_calls.run(game, RulesCall::Fingerprint, caller, 0, AboutRules, scopes).await {
                Ok(scopes) => Ok(Some(scopes)),
                // It may say later.
                Err(EngineError::Overloaded { .. } | EngineError::RulesetUnavailable { .. }) => Err(()),
                Err(_) => Ok(None),
            }
        };
        game.store_scopes.get_or_try_init(find).await.ok()?.as_ref()
    }
}

/// Whether answers to such questions are stored at all. Weaker play is quickly searched,
/// and nobody needs to know it tomorrow.
pub(crate) fn is_storable(key: &SearchKey) -> bool {
    key.key.level == level::FULL
}

fn store_key(scopes: &[Arc<StoreScope>], variant: usize, root: &SearchRoot) -> StoreKey {
    let digest = root.considered.as_ref().map_or(root.key, |moves| root.key.considering(moves));
    StoreKey { scope: scopes[variant].clone(), digest }
}

/// A stored answer, and the question that it may answer.
struct StoredInput {
    query: Arc<ResolvedQuery>,
    answer: StoredAnswer,
}

impl AboutPosition for StoredInput {
    fn position(&self) -> String {
        self.query.root.text.clone()
    }
}

/// The stored answer, or `None` if it breaks the rules.
fn checked(context: &CallContext<'_>, input: &StoredInput) -> Result<Option<Snapshot>, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let root = &input.query.root;
    let rules = &game.ruleset;
    let n_seats = rules.variants()[variant].seats.len();
    let answer = &input.answer;
    let mut evaluations = answer.lines.iter().map(|line| &line.evaluation).chain([&answer.evaluation]);
    if answer.lines.is_empty() || evaluations.any(|it| it.scores.as_slice().len() != n_seats) {
        return Ok(None);
    }
    let is_considered = |mv: &String| match &root.considered {
        Some(considered) => considered.binary_search(mv).is_ok(),
        None => true,
    };
    for line in &answer.lines {
        let firsts = line.moves.first().into_iter().chain(&line.equivalents);
        if line.moves.is_empty() || !firsts.clone().all(is_considered) {
            return Ok(None);
        }
        let played = rules.play_moves(variant, &root.canonical, &line.moves).map_err(|failed| failed.error);
        let equivalents = rules.successors(variant, &root.canonical, &line.equivalents).map(drop);
        match played.map(drop).and(equivalents) {
            Ok(()) => {}
            Err(error @ (CallError::Fault(_) | CallError::Unavailable { .. })) => {
                return Err(EngineError::from_call(&game.id, error));
            }
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(answer.clone().into_snapshot()))
}
