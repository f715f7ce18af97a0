//! `pentad/layout.h`: the board as data.

use std::ffi::c_void;

use crate::extension::extension;
use crate::{Status, Str};

/// Id of this extension.
pub const LAYOUT_1: &str = "pentad.layout/1";

/// Point: holds pieces, is not drawn itself.
pub const POINT_HIDDEN: u32 = 0;
/// Point: a round hole for a piece.
pub const POINT_HOLE: u32 = 1;
/// Point: a square.
pub const POINT_CELL: u32 = 2;
/// Point: a filled dot.
pub const POINT_STOP: u32 = 3;

/// Piece: a filled disc.
pub const PIECE_DISC: u32 = 0;
/// Piece: a ring.
pub const PIECE_RING: u32 = 1;
/// Piece: a square.
pub const PIECE_SQUARE: u32 = 2;
/// Piece: flat, as printed on the board.
pub const PIECE_SPOT: u32 = 3;

/// [`Piece::seat`] of a piece without an owner.
pub const NO_SEAT: u32 = u32::MAX;

/// `pentad_point_t`: a place that may hold pieces.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The point's name in the notation.
    pub id: Str,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
    /// Radius, or half the side of a cell.
    pub radius: f64,
    /// One of the `POINT_` constants.
    pub shape: u32,
    /// Written as 0.
    pub reserved: u32,
    /// `#rrggbb` or empty.
    pub colour: Str,
}

/// `pentad_edge_t`: a line between two points.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of a point.
    pub from: u32,
    /// Index of a point.
    pub to: u32,
}

/// `pentad_block_t`: points that belong together.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The block's name in the notation; may be empty.
    pub id: Str,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downwards.
    pub height: f64,
    /// `#rrggbb` or empty.
    pub colour: Str,
    /// Its points, as indices.
    pub points: *const u32,
    /// Length of `points`.
    pub n_points: u64,
}

/// `pentad_label_t`: text beside the board.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// One line.
    pub text: Str,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
}

/// `pentad_piece_t`: a kind of piece.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The piece's name in the notation.
    pub id: Str,
    /// For display.
    pub name: Str,
    /// `#rrggbb` or empty.
    pub fill: Str,
    /// `#rrggbb` or empty.
    pub stroke: Str,
    /// Text drawn on it; may be empty.
    pub label: Str,
    /// One of the `PIECE_` constants.
    pub shape: u32,
    /// The owner, or [`NO_SEAT`].
    pub seat: u32,
}

/// `pentad_board_t`: a variant's board.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Places for pieces.
    pub points: *const Point,
    /// Length of `points`.
    pub n_points: u64,
    /// Lines between points.
    pub edges: *const Edge,
    /// Length of `edges`.
    pub n_edges: u64,
    /// Groups of points.
    pub blocks: *const Block,
    /// Length of `blocks`.
    pub n_blocks: u64,
    /// Text beside the board.
    pub labels: *const Label,
    /// Length of `labels`.
    pub n_labels: u64,
    /// Kinds of pieces.
    pub pieces: *const Piece,
    /// Length of `pieces`.
    pub n_pieces: u64,
}

/// `pentad_placer_t`: a callback that receives pieces.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Placer {
    /// The first argument of `place`.
    pub ctx: *mut c_void,
    /// Receives one piece on one point; non-zero means stop.
    pub place: unsafe extern "C" fn(ctx: *mut c_void, point: u32, piece: u32) -> i32,
}

extension! {
    /// `pentad_layout_ext_t`: the functions of `pentad.layout/1`.
    pub struct Layout(LAYOUT_1, "layout") {
        /// Describes a variant's board.
        board(variant: u32, out: *mut Board) -> Status;
        /// Lists the pieces of a position.
        pieces(variant: u32, position: *const u8, out: *const Placer) -> Status;
    }
}
