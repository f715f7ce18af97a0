//! Where answers come from: the cache, a search under way, a store, or a new search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pentad_host::Position;

use crate::answer::StopReason;
use crate::config::SharedConfig;
use crate::error::EngineError;
use crate::observer::{CacheResult, FaultContext, Observer};
use crate::present::Presented;
use crate::present::level;
use crate::question::{Caller, Class};
use crate::resolve::query::ResolvedQuery;
use crate::rules::job::{CallBody, report_hang};
use crate::schedule::pool::{Job, Pool, PoolConfig, Refused};
use crate::search::cache::{AnswerCache, CacheKey, Snapshot};
use crate::search::contexts::Searchers;
use crate::search::job::{SearchJob, SearchKey};
use crate::search::lease::{claim, is_worth_a_claim};
use crate::search::single_flight::{Progress, SharedSearch, SingleFlight, Waiter};
use crate::served_game::ServedGame;
use crate::store::answer_store::SearchLease;
use crate::store::stored::{StoredAnswers, is_storable};

/// Questions due within this have workers of their own, so that they do not
/// wait behind long ones.
const SHORT: Duration = Duration::from_secs(2);

/// All searches of the engine, and the answers they leave in the cache.
pub(crate) struct Searches {
    config: SharedConfig,
    observer: Arc<dyn Observer>,
    short_pool: Pool,
    long_pool: Pool,
    bulk_pool: Pool,
    in_flight: SingleFlight<SearchKey>,
    cache: AnswerCache,
    stored: Option<Arc<StoredAnswers>>,
    searchers: Arc<Searchers>,
    is_stopping: AtomicBool,
}

/// Where the answer to a question comes from.
pub(crate) enum Lookup {
    /// From memory, or from a store.
    Known(Arc<Snapshot>, Origin),
    /// From a search, started by this caller or by another who asked the same.
    InFlight { waiter: Box<Waiter<SearchKey>>, is_own: bool },
}

/// What an answer was before it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Memory,
    Store,
    /// It was not there.
    Search,
}

impl Searches {
    /// Starts the workers.
    pub(crate) fn new(config: SharedConfig, observer: Arc<dyn Observer>, stored: Option<Arc<StoredAnswers>>) -> Self {
        let start = config.load();
        let pool = |name, class, yields_to| {
            Pool::new(PoolConfig {
                name,
                class,
                n_workers: start.workers.get(),
                queue_len_max: start.queue_len_max,
                queue_cost_max: start.queue_cost_max,
                hang_grace: start.hang_grace,
                yields_to,
            })
        };
        let [short_pool, long_pool] = ["short", "long"].map(|name| pool(name, Class::Interactive, Vec::new()));
        let bulk_pool = pool("bulk", Class::Bulk, vec![short_pool.clone(), long_pool.clone()]);
        let bytes_per_search = start.memory_per_search_bytes;
        let bytes_max = bytes_per_search.saturating_mul(2 * start.workers.get() as u64);
        Searches {
            short_pool,
            long_pool,
            bulk_pool,
            in_flight: SingleFlight::new(),
            cache: AnswerCache::new(start.cache_bytes_max),
            stored,
            searchers: Searchers::new(bytes_max, bytes_per_search, start.tables_idle_max),
            is_stopping: AtomicBool::new(false),
            config,
            observer,
        }
    }

    /// For short, for long and for bulk searches.
    pub(crate) fn pools(&self) -> [&Pool; 3] {
        [&self.short_pool, &self.long_pool, &self.bulk_pool]
    }

    /// Whether answers are kept in memory at all.
    pub(crate) fn has_memory(&self) -> bool {
        self.cache.has_room()
    }

    /// Whether the cache has this very result.
    pub(crate) fn is_cached(&self, key: &CacheKey, snapshot: &Arc<Snapshot>) -> bool {
        self.cache.peek(key).is_some_and(|present| Arc::ptr_eq(&present, snapshot))
    }

    /// What the cache knows of a canonical position, at full strength and of all moves.
    pub(crate) fn cached(&self, game: &ServedGame, variant: usize, canonical: &Position) -> Option<Arc<Snapshot>> {
        let (revision, position) = (game.revision, canonical.clone());
        self.cache.peek(&CacheKey { revision, variant, position, considered: None, level: level::FULL })
    }

    /// The store of answers and games, if there is one.
    pub(crate) fn stored(&self) -> Option<&Arc<StoredAnswers>> {
        self.stored.as_ref()
    }

    /// How many answers are cached, and about how many bytes they take.
    pub(crate) fn cache_size(&self) -> (u64, u64) {
        self.cache.size()
    }

    /// Memory of all search contexts.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.searchers.bytes_used()
    }

    /// Ends the searches that run and answers the questions that wait for one. From
    /// now on no search is started.
    pub(crate) fn stop_all(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        self.in_flight.stop_all();
        self.pools().into_iter().for_each(Pool::skip_cancelled);
    }

    /// Drops what is kept for games that are not among these, now or once their
    /// searches have ended.
    pub(crate) fn set_served(&self, games: &[Arc<ServedGame>]) {
        self.searchers.set_served(games.iter().map(|game| &game.ruleset));
        self.cache.retain_revisions(games.iter().map(|game| game.revision).collect());
    }

    /// Finds the answer to a question in memory, or joins the search for it.
    pub(crate) fn find_in_memory(&self, query: &ResolvedQuery, caller: &Caller) -> Option<Lookup> {
        let SearchKey { key, limits, n_lines, .. } = &query.search_key;
        let mut span = caller.trace.begin("cache", &query.game.id);
        let (result, lookup) = if let Some(snapshot) = self.cache.get(key, limits, *n_lines) {
            (CacheResult::Hit, Some(Lookup::Known(snapshot, Origin::Memory)))
        } else if let Some(waiter) = self.in_flight.join_existing(&query.search_key) {
            span.link(&waiter.search.trace);
            (CacheResult::Shared, Some(Lookup::InFlight { waiter: Box::new(waiter), is_own: false }))
        } else {
            (CacheResult::Miss, None)
        };
        span.set("pentad.cache", result.as_str());
        drop(span);
        self.observer.cache_looked_up(&query.game.id, result);
        lookup
    }

    /// The store, if a question is to be looked up there: memory does not have the answer, and
    /// nobody searches for it.
    pub(crate) fn store_to_ask(&self, query: &ResolvedQuery) -> Option<&Arc<StoredAnswers>> {
        let SearchKey { key, limits, n_lines, .. } = &query.search_key;
        let stored = self.stored.as_ref().filter(|_| is_storable(&query.search_key) && query.root.outcome.is_none())?;
        let is_known = self.cache.get(key, limits, *n_lines).is_some() || self.in_flight.contains(&query.search_key);
        (!is_known).then_some(stored)
    }

    /// The store had the answer to a question: memory has it from now on.
    pub(crate) fn keep_stored(&self, query: &ResolvedQuery, caller: &Caller, snapshot: Arc<Snapshot>) {
        let mut span = caller.trace.begin("cache", &query.game.id);
        span.set("pentad.cache", CacheResult::Miss.as_str());
        drop(span);
        self.observer.cache_looked_up(&query.game.id, CacheResult::Miss);
        self.cache.put(query.search_key.key.clone(), snapshot);
    }

    /// Finds the answer to a question in the store, and what `body` makes of it. Memory has
    /// it from then on.
    pub(crate) async fn find_in_store<T: Send + 'static>(
        &self,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
        body: CallBody<Presented, T>,
    ) -> Option<(Arc<Snapshot>, T)> {
        let stored = self.stored.as_ref().filter(|_| is_storable(&query.search_key))?;
        let (snapshot, made) = stored.find(query, caller, body).await?;
        self.cache.put(query.search_key.key.clone(), snapshot.clone());
        Some((snapshot, made))
    }

    /// Joins the search for a question, or starts it. Call it on the runtime.
    pub(crate) fn join_or_start(
        self: &Arc<Self>,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
    ) -> Result<Lookup, EngineError> {
        let (waiter, is_own) = self.in_flight.join(&query.search_key, &caller.trace);
        if is_own {
            let stored = self.stored.as_ref().filter(|_| is_storable(&query.search_key));
            match stored.filter(|_| is_worth_a_claim(query, self.config.load().stored_estimate_min)) {
                Some(stored) => {
                    let claim = (self.clone(), stored.clone(), query.clone(), caller.clone());
                    tokio::spawn(claim_and_start(claim, waiter.search.clone()));
                }
                None => self.start(query, caller, &waiter.search, SearchLease::default())?,
            }
        }
        Ok(Lookup::InFlight { waiter: Box::new(waiter), is_own })
    }

    /// Queues the search for a question. The lease is kept until it has ended, however.
    fn start(
        &self,
        query: &ResolvedQuery,
        caller: &Caller,
        search: &SharedSearch,
        lease: SearchLease,
    ) -> Result<(), EngineError> {
        let is_short = query.due.saturating_duration_since(caller.arrived) <= SHORT;
        let config = self.config.load();
        let (pool, n_threads) = match caller.class {
            // Many searches of one thread find out more than few of many.
            Class::Bulk => (&self.bulk_pool, config.threads_per_search),
            Class::Interactive if is_short => (&self.short_pool, config.threads_per_search),
            Class::Interactive => (&self.long_pool, config.threads_per_long_search),
        };
        let job = SearchJob {
            game: query.game.clone(),
            search_key: query.search_key.clone(),
            root: query.root.clone(),
            search: search.clone(),
            caller: caller.key,
            meter: caller.meter.clone(),
            in_flight: self.in_flight.clone(),
            cache: self.cache.clone(),
            stored: self.stored.clone(),
            stored_estimate_min: if caller.keeps_estimates { Duration::ZERO } else { config.stored_estimate_min },
            observer: self.observer.clone(),
            searchers: self.searchers.clone(),
            n_threads: n_threads.get(),
            due: query.due,
            search_time: query.search_time,
            is_deadline: query.is_deadline,
        };
        let on_hang = {
            let (game, search, observer) = (query.game.clone(), search.clone(), self.observer.clone());
            let root = query.root.clone();
            move || {
                let about = FaultContext { trace: &search.trace, position: &root.text };
                let error = report_hang(&game, "search", &*observer, about);
                search.progress.send_replace(Progress::Failed(error));
            }
        };
        let returning = query.game.clone();
        let job_pool = pool.clone();
        let give_up = {
            let (search, in_flight, key) = (search.clone(), self.in_flight.clone(), query.search_key.clone());
            move |progress| {
                in_flight.remove(&key, &search);
                search.progress.send_replace(progress);
            }
        };
        let on_cancelled = {
            let give_up = give_up.clone();
            move || give_up(Progress::NotStarted(StopReason::Shutdown))
        };
        let on_evicted = {
            let give_up = give_up.clone();
            move |retry_after| give_up(Progress::Failed(EngineError::Overloaded { retry_after }))
        };
        let queue_span = caller.trace.queue(&query.game.id, pool.name(), caller.class);
        let queue_span = queue_span.until_cancelled(&search.cancel);
        let (class, observer) = (caller.class, self.observer.clone());
        let job = Job {
            caller: caller.key,
            priority: caller.priority,
            cost: query.cost,
            cancel: search.cancel.clone(),
            due: query.due,
            time: query.search_time,
            work: Box::new(move || {
                observer.job_dequeued(class, queue_span.taken());
                job.run(&job_pool);
                // What was found was offered before.
                drop(lease);
            }),
            on_cancelled: Box::new(on_cancelled),
            on_evicted: Box::new(on_evicted),
            on_hang: Box::new(on_hang),
            on_return: Box::new(move || returning.returned()),
        };
        match pool.submit(job) {
            Ok(()) => {}
            Err(Refused::TooLate) => {
                // A store may have taken all the time there was.
                let stop = if query.due <= Instant::now() { query.due_reason() } else { StopReason::Load };
                // Whoever shares it gets what is known at once, too.
                give_up(Progress::NotStarted(stop));
                return Ok(());
            }
            Err(Refused::Full { retry_after }) => {
                let error = EngineError::Overloaded { retry_after };
                give_up(Progress::Failed(error.clone()));
                return Err(error);
            }
        }
        // Whoever stops the searches sees this one, or this sees that they are stopped.
        if self.is_stopping.load(Ordering::SeqCst) {
            search.cancel.cancel(StopReason::Shutdown);
            pool.skip_cancelled();
        }
        Ok(())
    }
}

/// Starts a search once nobody else who shares the store makes it, unless there is an answer by then. A
/// task of its own, since the caller that began it may leave while others wait.
async fn claim_and_start(
    (searches, stored, query, caller): (Arc<Searches>, Arc<StoredAnswers>, Arc<ResolvedQuery>, Caller),
    search: SharedSearch,
) {
    let claimed = claim(&stored, &query, &search).await;
    let found = match claimed.has_waited && !search.cancel.is_cancelled() {
        true => searches.find_in_store(&query, &caller, |_, _| Ok(())).await,
        false => None,
    };
    if search.cancel.is_cancelled() && !searches.is_stopping.load(Ordering::SeqCst) {
        // The last caller has left, and with it the entry.
        return;
    }
    match found {
        Some((snapshot, ())) => {
            searches.in_flight.remove(&query.search_key, &search);
            search.progress.send_replace(Progress::Stored(snapshot));
        }
        // A refusal reaches all who wait.
        None => drop(searches.start(&query, &caller, &search, claimed.lease)),
    }
}
