//! Answers. Moves and cells are in the caller's orientation.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use pentad_host::{Ruleset, Variant};
use pentad_model::Evaluation;
use pentad_model::{Outcome, Reason};

use crate::present::move_words::MoveWords;
use crate::resolve::position_key::PositionKey;

/// The variant that an answer is about, as it was when the question was resolved. Its seats and points stay
/// readable if the game goes down meanwhile.
#[derive(Clone)]
pub struct VariantRef {
    ruleset: Arc<Ruleset>,
    variant_idx: usize,
}

impl VariantRef {
    pub(crate) fn new(ruleset: Arc<Ruleset>, variant_idx: usize) -> Self {
        assert!(variant_idx < ruleset.variants().len(), "a resolved variant exists");
        VariantRef { ruleset, variant_idx }
    }

    /// The rule set of the variant.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }
}

impl std::ops::Deref for VariantRef {
    type Target = Variant;
    fn deref(&self) -> &Variant {
        &self.ruleset.variants()[self.variant_idx]
    }
}

impl fmt::Debug for VariantRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ruleset.info().id, self.id)
    }
}

impl PartialEq for VariantRef {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ruleset, &other.ruleset) && self.variant_idx == other.variant_idx
    }
}

/// Description of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// In canonical form, after the moves.
    pub position: String,
    /// Equal for equal and symmetric positions of a variant.
    pub key: PositionKey,
    /// Seat number.
    pub to_move: usize,
    /// Number of legal moves.
    pub n_legal_moves: u64,
    /// `None` while the game goes on.
    pub outcome: Option<Outcome>,
    /// Pieces by point, as indices into the variant's board; empty without one.
    pub pieces: Vec<(u32, u32)>,
    /// Variant with the seats and points.
    pub variant: VariantRef,
}

/// A page of legal moves, kept as one text so that long lists cost no
/// allocation per move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MovePage {
    text: String,
    ends: Vec<u32>,
    /// Number of moves on all pages together.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// Equal for equal and symmetric positions; every answer has one.
    pub key: Option<PositionKey>,
    /// The moves in a player's words, in the same order, if they were requested; empty where there are none.
    pub texts: Vec<String>,
}

impl MovePage {
    /// The moves, in canonical order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|idx| self.get(idx))
    }

    /// Returns the number of moves on this page.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether this page has no moves.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns one page of this list.
    pub(crate) fn page(&self, start: u64, page_size: usize) -> MovePage {
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(self.len());
        let end = start.saturating_add(page_size).min(self.len());
        let mut page = MovePage { total: self.total, ..MovePage::default() };
        (start..end).for_each(|idx| page.push(self.get(idx)));
        page
    }

    /// Returns about how much memory it takes.
    pub(crate) fn size_bytes(&self) -> usize {
        size_of::<MovePage>() + self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    fn get(&self, idx: usize) -> &str {
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] as usize };
        &self.text[start..self.ends[idx] as usize]
    }

    /// Appends a move.
    pub fn push(&mut self, mv: &str) {
        self.text.push_str(mv);
        self.ends.push(self.text.len() as u32);
    }
}

/// Value of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionValue {
    /// Its value.
    pub evaluation: Evaluation,
    /// In canonical form, after the moves.
    pub position: String,
    /// Equal for equal and symmetric positions of a variant.
    pub key: PositionKey,
    /// Seat number.
    pub to_move: usize,
    /// Variant with the seats.
    pub variant: VariantRef,
}

/// The wins that each seat would have if it were its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Threats {
    /// Wins of the seat to move come first, wins in one before longer ones.
    pub threats: Vec<SeatThreat>,
    /// Moves of the seat to move after which no seat of another side has a win in one; empty if none has one
    /// now.
    pub stops_all: Vec<String>,
    /// The seats whose wins are known: all, or the one to move if the rule set does not
    /// list threats.
    pub seats: Vec<usize>,
    /// Whether a list was cut.
    pub is_truncated: bool,
    /// In canonical form, after the moves.
    pub position: String,
    /// Equal for equal and symmetric positions of a variant.
    pub key: PositionKey,
    /// Seat number.
    pub to_move: usize,
    /// Variant with the seats and points.
    pub variant: VariantRef,
}

/// A win of one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatThreat {
    /// Seat number of the winner.
    pub seat: usize,
    /// One of the rule set's kinds, `winning` or `forced`.
    pub kind: String,
    /// First move of the win.
    pub mv: String,
    /// Points of the variant's board, by index.
    pub points: Vec<u32>,
    /// Moves of the seat to move that stop the win.
    pub stopped_by: Vec<String>,
    /// Plies to the end, including the first move.
    pub plies: u32,
    /// Score that the seat gets at least.
    pub score: f64,
}

/// The best moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Hints {
    /// Best first.
    pub hints: Vec<Hint>,
    /// A probability for every different move, best first; empty unless requested.
    pub policy: Vec<PolicyMove>,
    /// Words for the moves of the hints, until the answer's language is chosen.
    pub words: MoveWords,
    /// Value of the position itself.
    pub evaluation: Evaluation,
    /// Why the search ended; `None` while it goes on.
    pub stop: Option<StopReason>,
    /// Plies completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// From the question's arrival to the answer.
    pub elapsed: Duration,
    /// Whether the answer came from the cache.
    pub cached: bool,
    /// In canonical form, after the moves.
    pub position: String,
    /// Equal for equal and symmetric positions of a variant.
    pub key: PositionKey,
    /// Seat number.
    pub to_move: usize,
    /// Variant with the seats and points.
    pub variant: VariantRef,
}

/// One recommended move.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// Canonical notation; empty if the requested detail withholds it.
    pub mv: String,
    /// The move in a player's words; empty if there are none, or the detail withholds it.
    pub mv_text: String,
    /// Value of the move.
    pub evaluation: Evaluation,
    /// Expected play, the move itself first.
    pub line: Vec<String>,
    /// Most important reason first.
    pub reasons: Vec<Reason>,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
    /// Points to look at, for [`Detail::Area`](crate::Detail::Area).
    pub area: Vec<String>,
}

/// A move with a probability that is derived from its value.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyMove {
    /// Canonical notation.
    pub mv: String,
    /// From 0 to 1; those of all moves add up to 1.
    pub probability: f64,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
    /// Value of the move.
    pub evaluation: Evaluation,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// More search would change nothing.
    Proven,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// The caller's deadline came before the limits.
    Deadline,
    /// The search was cut short because other questions waited for a worker.
    Load,
    /// Every caller has left.
    Cancelled,
    /// The engine is stopping.
    Shutdown,
}

impl StopReason {
    /// All reasons, for metrics.
    pub const ALL: [StopReason; 8] = [
        StopReason::Proven,
        StopReason::Time,
        StopReason::Nodes,
        StopReason::Depth,
        StopReason::Deadline,
        StopReason::Load,
        StopReason::Cancelled,
        StopReason::Shutdown,
    ];

    /// Returns the name in answers and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Proven => "proven",
            StopReason::Time => "time",
            StopReason::Nodes => "nodes",
            StopReason::Depth => "depth",
            StopReason::Deadline => "deadline",
            StopReason::Load => "load",
            StopReason::Cancelled => "cancelled",
            StopReason::Shutdown => "shutdown",
        }
    }
}
