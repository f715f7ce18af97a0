//! The engine: takes questions, gives answers.

use std::sync::Arc;
use std::time::Duration;

use pentad_host::Ruleset;

use crate::analysis::Analysis;
use crate::answer::{Description, Hints, MovePage, PositionValue};
use crate::asked::terminal;
use crate::cache::AnswerCache;
use crate::config::EngineConfig;
use crate::describe;
use crate::error::EngineError;
use crate::flight::Flights;
use crate::game::{Call, Game};
use crate::moves;
use crate::observer::Observer;
use crate::pool::Pool;
use crate::question::{Caller, Class, HintQuestion, MovesQuestion, Place, QuestionLimits};
use crate::task::FlightKey;

/// Threads for calls of the rules that are not known to be cheap.
const RULES_WORKERS: usize = 2;
/// Such calls that may wait; they are short, so this is not long.
const RULES_QUEUE_LEN_MAX: usize = 1024;

/// Answers questions about the games of its rule sets.
///
/// Everything it does is bounded by its [`EngineConfig`]. Futures and streams
/// may be dropped at any time: the work behind them stops within milliseconds,
/// unless somebody else waits for the same.
pub struct Engine {
    pub(crate) config: Arc<EngineConfig>,
    games: Vec<Arc<Game>>,
    rulesets: Vec<Arc<Ruleset>>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) rules_pool: Pool,
    pub(crate) short_pool: Pool,
    pub(crate) long_pool: Pool,
    pub(crate) flights: Flights<FlightKey>,
    pub(crate) cache: AnswerCache,
}

/// How busy the engine is.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Interactive and bulk.
    pub queues: [QueueStats; 2],
    /// Searches that can run at once.
    pub workers: usize,
    /// Searches that run.
    pub workers_busy: usize,
    /// Answers remembered.
    pub cache_entries: u64,
}

/// One class of waiting questions.
#[derive(Clone, Debug)]
pub struct QueueStats {
    /// Which.
    pub class: Class,
    /// How many wait.
    pub depth: usize,
    /// How long the first of them has waited.
    pub oldest: Duration,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("games", &self.games.len()).field("stats", &self.stats()).finish()
    }
}

impl Engine {
    /// Starts the workers.
    pub fn new(config: EngineConfig, mut rulesets: Vec<Arc<Ruleset>>, observer: Arc<dyn Observer>) -> Arc<Engine> {
        rulesets.sort_by(|a, b| a.info().id.cmp(&b.info().id));
        let pool = |name, n_workers| Pool::new(name, n_workers, config.queue_len_max, config.hang_grace);
        let engine = Arc::new(Engine {
            games: rulesets.iter().map(|ruleset| Arc::new(Game::new(ruleset.clone()))).collect(),
            rules_pool: Pool::new("rules", RULES_WORKERS, RULES_QUEUE_LEN_MAX, config.hang_grace),
            short_pool: pool("short", config.workers.get()),
            long_pool: pool("long", config.workers.get()),
            flights: Flights::new(),
            cache: AnswerCache::new(config.cache_bytes_max),
            config: Arc::new(config),
            rulesets,
            observer,
        });
        engine.warm_up(&engine.games);
        engine
    }

    /// Its bounds.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The rule sets, by id.
    pub fn rulesets(&self) -> &[Arc<Ruleset>] {
        &self.rulesets
    }

    /// The rule set of a game.
    pub fn ruleset(&self, game: &str) -> Result<&Arc<Ruleset>, EngineError> {
        self.game(game).map(|game| &game.ruleset)
    }

    /// The rule set and variant that a place names.
    pub fn variant(&self, place: &Place) -> Result<(&Arc<Ruleset>, usize), EngineError> {
        let (game, variant) = self.game_variant(place)?;
        Ok((&game.ruleset, variant))
    }

    /// Whether questions about a game are answered at the moment.
    pub fn is_up(&self, game: &str) -> bool {
        self.game(game).is_ok_and(|game| game.is_up())
    }

    /// How busy the engine is.
    pub fn stats(&self) -> Stats {
        let queue = |class| {
            let pools = [&self.short_pool, &self.long_pool, &self.rules_pool];
            let queues = pools.map(|pool| pool.queue(class));
            let depth = queues.iter().map(|queue| queue.0).sum();
            let oldest = queues.iter().map(|queue| queue.1).max().unwrap_or_default();
            QueueStats { class, depth, oldest }
        };
        Stats {
            queues: [queue(Class::Interactive), queue(Class::Bulk)],
            workers: self.short_pool.n_workers() + self.long_pool.n_workers(),
            workers_busy: self.short_pool.n_busy() + self.long_pool.n_busy(),
            cache_entries: self.cache.len(),
        }
    }

    /// Ends everything that runs; what is known is answered.
    pub fn stop_searches(&self) {
        self.flights.stop_all();
    }

    /// What a position is.
    pub async fn describe(&self, place: &Place, caller: Caller) -> Result<Description, EngineError> {
        let (game, variant) = self.game_variant(place)?;
        self.rules_call(game, Call::Describe, &caller, variant, place, describe::describe).await
    }

    /// A page of the legal moves.
    pub async fn legal_moves(&self, question: &MovesQuestion, caller: Caller) -> Result<MovePage, EngineError> {
        let (game, variant) = self.game_variant(&question.place)?;
        self.rules_call(game, Call::Moves, &caller, variant, question, moves::page).await
    }

    /// How good a position is.
    pub async fn evaluate(
        &self,
        place: &Place,
        limits: QuestionLimits,
        caller: Caller,
    ) -> Result<PositionValue, EngineError> {
        let question = HintQuestion { limits, ..HintQuestion::new(place.clone()) };
        let asked = self.resolve(&question, &caller).await?;
        let value = |evaluation| {
            self.observer.evaluation_given(&asked.game.id, &evaluation);
            let situation = &asked.situation;
            PositionValue { evaluation, position: situation.text.clone(), to_move: situation.asked.to_move }
        };
        if let Some(outcome) = &asked.situation.over {
            let n_sides = asked.game.ruleset.variants()[asked.variant].n_sides;
            return Ok(value(terminal(&outcome.scores, asked.situation.asked.to_move, n_sides)));
        }
        let (snapshot, _cached) = self.find(&asked, &caller).await?;
        let hints = self.assemble(&asked, &snapshot, &caller).await?;
        Ok(value(hints.evaluation))
    }

    /// The best moves of a position.
    pub async fn hint(&self, question: &HintQuestion, caller: Caller) -> Result<Hints, EngineError> {
        let asked = self.resolve(question, &caller).await?;
        asked.refuse_finished()?;
        let (snapshot, cached) = self.find(&asked, &caller).await?;
        let mut hints = self.assemble(&asked, &snapshot, &caller).await?;
        hints.cached = cached;
        hints.elapsed = caller.arrived.elapsed();
        self.observer.evaluation_given(&asked.game.id, &hints.evaluation);
        Ok(hints)
    }

    /// The best moves of a position, as they are found.
    pub async fn analyze(self: &Arc<Self>, question: &HintQuestion, caller: Caller) -> Result<Analysis, EngineError> {
        let asked = self.resolve(question, &caller).await?;
        asked.refuse_finished()?;
        Analysis::start(self.clone(), asked, caller)
    }

    fn game(&self, id: &str) -> Result<&Arc<Game>, EngineError> {
        let found = self.games.binary_search_by(|game| (*game.id).cmp(id));
        found.map(|idx| &self.games[idx]).map_err(|_| EngineError::UnknownGame {
            game: id.to_owned(),
            served: self.games.iter().map(|game| game.id.to_string()).collect(),
        })
    }

    pub(crate) fn game_variant(&self, place: &Place) -> Result<(&Arc<Game>, usize), EngineError> {
        let game = self.game(&place.game)?;
        if !game.is_up() {
            let message = "its searches do not end when they are told to".to_owned();
            return Err(EngineError::RulesetUnavailable { game: place.game.clone(), message });
        }
        if place.variant.is_empty() {
            return Ok((game, 0));
        }
        let variant = game.ruleset.variant_idx(&place.variant).ok_or_else(|| EngineError::UnknownVariant {
            game: place.game.clone(),
            variant: place.variant.clone(),
            known: game.ruleset.variants().iter().map(|variant| variant.id.clone()).collect(),
        })?;
        Ok((game, variant))
    }
}
