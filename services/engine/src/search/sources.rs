//! The sources of answers, and the order in which they are tried.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentad_host::Position;

use crate::answer::{Hints, StopReason};
use crate::config::SharedConfig;
use crate::error::EngineError;
use crate::observer::{CacheResult, Observer};
use crate::present::{RenderInput, level};
use crate::question::{Caller, Class, HintQuestion};
use crate::resolve::considered::Considered;
use crate::resolve::query::{FlightKey, ResolvedQuery, SearchKey};
use crate::rules::job::{CallBody, CallContext};
use crate::schedule::job::Refused;
use crate::schedule::pool::{Pool, PoolConfig};
use crate::schedule::thread_time::HangLimits;
use crate::search::cache::{AnswerCache, Snapshot};
use crate::search::contexts::SearchContexts;
use crate::search::job::SearchJob;
use crate::search::lease::{acquire, is_worth_a_lease};
use crate::search::queue::{SearchQueue, SearchQueueConfig, TimedJob};
use crate::search::single_flight::{Progress, SharedSearch, SingleFlight, Waiter};
use crate::served_game::ServedGame;
use crate::store::answer_store::SearchLease;
use crate::store::stored::{InStore, StoredAnswers};
use crate::trace::{OpenSpan, Trace};

/// Names of the pools of short, long and bulk searches, in threads, metrics and traces.
pub(crate) const POOL_NAMES: [&str; 3] = ["short", "long", "bulk"];
/// Questions due within this time have workers of their own, so that they do not wait behind long ones.
const SHORT: Duration = Duration::from_secs(2);
/// A question that is due sooner leaves its lookup to a reader of the store, which it can stop waiting for.
const AT_HAND_TIME_MIN: Duration = Duration::from_millis(100);
/// How often the watchdogs check running searches.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);
/// Niceness of bulk workers: beside busy interactive ones they get about a tenth of a core, and all idle
/// time.
const BULK_NICENESS: i32 = 10;

/// Where an answer comes from. Sources are tried in this order, and the first that has the answer gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    /// A rendered answer to the very same question; hints only. Needs no call of the rules, so it is tried
    /// before the question is resolved.
    Rendered,
    /// The cache of search results.
    Memory,
    /// A search under way for an equal question.
    Flight,
    /// The store.
    Store,
    /// A new search.
    Search,
}

impl AnswerSource {
    const ORDER: [AnswerSource; 5] = [Self::Rendered, Self::Memory, Self::Flight, Self::Store, Self::Search];
    /// The sources of a resolved question.
    pub(crate) const RESOLVED: &[AnswerSource] = Self::ORDER.split_at(1).1;
    /// The sources left when the call that resolved a question has also found its answer in the store.
    pub(crate) const STORED: &[AnswerSource] = &[Self::Store];
    /// The sources of a question that resumes a search: it was looked up in the store before.
    pub(crate) const RESUMED: &[AnswerSource] = &[Self::Memory, Self::Flight, Self::Search];

    /// Whether the answer existed before the question.
    pub(crate) fn is_cached(self) -> bool {
        matches!(self, AnswerSource::Rendered | AnswerSource::Memory | AnswerSource::Store)
    }
}

/// What a walk through the sources found.
pub(crate) enum Found<T> {
    /// A stored answer, rendered by the call that checked it.
    Rendered(Arc<Snapshot>, T),
    /// An answer, or the search for it.
    Lookup(Lookup),
}

/// The answer to a question, or the search for it.
pub(crate) enum Lookup {
    Known(Arc<Snapshot>, AnswerSource),
    /// A search that this caller started, or another caller with an equal question.
    InFlight {
        waiter: Box<Waiter<FlightKey>>,
        is_own: bool,
    },
}

/// What all searches share.
pub(crate) struct SearchEnvironment {
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) in_flight: SingleFlight<FlightKey>,
    pub(crate) cache: AnswerCache,
    pub(crate) stored: Option<Arc<StoredAnswers>>,
    pub(crate) contexts: Arc<SearchContexts>,
}

/// All sources of answers.
pub(crate) struct AnswerSources {
    config: SharedConfig,
    short_pool: Pool<SearchQueue>,
    long_pool: Pool<SearchQueue>,
    bulk_pool: Pool<SearchQueue>,
    environment: Arc<SearchEnvironment>,
    is_stopping: AtomicBool,
}

impl AnswerSources {
    /// Starts the workers.
    pub(crate) fn new(config: SharedConfig, observer: Arc<dyn Observer>, stored: Option<Arc<StoredAnswers>>) -> Self {
        let start = config.load();
        let queue = |class, yields_to| {
            SearchQueue::new(SearchQueueConfig {
                class,
                n_workers: start.workers.get(),
                queue_len_max: start.queue_len_max,
                queue_cost_max: start.queue_cost_max,
                hang: HangLimits::new(start.hang_grace, start.hang_grace, WATCH_INTERVAL),
                yields_to,
            })
        };
        let [short, long] = [(); 2].map(|()| queue(Class::Interactive, Vec::new()));
        let bulk = queue(Class::Bulk, vec![short.n_active(), long.n_active()]);
        let pool =
            |name, niceness, queue| Pool::new(PoolConfig { name, watch_interval: WATCH_INTERVAL, niceness }, queue);
        let bytes_per_search = start.memory_per_search_bytes;
        let bytes_max = bytes_per_search.saturating_mul(2 * start.workers.get() as u64);
        let environment = SearchEnvironment {
            observer,
            in_flight: SingleFlight::new(),
            cache: AnswerCache::new(start.cache_bytes_max),
            stored,
            contexts: SearchContexts::new(bytes_max, bytes_per_search, start.tables_idle_max),
        };
        AnswerSources {
            short_pool: pool(POOL_NAMES[0], None, short),
            long_pool: pool(POOL_NAMES[1], None, long),
            bulk_pool: pool(POOL_NAMES[2], Some(BULK_NICENESS), bulk),
            environment: Arc::new(environment),
            is_stopping: AtomicBool::new(false),
            config,
        }
    }

    /// Returns the pools of short, long and bulk searches.
    pub(crate) fn pools(&self) -> [&Pool<SearchQueue>; 3] {
        [&self.short_pool, &self.long_pool, &self.bulk_pool]
    }

    /// Returns what the cache has about a canonical position, at full strength and for all moves.
    pub(crate) fn cached(&self, game: &ServedGame, variant: usize, canonical: &Position) -> Option<Arc<Snapshot>> {
        let (revision, position) = (game.revision, canonical.clone());
        let considered = Considered::All;
        self.environment.cache.peek(&SearchKey { revision, variant, position, considered, level: level::FULL })
    }

    /// Returns the store of answers and games, if there is one.
    pub(crate) fn stored(&self) -> Option<&Arc<StoredAnswers>> {
        self.environment.stored.as_ref()
    }

    /// Returns the number of cached answers, and about how many bytes they take.
    pub(crate) fn cache_size(&self) -> (u64, u64) {
        self.environment.cache.size()
    }

    /// Returns the memory of all search contexts.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.environment.contexts.bytes_used()
    }

    /// Cancels all searches, waiting and running. From now on none is started.
    pub(crate) fn stop_all(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        self.environment.in_flight.stop_all();
        self.pools().into_iter().for_each(Pool::skip_cancelled);
    }

    /// Drops what is kept for games other than these, now or once their searches have ended.
    pub(crate) fn set_served(&self, games: &[Arc<ServedGame>]) {
        self.environment.contexts.set_served(games.iter().map(|game| &game.ruleset));
        self.environment.cache.retain_revisions(games.iter().map(|game| game.revision).collect());
    }

    /// Looks a question up in [`AnswerSource::Rendered`]. A rendered answer is valid while the cache has the
    /// result that it was made of.
    pub(crate) fn find_rendered(&self, game: &ServedGame, question: &HintQuestion, caller: &Caller) -> Option<Hints> {
        let cache = &self.environment.cache;
        let may_use = cache.has_room() && !caller.skips_cache;
        let answer = may_use.then(|| game.rendered.get(question, caller.language)).flatten()?;
        let is_valid = cache.peek(&answer.key).is_some_and(|present| Arc::ptr_eq(&present, &answer.snapshot));
        if !is_valid {
            return None;
        }
        CacheSpan::begin(self, game, caller).end(CacheResult::Hit, None);
        Some(answer.hints.clone())
    }

    /// Tries the sources in their order. A search always answers, so it is tried last whether or not it is
    /// listed. `in_store` is what the call that resolved the question found in the store, and `render` what
    /// to make of a stored answer. Call it on the runtime.
    pub(crate) async fn find<T: Send + 'static>(
        self: &Arc<Self>,
        sources: &[AnswerSource],
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
        in_store: InStore<T>,
        render: impl CallBody<RenderInput, T>,
    ) -> Result<Found<T>, EngineError> {
        let SearchEnvironment { cache, in_flight, .. } = &*self.environment;
        let mut span = CacheSpan::begin(self, &query.game, caller);
        let mut stored = Some((in_store, render));
        for source in sources {
            match source {
                AnswerSource::Rendered => {}
                AnswerSource::Memory | AnswerSource::Store if caller.skips_cache => {}
                AnswerSource::Memory => {
                    if let Some(snapshot) = cache.get(&query.key, &query.effort) {
                        span.end(CacheResult::Hit, None);
                        return Ok(Found::Lookup(Lookup::Known(snapshot, AnswerSource::Memory)));
                    }
                }
                AnswerSource::Flight => {
                    if let Some(waiter) = in_flight.join_existing(&query.flight_key()) {
                        span.end(CacheResult::Shared, Some(&waiter.search.trace));
                        return Ok(Found::Lookup(Lookup::InFlight { waiter: Box::new(waiter), is_own: false }));
                    }
                }
                AnswerSource::Store => {
                    span.end(CacheResult::Miss, None);
                    let Some((in_store, render)) = stored.take() else { continue };
                    if let Some((snapshot, rendered)) = self.find_stored(query, caller, in_store, render).await {
                        return Ok(Found::Rendered(snapshot, rendered));
                    }
                }
                AnswerSource::Search => break,
            }
        }
        span.end(CacheResult::Miss, None);
        self.join_or_start(query, caller).map(Found::Lookup)
    }

    /// Looks a question up in the store and renders the answer. The cache has it from then on.
    async fn find_stored<T: Send + 'static>(
        &self,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
        in_store: InStore<T>,
        render: impl CallBody<RenderInput, T>,
    ) -> Option<(Arc<Snapshot>, T)> {
        let (snapshot, rendered) = match in_store {
            InStore::Found(snapshot, rendered) => (snapshot, rendered),
            InStore::Nothing => return None,
            InStore::NotAsked => {
                let stored = self.stored().filter(|_| query.is_storable())?;
                stored.find(query, caller, render).await?
            }
        };
        self.environment.cache.put(query.key.clone(), snapshot.clone());
        Some((snapshot, rendered))
    }

    /// Looks a question up in the store from within the call of the rules that resolved it, if the sources
    /// before the store do not have the answer and the store lets that thread read.
    pub(crate) fn find_at_hand<T>(
        &self,
        context: &CallContext<'_>,
        query: &ResolvedQuery,
        render: impl CallBody<RenderInput, T>,
    ) -> Result<InStore<T>, EngineError> {
        let SearchEnvironment { cache, in_flight, stored, .. } = &*self.environment;
        let Some(stored) = stored.as_ref().filter(|_| query.is_storable() && query.root.outcome.is_none()) else {
            return Ok(InStore::NotAsked);
        };
        let has_time = query.due.saturating_duration_since(Instant::now()) >= AT_HAND_TIME_MIN;
        let is_known = || cache.get(&query.key, &query.effort).is_some() || in_flight.contains(&query.flight_key());
        if !has_time || is_known() {
            return Ok(InStore::NotAsked);
        }
        stored.find_here(context, query, render)
    }

    /// Joins the search for a question, or starts it. Call it on the runtime.
    fn join_or_start(self: &Arc<Self>, query: &Arc<ResolvedQuery>, caller: &Caller) -> Result<Lookup, EngineError> {
        let (waiter, is_own) = self.environment.in_flight.join(&query.flight_key(), &caller.trace);
        if is_own {
            // A lease waits for the answer of another process.
            let stored = self.stored().filter(|_| query.is_storable() && !caller.skips_cache);
            match stored.filter(|_| is_worth_a_lease(query, self.config.load().stored_estimate_min)) {
                Some(_) => {
                    let (sources, query, caller) = (self.clone(), query.clone(), caller.clone());
                    tokio::spawn(sources.start_with_lease(query, caller, waiter.search.clone()));
                }
                None => self.start(query, caller, &waiter.search, SearchLease::default())?,
            }
        }
        Ok(Lookup::InFlight { waiter: Box::new(waiter), is_own })
    }

    /// Starts a search once no other process that shares the store makes it, unless the store has the
    /// answer by then. A task of its own, since the caller that began it may leave while others wait.
    async fn start_with_lease(self: Arc<Self>, query: Arc<ResolvedQuery>, caller: Caller, search: SharedSearch) {
        let Some(stored) = self.stored() else { return };
        let acquired = acquire(stored, &query, &search).await;
        let found = match acquired.has_waited && !search.cancel.is_cancelled() {
            true => self.find_stored(&query, &caller, InStore::NotAsked, render_nothing).await,
            false => None,
        };
        if search.cancel.is_cancelled() && !self.is_stopping.load(Ordering::SeqCst) {
            // The last caller has left, and the entry with it.
            return;
        }
        match found {
            Some((snapshot, ())) => {
                self.environment.in_flight.remove(&query.flight_key(), &search);
                search.progress.send_replace(Progress::Stored(snapshot));
            }
            // A refusal reaches all waiters.
            None => drop(self.start(&query, &caller, &search, acquired.lease)),
        }
    }

    /// Queues the search for a question.
    fn start(
        &self,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
        search: &SharedSearch,
        lease: SearchLease,
    ) -> Result<(), EngineError> {
        let is_short = query.due.saturating_duration_since(caller.arrived) <= SHORT;
        let config = self.config.load();
        let (pool, n_threads) = match caller.class {
            // Many searches of one thread find more than few of many.
            Class::Bulk => (&self.bulk_pool, config.threads_per_search),
            Class::Interactive if is_short => (&self.short_pool, config.threads_per_search),
            Class::Interactive => (&self.long_pool, config.threads_per_long_search),
        };
        let queue_span = caller.trace.queue(&query.game.id, pool.name(), caller.class);
        let job = Arc::new(SearchJob {
            environment: self.environment.clone(),
            query: query.clone(),
            caller: caller.clone(),
            search: search.clone(),
            n_threads: n_threads.get(),
            stored_estimate_min: if caller.keeps_estimates { Duration::ZERO } else { config.stored_estimate_min },
            waiting: Mutex::new(Some((queue_span.until_cancelled(&search.cancel), lease))),
        });
        let timed: Arc<dyn TimedJob> = job.clone();
        match pool.submit(&timed) {
            Ok(()) => {}
            Err(Refused::TooLate) => {
                // A store may have taken all the time there was.
                let stop = if query.due <= Instant::now() { query.due_reason() } else { StopReason::Load };
                // All waiters get what is known at once.
                job.end(Progress::NotStarted(stop));
                return Ok(());
            }
            Err(Refused::Full { retry_after }) => {
                let error = EngineError::Overloaded { retry_after };
                job.end(Progress::Failed(error.clone()));
                return Err(error);
            }
        }
        // Either `stop_all` finds this search, or this load sees the flag.
        if self.is_stopping.load(Ordering::SeqCst) {
            search.cancel.cancel(StopReason::Shutdown);
            pool.skip_cancelled();
        }
        Ok(())
    }
}

/// Renders nothing, for callers that want the answer itself.
pub(crate) fn render_nothing(_: &CallContext<'_>, _: &RenderInput) -> Result<(), EngineError> {
    Ok(())
}

/// The span and count of one lookup in memory and among the searches under way. Only the first `end`
/// counts.
struct CacheSpan<'a> {
    span: Option<OpenSpan>,
    observer: &'a dyn Observer,
    game: &'a ServedGame,
}

impl<'a> CacheSpan<'a> {
    fn begin(sources: &'a AnswerSources, game: &'a ServedGame, caller: &Caller) -> Self {
        let span = Some(caller.trace.begin("cache", &game.id));
        CacheSpan { span, observer: &*sources.environment.observer, game }
    }

    fn end(&mut self, result: CacheResult, shared_with: Option<&Trace>) {
        let Some(mut span) = self.span.take() else { return };
        if let Some(other) = shared_with {
            span.link(other);
        }
        span.set("pentad.cache", result.as_str());
        drop(span);
        self.observer.cache_looked_up(&self.game.id, result);
    }
}
