//! A variant's board as data, checked and owned by the host.

use pentad_abi as abi;

use crate::error::Violation;
use crate::text;

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

impl Board {
    /// Validates and copies a board.
    ///
    /// # Safety
    /// What the board points to must be readable as far as its lengths are
    /// within the ABI's bounds.
    pub(crate) unsafe fn read(raw: &abi::Board, n_seats: usize) -> Result<Board, Violation> {
        // SAFETY: the caller's promise, here and in everything below.
        let points = unsafe { read_slice("point", raw.points, raw.n_points, |point| read_point(point)) }?;
        let n_points = points.len() as u32;
        let edge = |edge: &abi::Edge| Ok((index("point", edge.from, n_points)?, index("point", edge.to, n_points)?));
        // SAFETY: as above.
        unsafe {
            Ok(Board {
                width: length(raw.width)?,
                height: length(raw.height)?,
                edges: read_slice("edge", raw.edges, raw.n_edges, edge)?,
                blocks: read_slice("block", raw.blocks, raw.n_blocks, |block| read_block(block, n_points))?,
                labels: read_slice("label", raw.labels, raw.n_labels, |label| read_label(label))?,
                pieces: read_slice("piece", raw.pieces, raw.n_pieces, |piece| read_piece(piece, n_seats as u32))?,
                points,
            })
        }
    }
}

/// # Safety
/// `data` must lead to `n` readable elements, if that is within the bound.
unsafe fn read_slice<R, T>(
    what: &str,
    data: *const R,
    n: u64,
    read: impl Fn(&R) -> Result<T, Violation>,
) -> Result<Vec<T>, Violation> {
    // SAFETY: the caller's promise.
    let raw =
        unsafe { text::slice(data, n, abi::POINTS_MAX) }.map_err(|violation| violation.at(format_args!("{what}s")))?;
    raw.iter()
        .enumerate()
        .map(|(idx, raw)| read(raw).map_err(|violation| violation.at(format_args!("{what} {idx}"))))
        .collect()
}

/// # Safety
/// As [`Board::read`]; the same holds for the three functions below.
unsafe fn read_point(raw: &abi::Point) -> Result<Point, Violation> {
    let shape = match raw.shape {
        abi::POINT_HIDDEN => PointShape::Hidden,
        abi::POINT_HOLE => PointShape::Hole,
        abi::POINT_CELL => PointShape::Cell,
        abi::POINT_STOP => PointShape::Stop,
        other => return Err(Violation::value(format!("a point shape of {other}"))),
    };
    // SAFETY: the caller's promise.
    let (id, colour) = unsafe { (text::short_id(raw.id)?, text::colour(raw.colour)?) };
    Ok(Point { id, x: coordinate(raw.x)?, y: coordinate(raw.y)?, radius: length(raw.radius)?, shape, colour })
}

unsafe fn read_block(raw: &abi::Block, n_points: u32) -> Result<Block, Violation> {
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

unsafe fn read_label(raw: &abi::Label) -> Result<Label, Violation> {
    // SAFETY: the caller's promise.
    Ok(Label { text: unsafe { text::line(raw.text) }?, x: coordinate(raw.x)?, y: coordinate(raw.y)? })
}

unsafe fn read_piece(raw: &abi::Piece, n_seats: u32) -> Result<Piece, Violation> {
    let shape = match raw.shape {
        abi::PIECE_DISC => PieceShape::Disc,
        abi::PIECE_RING => PieceShape::Ring,
        abi::PIECE_SQUARE => PieceShape::Square,
        abi::PIECE_SPOT => PieceShape::Spot,
        other => return Err(Violation::value(format!("a piece shape of {other}"))),
    };
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
