//! Where answers come from: the cache, a search under way, a store, or a new search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pentad_host::Position;

use crate::answer::StopReason;
use crate::answer_store::SearchLease;
use crate::cache::{AnswerCache, CacheKey, Snapshot};
use crate::claim::{Claimed, claim, is_worth_a_claim};
use crate::config::SharedConfig;
use crate::error::EngineError;
use crate::level;
use crate::observer::{CacheResult, FaultContext, Observer};
use crate::pool::{Job, Pool, PoolConfig, Refused};
use crate::query::ResolvedQuery;
use crate::question::{Caller, Class};
use crate::rules_job::report_hang;
use crate::search_job::{SearchJob, SearchKey};
use crate::searchers::Searchers;
use crate::served_game::ServedGame;
use crate::single_flight::{Progress, SharedSearch, SingleFlight, Waiter};
use crate::stored::{StoredAnswers, is_storable};
use crate::trace::OpenSpan;

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

/// What there is for a question already.
pub(crate) enum Lookup {
    /// Its answer.
    Cached(Arc<Snapshot>),
    /// A search or the look into a store before it, started by this caller or by another
    /// who asked the same.
    InFlight { waiter: Box<Waiter<SearchKey>>, is_own: bool },
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

    /// Finds a cached answer, joins the search for it, or starts one, if there is a store
    /// after a look into that. Call it on the runtime.
    pub(crate) fn look_up(
        self: &Arc<Self>,
        query: &Arc<ResolvedQuery>,
        caller: &Caller,
    ) -> Result<Lookup, EngineError> {
        let SearchKey { key, limits, n_lines, .. } = &query.search_key;
        let mut span = caller.trace.begin("cache", &query.game.id);
        let end = |mut span: OpenSpan, result: CacheResult| {
            span.set("pentad.cache", result.as_str());
            drop(span);
            self.observer.cache_looked_up(&query.game.id, result);
        };
        if let Some(snapshot) = self.cache.get(key, limits, *n_lines) {
            end(span, CacheResult::Hit);
            return Ok(Lookup::Cached(snapshot));
        }
        let (waiter, is_first) = self.in_flight.join(&query.search_key, &caller.trace);
        if !is_first {
            span.link(&waiter.search.trace);
            end(span, CacheResult::Shared);
            return Ok(Lookup::InFlight { waiter: Box::new(waiter), is_own: false });
        }
        end(span, CacheResult::Miss);
        match self.stored.as_ref().filter(|_| is_storable(&query.search_key)) {
            Some(stored) => {
                let lookup = (self.clone(), stored.clone(), query.clone(), caller.clone());
                tokio::spawn(find_or_start(lookup, waiter.search.clone()));
            }
            None => self.start(query, caller, &waiter.search, SearchLease::default())?,
        }
        Ok(Lookup::InFlight { waiter: Box::new(waiter), is_own: true })
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
            stored_estimate_min: config.stored_estimate_min,
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
                // Whoever shares it gets what is known at once, too.
                give_up(Progress::NotStarted(StopReason::Load));
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

/// Looks for a question's answer in the store, and starts the search if there is none and
/// nobody else who shares the store finds it in time. A task of its own, since the caller that began it may leave while others wait.
async fn find_or_start(
    (searches, stored, query, caller): (Arc<Searches>, Arc<StoredAnswers>, Arc<ResolvedQuery>, Caller),
    search: SharedSearch,
) {
    let mut found = stored.find(&query, &caller).await;
    let mut claimed = Claimed::default();
    if found.is_none() && is_worth_a_claim(&query, searches.config.load().stored_estimate_min) {
        claimed = claim(&stored, &query, &search).await;
        if claimed.has_waited && !search.cancel.is_cancelled() {
            found = stored.find(&query, &caller).await;
        }
    }
    if search.cancel.is_cancelled() && !searches.is_stopping.load(Ordering::SeqCst) {
        // The last caller has left, and with it the entry.
        return;
    }
    match found {
        Some(snapshot) => {
            searches.cache.put(query.search_key.key.clone(), snapshot.clone());
            searches.in_flight.remove(&query.search_key, &search);
            search.progress.send_replace(Progress::Stored(snapshot));
        }
        // A refusal reaches all who wait.
        None => drop(searches.start(&query, &caller, &search, claimed.lease)),
    }
}
