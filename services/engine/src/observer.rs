//! Whom the engine tells what happens inside it.

use std::time::Duration;

use opentelemetry::trace::TraceId;
use pentad_host::Fault;
use pentad_search::Evaluation;

use crate::answer::StopReason;

/// Is told everything worth counting. Calls come from many threads and should
/// return at once.
pub trait Observer: Send + Sync {
    /// A search ended.
    fn search_finished(&self, game: &str, took: Duration, nodes: u64, stop: StopReason);
    /// An answer with this value was given.
    fn evaluation_given(&self, game: &str, evaluation: &Evaluation);
    /// The cache was asked.
    fn cache_looked_up(&self, game: &str, result: CacheResult);
    /// A search that was told to stop, because nobody waits any more, has
    /// freed its worker so long after.
    fn search_cancelled(&self, latency: Duration);
    /// A rule set misbehaved, in this call if in any.
    fn ruleset_faulted(&self, game: &str, fault: &Fault, trace: Option<TraceId>);
}

/// What the cache had to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheResult {
    /// The answer was there.
    Hit,
    /// It had to be searched.
    Miss,
    /// The same question was being searched already.
    Shared,
}

impl CacheResult {
    /// As written in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            CacheResult::Hit => "hit",
            CacheResult::Miss => "miss",
            CacheResult::Shared => "shared",
        }
    }
}
