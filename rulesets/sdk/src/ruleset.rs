//! The trait that makes a game, and the words it speaks.

use std::ops::ControlFlow;

use pentad_search::Scores;

/// A game's rules: all a rule set needs to be served.
///
/// A value of the implementing type stands for one variant and holds what is
/// fixed for it; it is made once and shared by all threads. Positions and moves
/// are values. Nothing keeps state between calls.
pub trait Ruleset: Send + Sync + Sized + 'static {
    /// Everything the rules need to go on.
    type Position: Clone + PartialEq;
    /// A whole move of one turn.
    type Move: Clone + PartialEq;

    /// Who the game is.
    const INFO: Info;

    /// The ways of playing it, the default first. Always the same list.
    fn variants() -> Vec<Variant>;

    /// Makes the rules of the variant with that index in [`variants`](Ruleset::variants).
    fn new(variant_idx: usize) -> Self;

    /// Bytes that [`encode`](Ruleset::encode) fills.
    fn position_size(&self) -> usize;

    /// Writes a position as bytes, the same bytes for equal positions.
    /// `bytes` has [`position_size`](Ruleset::position_size) bytes, all 0.
    fn encode(&self, position: &Self::Position, bytes: &mut [u8]);

    /// Reads what [`encode`](Ruleset::encode) wrote. `None` for other bytes.
    fn decode(&self, bytes: &[u8]) -> Option<Self::Position>;

    /// Where the game begins.
    fn start(&self) -> Self::Position;

    /// Reads a position from text and checks that the rules can hold it.
    fn parse(&self, text: &str) -> Result<Self::Position, Refusal>;

    /// Appends a position as text, in canonical form.
    fn format(&self, position: &Self::Position, out: &mut String);

    /// The seat whose turn it is, or would be.
    fn to_move(&self, position: &Self::Position) -> usize;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Gives the legal moves to `visit`, in canonical order, until it breaks.
    /// A finished game has none.
    fn legal_moves(
        &self,
        position: &Self::Position,
        visit: &mut dyn FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Reads a move and checks that it is legal in `position`, which is not
    /// finished.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, Refusal>;

    /// Appends a legal move as text, in canonical form.
    fn format_move(&self, position: &Self::Position, mv: &Self::Move, out: &mut String);

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position;

    /// Gives the text of the legal moves that begin with `prefix`. The default
    /// writes them all and leaves out those that do not fit; a game with very
    /// many moves does better.
    fn legal_move_texts(
        &self,
        position: &Self::Position,
        prefix: &str,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut text = String::new();
        self.legal_moves(position, &mut |mv| {
            text.clear();
            self.format_move(position, &mv, &mut text);
            if text.starts_with(prefix) { visit(&text) } else { ControlFlow::Continue(()) }
        })
    }

    /// How many moves [`legal_move_texts`](Ruleset::legal_move_texts) gives. The
    /// default counts them one by one; a game may do better.
    fn count_moves(&self, position: &Self::Position, prefix: &str) -> u64 {
        if prefix.is_empty() {
            return self.n_moves(position);
        }
        let mut count = 0;
        let _complete = self.legal_move_texts(position, prefix, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// How many legal moves there are. The default counts them one by one; most
    /// games can tell from the position.
    fn n_moves(&self, position: &Self::Position) -> u64 {
        let mut count = 0;
        let _complete = self.legal_moves(position, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }
}

/// Who a game is.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Lower-case letters, digits and `-`.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Of the rule set; usually `env!("CARGO_PKG_VERSION")`.
    pub version: &'static str,
    /// How the game is played, for people, in a few lines.
    pub rules: &'static str,
    /// How positions and moves are written, for people, in a few lines.
    pub notation: &'static str,
}

/// One way of playing a game.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Lower-case letters, digits and `-`.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// In playing order.
    pub seats: Vec<Seat>,
    /// No game is longer, if there is a bound.
    pub plies_max: Option<u32>,
}

/// A player at the board.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Short, as in positions.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Seats of one side win and lose together.
    pub side: u32,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// 0 to 1 per seat.
    pub scores: Scores,
    /// Per seat; 1 is best, equal places repeat.
    pub places: Vec<u32>,
    /// One sentence for people.
    pub text: String,
}

impl Outcome {
    /// Of a game for two: who won, if anybody, and how, for people.
    pub fn of_two(winner: Option<usize>, text: impl Into<String>) -> Self {
        let (scores, places) = match winner {
            Some(0) => ([1.0, 0.0], vec![1, 2]),
            Some(_) => ([0.0, 1.0], vec![2, 1]),
            None => ([0.5, 0.5], vec![1, 1]),
        };
        Outcome { scores: Scores::new(&scores), places, text: text.into() }
    }
}

/// Why a position or move was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of fault it is.
    pub kind: RefusalKind,
    /// Which part of the text is wrong, as the rules call it; may be empty.
    pub field: &'static str,
    /// Place of the offending character in the whole text, from 1.
    pub column: Option<usize>,
    /// Lower case, no full stop.
    pub message: String,
}

/// What kind of fault a [`Refusal`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The text breaks the notation, or no such position can be.
    Malformed,
    /// The rules forbid the move.
    Illegal,
    /// The game is finished.
    GameOver,
    /// The memory given does not suffice.
    NoMemory,
    /// This rule set cannot do that for this variant.
    Unsupported,
}

impl Refusal {
    /// The text breaks the notation at `column` (from 1).
    pub fn malformed(field: &'static str, column: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::Malformed, field, column: column.into(), message: message.into() }
    }

    /// The rules forbid the move.
    pub fn illegal(message: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::Illegal, field: "", column: None, message: message.into() }
    }

    /// A search cannot be made with the memory given.
    pub fn no_memory(message: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::NoMemory, field: "", column: None, message: message.into() }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)?;
        self.column.map_or(Ok(()), |column| write!(f, " (column {column})"))
    }
}

impl std::error::Error for Refusal {}
