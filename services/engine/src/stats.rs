//! How busy the engine is, for metrics.

use std::time::Duration;

use crate::question::Class;
use crate::schedule::policy::Policy;
use crate::schedule::pool::Pool;

/// Load of the engine.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Queues of interactive and of bulk questions.
    pub queues: [QueueStats; 2],
    /// Pools of short searches, long ones, bulk ones, calls of the rules, and long lists of moves.
    pub pools: [PoolStats; 5],
    /// Running searches of any class and length.
    pub workers_busy: usize,
    /// Answers in the cache.
    pub cache_entries: u64,
    /// About how much memory they take.
    pub cache_bytes: u64,
    /// Memory granted to running searches, and to those whose tables are kept for the next.
    pub search_memory_bytes: u64,
}

/// Threads of one pool.
#[derive(Clone, Debug)]
pub struct PoolStats {
    /// `short`, `long`, `bulk`, `rules` or `lists`.
    pub name: &'static str,
    /// Jobs that can run at once.
    pub workers: usize,
    /// Running jobs.
    pub busy: usize,
}

/// Questions of one class that wait for a worker.
#[derive(Clone, Debug)]
pub struct QueueStats {
    /// The class that this queue serves.
    pub class: Class,
    /// Number of waiting questions.
    pub depth: usize,
    /// How long the oldest of them has waited.
    pub oldest: Duration,
}

impl PoolStats {
    pub(crate) fn of<P: Policy>(pool: &Pool<P>) -> Self {
        PoolStats { name: pool.name(), workers: pool.n_workers(), busy: pool.n_busy() }
    }
}

impl QueueStats {
    /// Sums the queues of a class over all pools.
    pub(crate) fn sum(class: Class, queues: impl Iterator<Item = (usize, Duration)>) -> Self {
        queues.fold(QueueStats { class, depth: 0, oldest: Duration::ZERO }, |sum, (depth, oldest)| QueueStats {
            depth: sum.depth + depth,
            oldest: sum.oldest.max(oldest),
            ..sum
        })
    }
}
