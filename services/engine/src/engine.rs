//! The facade: one method per call.
//!
//! [`Engine::hint`] shows the stages of a question: it is resolved to a position, looked up or searched,
//! waited for, and presented.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use pentad_host::{Position, Ruleset};
use pentad_model::FaultKind;

use crate::answer::{Description, Hints, MovePage, PositionValue, StopReason, Threats, VariantRef};
use crate::calls::analysis::Analysis;
use crate::calls::compare::{self, CompareQuestion, Comparison};
use crate::calls::explore::{self, Evidence, Exploration, ExploreQuestion};
use crate::calls::judge::{self, ReadGame};
use crate::calls::puzzles::{self, PuzzleQuestion, Puzzles, Solution, SolveQuestion};
use crate::calls::review::{self, ChoiceList, Choices, GameRecord, Review, ReviewQuestion};
use crate::config::{EngineConfig, SharedConfig};
use crate::error::EngineError;
use crate::observer::Observer;
use crate::present::i18n;
use crate::present::level;
use crate::present::move_words::MoveWords;
use crate::present::rendered_cache::RenderedAnswer;
use crate::present::{self, RenderInput};
use crate::question::{
    Caller, Class, HintQuestion, MovesQuestion, PositionSpec, QuestionLimits, ThreatsQuestion, bounded_limits,
};
use crate::resolve::SearchRoot;
use crate::resolve::query::ResolvedQuery;
use crate::rules::calls::{RulesCall, RulesCalls};
use crate::rules::describe;
use crate::rules::job::{CallBody, CallContext};
use crate::rules::legal_moves::{self, PageOrLongList};
use crate::rules::say_moves::{self, SpokenMoves};
use crate::rules::threats::{self, Searched, ThreatsOrLongList};
use crate::search::sources::{AnswerSource, AnswerSources, Found, Lookup, render_nothing};
use crate::search::subscription::{SearchUpdate, Subscription};
use crate::served_game::ServedGame;
use crate::stats::{PoolStats, QueueStats, Stats};
use crate::store::answer_store::AnswerStore;
use crate::store::game_store::{Explored, Recorded};
use crate::store::recorded::{self, GameToRecord};
use crate::store::stored::{InStore, StoredAnswers};

/// Answers questions about the games of its rule sets.
///
/// All work is bounded by its [`EngineConfig`]. Futures and streams may be dropped at any time: their work
/// stops within milliseconds, unless another caller waits for the same answer.
pub struct Engine {
    config: SharedConfig,
    /// Sorted by id. A question keeps the game that it began with.
    games: ArcSwap<Vec<Arc<ServedGame>>>,
    /// Whether more games may come: an unknown one is then unavailable.
    is_loading: AtomicBool,
    observer: Arc<dyn Observer>,
    rules_calls: Arc<RulesCalls>,
    sources: Arc<AnswerSources>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("games", &self.games.load().len()).field("stats", &self.stats()).finish()
    }
}

impl Engine {
    /// Starts the workers.
    pub fn new(config: EngineConfig, rulesets: Vec<Arc<Ruleset>>, observer: Arc<dyn Observer>) -> Arc<Engine> {
        Engine::with_store(config, rulesets, observer, None)
    }

    /// Like [`new`](Self::new), with a store of answers that outlive the engine.
    pub fn with_store(
        config: EngineConfig,
        rulesets: Vec<Arc<Ruleset>>,
        observer: Arc<dyn Observer>,
        store: Option<Arc<dyn AnswerStore>>,
    ) -> Arc<Engine> {
        let config = SharedConfig::new(config);
        let rules_calls = Arc::new(RulesCalls::new(config.clone(), observer.clone()));
        let store = store.map(|store| Arc::new(StoredAnswers::new(store, rules_calls.clone())));
        let sources = Arc::new(AnswerSources::new(config.clone(), observer.clone(), store));
        let (games, is_loading) = (ArcSwap::default(), AtomicBool::new(false));
        let engine = Engine { config, games, is_loading, observer, rules_calls, sources };
        engine.set_rulesets(rulesets);
        Arc::new(engine)
    }

    /// Serves these rule sets from now on. Running questions are answered by the rule sets they began with. A
    /// rule set that is served already keeps its state.
    pub fn set_rulesets(&self, rulesets: Vec<Arc<Ruleset>>) {
        let present = self.games.load();
        let served = rulesets.into_iter().map(|ruleset| {
            let same = present.iter().find(|game| Arc::ptr_eq(&game.ruleset, &ruleset));
            same.cloned().unwrap_or_else(|| Arc::new(ServedGame::new(ruleset)))
        });
        let mut games: Vec<_> = served.collect();
        games.sort_by(|a, b| a.id.cmp(&b.id));
        let games = Arc::new(games);
        self.games.store(Arc::clone(&games));
        self.sources.set_served(&games);
    }

    /// Sets whether rule sets are still being loaded. Meanwhile questions about a game that is not there are
    /// refused as unavailable, so that callers ask again, and not as about an unknown game.
    pub fn set_loading(&self, is_loading: bool) {
        self.is_loading.store(is_loading, Ordering::Release);
    }

    /// Returns the bounds.
    pub fn config(&self) -> Arc<EngineConfig> {
        self.config.load()
    }

    /// Changes the bounds for later questions. The numbers of workers, the bounds of the queue and all sizes
    /// of memory stay as they are.
    pub fn set_config(&self, config: EngineConfig) {
        self.config.store(config);
    }

    /// Returns the rule sets, sorted by id.
    pub fn rulesets(&self) -> Vec<Arc<Ruleset>> {
        self.games.load().iter().map(|game| game.ruleset.clone()).collect()
    }

    /// Returns the rule set of a game.
    pub fn ruleset(&self, game: &str) -> Result<Arc<Ruleset>, EngineError> {
        self.game(game).map(|game| game.ruleset.clone())
    }

    /// Returns whether an error is the loss of a worker process, which is restarted, so that the same question
    /// may be answered later.
    pub fn has_lost_worker(&self, error: &EngineError) -> bool {
        match error {
            EngineError::RulesetUnavailable { game, .. } => self.ruleset(game).is_ok_and(|it| it.is_isolated()),
            EngineError::RulesetFault { game, fault } => {
                matches!(fault.kind, FaultKind::Crash | FaultKind::Hang)
                    && self.ruleset(game).is_ok_and(|it| it.is_isolated())
            }
            _ => false,
        }
    }

    /// Whether questions about a game are answered at present.
    pub fn is_up(&self, game: &str) -> bool {
        self.game(game).is_ok_and(|game| game.is_up())
    }

    /// Returns how busy the engine is.
    pub fn stats(&self) -> Stats {
        let (searches, rules) = (self.sources.pools(), self.rules_calls.pools());
        let queue = |class| {
            let queues = searches.map(|pool| pool.queue(class)).into_iter().chain(rules.map(|pool| pool.queue(class)));
            QueueStats::sum(class, queues)
        };
        let queues = [queue(Class::Interactive), queue(Class::Bulk)];
        let ([short, long, bulk], [rules, lists]) = (searches.map(PoolStats::of), rules.map(PoolStats::of));
        let workers_busy = short.busy + long.busy + bulk.busy;
        let pools = [short, long, bulk, rules, lists];
        let (cache_entries, cache_bytes) = self.sources.cache_size();
        let search_memory_bytes = self.sources.memory_bytes();
        Stats { queues, pools, workers_busy, cache_entries, cache_bytes, search_memory_bytes }
    }

    /// Returns the number of running searches of a game, including those that were given up and have not
    /// returned.
    pub fn n_searches(&self, game: &str) -> usize {
        self.game(game).map_or(0, |game| game.n_searches())
    }

    /// Returns how long the answer to a question with these limits may take: up to the time limit, or the
    /// engine's bound on it, but not beyond the caller's deadline.
    pub fn granted_time(&self, limits: QuestionLimits, caller: &Caller) -> Duration {
        let config = self.config.load();
        let limit = bounded_limits(limits, &config).time.unwrap_or(config.time_max);
        let deadline = caller.deadline.map(|deadline| deadline.saturating_duration_since(caller.arrived));
        deadline.map_or(limit, |deadline| deadline.min(limit))
    }

    /// Stops all searches for good. Their callers get what is known by then, or any legal move.
    pub fn stop_searches(&self) {
        self.sources.stop_all();
    }

    /// Describes a position.
    pub async fn describe(&self, spec: &PositionSpec, caller: Caller) -> Result<Description, EngineError> {
        let (game, variant) = self.game_variant(spec)?;
        let call = self.rules_calls.run(&game, RulesCall::Describe, &caller, variant, spec.clone(), describe::describe);
        let mut description = call.await?;
        if let Some(outcome) = &mut description.outcome {
            i18n::localise_outcome(caller.language, &description.variant, outcome);
        }
        Ok(description)
    }

    /// Lists a page of the legal moves.
    pub async fn legal_moves(&self, question: &MovesQuestion, caller: Caller) -> Result<MovePage, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        let calls = &self.rules_calls;
        match calls.run(&game, RulesCall::LegalMoves, &caller, variant, question.clone(), legal_moves::page).await? {
            PageOrLongList::Page(page) => Ok(page),
            PageOrLongList::Long(list) => {
                calls.run(&game, RulesCall::LongList, &caller, variant, list, legal_moves::long_page).await
            }
        }
    }

    /// Lists the wins that each seat would have if it were its turn, and what stops them. For more than one
    /// ply, each seat without a win in one is given the turn and the position searched, all at the same time.
    pub async fn threats(&self, question: &ThreatsQuestion, caller: Caller) -> Result<Threats, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        let config = self.config.load();
        question.check(&config)?;
        let calls = &self.rules_calls;
        let listed = calls.run(&game, RulesCall::Threats, &caller, variant, question.clone(), threats::list).await?;
        let mut listed = match listed {
            ThreatsOrLongList::Complete(listed) => *listed,
            ThreatsOrLongList::Long(list) => {
                calls.run(&game, RulesCall::LongThreats, &caller, variant, *list, threats::long_list).await?
            }
        };
        let search = Arc::new(question.search_question(&config));
        let mut started = Vec::new();
        for root in std::mem::take(&mut listed.roots).into_iter().filter(|root| root.outcome.is_none()) {
            let query = Arc::new(ResolvedQuery::new(&config, game.clone(), variant, root, search.clone(), &caller));
            started.push((query.root.clone(), self.subscribe(&query, &caller).await?));
        }
        let mut found = Vec::with_capacity(started.len());
        for (root, subscription) in started {
            found.push((root, subscription.last().await?.snapshot));
        }
        let variant_ref = VariantRef::new(game.ruleset.clone(), variant);
        if found.is_empty() {
            return Ok(listed.answer(Vec::new(), variant_ref));
        }
        let searched = Searched { found, depth: question.depth };
        // The wins are known: late, they are worth more than nothing.
        let caller = Caller { deadline: None, ..caller };
        let forced = calls.run(&game, RulesCall::PresentThreats, &caller, variant, searched, threats::forced).await?;
        Ok(listed.answer(forced, variant_ref))
    }

    /// Evaluates a position.
    pub async fn evaluate(
        &self,
        spec: &PositionSpec,
        limits: QuestionLimits,
        caller: Caller,
    ) -> Result<PositionValue, EngineError> {
        let question = HintQuestion { limits, ..HintQuestion::new(spec.clone()) };
        let (value, stop) = self.evaluate_question(&question, &caller).await?;
        if stop.is_none() {
            self.observer.evaluation_given(&spec.game, &value.evaluation);
        }
        Ok(value)
    }

    /// Evaluates the position of a question. The stop reason is `None` if the game is over.
    pub(crate) async fn evaluate_question(
        &self,
        question: &HintQuestion,
        caller: &Caller,
    ) -> Result<(PositionValue, Option<StopReason>), EngineError> {
        let render = present::evaluation;
        let (query, in_store) = self.resolve_or_find(question, caller, render).await?;
        let (evaluation, stop) = match query.terminal_evaluation() {
            Some(evaluation) => (evaluation, None),
            None => {
                let (found, evaluation) =
                    self.answer(&query, in_store, caller, RulesCall::PresentEvaluation, render).await?;
                self.observer.evaluation_given(&query.game.id, &evaluation);
                (evaluation, found.snapshot.stop)
            }
        };
        let SearchRoot { text, key, to_move, .. } = &*query.root;
        let position = text.clone();
        let value = PositionValue { evaluation, position, key: *key, to_move: *to_move, variant: query.variant_ref() };
        Ok((value, stop))
    }

    /// Finds the best moves of a position.
    pub async fn hint(&self, question: &HintQuestion, caller: Caller) -> Result<Hints, EngineError> {
        let (game, _) = self.game_variant(&question.spec)?;
        question.check(&self.config.load())?;
        if let Some(hints) = self.sources.find_rendered(&game, question, &caller) {
            self.observer.evaluation_given(&game.id, &hints.evaluation);
            return Ok(Hints { cached: true, elapsed: caller.arrived.elapsed(), ..hints });
        }
        let (query, in_store) = self.resolve_or_find(question, &caller, present::hints).await?;
        let query = unfinished(query)?;
        let (found, hints) = self.answer(&query, in_store, &caller, RulesCall::PresentHints, present::hints).await?;
        let hints = self.finish_hints(&query, hints, &found, &caller);
        if found.source == AnswerSource::Memory && !question.is_random() {
            let answer = RenderedAnswer { hints: hints.clone(), key: query.key.clone(), snapshot: found.snapshot };
            query.game.rendered.put(question, caller.language, answer);
        }
        Ok(hints)
    }

    /// Finds the best moves of a position, and streams them as they improve.
    pub async fn analyze(self: &Arc<Self>, question: &HintQuestion, caller: Caller) -> Result<Analysis, EngineError> {
        let query = unfinished(self.resolve(question, &caller).await?)?;
        let subscription = self.subscribe(&query, &caller).await?;
        Ok(Analysis::new(self.clone(), query, caller, subscription))
    }

    /// Compares moves of a position.
    pub async fn compare(
        self: &Arc<Self>,
        question: &CompareQuestion,
        caller: Caller,
    ) -> Result<Comparison, EngineError> {
        compare::compare(self, question, &caller).await
    }

    /// Reviews a whole game, move by move.
    pub async fn review(self: &Arc<Self>, question: &ReviewQuestion, caller: Caller) -> Result<Review, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        question.check()?;
        let spec = question.spec.clone();
        let record = self.rules_calls.run(&game, RulesCall::ReadGame, &caller, variant, spec, GameRecord::read).await?;
        question.check_turns(record.moves.len())?;
        let variant = VariantRef::new(game.ruleset.clone(), variant);
        Ok(Review::new(self.clone(), question.clone(), caller, variant, record))
    }

    /// Reads a game whose moves may be illegal attempts.
    pub(crate) async fn read_attempts(
        &self,
        spec: &PositionSpec,
        caller: &Caller,
    ) -> Result<(VariantRef, ReadGame), EngineError> {
        let (game, variant) = self.game_variant(spec)?;
        let read = self.rules_calls.run(&game, RulesCall::ReadGame, caller, variant, spec.clone(), judge::read).await?;
        Ok((VariantRef::new(game.ruleset.clone(), variant), read))
    }

    /// Finds positions that one move wins.
    pub async fn puzzles(self: &Arc<Self>, question: &PuzzleQuestion, caller: Caller) -> Result<Puzzles, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        let plies = question.check(&game.ruleset.variants()[variant])?;
        // Its errors name the wrong move.
        let spec = question.spec.clone();
        let record = self.rules_calls.run(&game, RulesCall::ReadGame, &caller, variant, spec, GameRecord::read).await?;
        if record.moves.is_empty()
            && let Some(outcome) = record.outcome
        {
            return Err(EngineError::GameOver { move_idx: None, text: outcome.text });
        }
        let variant = VariantRef::new(game.ruleset.clone(), variant);
        Ok(Puzzles::new(self.clone(), question.clone(), plies, caller, variant))
    }

    /// Returns what is known about each move of a position.
    pub async fn explore(&self, question: &ExploreQuestion, caller: Caller) -> Result<Exploration, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        let calls = &self.rules_calls;
        let input = question.clone();
        let listed = calls.run(&game, RulesCall::ListSuccessors, &caller, variant, input, explore::list).await?;
        let successors = match listed {
            explore::SuccessorsOrLongList::Complete(successors) => *successors,
            explore::SuccessorsOrLongList::Long(list) => {
                let body = explore::long_list;
                calls.run(&game, RulesCall::ListManySuccessors, &caller, variant, *list, body).await?
            }
        };
        let explored = match self.sources.stored() {
            Some(stored) => stored.explore(&game, variant, &successors, &caller).await,
            None => Explored::default(),
        };
        let cached = |canonical: &Position| self.sources.cached(&game, variant, canonical);
        let evidence = Evidence {
            cached: cached(&successors.root.canonical),
            cached_after: successors.looked_up().map(|(canonical, _)| cached(canonical)).collect(),
            successors: Arc::new(successors),
            explored,
            stored: self.sources.stored().cloned(),
        };
        let is_many = evidence.successors.moves.len() > explore::SHORT_LEN_MAX;
        let call = if is_many { RulesCall::PresentManySuccessors } else { RulesCall::PresentSuccessors };
        calls.run(&game, call, &caller, variant, evidence, explore::page).await
    }

    /// Records a played game for the explorer; a game counts once. Fails if there is no store.
    pub async fn record(&self, record: &GameToRecord, caller: Caller) -> Result<Recorded, EngineError> {
        let (game, variant) = self.game_variant(&record.spec)?;
        let Some(stored) = self.sources.stored() else { return Ok(Recorded::Failed) };
        let input = record.clone();
        let replay = self.rules_calls.run(&game, RulesCall::ReplayGame, &caller, variant, input, recorded::replay);
        Ok(stored.record(&game, variant, (record.id.clone(), replay.await?), &caller).await)
    }

    /// Returns the only forced win of a position within some plies, if there is exactly one.
    pub(crate) async fn solve(
        &self,
        question: &SolveQuestion,
        caller: &Caller,
    ) -> Result<Option<Solution>, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        self.rules_calls.run(&game, RulesCall::Solve, caller, variant, question.clone(), puzzles::solve).await
    }

    /// Returns the canonical position of a question, equal for symmetric positions.
    pub(crate) async fn canonical_position(
        &self,
        question: &HintQuestion,
        caller: &Caller,
    ) -> Result<Position, EngineError> {
        Ok(self.resolve(question, caller).await?.root.canonical.clone())
    }

    /// Checks the moves of a comparison and returns them in canonical notation.
    pub(crate) async fn canonical_moves(
        &self,
        question: &CompareQuestion,
        caller: &Caller,
    ) -> Result<Vec<String>, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        let body = compare::canonical_moves;
        self.rules_calls.run(&game, RulesCall::Resolve, caller, variant, question.clone(), body).await
    }

    /// Returns words for moves that are legal in a position, or in one that is reached from it.
    pub(crate) async fn move_words(
        &self,
        spec: &PositionSpec,
        moves: Vec<String>,
        caller: &Caller,
    ) -> Result<MoveWords, EngineError> {
        let (game, variant) = self.game_variant(spec)?;
        if !game.ruleset.info().capabilities.move_text {
            return Ok(MoveWords::default());
        }
        let question = SpokenMoves { spec: spec.clone(), moves };
        self.rules_calls.run(&game, RulesCall::SayMoves, caller, variant, question, say_moves::say).await
    }

    /// Returns the different moves of a position, or a sample of them.
    pub(crate) async fn choices(&self, spec: &PositionSpec, caller: &Caller) -> Result<Choices, EngineError> {
        let (game, variant) = self.game_variant(spec)?;
        let calls = &self.rules_calls;
        match calls.run(&game, RulesCall::ListChoices, caller, variant, spec.clone(), review::choices).await? {
            ChoiceList::Found(choices) => Ok(choices),
            ChoiceList::Long(list) => {
                calls.run(&game, RulesCall::ListManyChoices, caller, variant, list, review::long_choices).await
            }
        }
    }

    /// Reads the position, plays the moves and checks the rest of the question.
    async fn resolve(&self, question: &HintQuestion, caller: &Caller) -> Result<Arc<ResolvedQuery>, EngineError> {
        let (game, variant) = self.game_variant(&question.spec)?;
        let config = self.config.load();
        question.check(&config)?;
        let calls = &self.rules_calls;
        let (question, body) = (Arc::new(seeded(question)), SearchRoot::resolve_question);
        let root = calls.run(&game, RulesCall::Resolve, caller, variant, question.clone(), body).await?;
        Ok(Arc::new(ResolvedQuery::new(&config, game, variant, root, question, caller)))
    }

    /// Resolves a question and, in the same call of the rules, looks it up in a store that has answers at
    /// hand, and renders the answer: handing a question from thread to thread takes longer than all the work
    /// for a known answer. If that read is late, because the disk stalls or the machine is busy, the question is resolved
    /// again, and a reader of the store looks for the answer within the store's own time limit.
    async fn resolve_or_find<T: Send + 'static>(
        &self,
        question: &HintQuestion,
        caller: &Caller,
        render: impl CallBody<RenderInput, T> + Copy,
    ) -> Result<(Arc<ResolvedQuery>, InStore<T>), EngineError> {
        if self.sources.stored().is_none() || caller.skips_cache {
            return Ok((Box::pin(self.resolve(question, caller)).await?, InStore::NotAsked));
        }
        let (game, variant) = self.game_variant(&question.spec)?;
        question.check(&self.config.load())?;
        let (asked_by, asked_game, sources) = (caller.clone(), game.clone(), self.sources.clone());
        let body = move |context: &CallContext<'_>, question: &Arc<HintQuestion>| {
            let root = SearchRoot::resolve(context, question)?;
            let (game, question) = (asked_game.clone(), question.clone());
            let query = ResolvedQuery::new(context.config, game, context.variant, root, question, &asked_by);
            let in_store = sources.find_at_hand(context, &query, render)?;
            Ok(Some((Arc::new(query), in_store)))
        };
        let (calls, call, input) = (&self.rules_calls, RulesCall::Resolve, Arc::new(seeded(question)));
        match calls.run_with_store(&game, call, caller, variant, input, body, Some(|| None)).await? {
            Some(resolved) => Ok(resolved),
            None => Ok((Box::pin(self.resolve(question, caller)).await?, InStore::NotAsked)),
        }
    }

    /// Waits for the answer to a resolved question and renders it.
    async fn answer<T: Send + 'static>(
        &self,
        query: &Arc<ResolvedQuery>,
        in_store: InStore<T>,
        caller: &Caller,
        call: RulesCall,
        render: impl CallBody<RenderInput, T> + Copy,
    ) -> Result<(SearchUpdate, T), EngineError> {
        let is_stored = matches!(in_store, InStore::Found(..));
        let sources = if is_stored { AnswerSource::STORED } else { AnswerSource::RESOLVED };
        // Boxed so that cached answers do not pay for the larger future of a search.
        Box::pin(async {
            match self.sources.find(sources, query, caller, in_store, render).await? {
                Found::Rendered(snapshot, rendered) => {
                    Ok((SearchUpdate { snapshot, source: AnswerSource::Store }, rendered))
                }
                Found::Lookup(lookup) => {
                    let found = self.subscription(query, caller, lookup).last().await?;
                    let rendered = self.render(query, &found, caller, call, render).await?;
                    Ok((found, rendered))
                }
            }
        })
        .await
    }

    /// Finds the answer to a resolved question, or the search for it.
    async fn subscribe(&self, query: &Arc<ResolvedQuery>, caller: &Caller) -> Result<Subscription, EngineError> {
        let sources = AnswerSource::RESOLVED;
        let lookup = match self.sources.find(sources, query, caller, InStore::NotAsked, render_nothing).await? {
            Found::Rendered(snapshot, ()) => Lookup::Known(snapshot, AnswerSource::Store),
            Found::Lookup(lookup) => lookup,
        };
        Ok(self.subscription(query, caller, lookup))
    }

    fn subscription(&self, query: &Arc<ResolvedQuery>, caller: &Caller, lookup: Lookup) -> Subscription {
        Subscription::new(self.sources.clone(), self.rules_calls.clone(), query.clone(), caller.clone(), lookup)
    }

    /// Renders an update of a search as hints.
    pub(crate) async fn render_hints(
        &self,
        query: &ResolvedQuery,
        found: &SearchUpdate,
        caller: &Caller,
    ) -> Result<Hints, EngineError> {
        let hints = self.render(query, found, caller, RulesCall::PresentHints, present::hints).await?;
        Ok(self.finish_hints(query, hints, found, caller))
    }

    /// Sets the parts of an answer that depend on its caller: language, time and source.
    fn finish_hints(&self, query: &ResolvedQuery, mut hints: Hints, found: &SearchUpdate, caller: &Caller) -> Hints {
        let words = std::mem::take(&mut hints.words);
        for hint in &mut hints.hints {
            hint.mv_text = words.alone(caller.language, &hints.variant, &hint.mv);
            words.localise(caller.language, &hints.variant, &mut hint.reasons);
        }
        hints.cached = found.source.is_cached();
        hints.elapsed = caller.arrived.elapsed();
        if hints.stop.is_some() {
            self.observer.evaluation_given(&query.game.id, &hints.evaluation);
        }
        hints
    }

    async fn render<T: Send + 'static>(
        &self,
        query: &ResolvedQuery,
        found: &SearchUpdate,
        caller: &Caller,
        call: RulesCall,
        render: impl CallBody<RenderInput, T>,
    ) -> Result<T, EngineError> {
        let input = RenderInput {
            root: query.root.clone(),
            question: query.question.clone(),
            snapshot: found.snapshot.clone(),
        };
        // A move is known: late, it is worth more than none.
        let caller = Caller { deadline: None, ..caller.clone() };
        self.rules_calls.run(&query.game, call, &caller, query.variant, input, render).await
    }

    fn game(&self, id: &str) -> Result<Arc<ServedGame>, EngineError> {
        // Read first: the last game is there before it is cleared.
        let is_loading = self.is_loading.load(Ordering::Acquire);
        let games = self.games.load();
        match games.binary_search_by(|game| (*game.id).cmp(id)) {
            Ok(idx) => Ok(games[idx].clone()),
            Err(_) if is_loading => {
                let message = "rule sets are still being loaded".to_owned();
                Err(EngineError::RulesetUnavailable { game: id.to_owned(), message })
            }
            Err(_) => {
                let served = games.iter().map(|game| game.id.to_string()).collect();
                Err(EngineError::UnknownGame { game: id.to_owned(), served })
            }
        }
    }

    fn game_variant(&self, spec: &PositionSpec) -> Result<(Arc<ServedGame>, usize), EngineError> {
        let game = self.game(&spec.game)?;
        if !game.is_up() {
            let message = why_down(game.ruleset.last_fault().map(|(_, fault)| fault.kind)).to_owned();
            return Err(EngineError::RulesetUnavailable { game: spec.game.clone(), message });
        }
        if spec.variant.is_empty() {
            return Ok((game, 0));
        }
        let variant = game.ruleset.variant_idx(&spec.variant).ok_or_else(|| EngineError::UnknownVariant {
            game: spec.game.clone(),
            variant: spec.variant.clone(),
            known: game.ruleset.variants().iter().map(|variant| variant.id.clone()).collect(),
        })?;
        Ok((game, variant))
    }
}

/// Says why a rule set is down, by its last fault.
fn why_down(last: Option<FaultKind>) -> &'static str {
    match last {
        Some(FaultKind::Crash) => "its worker process crashed repeatedly",
        Some(FaultKind::Panic | FaultKind::BadText | FaultKind::BadValue | FaultKind::BadStatus) => {
            "it broke the plugin contract repeatedly"
        }
        Some(FaultKind::Hang) | None => "its calls did not return within hang_grace_ms",
    }
}

/// Refuses a finished game, which has no moves.
fn unfinished(query: Arc<ResolvedQuery>) -> Result<Arc<ResolvedQuery>, EngineError> {
    match &query.root.outcome {
        Some(outcome) => Err(EngineError::GameOver { move_idx: None, text: outcome.text.clone() }),
        None => Ok(query),
    }
}

/// Returns the question with one seed for all its answers.
fn seeded(question: &HintQuestion) -> HintQuestion {
    HintQuestion { seed: question.seed.or_else(level::random_seed), ..question.clone() }
}
