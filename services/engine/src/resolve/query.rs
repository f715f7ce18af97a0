//! A question about moves, resolved: what is searched, and until when.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_model::{Certainty, Evaluation, Source, Wdl};

use crate::answer::{StopReason, VariantRef};
use crate::config::EngineConfig;
use crate::present::level;
use crate::question::{Caller, Class, HintQuestion, bounded_limits};
use crate::resolve::SearchRoot;
use crate::search::cache::{CacheKey, Snapshot};
use crate::search::job::SearchKey;
use crate::served_game::ServedGame;

/// A search is not taken up again for less than this.
const WORTHWHILE: Duration = Duration::from_millis(5);
/// How long a bulk question without a deadline may wait for its search.
const BULK_WAIT_MAX: Duration = Duration::from_hours(24);

/// A question whose position, limits and deadline are known.
pub(crate) struct ResolvedQuery {
    pub(crate) game: Arc<ServedGame>,
    pub(crate) variant: usize,
    pub(crate) root: Arc<SearchRoot>,
    pub(crate) question: Arc<HintQuestion>,
    /// When the answer is due. For a bulk question that is by its deadline alone.
    pub(crate) due: Instant,
    /// The time of its search, if it counts from the start of the search.
    pub(crate) search_time: Option<Duration>,
    /// The time of its search for bounds and fairness: its limit, or what is usual.
    pub(crate) cost: Duration,
    /// Whether a caller's deadline made it due, rather than the time limit.
    pub(crate) is_deadline: bool,
    pub(crate) search_key: SearchKey,
}

impl ResolvedQuery {
    pub(crate) fn new(
        config: &EngineConfig,
        game: Arc<ServedGame>,
        variant: usize,
        root: SearchRoot,
        question: Arc<HintQuestion>,
        caller: &Caller,
    ) -> Self {
        let n_sides = game.ruleset.variants()[variant].n_sides;
        let limits = level::tighten(question.level, n_sides, bounded_limits(question.limits, config));
        let time = limits.time.unwrap_or(config.time_max);
        let (wait_max, search_time) = match caller.class {
            Class::Interactive => (time, None),
            Class::Bulk => (BULK_WAIT_MAX, Some(time)),
        };
        let due_by_limit = caller.arrived + wait_max;
        let due_by_deadline = caller.answer_by();
        let key = CacheKey {
            revision: game.revision,
            variant,
            position: root.canonical.clone(),
            considered: root.considered.clone(),
            level: question.level,
        };
        let n_lines = level::n_lines(question.level, n_sides, question.count);
        let due = due_by_deadline.map_or(due_by_limit, |deadline| deadline.min(due_by_limit));
        ResolvedQuery {
            game,
            variant,
            root: Arc::new(root),
            question,
            due,
            is_deadline: due_by_deadline.is_some_and(|deadline| deadline < due_by_limit),
            search_time,
            cost: limits.time.unwrap_or(config.time_default).min(due.saturating_duration_since(caller.arrived)),
            search_key: SearchKey { key, limits, n_lines, class: caller.class },
        }
    }

    pub(crate) fn variant_ref(&self) -> VariantRef {
        VariantRef::new(self.game.ruleset.clone(), self.variant)
    }

    /// What ends a search that runs until the answer is due.
    pub(crate) fn due_reason(&self) -> StopReason {
        if self.is_deadline { StopReason::Deadline } else { StopReason::Time }
    }

    /// Whether another caller's deadline ended the search so early that this
    /// caller has time to find out more.
    pub(crate) fn has_time_after(&self, snapshot: &Snapshot) -> bool {
        let left = self.due.saturating_duration_since(Instant::now());
        snapshot.stop == Some(StopReason::Deadline) && left >= WORTHWHILE && left * 4 > snapshot.took
    }

    /// The value of a finished game.
    pub(crate) fn terminal_evaluation(&self) -> Option<Evaluation> {
        let scores = self.root.outcome.as_ref()?.scores;
        let has_two_sides = self.game.ruleset.variants()[self.variant].n_sides == 2;
        Some(Evaluation {
            certainty: Certainty::Proven,
            outcome: has_two_sides.then(|| Wdl::of_score(scores[self.root.to_move])),
            plies_to_end: Some(0),
            scores,
            source: Source::Terminal,
            depth: 0,
        })
    }
}
