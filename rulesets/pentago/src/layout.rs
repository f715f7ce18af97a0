//! `impl Layout`: the board as a drawing, 36 holes in four blocks with a gap between them.

use pentad_sdk::{Block, Board, Label, Layout, Piece, PieceShape, Point, PointShape};

use crate::Pentago;
use crate::board::{Cell, Colour};
use crate::position::Position;

/// Width of the labels, left and above.
const MARGIN: f64 = 0.8;
/// Margin on the right and below.
const EDGE: f64 = 0.3;
/// Gap between two blocks.
const GAP: f64 = 0.2;
const SIZE: f64 = MARGIN + 6.0 + GAP + EDGE;
const RADIUS: f64 = 0.38;

const WOOD: &str = "#b5432f";
const HOLE: &str = "#7d2b1e";

impl Layout for Pentago {
    fn board(&self) -> Board {
        Board {
            width: SIZE,
            height: SIZE,
            points: Cell::all().map(point).collect(),
            edges: Vec::new(),
            blocks: (0..4).map(block).collect(),
            labels: (0..6).map(file_label).chain((0..6).map(rank_label)).collect(),
            pieces: vec![piece(Colour::White, "#f7f3e8", "#8c8573"), piece(Colour::Black, "#23262b", "#000000")],
        }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        for cell in position.occupied().iter() {
            place(cell.index(), usize::from(position.marbles(Colour::Black).contains(cell)));
        }
    }
}

/// Returns the left or upper edge of a cell.
fn offset(index: usize) -> f64 {
    MARGIN + index as f64 + if index >= 3 { GAP } else { 0.0 }
}

fn point(cell: Cell) -> Point {
    Point {
        id: cell.to_string(),
        x: offset(cell.column()) + 0.5,
        y: offset(cell.row()) + 0.5,
        radius: RADIUS,
        shape: PointShape::Hole,
        colour: HOLE.to_owned(),
    }
}

fn block(index: usize) -> Block {
    Block {
        id: (index + 1).to_string(),
        x: offset(index % 2 * 3),
        y: offset(index / 2 * 3),
        width: 3.0,
        height: 3.0,
        colour: WOOD.to_owned(),
        points: Cell::all().filter(|cell| cell.block() == index).map(|cell| cell.index() as u32).collect(),
    }
}

fn file_label(column: usize) -> Label {
    Label { text: char::from(b'a' + column as u8).to_string(), x: offset(column) + 0.5, y: MARGIN / 2.0 }
}

fn rank_label(row: usize) -> Label {
    Label { text: (row + 1).to_string(), x: MARGIN / 2.0, y: offset(row) + 0.5 }
}

fn piece(colour: Colour, fill: &str, stroke: &str) -> Piece {
    Piece {
        id: colour.letter().to_string(),
        name: format!("{} marble", colour.name()),
        fill: fill.to_owned(),
        stroke: stroke.to_owned(),
        label: String::new(),
        shape: PieceShape::Disc,
        seat: Some(colour as u32),
    }
}
