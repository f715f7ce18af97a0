//! Questions that several calls share, and their callers.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use pentad_model::i18n::Language;

use crate::config::EngineConfig;
use crate::cost::CostMeter;
use crate::error::EngineError;
use crate::field::{Field, FieldMessage};
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
    /// Position in the game's notation; empty for the start.
    pub position: String,
    /// Moves played from there.
    pub moves: Vec<String>,
}

impl PositionSpec {
    /// Returns the text for the log: `6/6/6/6/6/6 w`, or `start moves a1-2r c3-1l`.
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

/// The caller of a question, its urgency and its deadline.
#[derive(Clone, Debug)]
pub struct Caller {
    /// When the question arrived.
    pub arrived: Instant,
    /// When the caller stops waiting.
    pub deadline: Option<Instant>,
    /// Urgency of the question.
    pub class: Class,
    /// Which of this caller's questions go first.
    pub priority: Priority,
    /// Identity for fair queuing: callers with equal keys share one caller's capacity.
    pub key: CallerKey,
    /// Identity of the call in logs and traces.
    pub trace: Trace,
    /// Meter of the CPU time spent for the call.
    pub meter: Arc<CostMeter>,
    /// Language of the answer's texts.
    pub language: Language,
    /// Whether a store keeps all estimates, instead of only those that took long, so that the same call needs
    /// no search the next time.
    pub keeps_estimates: bool,
    /// Whether answers that were found earlier are left out, so that every question is searched again.
    pub skips_cache: bool,
}

impl Caller {
    /// Returns an interactive caller that arrives now, has no deadline and reads English.
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
            skips_cache: false,
        }
    }

    /// Returns when the answer has to be sent to arrive by the deadline: a tenth earlier, but at least 2 and
    /// at most 10 ms.
    pub(crate) fn answer_by(&self) -> Option<Instant> {
        let deadline = self.deadline?;
        let left = deadline.saturating_duration_since(self.arrived);
        let margin = (left / 10).clamp(Duration::from_millis(2), Duration::from_millis(10));
        Some(deadline.checked_sub(margin).unwrap_or(deadline).max(self.arrived))
    }
}

/// Identity for fair queuing; capacity is shared between keys. It does not reveal the name or address that it
/// was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallerKey(u64);

impl CallerKey {
    /// Creates the key of a caller from whatever identifies it.
    pub fn of(identity: impl Hash) -> Self {
        // Randomly keyed, so that callers cannot construct collisions.
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        CallerKey(HASHER.hash_one(identity))
    }
}

/// Order among one caller's questions. It takes nothing from other callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// After the others.
    Low,
    /// The default.
    #[default]
    Normal,
    /// Before the others.
    High,
}

/// Urgency of a question. Interactive questions have workers of their own, to which bulk ones yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A person or a service waits for the answer.
    Interactive,
    /// One question of a large batch: its time limit counts from the start of its search, however long it
    /// waits.
    Bulk,
}

impl Class {
    /// Returns the name in metrics and spans.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Interactive => "interactive",
            Class::Bulk => "bulk",
        }
    }
}

/// Limits of a search; the first that is reached ends it. The time counts from the question's arrival to the
/// answer.
pub type QuestionLimits = pentad_model::Limits;

/// Returns the limits within the engine's bounds; with its default time if there are none.
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
    /// Prefix of the moves' texts.
    pub prefix: String,
    /// Maximum number of moves; 0 for the engine's bound.
    pub page_size: usize,
    /// Token from the previous page; empty for the first page.
    pub page_token: String,
    /// Lists of distinct moves: the first of the moves that lead to one position.
    pub distinct: bool,
    /// Language in which the moves are also said in words, if they are.
    pub texts: Option<Language>,
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
    /// Plies within which wins are looked for; 1 means wins in one, which need no search.
    pub depth: u32,
    /// When to stop searching.
    pub limits: QuestionLimits,
}

impl ThreatsQuestion {
    /// Creates a question about wins in one.
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
    /// Number of hints; at least 1.
    pub count: usize,
    /// Level of play, 1 to 10; 10 is full strength.
    pub level: u8,
    /// Seed for the choices of levels below 10, which are equal for equal seeds; drawn at random if `None`.
    pub seed: Option<u64>,
    /// Amount of detail.
    pub detail: Detail,
    /// The only moves to consider; empty for all.
    pub allow_moves: Vec<String>,
    /// Moves not to consider.
    pub avoid_moves: Vec<String>,
    /// Whether to value every move, and to give each a probability.
    pub policy: bool,
}

impl AboutPosition for Arc<HintQuestion> {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

impl HintQuestion {
    /// Creates a question about the best move at full strength, with full detail.
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
            policy: false,
        }
    }

    /// Returns the question restricted to these moves.
    pub(crate) fn only(self, moves: Vec<String>) -> Self {
        HintQuestion { allow_moves: moves, ..self }
    }

    /// Returns the question about all moves except these.
    pub(crate) fn without(self, moves: Vec<String>) -> Self {
        HintQuestion { avoid_moves: moves, ..self }
    }

    /// Whether the same question may get another answer because a seed is drawn.
    pub fn is_random(&self) -> bool {
        self.level < level::FULL && self.seed.is_none()
    }

    /// Checks what can be checked without the rules.
    pub(crate) fn check(&self, config: &EngineConfig) -> Result<(), EngineError> {
        if self.count == 0 || self.count > config.hints_max {
            let message = format!("{} is not between 1 and {}", self.count, config.hints_max);
            return Err(EngineError::bad_argument(Field::Count, message));
        }
        if self.level == 0 || self.level > level::FULL {
            let message = format!("{} is not between 1 and {}", self.level, level::FULL);
            return Err(EngineError::bad_argument(Field::Level, message));
        }
        self.check_policy()?;
        check_limits(self.limits)
    }

    /// Probabilities are of full strength, and name every move.
    fn check_policy(&self) -> Result<(), EngineError> {
        let excluded_by = match self {
            HintQuestion { policy: false, .. } => return Ok(()),
            HintQuestion { level, .. } if *level < level::FULL => Field::Level,
            HintQuestion { detail: Detail::Nudge | Detail::Area, .. } => Field::Detail,
            _ => return Ok(()),
        };
        let message = FieldMessage::from("is of full strength and names every move; leave ").field(excluded_by);
        Err(EngineError::bad_argument(Field::Policy, message.text(" out")))
    }
}

/// Refuses limits of zero, which allow nothing.
pub(crate) fn check_limits(limits: QuestionLimits) -> Result<(), EngineError> {
    let QuestionLimits { time, nodes, depth } = limits;
    let limits = [
        (Field::TimeLimit, time == Some(Duration::ZERO)),
        (Field::NodeLimit, nodes == Some(0)),
        (Field::DepthLimit, depth == Some(0)),
    ];
    match limits.into_iter().find(|(_, is_zero)| *is_zero) {
        Some((field, _)) => Err(EngineError::bad_argument(field, "must be at least 1")),
        None => Ok(()),
    }
}

/// Amount of detail in a hint.
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
