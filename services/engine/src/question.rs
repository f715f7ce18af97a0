//! What may be asked.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use pentad_model::i18n::Language;

use crate::config::EngineConfig;
use crate::cost::CostMeter;
use crate::error::EngineError;
use crate::present::level;
use crate::rules::job::AboutPosition;
use crate::trace::Trace;

/// A position of a game, as callers write it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PositionSpec {
    /// Id of the game.
    pub game: String,
    /// Id of the variant; empty for the game's first.
    pub variant: String,
    /// In the game's notation; empty for the start.
    pub position: String,
    /// Played from there.
    pub moves: Vec<String>,
}

impl PositionSpec {
    /// For the log: `6/6/6/6/6/6 w`, or `start moves a1-2r c3-1l`.
    pub(crate) fn to_log(&self) -> String {
        let position = if self.position.is_empty() { "start" } else { &self.position };
        if self.moves.is_empty() { position.to_owned() } else { format!("{position} moves {}", self.moves.join(" ")) }
    }
}

impl AboutPosition for PositionSpec {
    fn position(&self) -> String {
        self.to_log()
    }
}

/// Who asks, how urgently, and until when an answer is of use.
#[derive(Clone, Debug)]
pub struct Caller {
    /// When the question arrived.
    pub arrived: Instant,
    /// When the caller stops waiting.
    pub deadline: Option<Instant>,
    /// How urgent it is.
    pub class: Class,
    /// Which of this caller's questions go first.
    pub priority: Priority,
    /// Callers with equal keys share what one caller gets.
    pub key: CallerKey,
    /// Whose call it is, for logs and traces.
    pub trace: Trace,
    /// Counts what answering costs.
    pub meter: Arc<CostMeter>,
    /// What the texts of the answer are in.
    pub language: Language,
    /// Whether a store keeps estimates however quickly they were found, rather than those
    /// only that took long: whoever asks for the same again wants all of it without a search.
    pub keeps_estimates: bool,
}

impl Caller {
    /// An interactive caller that arrives now, has no deadline and reads English.
    pub fn now() -> Self {
        Caller {
            arrived: Instant::now(),
            deadline: None,
            class: Class::Interactive,
            priority: Priority::Normal,
            key: CallerKey::default(),
            trace: Trace::default(),
            meter: Arc::default(),
            language: Language::English,
            keeps_estimates: false,
        }
    }

    /// When the answer should be on its way so that it arrives by the
    /// deadline: a tenth earlier, but at least 2 and at most 10 ms.
    pub(crate) fn answer_by(&self) -> Option<Instant> {
        let deadline = self.deadline?;
        let left = deadline.saturating_duration_since(self.arrived);
        let margin = (left / 10).clamp(Duration::from_millis(2), Duration::from_millis(10));
        Some(deadline.checked_sub(margin).unwrap_or(deadline).max(self.arrived))
    }
}

/// Who asks, as far as fairness goes: what there is to be had is shared between keys.
/// Nothing of the name or address that it was made of can be told from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallerKey(u64);

impl CallerKey {
    /// Of whatever identifies a caller.
    pub fn of(identity: impl Hash) -> Self {
        // Keyed by chance, so that nobody can choose a name that collides.
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        CallerKey(HASHER.hash_one(identity))
    }
}

/// Which of a caller's questions go first. It takes nothing from other callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// After the others.
    Low,
    /// As most.
    #[default]
    Normal,
    /// Before the others.
    High,
}

/// How urgent a question is. Interactive ones have workers of their own, before which
/// bulk ones give way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A person or a service waits for the answer.
    Interactive,
    /// One question of a large batch: its time limit counts from the start of its search,
    /// however long it waits for that.
    Bulk,
}

impl Class {
    /// As written in metrics and spans.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Interactive => "interactive",
            Class::Bulk => "bulk",
        }
    }
}

/// When to stop looking; the first to trip does it.
/// The time is that from the question's arrival to the answer.
pub type QuestionLimits = pentad_model::Limits;

/// The limits within the engine's bounds; with its default time if there are none.
pub(crate) fn bounded_limits(limits: QuestionLimits, config: &EngineConfig) -> QuestionLimits {
    let is_unlimited = limits == QuestionLimits::default();
    let time = if is_unlimited { Some(config.time_default) } else { limits.time };
    QuestionLimits { time: time.map(|time| time.min(config.time_max)), ..limits }
}

/// Which legal moves to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MovesQuestion {
    /// The position.
    pub spec: PositionSpec,
    /// Only moves whose text begins so.
    pub prefix: String,
    /// At most so many; 0 for the engine's bound.
    pub page_size: usize,
    /// From the page before; empty for the first page.
    pub page_token: String,
    /// Only the first of the moves that lead to one position.
    pub distinct: bool,
}

impl AboutPosition for MovesQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// Which wins to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreatsQuestion {
    /// The position.
    pub spec: PositionSpec,
    /// Plies within which wins are looked for; 1 asks for those at once only, which
    /// takes no search.
    pub depth: u32,
    /// When to stop searching.
    pub limits: QuestionLimits,
}

impl ThreatsQuestion {
    /// The wins in one.
    pub fn new(spec: PositionSpec) -> Self {
        ThreatsQuestion { spec, depth: 1, limits: QuestionLimits::default() }
    }
}

impl AboutPosition for ThreatsQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// What to find out about the moves of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HintQuestion {
    /// The position.
    pub spec: PositionSpec,
    /// When to stop searching.
    pub limits: QuestionLimits,
    /// How many hints; at least 1.
    pub count: usize,
    /// 1 to 10; 10 is full strength.
    pub level: u8,
    /// Decides what levels below 10 choose, which is always the same for the same
    /// seed; drawn at random if `None`.
    pub seed: Option<u64>,
    /// How much to give away.
    pub detail: Detail,
    /// Only these moves; empty for all.
    pub allow_moves: Vec<String>,
    /// Not these moves.
    pub avoid_moves: Vec<String>,
}

impl AboutPosition for Arc<HintQuestion> {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

impl HintQuestion {
    /// The best move at full strength, with everything that is known of it.
    pub fn new(spec: PositionSpec) -> Self {
        HintQuestion {
            spec,
            limits: QuestionLimits::default(),
            count: 1,
            level: 10,
            seed: None,
            detail: Detail::Line,
            allow_moves: Vec::new(),
            avoid_moves: Vec::new(),
        }
    }

    /// The same about these moves alone.
    pub(crate) fn only(self, moves: Vec<String>) -> Self {
        HintQuestion { allow_moves: moves, ..self }
    }

    /// The same about all moves but these.
    pub(crate) fn without(self, moves: Vec<String>) -> Self {
        HintQuestion { avoid_moves: moves, ..self }
    }

    /// Whether the same question may get another answer because a seed is drawn.
    pub fn is_random(&self) -> bool {
        self.level < level::FULL && self.seed.is_none()
    }

    /// Whether it asks for the best play, so that a proof is the last word.
    pub fn is_full_strength(&self) -> bool {
        self.level >= level::FULL
    }

    /// Checks what can be checked without the rules.
    pub(crate) fn check(&self, config: &EngineConfig) -> Result<(), EngineError> {
        let bad = |field: &str, message: String| Err(EngineError::BadArgument { field: field.to_owned(), message });
        if self.count == 0 || self.count > config.hints_max {
            return bad("count", format!("{} is not between 1 and {}", self.count, config.hints_max));
        }
        if self.level == 0 || self.level > level::FULL {
            return bad("level", format!("{} is not between 1 and {}", self.level, level::FULL));
        }
        check_limits(self.limits)
    }
}

/// A limit of zero allows nothing.
pub(crate) fn check_limits(limits: QuestionLimits) -> Result<(), EngineError> {
    let QuestionLimits { time, nodes, depth } = limits;
    let limits = [
        ("limits.timeMs", time == Some(Duration::ZERO)),
        ("limits.nodes", nodes == Some(0)),
        ("limits.depth", depth == Some(0)),
    ];
    match limits.into_iter().find(|(_, is_zero)| *is_zero) {
        Some((field, _)) => {
            Err(EngineError::BadArgument { field: field.to_owned(), message: "must be at least 1".to_owned() })
        }
        None => Ok(()),
    }
}

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// The evaluation, and what to look for.
    Nudge,
    /// Also where on the board.
    Area,
    /// Also the move.
    Move,
    /// Also the play expected to follow.
    Line,
}
