//! The optional abilities of a rule set: one trait per extension.

pub use pentad_model::{Block, Board, Label, Piece, PieceShape, Point, PointShape};
use pentad_model::{Control, Evaluation, Report, Request};

use crate::i18n::Message;
use crate::ruleset::{Refusal, Ruleset};

/// `pentad.search/1`: the rule set's own search. Without it the host's search is
/// used, which is much slower because every move crosses the ABI.
///
/// A game that implements [`pentad_search::Game`] keeps a
/// [`Searcher`](pentad_search::Searcher) as its context and calls its `search`, as
/// `examples/connect_four.rs` does.
pub trait Search: Ruleset {
    /// State kept between searches, such as the transposition table.
    type Context: Send;

    /// Creates a context that uses no more than these resources.
    fn context(&self, resources: Resources) -> Result<Self::Context, Refusal>;

    /// Searches a position that is not finished. `request` has the resources of the
    /// context: bounds, of which the searches of [`pentad_search`] take only what the
    /// limits of the request let them fill ([`table_bytes`](pentad_search::table_bytes)).
    /// The `stop` of the returned report must be set.
    fn search(
        &self,
        context: &mut Self::Context,
        position: &Self::Position,
        request: &Request<Self::Move>,
        control: &dyn Control<Self::Move>,
    ) -> Report<Self::Move>;

    /// Evaluates a position statically; a finished game has its outcome.
    fn evaluate(&self, position: &Self::Position) -> Evaluation;
}

/// Upper bounds on the resources of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Memory of all tables together.
    pub memory_bytes: u64,
    /// Threads, the calling one included; at least 1.
    pub threads: usize,
}

/// `pentad.symmetry/1`: equivalent positions. Symmetries are numbered from 0,
/// and 0 is the identity.
pub trait Symmetry: Ruleset {
    /// Returns the number of symmetries, the identity included.
    fn n_symmetries(&self) -> usize;

    /// Returns the inverse of a symmetry.
    fn inverse(&self, symmetry: usize) -> usize;

    /// Maps a position.
    fn apply(&self, symmetry: usize, position: &Self::Position) -> Self::Position;

    /// Maps a legal move of `position` to the same move of the mapped position.
    fn apply_move(&self, symmetry: usize, position: &Self::Position, mv: &Self::Move) -> Self::Move;

    /// Maps a seat.
    fn apply_seat(&self, symmetry: usize, seat: usize) -> usize {
        let _ = symmetry;
        seat
    }

    /// Returns the canonical representative of all symmetric positions, and a symmetry
    /// that maps `position` to it. The default is the one with the smallest bytes.
    fn canonical(&self, position: &Self::Position) -> (Self::Position, usize) {
        let mut best = vec![0; self.position_size()];
        self.encode(position, &mut best);
        let mut found = (position.clone(), 0);
        let mut bytes = vec![0; self.position_size()];
        for symmetry in 1..self.n_symmetries() {
            let mapped = self.apply(symmetry, position);
            bytes.fill(0);
            self.encode(&mapped, &mut bytes);
            if bytes < best {
                std::mem::swap(&mut best, &mut bytes);
                found = (mapped, symmetry);
            }
        }
        found
    }
}

/// `pentad.layout/1`: the board as data, so that the host can draw it.
///
/// # How clicks become moves
///
/// The board page knows no game: it enters a move step by step, by matching the texts of
/// the legal moves with the ids of the board. Each run of letters and digits of a move is
/// one step, from the left:
///
/// | run | step |
/// | --- | --- |
/// | the first one, if seat id + run is a piece of the seat to move; or a piece after `=` | that piece is clicked or dragged |
/// | the id of a point | that point is clicked |
/// | the id of a block | any point of the block is clicked, if no move of this step names a point or a piece; else a handle on the block |
/// | the id of a block and `r` or `l` | an arrow on the block |
/// | `L`, `R`, `T` or `B`, if there are blocks | a handle on that side of the board |
/// | a point's id with more behind it | that point; the rest is the next step, as in `e2e4` |
/// | anything else | a button with this word |
///
/// So moves are best written with the ids of the places where a player points: `e2e4` or
/// `c3-2r` with points `e2`, `e4`, `c3` and a block `2`, or `d` with a block `d` around the
/// points of the `d` file.
pub trait Layout: Ruleset {
    /// Describes the board of this variant. Called once.
    fn board(&self) -> Board;

    /// Calls `place` with each piece of a position, as the indices of its point
    /// and of its kind, in ascending order of points.
    fn pieces(&self, position: &Self::Position, place: &mut dyn FnMut(usize, usize));
}

/// `pentad.reasons/1`: why a move is good or bad. With [`Ruleset::translations`] also
/// `pentad.reasons/2`: the same in several languages.
pub trait Reasons: Ruleset {
    /// Every code that [`explain`](Reasons::explain) gives, for clients that treat some
    /// codes specially.
    const CODES: &'static [ReasonCode];

    /// Explains the first move of one line of a report about `position`, the most
    /// important reason first. The report may come from another search.
    ///
    /// A game with [translations](Ruleset::translations) makes its reasons with
    /// [`Translations::reason`](crate::i18n::Translations::reason); others write them in
    /// English, without a message.
    fn explain(&self, position: &Self::Position, report: &Report<Self::Move>, line_idx: usize) -> Vec<Reason>;
}

/// `pentad.move_text/1`: moves in a player's words, beside the notation. Needs
/// [`Ruleset::translations`].
pub trait MoveText: Ruleset {
    /// Returns the phrase for a move, such as "b2, then block 1 turned left" for `b2-1l`;
    /// `None` if the game has no words for it.
    ///
    /// `mv` is in canonical notation, and legal in `position` or in a position that is
    /// reached from it: read it without checking that it is legal. The phrase has no full
    /// stop and begins in lower case where the language has it; different moves of a
    /// position have different phrases.
    fn say(&self, position: &Self::Position, mv: &str) -> Option<Message>;
}

/// Why a move is good or bad, with a code that the game documents.
pub type Reason = pentad_model::Reason<&'static str>;

/// A code that a game's reasons carry, and its meaning.
pub type ReasonCode = pentad_model::ReasonCode<&'static str>;

/// Declares a code whose reasons name points of the board.
pub const fn code_with_points(code: &'static str, description: &'static str) -> ReasonCode {
    ReasonCode { code, description, names_points: true }
}

/// Declares a code whose reasons name no points.
pub const fn code_without_points(code: &'static str, description: &'static str) -> ReasonCode {
    ReasonCode { code, description, names_points: false }
}
