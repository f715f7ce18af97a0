//! How the engine uses a store of answers.
//!
//! Only answers that the cache lacks and no search is under way for are looked up. The call of the rules
//! that renders a stored answer first checks it against the rules: a damaged or forged store costs a search
//! and never gives an illegal move.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pentad_host::CallError;
use pentad_model::{Evaluation, Line, Report};
use tokio::time::timeout_at;

use crate::calls::explore::Successors;
use crate::error::EngineError;
use crate::keyed_hash::{Fingerprint, fingerprint};
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

/// How many verified answers are remembered. A power of two.
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
        let answer = self.get(&key, query.due).await?;
        let input = render_input(query, answer)?;
        let (snapshot, checked) = (input.snapshot.clone(), self.checked.clone());
        let body = move |context: &CallContext<'_>, input: &RenderInput| checked.render(context, input, &render);
        let (calls, call) = (&self.rules_calls, RulesCall::PresentStored);
        match calls.run(&query.game, call, &caller, query.variant, input, body).await.ok()? {
            Some(rendered) => Some((snapshot, rendered)),
            None => {
                self.store.refuse(&key);
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
        let answer = match context.read_store(|| self.store.get_here(&key)) {
            LocalLookup::Found(answer) => answer,
            LocalLookup::Nothing => return Ok(InStore::Nothing),
            LocalLookup::Elsewhere => return Ok(InStore::NotAsked),
        };
        let Some(input) = render_input(query, *answer) else { return Ok(InStore::Nothing) };
        match self.checked.render(context, &input, &render)? {
            Some(rendered) => Ok(InStore::Found(input.snapshot, rendered)),
            None => {
                self.store.refuse(&key);
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
        let position = match root.is_off_turn {
            true => String::new(),
            // A fault is recorded, and the answer stored without the text.
            false => game.ruleset.format(*variant, &root.canonical).unwrap_or_default(),
        };
        self.store.offer(&store_key(scopes, *variant, root), &StoredAnswer::of(snapshot, position));
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
    let digest = root.considered.as_ref().map_or(root.key, |moves| root.key.considering(moves));
    StoreKey { scope: scopes[variant].clone(), digest }
}

/// Returns what to check and render of a stored answer, if it suffices for the question.
fn render_input(query: &ResolvedQuery, answer: StoredAnswer) -> Option<RenderInput> {
    let snapshot = Arc::new(answer.into_snapshot());
    let suffices = snapshot.satisfies(&query.effort);
    suffices.then(|| RenderInput { root: query.root.clone(), question: query.question.clone(), snapshot })
}

/// Fingerprints of verified answers. Where two share a place, the later one stays.
struct CheckedAnswers(Box<[Mutex<Fingerprint>]>);

impl Default for CheckedAnswers {
    fn default() -> Self {
        CheckedAnswers((0..CHECKED_LEN).map(|_| Mutex::default()).collect())
    }
}

impl CheckedAnswers {
    /// Checks a stored answer, unless that was done before, and renders it; `None` if it breaks the rules.
    fn render<T>(
        &self,
        context: &CallContext<'_>,
        input: &RenderInput,
        render: &impl CallBody<RenderInput, T>,
    ) -> Result<Option<T>, EngineError> {
        let RenderInput { root, snapshot, .. } = input;
        let fingerprint = checked_facts(context, root, snapshot);
        if !self.contains(fingerprint) {
            if !is_true_to_the_rules(context, root, snapshot)? {
                return Ok(None);
            }
            self.insert(fingerprint);
        }
        render(context, input).map(Some)
    }

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

/// Returns a fingerprint of everything that [`is_true_to_the_rules`] checks.
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

/// Whether all moves of an answer are legal and considered, and its scores are those of the variant's seats.
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
