//! Events of the engine that are worth counting.

use std::time::Duration;

use pentad_host::Fault;
use pentad_model::Evaluation;

use crate::answer::StopReason;
use crate::question::Class;
use crate::trace::Trace;

/// Receives events. Calls come from many threads and should return at once.
pub trait Observer: Send + Sync {
    /// A search ended.
    fn search_finished(&self, game: &str, took: Duration, nodes: u64, stop: StopReason);
    /// An answer with this value was given.
    fn evaluation_given(&self, game: &str, evaluation: &Evaluation);
    /// The cache was queried.
    fn cache_looked_up(&self, game: &str, result: CacheResult);
    /// A search whose callers have all left has ended. `latency` is the time from cancellation until the
    /// worker was free.
    fn search_cancelled(&self, game: &str, latency: Duration);
    /// A worker took a search that had `waited` in the queue.
    fn job_dequeued(&self, class: Class, waited: Duration);
    /// A rule set misbehaved.
    fn ruleset_faulted(&self, game: &str, fault: &Fault, about: FaultContext<'_>);
}

/// The call in which a rule set misbehaved.
#[derive(Clone, Copy, Debug)]
pub struct FaultContext<'a> {
    /// Trace of the call.
    pub trace: &'a Trace,
    /// Position as the caller wrote it, with the moves played from there; not bounded.
    pub position: &'a str,
}

/// Result of a cache lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheResult {
    /// The cache has the answer.
    Hit,
    /// The answer has to be searched.
    Miss,
    /// An equal question is being searched.
    Shared,
}

impl CacheResult {
    /// Returns the name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            CacheResult::Hit => "hit",
            CacheResult::Miss => "miss",
            CacheResult::Shared => "shared",
        }
    }
}
