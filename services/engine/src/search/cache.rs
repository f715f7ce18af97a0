//! The cache of answers in memory.
//!
//! Keys are canonical under symmetries, so that one answer serves a position in every orientation. Of two
//! answers under one key the better one stays.

use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use pentad_model::Report;

use crate::answer::StopReason;
use crate::resolve::query::{Effort, SearchKey};
use crate::search::root_moves::RootMoves;
use crate::store::answer_store::AnswerRank;

/// What a search has found, in the canonical orientation.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) report: Report<String>,
    pub(crate) root: Arc<RootMoves>,
    /// `None` while the search goes on.
    pub(crate) stop: Option<StopReason>,
    /// Number of lines requested.
    pub(crate) n_lines: usize,
    /// Duration of the search so far.
    pub(crate) took: Duration,
}

impl Snapshot {
    /// Whether a search with this effort would find no more.
    pub(crate) fn satisfies(&self, effort: &Effort) -> bool {
        let Effort { limits, n_lines, .. } = effort;
        if self.n_lines < *n_lines && self.report.lines.len() < self.root.len() {
            return false;
        }
        let enough_time = |time: Duration| self.took * 5 >= time * 4;
        self.stop == Some(StopReason::Proven)
            || limits.time.is_some_and(enough_time)
            || limits.nodes.is_some_and(|nodes| self.report.nodes >= nodes)
            || limits.depth.is_some_and(|depth| self.report.depth >= depth)
    }

    /// Returns the answer for later callers. For them, a search that was cut short ended by the time it
    /// took.
    pub(crate) fn for_cache(&self) -> Snapshot {
        let stop = self.stop.map(|stop| match stop {
            StopReason::Proven | StopReason::Nodes | StopReason::Depth => stop,
            StopReason::Time
            | StopReason::Deadline
            | StopReason::Load
            | StopReason::Cancelled
            | StopReason::Shutdown => StopReason::Time,
        });
        Snapshot { stop, ..self.clone() }
    }

    /// Whether this answer is at least as good as another to the same question.
    pub(crate) fn outranks(&self, other: &Snapshot) -> bool {
        self.rank() >= other.rank()
    }

    fn rank(&self) -> AnswerRank {
        let is_proven = self.stop == Some(StopReason::Proven);
        AnswerRank::new(is_proven, self.n_lines, self.report.depth, self.report.nodes)
    }

    /// Returns about how much memory it takes.
    fn size_bytes(&self) -> u32 {
        let lines: usize = self.report.lines.iter().map(|line| 200 + 40 * line.moves.len()).sum();
        (400 + lines + self.root.size_bytes()) as u32
    }
}

/// Answers within a bound of memory. `None` if the bound is zero.
#[derive(Clone, Debug)]
pub(crate) struct AnswerCache(Option<Cache<SearchKey, Arc<Snapshot>>>);

impl AnswerCache {
    pub(crate) fn new(bytes_max: u64) -> Self {
        let weigher = |key: &SearchKey, snapshot: &Arc<Snapshot>| {
            snapshot.size_bytes() + (key.position.as_bytes().len() + key.considered.size_bytes()) as u32
        };
        let builder = Cache::builder().max_capacity(bytes_max).weigher(weigher);
        AnswerCache((bytes_max > 0).then(|| builder.support_invalidation_closures().build()))
    }

    /// Whether answers are cached at all.
    pub(crate) fn has_room(&self) -> bool {
        self.0.is_some()
    }

    /// Drops the answers of all games except these. An answer that a search of a dropped game finds later
    /// stays until its room is needed.
    pub(crate) fn retain_revisions(&self, revisions: Vec<u64>) {
        let Some(cache) = &self.0 else { return };
        let is_retired = move |key: &SearchKey, _: &Arc<Snapshot>| !revisions.contains(&key.revision);
        cache.invalidate_entries_if(is_retired).expect("the cache was built for it");
        cache.run_pending_tasks();
    }

    /// Returns the answer under a key if it suffices for this effort.
    pub(crate) fn get(&self, key: &SearchKey, effort: &Effort) -> Option<Arc<Snapshot>> {
        self.peek(key).filter(|snapshot| snapshot.satisfies(effort))
    }

    /// Returns the answer under a key, whether or not it suffices for a question.
    pub(crate) fn peek(&self, key: &SearchKey) -> Option<Arc<Snapshot>> {
        self.0.as_ref()?.get(key)
    }

    /// Adds an answer, unless a better one is there.
    pub(crate) fn put(&self, key: SearchKey, snapshot: Arc<Snapshot>) {
        let Some(cache) = &self.0 else { return };
        let _stored = cache.entry(key).and_upsert_with(|present| match present {
            Some(present) if !snapshot.outranks(present.value()) => present.into_value(),
            _ => snapshot,
        });
    }

    /// Returns the number of answers, and about how many bytes they take.
    pub(crate) fn size(&self) -> (u64, u64) {
        let Some(cache) = &self.0 else { return (0, 0) };
        cache.run_pending_tasks();
        (cache.entry_count(), cache.weighted_size())
    }
}
