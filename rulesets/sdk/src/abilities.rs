//! The optional abilities of a rule set: one trait per extension.

use pentad_search::{Control, Evaluation, Report, Request};

use crate::ruleset::{Refusal, Ruleset};

/// `pentad.search/1`: the rule set's own search. Without it the host's search is
/// used, which is much slower because every move crosses the ABI.
///
/// A game that implements [`pentad_search::Game`] delegates to [`pentad_search`]
/// here; see the crate's example.
pub trait Search: Ruleset {
    /// What is kept between searches, such as the transposition table.
    type Context: Send;

    /// Creates a context that uses no more than these resources.
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

    /// Evaluates a position statically; a finished game has its outcome.
    fn evaluate(&self, position: &Self::Position) -> Evaluation;
}

/// Upper bounds of what a search may use.
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
    /// The number of symmetries, the identity included.
    fn n_symmetries(&self) -> usize;

    /// The inverse of a symmetry.
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

    /// The canonical representative of all symmetric positions, and a symmetry
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
pub trait Layout: Ruleset {
    /// The board of this variant. Called once.
    fn board(&self) -> Board;

    /// Calls `place` with each piece of a position, as the indices of its point
    /// and of its kind, in ascending order of points.
    fn pieces(&self, position: &Self::Position, place: &mut dyn FnMut(usize, usize));
}

/// A board to be drawn. Coordinates are in units of about one cell, x to the
/// right, y downwards, from (0, 0) to (`width`, `height`). Colours are `#rrggbb`,
/// or empty for the client's default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Places for pieces.
    pub points: Vec<Point>,
    /// Lines between points, as pairs of indices into `points`.
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
    /// The point's name in the notation; unique on the board.
    pub id: String,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
    /// Radius, or half the side of a cell.
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
    /// Not drawn.
    Hidden = pentad_abi::POINT_HIDDEN,
    /// A round hole for a piece.
    Hole = pentad_abi::POINT_HOLE,
    /// A square.
    Cell = pentad_abi::POINT_CELL,
    /// A filled dot.
    Stop = pentad_abi::POINT_STOP,
}

/// Points that belong together, drawn as a rectangle behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The block's name in the notation; may be empty.
    pub id: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downwards.
    pub height: f64,
    /// `#rrggbb` or empty.
    pub colour: String,
    /// Its points, as indices into [`Board::points`].
    pub points: Vec<u32>,
}

/// Text beside the board, centred at a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// One line.
    pub text: String,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The piece's name in the notation.
    pub id: String,
    /// For display.
    pub name: String,
    /// `#rrggbb` or empty.
    pub fill: String,
    /// `#rrggbb` or empty.
    pub stroke: String,
    /// Text drawn on it; may be empty.
    pub label: String,
    /// How it is drawn.
    pub shape: PieceShape,
    /// The owner, if the piece has one.
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
    /// A flat mark, as if printed on the board.
    Spot = pentad_abi::PIECE_SPOT,
}

/// `pentad.reasons/1`: why a move is good or bad.
pub trait Reasons: Ruleset {
    /// Explains the first move of one line of a report about `position`, the most
    /// important reason first. The report may come from another search.
    fn explain(&self, position: &Self::Position, report: &Report<Self::Move>, line_idx: usize) -> Vec<Reason>;
}

/// A reason why a move is good or bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// One of a short list that the game documents, such as `only_move`.
    pub code: &'static str,
    /// One sentence for players.
    pub text: String,
    /// The points of the board that it is about, by id.
    pub points: Vec<String>,
}
