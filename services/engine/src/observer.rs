//! Whom the engine tells what happens inside it.

use std::time::Duration;

use pentad_host::Fault;
use pentad_model::Evaluation;

use crate::answer::StopReason;
use crate::question::Class;
use crate::trace::Trace;

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
    fn search_cancelled(&self, game: &str, latency: Duration);
    /// A worker took a search that had waited so long in the queue.
    fn job_dequeued(&self, class: Class, waited: Duration);
    /// A rule set misbehaved.
    fn ruleset_faulted(&self, game: &str, fault: &Fault, about: FaultContext<'_>);
}

/// What a rule set was asked when it misbehaved.
#[derive(Clone, Copy, Debug)]
pub struct FaultContext<'a> {
    /// Whose call it was.
    pub trace: &'a Trace,
    /// As the caller wrote it, with the moves played from there; not bounded.
    pub position: &'a str,
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
