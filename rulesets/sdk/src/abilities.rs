//! What a rule set may offer beyond its rules: one trait per extension.

use pentad_search::{Control, Evaluation, Report, Request};

use crate::ruleset::{Refusal, Ruleset};

/// `pentad.search/1`: the rule set searches by itself. Without it the host's
/// own search is used, which is much slower because every move crosses the ABI.
///
/// A game that implements [`pentad_search::Game`] hands over to
/// [`pentad_search`] here; see the crate's example.
pub trait Search: Ruleset {
    /// What is kept between searches: tables, mostly.
    type Context: Send;

    /// Makes a context that uses no more than this.
    fn context(&self, resources: Resources) -> Result<Self::Context, Refusal>;

    /// Searches a position that is not finished. `request` carries the
    /// resources of the context. The report's `stop` is set.
    fn search(
        &self,
        context: &mut Self::Context,
        position: &Self::Position,
        request: &Request<Self::Move>,
        control: &dyn Control<Self::Move>,
    ) -> Report<Self::Move>;

    /// Values a position as it stands; of a finished game, its outcome.
    fn evaluate(&self, position: &Self::Position) -> Evaluation;
}

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Of all tables together.
    pub memory_bytes: u64,
    /// The calling thread among them; at least 1.
    pub threads: usize,
}

/// `pentad.symmetry/1`: positions that are the same game. Symmetries are
/// numbered, and 0 changes nothing.
pub trait Symmetry: Ruleset {
    /// How many there are, 0 included.
    fn n_symmetries(&self) -> usize;

    /// The symmetry that undoes one.
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

    /// The position that stands for all symmetric ones, and a symmetry that
    /// leads to it. The default takes the one with the smallest bytes.
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
pub trait Layout: Ruleset {
    /// The board of this variant. Asked once.
    fn board(&self) -> Board;

    /// Gives each piece of a position to `place` as the indices of its point
    /// and of its kind, by ascending point.
    fn pieces(&self, position: &Self::Position, place: &mut dyn FnMut(usize, usize));
}

/// A board. Coordinates are in units of about one cell, x to the right, y
/// downwards, from 0, 0 to `width`, `height`. Colours are `#rrggbb` or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Of the whole drawing.
    pub width: f64,
    /// Of the whole drawing.
    pub height: f64,
    /// Places for pieces.
    pub points: Vec<Point>,
    /// Lines, as pairs of indices of points.
    pub edges: Vec<(u32, u32)>,
    /// Groups of points.
    pub blocks: Vec<Block>,
    /// Text beside the board.
    pub labels: Vec<Label>,
    /// Kinds of pieces.
    pub pieces: Vec<Piece>,
}

/// A place that may hold pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// As in moves.
    pub id: String,
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
    /// Of the drawing.
    pub radius: f64,
    /// How it is drawn.
    pub shape: PointShape,
    /// `#rrggbb` or empty.
    pub colour: String,
}

/// How a point is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum PointShape {
    /// Not at all.
    Hidden = pentad_abi::POINT_HIDDEN,
    /// A round dent.
    Hole = pentad_abi::POINT_HOLE,
    /// A square.
    Cell = pentad_abi::POINT_CELL,
    /// A filled dot.
    Stop = pentad_abi::POINT_STOP,
}

/// Points that belong together, drawn as a rectangle behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// As in moves; may be empty.
    pub id: String,
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// To the right.
    pub width: f64,
    /// Downwards.
    pub height: f64,
    /// `#rrggbb` or empty.
    pub colour: String,
    /// Indices of points.
    pub points: Vec<u32>,
}

/// Text beside the board, given by its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What it says.
    pub text: String,
    /// Of its middle.
    pub x: f64,
    /// Of its middle.
    pub y: f64,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// As in positions.
    pub id: String,
    /// For people.
    pub name: String,
    /// `#rrggbb` or empty.
    pub fill: String,
    /// `#rrggbb` or empty.
    pub stroke: String,
    /// Drawn on it; may be empty.
    pub label: String,
    /// How it is drawn.
    pub shape: PieceShape,
    /// Whose it is.
    pub seat: Option<u32>,
}

/// How a piece is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum PieceShape {
    /// A filled disc.
    Disc = pentad_abi::PIECE_DISC,
    /// A ring.
    Ring = pentad_abi::PIECE_RING,
    /// A square.
    Square = pentad_abi::PIECE_SQUARE,
    /// Flat, as printed on the board.
    Spot = pentad_abi::PIECE_SPOT,
}

/// `pentad.reasons/1`: why a move is good or bad.
pub trait Reasons: Ruleset {
    /// Explains the move of one line of a report about `position`, the
    /// weightiest reason first. The report may come from another search.
    fn explain(&self, position: &Self::Position, report: &Report<Self::Move>, line_idx: usize) -> Vec<Reason>;
}

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// From a short list that the game documents.
    pub code: &'static str,
    /// A sentence for people.
    pub text: String,
    /// Where to look: ids of points of the layout.
    pub points: Vec<String>,
}
