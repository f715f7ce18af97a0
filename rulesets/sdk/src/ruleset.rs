//! The trait that every game implements, and its types.

use std::borrow::Cow;
use std::ops::ControlFlow;

pub use pentad_model::Outcome;

use crate::i18n::Translations;

/// A game's rules: the only trait that a rule set must implement.
///
/// A value of the implementing type represents one variant and holds its constants; it
/// is created once and shared by all threads. Positions and moves are values. Nothing
/// keeps state between calls.
pub trait Ruleset: Send + Sync + Sized + 'static {
    /// Everything the rules need to continue the game.
    type Position: Clone + PartialEq;
    /// A complete turn of one player.
    type Move: Clone + PartialEq;

    /// The game's id, name and texts.
    const INFO: Info;

    /// Returns the variants, the default first; always the same list.
    fn variants() -> Vec<Variant>;

    /// Creates the rules of the variant with that index in
    /// [`variants`](Ruleset::variants).
    fn new(variant_idx: usize) -> Self;

    /// Returns how many bytes [`encode`](Ruleset::encode) writes.
    fn position_size(&self) -> usize;

    /// Writes a position as bytes, the same bytes for equal positions.
    /// `bytes` has [`position_size`](Ruleset::position_size) bytes, all 0.
    fn encode(&self, position: &Self::Position, bytes: &mut [u8]);

    /// Reads the bytes that [`encode`](Ruleset::encode) wrote; `None` for any others.
    fn decode(&self, bytes: &[u8]) -> Option<Self::Position>;

    /// Returns the start position.
    fn start(&self) -> Self::Position;

    /// Reads a position from text and checks that the rules allow it.
    fn parse(&self, text: &str) -> Result<Self::Position, Refusal>;

    /// Appends a position as text, in canonical form.
    fn format(&self, position: &Self::Position, out: &mut String);

    /// Returns the seat whose turn it is, or in a finished game would be.
    fn to_move(&self, position: &Self::Position) -> usize;

    /// Returns the result of a finished game; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Calls `visit` with each legal move, in canonical order, until it returns `Break`.
    /// A finished game has none.
    fn legal_moves(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Reads a move and checks that it is legal in `position`, which is not
    /// finished.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, Refusal>;

    /// Returns a legal move as text, in canonical form; borrowed where the texts are
    /// constants, so that listing them does not allocate.
    fn move_text(&self, position: &Self::Position, mv: &Self::Move) -> Cow<'static, str>;

    /// Returns the position after a legal move.
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position;

    /// Returns the messages in several languages (`pentad.messages/1`). A game that has
    /// them makes every outcome and reason from a message; without them, as by default,
    /// its texts are the same in every language.
    fn translations() -> Option<&'static Translations> {
        None
    }

    /// Calls `visit` with the text of each legal move that begins with `prefix`.
    /// The default filters the texts of all moves; override it in a game with very many
    /// moves.
    fn legal_move_texts(
        &self,
        position: &Self::Position,
        prefix: &str,
        mut visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.legal_moves(position, |mv| {
            let text = self.move_text(position, &mv);
            if prefix.is_empty() || text.starts_with(prefix) { visit(&text) } else { ControlFlow::Continue(()) }
        })
    }

    /// Appends the text of a legal move.
    fn format_move(&self, position: &Self::Position, mv: &Self::Move, out: &mut String) {
        out.push_str(&self.move_text(position, mv));
    }

    /// Returns the number of moves that [`legal_move_texts`](Ruleset::legal_move_texts)
    /// visits. The default counts them one by one.
    fn count_moves(&self, position: &Self::Position, prefix: &str) -> u64 {
        if prefix.is_empty() {
            return self.n_moves(position);
        }
        let mut count = 0;
        let _complete = self.legal_move_texts(position, prefix, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Returns whether only [`turn_of`](crate::Threats::turn_of) leads to the position,
    /// so that it has no text. False for every position of a game.
    fn is_off_turn(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Returns the number of legal moves. The default counts them one by one; most games
    /// can compute it from the position.
    fn n_moves(&self, position: &Self::Position) -> u64 {
        let mut count = 0;
        let _complete = self.legal_moves(position, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }
}

/// A game's id, name and texts.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Lower-case letters, digits and `-`.
    pub id: &'static str,
    /// For display.
    pub name: &'static str,
    /// The rule set's version; usually `env!("CARGO_PKG_VERSION")`.
    pub version: &'static str,
    /// The rules, for players, in a few lines.
    pub rules: &'static str,
    /// The notation of positions and moves, for players, in a few lines.
    pub notation: &'static str,
}

/// A variant of a game.
pub type Variant = pentad_model::Variant<&'static str>;

/// A player at the board.
pub type Seat = pentad_model::Seat<&'static str>;

/// Why a position or move was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Class, which decides the status and the client's error.
    pub kind: RefusalKind,
    /// The part of the text that is wrong, as the rules call it; may be empty.
    pub field: &'static str,
    /// Position of the offending character in the whole text, from 1.
    pub column: Option<usize>,
    /// Lower case, no full stop.
    pub message: String,
}

/// The class of a [`Refusal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The text breaks the notation, or the position is impossible.
    Malformed,
    /// The rules forbid the move.
    Illegal,
    /// The game is finished.
    GameOver,
    /// The memory limit is too low.
    NoMemory,
    /// The rule set does not support the call for this variant.
    Unsupported,
}

impl Refusal {
    /// Refuses a text that breaks the notation at `column` (from 1).
    pub fn malformed(field: &'static str, column: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::Malformed, field, column: column.into(), message: message.into() }
    }

    /// Refuses a move that the rules forbid.
    pub fn illegal(message: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::Illegal, field: "", column: None, message: message.into() }
    }

    /// Refuses a move in a finished game.
    pub fn game_over() -> Self {
        Refusal { kind: RefusalKind::GameOver, ..Refusal::illegal("the game is over") }
    }

    /// Refuses a search for lack of memory; the message says how much is enough.
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
