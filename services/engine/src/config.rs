//! The engine's bounds.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;

/// Every bound of the engine. Nothing in it is unbounded.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Searches running at once in each of the pools of short, long and bulk searches. More than cores does
    /// not help: a search keeps its threads busy all the time.
    pub workers: NonZeroUsize,
    /// Threads of one search that is due within two seconds.
    pub threads_per_search: NonZeroUsize,
    /// Threads of one search that is due later. Such searches are few, and worth all cores.
    pub threads_per_long_search: NonZeroUsize,
    /// Table memory of one search. All searches together, short and long, share twice `workers` times as
    /// much; searches that were given up and have not returned keep theirs. If less is left, a search gets
    /// smaller tables.
    pub memory_per_search_bytes: u64,
    /// Idle time after which a search's tables are given back to the system.
    pub tables_idle_max: Duration,
    /// Questions waiting for a worker; one more is refused as overloaded.
    pub queue_len_max: usize,
    /// Sum of the time limits of the questions that wait for one pool; one more is refused as overloaded. A
    /// question without a time limit counts as `time_default`.
    pub queue_cost_max: Duration,
    /// Memory of cached answers.
    pub cache_bytes_max: u64,
    /// Shortest search whose estimate is offered to the store; a proof always is.
    pub stored_estimate_min: Duration,
    /// Time of a question that names no limit.
    pub time_default: Duration,
    /// Longest time limit of a question; longer ones are reduced to it.
    pub time_max: Duration,
    /// Longest time of a call that makes many searches: a review, a search for puzzles. Such a call then ends
    /// with what it has.
    pub stream_time_max: Duration,
    /// Moves in one question, played or listed.
    pub moves_len_max: usize,
    /// Bytes of a position's text.
    pub position_len_max: usize,
    /// Hints of one answer.
    pub hints_max: usize,
    /// Moves on one page.
    pub page_len_max: usize,
    /// A search that uses this much CPU time after it was cancelled or due, or is blocked for five times as
    /// long, is given up: its worker is replaced and the rule set charged with a hang.
    pub hang_grace: Duration,
}

/// Bounds of a running engine, which may change.
#[derive(Clone, Debug)]
pub(crate) struct SharedConfig(Arc<ArcSwap<EngineConfig>>);

impl SharedConfig {
    pub(crate) fn new(config: EngineConfig) -> Self {
        SharedConfig(Arc::new(ArcSwap::from_pointee(config)))
    }

    pub(crate) fn load(&self) -> Arc<EngineConfig> {
        self.0.load_full()
    }

    pub(crate) fn store(&self, config: EngineConfig) {
        self.0.store(Arc::new(config));
    }
}

impl Default for EngineConfig {
    fn default() -> Self {
        let n_cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        EngineConfig {
            workers: n_cores,
            threads_per_search: NonZeroUsize::MIN,
            threads_per_long_search: n_cores,
            memory_per_search_bytes: 64 << 20,
            tables_idle_max: Duration::from_secs(30),
            queue_len_max: 256,
            queue_cost_max: Duration::from_mins(10),
            cache_bytes_max: 64 << 20,
            stored_estimate_min: Duration::from_millis(100),
            time_default: Duration::from_millis(1000),
            time_max: Duration::from_mins(1),
            stream_time_max: Duration::from_mins(10),
            moves_len_max: 1000,
            position_len_max: 1024,
            hints_max: 64,
            page_len_max: 1000,
            hang_grace: Duration::from_secs(1),
        }
    }
}
