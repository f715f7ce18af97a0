//! The cache of answers.
//!
//! Keys are symmetry-canonical, so that one answer serves a position in every
//! orientation. Of two answers to one question the one with more effort stays.

use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use pentad_host::Position;
use pentad_model::Report;

use crate::answer::StopReason;
use crate::question::QuestionLimits;
use crate::search::root_moves::RootMoves;
use crate::store::answer_store::AnswerRank;

/// What a cached answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CacheKey {
    /// [`ServedGame::revision`](crate::served_game::ServedGame::revision).
    pub(crate) revision: u64,
    pub(crate) variant: usize,
    /// Canonical under the game's symmetries.
    pub(crate) position: Position,
    /// The moves considered, in that orientation, if not all; sorted.
    pub(crate) considered: Option<Arc<[String]>>,
    pub(crate) level: u8,
}

/// What a search found, in the canonical orientation.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) report: Report<String>,
    pub(crate) root: Arc<RootMoves>,
    /// `None` while the search goes on.
    pub(crate) stop: Option<StopReason>,
    /// How many lines were asked for.
    pub(crate) n_lines: usize,
    /// How long the search took so far.
    pub(crate) took: Duration,
}

impl Snapshot {
    /// Whether a question with these limits would not find out more.
    pub(crate) fn satisfies(&self, limits: &QuestionLimits, n_lines: usize) -> bool {
        if self.n_lines < n_lines && self.report.lines.len() < self.root.len() {
            return false;
        }
        let enough_time = |time: Duration| self.took * 5 >= time * 4;
        self.stop == Some(StopReason::Proven)
            || limits.time.is_some_and(enough_time)
            || limits.nodes.is_some_and(|nodes| self.report.nodes >= nodes)
            || limits.depth.is_some_and(|depth| self.report.depth >= depth)
    }

    /// The same answer for later callers. However the search was cut short, for
    /// them it ended by the time it took.
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

    /// Whether this answer is worth more than another to the same question.
    pub(crate) fn outranks(&self, other: &Snapshot) -> bool {
        self.rank() >= other.rank()
    }

    fn rank(&self) -> AnswerRank {
        let is_proven = self.stop == Some(StopReason::Proven);
        AnswerRank::new(is_proven, self.n_lines, self.report.depth, self.report.nodes)
    }

    /// About how much memory it takes.
    fn size_bytes(&self) -> u32 {
        let lines: usize = self.report.lines.iter().map(|line| 200 + 40 * line.moves.len()).sum();
        (400 + lines + self.root.size_bytes()) as u32
    }
}

/// Answers within a bound of memory; `None` if that is zero.
#[derive(Clone, Debug)]
pub(crate) struct AnswerCache(Option<Cache<CacheKey, Arc<Snapshot>>>);

impl AnswerCache {
    pub(crate) fn new(bytes_max: u64) -> Self {
        let weigher = |key: &CacheKey, snapshot: &Arc<Snapshot>| {
            let considered = key.considered.as_ref().map_or(0, |moves| 40 * moves.len());
            snapshot.size_bytes() + (key.position.as_bytes().len() + considered) as u32
        };
        let builder = Cache::builder().max_capacity(bytes_max).weigher(weigher);
        AnswerCache((bytes_max > 0).then(|| builder.support_invalidation_closures().build()))
    }

    /// Whether it keeps anything.
    pub(crate) fn has_room(&self) -> bool {
        self.0.is_some()
    }

    /// Drops the answers of other games than these: nobody can ask for them any more.
    /// One that a search finds later stays until there is no room for it.
    pub(crate) fn retain_revisions(&self, revisions: Vec<u64>) {
        let Some(cache) = &self.0 else { return };
        let is_retired = move |key: &CacheKey, _: &Arc<Snapshot>| !revisions.contains(&key.revision);
        cache.invalidate_entries_if(is_retired).expect("the cache was built for it");
        cache.run_pending_tasks();
    }

    pub(crate) fn get(&self, key: &CacheKey, limits: &QuestionLimits, n_lines: usize) -> Option<Arc<Snapshot>> {
        self.peek(key).filter(|snapshot| snapshot.satisfies(limits, n_lines))
    }

    /// What is known, whether or not it suffices for a question.
    pub(crate) fn peek(&self, key: &CacheKey) -> Option<Arc<Snapshot>> {
        self.0.as_ref()?.get(key)
    }

    pub(crate) fn put(&self, key: CacheKey, snapshot: Arc<Snapshot>) {
        let Some(cache) = &self.0 else { return };
        let _stored = cache.entry(key).and_upsert_with(|present| match present {
            Some(present) if !snapshot.outranks(present.value()) => present.into_value(),
            _ => snapshot,
        });
    }

    /// How many answers it has, and about how many bytes they take.
    pub(crate) fn size(&self) -> (u64, u64) {
        let Some(cache) = &self.0 else { return (0, 0) };
        cache.run_pending_tasks();
        (cache.entry_count(), cache.weighted_size())
    }
}
