//! A resolved question about moves: what is searched, and until when.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_host::Position;
use pentad_model::{Certainty, Evaluation, Source, Wdl};

use crate::answer::{StopReason, VariantRef};
use crate::config::EngineConfig;
use crate::present::level;
use crate::present::policy::POLICY_MOVES_MAX;
use crate::question::{Caller, Class, HintQuestion, QuestionLimits, bounded_limits};
use crate::resolve::SearchRoot;
use crate::resolve::considered::Considered;
use crate::search::cache::Snapshot;
use crate::served_game::ServedGame;

/// Shortest time for which a search is resumed.
const WORTHWHILE: Duration = Duration::from_millis(5);
/// How long a bulk question without a deadline may wait for its search.
const BULK_WAIT_MAX: Duration = Duration::from_hours(24);

/// What a search is about; answers are cached under it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SearchKey {
    /// [`ServedGame::revision`].
    pub(crate) revision: u64,
    pub(crate) variant: usize,
    /// Canonical under the game's symmetries.
    pub(crate) position: Position,
    /// The moves considered, in that orientation.
    pub(crate) considered: Considered,
    pub(crate) level: u8,
}

/// How much is searched, and how urgently. Questions with equal keys and efforts share one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Effort {
    pub(crate) limits: QuestionLimits,
    pub(crate) n_lines: usize,
    /// An interactive question does not wait for a bulk search.
    pub(crate) class: Class,
}

/// Identity of a search that questions share.
pub(crate) type FlightKey = (SearchKey, Effort);

/// A question whose position, limits and deadline are known.
pub(crate) struct ResolvedQuery {
    pub(crate) game: Arc<ServedGame>,
    pub(crate) variant: usize,
    pub(crate) root: Arc<SearchRoot>,
    pub(crate) question: Arc<HintQuestion>,
    /// When the answer is due. For a bulk question only its deadline counts.
    pub(crate) due: Instant,
    /// Time of its search, if that counts from the start of the search.
    pub(crate) search_time: Option<Duration>,
    /// Time of its search for bounds and fairness: its limit, or the default.
    pub(crate) cost: Duration,
    /// Whether a caller's deadline made it due, rather than the time limit.
    pub(crate) is_deadline: bool,
    pub(crate) key: SearchKey,
    pub(crate) effort: Effort,
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
        let key = SearchKey {
            revision: game.revision,
            variant,
            position: root.canonical.clone(),
            considered: root.considered.clone(),
            level: question.level,
        };
        let n_lines = level::n_lines(question.level, n_sides, question.count);
        let n_lines = if question.policy { n_lines.max(POLICY_MOVES_MAX) } else { n_lines };
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
            key,
            effort: Effort { limits, n_lines, class: caller.class },
        }
    }

    pub(crate) fn variant_ref(&self) -> VariantRef {
        VariantRef::new(self.game.ruleset.clone(), self.variant)
    }

    pub(crate) fn flight_key(&self) -> FlightKey {
        (self.key.clone(), self.effort)
    }

    /// Whether the answer may be stored. Answers of weaker levels are quick to search again.
    pub(crate) fn is_storable(&self) -> bool {
        self.key.level == level::FULL
    }

    /// Returns the reason that ends a search which runs until the answer is due.
    pub(crate) fn due_reason(&self) -> StopReason {
        if self.is_deadline { StopReason::Deadline } else { StopReason::Time }
    }

    /// Whether another caller's deadline ended the search so early that this caller has time for more.
    pub(crate) fn has_time_after(&self, snapshot: &Snapshot) -> bool {
        let left = self.due.saturating_duration_since(Instant::now());
        snapshot.stop == Some(StopReason::Deadline) && left >= WORTHWHILE && left * 4 > snapshot.took
    }

    /// Returns the value of a finished game.
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
