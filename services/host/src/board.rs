//! A variant's board as data, checked and owned by the host.

use pentad_abi as abi;

use crate::error::Lie;
use crate::text;

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
pub enum PointShape {
    /// Not at all.
    Hidden,
    /// A round dent.
    Hole,
    /// A square.
    Cell,
    /// A filled dot.
    Stop,
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
pub enum PieceShape {
    /// A filled disc.
    Disc,
    /// A ring.
    Ring,
    /// A square.
    Square,
    /// Flat, as printed on the board.
    Spot,
}

impl Board {
    /// Checks a board and copies it.
    ///
    /// # Safety
    /// What the board points to must be readable as far as its lengths are
    /// within the ABI's bounds.
    pub(crate) unsafe fn read(raw: &abi::Board, n_seats: usize) -> Result<Board, Lie> {
        // SAFETY: the caller's promise, here and in everything below.
        let points = unsafe { read_all("point", raw.points, raw.n_points, |point| read_point(point)) }?;
        let n_points = points.len() as u32;
        let edge = |edge: &abi::Edge| Ok((index("point", edge.from, n_points)?, index("point", edge.to, n_points)?));
        // SAFETY: as above.
        unsafe {
            Ok(Board {
                width: size(raw.width)?,
                height: size(raw.height)?,
                edges: read_all("edge", raw.edges, raw.n_edges, edge)?,
                blocks: read_all("block", raw.blocks, raw.n_blocks, |block| read_block(block, n_points))?,
                labels: read_all("label", raw.labels, raw.n_labels, |label| read_label(label))?,
                pieces: read_all("piece", raw.pieces, raw.n_pieces, |piece| read_piece(piece, n_seats as u32))?,
                points,
            })
        }
    }
}

/// # Safety
/// `data` must lead to `n` readable elements, if that is within the bound.
unsafe fn read_all<R, T>(
    what: &str,
    data: *const R,
    n: u64,
    read: impl Fn(&R) -> Result<T, Lie>,
) -> Result<Vec<T>, Lie> {
    // SAFETY: the caller's promise.
    let raw = unsafe { text::slice(data, n, abi::POINTS_MAX) }.map_err(|lie| lie.at(format_args!("{what}s")))?;
    raw.iter().enumerate().map(|(idx, raw)| read(raw).map_err(|lie| lie.at(format_args!("{what} {idx}")))).collect()
}

/// # Safety
/// As [`Board::read`], like the three after it.
unsafe fn read_point(raw: &abi::Point) -> Result<Point, Lie> {
    let shape = match raw.shape {
        abi::POINT_HIDDEN => PointShape::Hidden,
        abi::POINT_HOLE => PointShape::Hole,
        abi::POINT_CELL => PointShape::Cell,
        abi::POINT_STOP => PointShape::Stop,
        other => return Err(Lie::value(format!("no shape of points has the number {other}"))),
    };
    // SAFETY: the caller's promise.
    let (id, colour) = unsafe { (text::word(raw.id)?, text::colour(raw.colour)?) };
    Ok(Point { id, x: place(raw.x)?, y: place(raw.y)?, radius: size(raw.radius)?, shape, colour })
}

unsafe fn read_block(raw: &abi::Block, n_points: u32) -> Result<Block, Lie> {
    // SAFETY: the caller's promise.
    let (id, colour) = unsafe { (text::line(raw.id)?, text::colour(raw.colour)?) };
    if id.len() as u64 > abi::ID_LEN_MAX {
        return Err(Lie::text(format!("an id of {} bytes", id.len())));
    }
    // SAFETY: the caller's promise.
    let points = unsafe { text::slice(raw.points, raw.n_points, abi::POINTS_MAX) }?;
    let points = points.iter().map(|&point| index("point", point, n_points)).collect::<Result<_, _>>()?;
    Ok(Block {
        id,
        x: place(raw.x)?,
        y: place(raw.y)?,
        width: size(raw.width)?,
        height: size(raw.height)?,
        colour,
        points,
    })
}

unsafe fn read_label(raw: &abi::Label) -> Result<Label, Lie> {
    // SAFETY: the caller's promise.
    Ok(Label { text: unsafe { text::line(raw.text) }?, x: place(raw.x)?, y: place(raw.y)? })
}

unsafe fn read_piece(raw: &abi::Piece, n_seats: u32) -> Result<Piece, Lie> {
    let shape = match raw.shape {
        abi::PIECE_DISC => PieceShape::Disc,
        abi::PIECE_RING => PieceShape::Ring,
        abi::PIECE_SQUARE => PieceShape::Square,
        abi::PIECE_SPOT => PieceShape::Spot,
        other => return Err(Lie::value(format!("no shape of pieces has the number {other}"))),
    };
    let seat = if raw.seat == abi::NO_SEAT { None } else { Some(index("seat", raw.seat, n_seats)?) };
    // SAFETY: the caller's promise.
    unsafe {
        Ok(Piece {
            id: text::word(raw.id)?,
            name: text::line(raw.name)?,
            fill: text::colour(raw.fill)?,
            stroke: text::colour(raw.stroke)?,
            label: text::line(raw.label)?,
            shape,
            seat,
        })
    }
}

fn index(what: &str, idx: u32, n: u32) -> Result<u32, Lie> {
    if idx < n { Ok(idx) } else { Err(Lie::value(format!("no {what} has the number {idx}"))) }
}

/// Far more cells than any board has; keeps arithmetic on coordinates harmless.
const EXTENT_MAX: f64 = 100_000.0;

fn place(coordinate: f64) -> Result<f64, Lie> {
    // Written so that NaN fails.
    if coordinate.abs() <= EXTENT_MAX {
        Ok(coordinate)
    } else {
        Err(Lie::value(format!("a coordinate of {coordinate}")))
    }
}

fn size(length: f64) -> Result<f64, Lie> {
    if (0.0..=EXTENT_MAX).contains(&length) { Ok(length) } else { Err(Lie::value(format!("a length of {length}"))) }
}
