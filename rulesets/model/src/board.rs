//! A variant's board as data.

use pentad_abi as abi;

use crate::code::Code;
use crate::text;
use crate::violation::Violation;

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
pub enum PointShape {
    /// Not drawn.
    Hidden,
    /// A round hole for a piece.
    Hole,
    /// A square.
    Cell,
    /// A filled dot.
    Stop,
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
pub enum PieceShape {
    /// A filled disc.
    Disc,
    /// A ring.
    Ring,
    /// A square.
    Square,
    /// A flat mark, as if printed on the board.
    Spot,
}

/// A board, and the tables of the ABI that point into it.
#[derive(Debug)]
pub struct BoardTables {
    points: Vec<abi::Point>,
    edges: Vec<abi::Edge>,
    blocks: Vec<abi::Block>,
    labels: Vec<abi::Label>,
    pieces: Vec<abi::Piece>,
    /// Owner of the texts and indices that the tables point to; never changed.
    board: Board,
}

// SAFETY: the pointers lead into `board`, which is owned, never changed and
// never moved out of its heap buffers.
unsafe impl Send for BoardTables {}
// SAFETY: as above.
unsafe impl Sync for BoardTables {}

impl BoardTables {
    /// Fills the tables.
    pub fn new(board: Board) -> Self {
        BoardTables {
            points: board.points.iter().map(Point::to_abi).collect(),
            edges: board.edges.iter().map(|&(from, to)| abi::Edge { from, to }).collect(),
            blocks: board.blocks.iter().map(Block::to_abi).collect(),
            labels: board.labels.iter().map(Label::to_abi).collect(),
            pieces: board.pieces.iter().map(Piece::to_abi).collect(),
            board,
        }
    }

    /// Returns the board in the ABI's form, readable as long as `self` lives.
    pub fn to_abi(&self) -> abi::Board {
        abi::Board {
            width: self.board.width,
            height: self.board.height,
            points: self.points.as_ptr(),
            n_points: self.points.len() as u64,
            edges: self.edges.as_ptr(),
            n_edges: self.edges.len() as u64,
            blocks: self.blocks.as_ptr(),
            n_blocks: self.blocks.len() as u64,
            labels: self.labels.as_ptr(),
            n_labels: self.labels.len() as u64,
            pieces: self.pieces.as_ptr(),
            n_pieces: self.pieces.len() as u64,
        }
    }
}

impl Board {
    /// Validates and copies a board.
    ///
    /// # Safety
    /// All arrays and texts of the board whose lengths are within the ABI's bounds must be
    /// readable.
    pub unsafe fn from_plugin(raw: &abi::Board, n_seats: usize) -> Result<Board, Violation> {
        // SAFETY: the caller's promise, here and in everything below.
        let points =
            unsafe { text::parts("point", raw.points, raw.n_points, abi::POINTS_MAX, |raw| Point::from_plugin(raw)) }?;
        let n_points = points.len() as u32;
        let edge = |edge: &abi::Edge| Ok((index("point", edge.from, n_points)?, index("point", edge.to, n_points)?));
        // SAFETY: as above.
        unsafe {
            Ok(Board {
                width: length(raw.width)?,
                height: length(raw.height)?,
                edges: text::parts("edge", raw.edges, raw.n_edges, abi::POINTS_MAX, edge)?,
                blocks: text::parts("block", raw.blocks, raw.n_blocks, abi::POINTS_MAX, |raw| {
                    Block::from_plugin(raw, n_points)
                })?,
                labels: text::parts("label", raw.labels, raw.n_labels, abi::POINTS_MAX, |raw| Label::from_plugin(raw))?,
                pieces: text::parts("piece", raw.pieces, raw.n_pieces, abi::POINTS_MAX, |raw| {
                    Piece::from_plugin(raw, n_seats as u32)
                })?,
                points,
            })
        }
    }
}

impl Point {
    fn to_abi(&self) -> abi::Point {
        abi::Point {
            id: abi::Str::new(&self.id),
            x: self.x,
            y: self.y,
            radius: self.radius,
            shape: self.shape.to_abi(),
            reserved: 0,
            colour: abi::Str::new(&self.colour),
        }
    }

    /// # Safety
    /// As [`Board::from_plugin`], here and for the other parts.
    unsafe fn from_plugin(raw: &abi::Point) -> Result<Point, Violation> {
        let shape = PointShape::from_plugin(raw.shape)?;
        // SAFETY: the caller's promise.
        let (id, colour) = unsafe { (text::short_id(raw.id)?, text::colour(raw.colour)?) };
        Ok(Point { id, x: coordinate(raw.x)?, y: coordinate(raw.y)?, radius: length(raw.radius)?, shape, colour })
    }
}

impl Block {
    fn to_abi(&self) -> abi::Block {
        abi::Block {
            id: abi::Str::new(&self.id),
            x: self.x,
            y: self.y,
            width: self.width,
            height: self.height,
            colour: abi::Str::new(&self.colour),
            points: self.points.as_ptr(),
            n_points: self.points.len() as u64,
        }
    }

    unsafe fn from_plugin(raw: &abi::Block, n_points: u32) -> Result<Block, Violation> {
        // SAFETY: the caller's promise.
        let (id, colour) = unsafe { (text::line(raw.id)?, text::colour(raw.colour)?) };
        if id.len() as u64 > abi::ID_LEN_MAX {
            return Err(Violation::text(format!("an id of {} bytes", id.len())));
        }
        // SAFETY: the caller's promise.
        let points = unsafe { text::slice(raw.points, raw.n_points, abi::POINTS_MAX) }?;
        let points = points.iter().map(|&point| index("point", point, n_points)).collect::<Result<_, _>>()?;
        Ok(Block {
            id,
            x: coordinate(raw.x)?,
            y: coordinate(raw.y)?,
            width: length(raw.width)?,
            height: length(raw.height)?,
            colour,
            points,
        })
    }
}

impl Label {
    fn to_abi(&self) -> abi::Label {
        abi::Label { text: abi::Str::new(&self.text), x: self.x, y: self.y }
    }

    unsafe fn from_plugin(raw: &abi::Label) -> Result<Label, Violation> {
        // SAFETY: the caller's promise.
        Ok(Label { text: unsafe { text::line(raw.text) }?, x: coordinate(raw.x)?, y: coordinate(raw.y)? })
    }
}

impl Piece {
    /// Describes a filled disc without a label.
    pub fn disc(id: impl Into<String>, name: impl Into<String>, fill: &str, stroke: &str, seat: Option<u32>) -> Piece {
        Piece {
            id: id.into(),
            name: name.into(),
            fill: fill.to_owned(),
            stroke: stroke.to_owned(),
            label: String::new(),
            shape: PieceShape::Disc,
            seat,
        }
    }

    fn to_abi(&self) -> abi::Piece {
        abi::Piece {
            id: abi::Str::new(&self.id),
            name: abi::Str::new(&self.name),
            fill: abi::Str::new(&self.fill),
            stroke: abi::Str::new(&self.stroke),
            label: abi::Str::new(&self.label),
            shape: self.shape.to_abi(),
            seat: self.seat.unwrap_or(abi::NO_SEAT),
        }
    }

    unsafe fn from_plugin(raw: &abi::Piece, n_seats: u32) -> Result<Piece, Violation> {
        let shape = PieceShape::from_plugin(raw.shape)?;
        let seat = if raw.seat == abi::NO_SEAT { None } else { Some(index("seat", raw.seat, n_seats)?) };
        // SAFETY: the caller's promise.
        unsafe {
            Ok(Piece {
                id: text::short_id(raw.id)?,
                name: text::line(raw.name)?,
                fill: text::colour(raw.fill)?,
                stroke: text::colour(raw.stroke)?,
                label: text::line(raw.label)?,
                shape,
                seat,
            })
        }
    }
}

fn index(what: &str, idx: u32, n: u32) -> Result<u32, Violation> {
    if idx < n { Ok(idx) } else { Err(Violation::value(format!("there is no {what} {idx}"))) }
}

/// Far more cells than any board has; keeps arithmetic on coordinates finite.
const EXTENT_MAX: f64 = 100_000.0;

fn coordinate(value: f64) -> Result<f64, Violation> {
    // NaN fails this comparison.
    if value.abs() <= EXTENT_MAX { Ok(value) } else { Err(Violation::value(format!("a coordinate of {value}"))) }
}

fn length(value: f64) -> Result<f64, Violation> {
    if (0.0..=EXTENT_MAX).contains(&value) { Ok(value) } else { Err(Violation::value(format!("a length of {value}"))) }
}
