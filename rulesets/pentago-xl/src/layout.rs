//! `impl Layout`: the board as a drawing, 81 holes in nine blocks with gaps between
//! them. The fixed block has a colour of its own.

use pentad_sdk::{Block, Board, Label, Layout, Piece, PieceShape, Point, PointShape};

use crate::PentagoXl;
use crate::board::{Cell, Colour};
use crate::position::Position;

/// Room for the labels, left of the board and above it.
const MARGIN: f64 = 0.8;
/// Room right of the board and below it.
const EDGE: f64 = 0.3;
/// Gap between two blocks.
const GAP: f64 = 0.2;
const SIZE: f64 = MARGIN + 9.0 + 2.0 * GAP + EDGE;
const RADIUS: f64 = 0.38;

const WOOD: &str = "#a5805a";
const HOLE: &str = "#6e5236";
/// Colours of the fixed block.
const FIXED: &str = "#5b5f66";
const FIXED_HOLE: &str = "#3d4046";
const CENTRE_BLOCK: usize = 4;

impl Layout for PentagoXl {
    fn board(&self) -> Board {
        Board {
            width: SIZE,
            height: SIZE,
            points: Cell::all().map(point).collect(),
            edges: Vec::new(),
            blocks: (0..9).map(block).collect(),
            labels: (0..9).map(file_label).chain((0..9).map(rank_label)).collect(),
            pieces: self.variant.colours().map(piece).collect(),
        }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        for cell in position.occupied().iter() {
            if let Some(colour) = self.variant.colours().find(|&colour| position.marbles(colour).contains(cell)) {
                place(cell.index(), colour as usize);
            }
        }
    }
}

/// Returns the left or upper side of a cell.
fn offset(index: usize) -> f64 {
    MARGIN + index as f64 + GAP * (index / 3) as f64
}

fn point(cell: Cell) -> Point {
    Point {
        id: cell.to_string(),
        x: offset(cell.column()) + 0.5,
        y: offset(cell.row()) + 0.5,
        radius: RADIUS,
        shape: PointShape::Hole,
        colour: if cell.block() == CENTRE_BLOCK { FIXED_HOLE } else { HOLE }.to_owned(),
    }
}

fn block(index: usize) -> Block {
    Block {
        id: (index + 1).to_string(),
        x: offset(index % 3 * 3),
        y: offset(index / 3 * 3),
        width: 3.0,
        height: 3.0,
        colour: if index == CENTRE_BLOCK { FIXED } else { WOOD }.to_owned(),
        points: Cell::all().filter(|cell| cell.block() == index).map(|cell| cell.index() as u32).collect(),
    }
}

fn file_label(column: usize) -> Label {
    Label { text: char::from(b'a' + column as u8).to_string(), x: offset(column) + 0.5, y: MARGIN / 2.0 }
}

fn rank_label(row: usize) -> Label {
    Label { text: (row + 1).to_string(), x: MARGIN / 2.0, y: offset(row) + 0.5 }
}

fn piece(colour: Colour) -> Piece {
    let (fill, stroke) = match colour {
        Colour::Red => ("#e8402c", "#7a1509"),
        Colour::Yellow => ("#f5d033", "#8a7206"),
        Colour::Green => ("#3fae4d", "#17551f"),
        Colour::Blue => ("#3576d4", "#123a75"),
    };
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
