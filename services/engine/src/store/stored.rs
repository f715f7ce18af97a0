//! How the engine uses a store of answers.
//!
//! Only what its own cache does not have, and nobody is searching for, is looked up. What
//! is found is checked against the rules, in the call that makes the answer of it: a
//! damaged store, or one that somebody else writes to, costs a search and never gives an
//! illegal move.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pentad_host::CallError;
use pentad_model::{Evaluation, Line, Report};
use tokio::time::timeout_at;

use crate::calls::explore::Successors;
use crate::error::EngineError;
use crate::keyed_hash::{Fingerprint, fingerprint};
use crate::present::Presented;
use crate::present::level;
use crate::question::Caller;
use crate::resolve::SearchRoot;
use crate::resolve::position_key::PositionKey;
use crate::resolve::query::ResolvedQuery;
use crate::rules::calls::{RulesCall, RulesCalls};
use crate::rules::job::{AboutPosition, CallBody, CallContext};
use crate::search::cache::Snapshot;
use crate::search::job::SearchKey;
use crate::served_game::ServedGame;
use crate::store::answer_store::{
    AnswerStore, Claim, LocalLookup, SearchLease, StoreClaim, StoreKey, StoreScope, StoredAnswer,
};
use crate::store::fingerprint::{self, AboutRules};
use crate::store::game_store::{Explored, Recorded, RecordedGame};
use crate::store::recorded::ReplayedGame;

/// What a store has for a question.
pub(crate) enum InStore<T> {
    /// An answer, and what was made of it.
    Found(Arc<Snapshot>, T),
    Nothing,
    /// It was not asked.
    NotAsked,
}

/// Answers of which is remembered that they were checked. A power of two.
const CHECKED_LEN: usize = 1 << 14;

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

    /// The stored answer to a question, if there is one that suffices and is true to the
    /// rules, and what `body` makes of it in the call that checks it.
    pub(crate) async fn find<T: Send + 'static>(
        &self,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
        body: CallBody<Presented, T>,
    ) -> Option<(Arc<Snapshot>, T)> {
        // Its own limits are the query's; the call's deadline is the engine's business.
        let caller = Caller { deadline: None, ..caller.clone() };
        let scopes = self.scopes(&query.game, &caller).await?;
        let key = store_key(scopes, query.variant, &query.root);
        let answer = self.get(&key, query.due).await?;
        let stored = self.input(query, answer, body)?;
        let snapshot = stored.input.snapshot.clone();
        let (calls, variant) = (&self.rules_calls, query.variant);
        let made = calls.run(&query.game, RulesCall::PresentStored, &caller, variant, stored, check_and_present);
        match made.await.ok()? {
            Some(made) => Some((snapshot, made)),
            None => {
                self.store.refuse(&key);
                None
            }
        }
    }

    /// As [`find`](Self::find), within a call of the rules, if the store lets its thread read.
    pub(crate) fn find_here<T>(
        &self,
        context: &CallContext<'_>,
        query: &ResolvedQuery,
        body: CallBody<Presented, T>,
    ) -> Result<InStore<T>, EngineError> {
        let Some(Some(scopes)) = query.game.store_scopes.get() else { return Ok(InStore::NotAsked) };
        let key = store_key(scopes, query.variant, &query.root);
        let answer = match context.read_store(|| self.store.get_here(&key)) {
            LocalLookup::Found(answer) => answer,
            LocalLookup::Nothing => return Ok(InStore::Nothing),
            LocalLookup::Elsewhere => return Ok(InStore::NotAsked),
        };
        let Some(stored) = self.input(query, *answer, body) else { return Ok(InStore::Nothing) };
        match check_and_present(context, &stored)? {
            Some(made) => Ok(InStore::Found(stored.input.snapshot, made)),
            None => {
                self.store.refuse(&key);
                Ok(InStore::Nothing)
            }
        }
    }

    /// What is to be checked and presented of a stored answer, if it suffices.
    fn input<T>(
        &self,
        query: &ResolvedQuery,
        answer: StoredAnswer,
        body: CallBody<Presented, T>,
    ) -> Option<StoredInput<T>> {
        let SearchKey { limits, n_lines, .. } = &query.search_key;
        let snapshot = Arc::new(answer.into_snapshot());
        let (root, question, checked) = (query.root.clone(), query.question.clone(), self.checked.clone());
        let suffices = snapshot.satisfies(limits, *n_lines);
        suffices.then(|| StoredInput { input: Presented { root, question, snapshot }, body, checked })
    }

    /// The answer under a key, if it is there in time.
    async fn get(&self, key: &StoreKey, due: Instant) -> Option<StoredAnswer> {
        let lookup = self.store.get(key);
        // A timer costs more than most lookups.
        let may_be_late = due.saturating_duration_since(Instant::now()) < self.store.get_time_max();
        if may_be_late { timeout_at(due.into(), lookup).await.ok()? } else { lookup.await }
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

/// A stored answer, and what is to be made of it.
struct StoredInput<T> {
    input: Presented,
    body: CallBody<Presented, T>,
    checked: Arc<CheckedAnswers>,
}

impl<T> AboutPosition for StoredInput<T> {
    fn position(&self) -> String {
        self.input.position()
    }
}

/// What is made of a stored answer, or `None` if that breaks the rules.
fn check_and_present<T>(context: &CallContext<'_>, stored: &StoredInput<T>) -> Result<Option<T>, EngineError> {
    let Presented { root, snapshot, .. } = &stored.input;
    let fingerprint = checked_facts(context, root, snapshot);
    if !stored.checked.contains(fingerprint) {
        if !is_true_to_the_rules(context, root, snapshot)? {
            return Ok(None);
        }
        stored.checked.insert(fingerprint);
    }
    (stored.body)(context, &stored.input).map(Some)
}

/// Which answers were checked, as far as there is room: a later one takes the place of an
/// earlier one.
struct CheckedAnswers(Box<[Mutex<Fingerprint>]>);

impl Default for CheckedAnswers {
    fn default() -> Self {
        CheckedAnswers((0..CHECKED_LEN).map(|_| Mutex::default()).collect())
    }
}

impl CheckedAnswers {
    fn contains(&self, fingerprint: Fingerprint) -> bool {
        *self.place(fingerprint) == fingerprint
    }

    fn insert(&self, fingerprint: Fingerprint) {
        *self.place(fingerprint) = fingerprint;
    }

    fn place(&self, [low, _]: Fingerprint) -> MutexGuard<'_, Fingerprint> {
        let place = &self.0[low as usize % CHECKED_LEN];
        place.lock().expect("nothing panics while it is locked")
    }
}

/// Everything that [`is_true_to_the_rules`] looks at.
fn checked_facts<'a>(context: &CallContext<'_>, root: &SearchRoot, snapshot: &'a Snapshot) -> Fingerprint {
    let Report { lines, evaluation, .. } = &snapshot.report;
    let n_seats = |evaluation: &Evaluation| evaluation.scores.as_slice().len();
    let line = |line: &'a Line<String>| {
        let equivalents = line.moves.first().into_iter().flat_map(|first| snapshot.root.equivalents(first));
        (&line.moves, equivalents.collect::<Vec<_>>(), n_seats(&line.evaluation))
    };
    let lines: Vec<_> = lines.iter().map(line).collect();
    let about = (context.game.revision, context.variant, root.canonical.as_bytes(), &root.considered);
    fingerprint(&(about, n_seats(evaluation), lines))
}

fn is_true_to_the_rules(
    context: &CallContext<'_>,
    root: &SearchRoot,
    snapshot: &Snapshot,
) -> Result<bool, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let n_seats = rules.variants()[variant].seats.len();
    let report = &snapshot.report;
    let mut evaluations = report.lines.iter().map(|line| &line.evaluation).chain([&report.evaluation]);
    if report.lines.is_empty() || evaluations.any(|it| it.scores.as_slice().len() != n_seats) {
        return Ok(false);
    }
    let is_considered = |mv: &String| match &root.considered {
        Some(considered) => considered.binary_search(mv).is_ok(),
        None => true,
    };
    for line in &report.lines {
        let Some(first) = line.moves.first() else { return Ok(false) };
        let equivalents: Vec<String> = snapshot.root.equivalents(first).cloned().collect();
        if !is_considered(first) || !equivalents.iter().all(is_considered) {
            return Ok(false);
        }
        let played = rules.play_moves(variant, &root.canonical, &line.moves).map_err(|failed| failed.error);
        let equivalents = rules.successors(variant, &root.canonical, &equivalents).map(drop);
        match played.map(drop).and(equivalents) {
            Ok(()) => {}
            Err(error @ (CallError::Fault(_) | CallError::Unavailable { .. })) => {
                return Err(EngineError::from_call(&game.id, error));
            }
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
}
