//! `impl Layout`: the board as a drawing, the top and beside it the side underneath.
//!
//! Both are seen from above, as in the notation: holes that a panel's flip brings up
//! are drawn in the same place beside, reflected. Points underneath are named after the
//! cell above them, `c2'`. Spots are points of the top only, because a spot has the
//! same colour on both sides.

use pentad_sdk::{Block, Board, Label, Layout, Piece, PieceShape, Point, PointShape};

use crate::Pentaflip;
use crate::board::{Cell, Colour};
use crate::position::Position;

// Lengths are in widths of a cell.

/// Width of the labels, left and above.
const MARGIN: f64 = 0.8;
/// Margin on the right and below.
const EDGE: f64 = 0.3;
/// Gap between two panels.
const GAP: f64 = 0.2;
/// Distance from a point on top to the one underneath, to the right.
const UNDER_OFFSET: f64 = 6.0 + GAP + MARGIN;
/// Height of the names of the two sides, below the board.
const CAPTION: f64 = 0.6;
const RADIUS: f64 = 0.38;
const RADIUS_UNDER: f64 = 0.32;

const PANEL: &str = "#c9a36a";
const HOLE: &str = "#8a6a3c";
const PANEL_UNDER: &str = "#a9b2b8";
const HOLE_UNDER: &str = "#737d85";

impl Layout for Pentaflip {
    fn board(&self) -> Board {
        Board {
            width: MARGIN + UNDER_OFFSET + 6.0 + GAP + EDGE,
            height: MARGIN + 6.0 + GAP + EDGE + CAPTION,
            points: Cell::all().map(|cell| point(cell, false)).chain(holes().map(|cell| point(cell, true))).collect(),
            edges: Vec::new(),
            blocks: (0..8).map(block).collect(),
            labels: labels(),
            pieces: vec![
                ring(Colour::White, "#f7f3e8", "#8c8573"),
                ring(Colour::Black, "#23262b", "#000000"),
                spot(Colour::White, "#f7f3e8", "#8c8573"),
                spot(Colour::Black, "#23262b", "#000000"),
            ],
        }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        let [white, black] = position.rings;
        for cell in Cell::all() {
            if cell.is_spot() {
                place(cell.index(), if position.spots.contains(cell.panel()) { 2 } else { 3 });
            } else if white.top().contains(cell) || black.top().contains(cell) {
                place(cell.index(), usize::from(black.top().contains(cell)));
            }
        }
        for (idx, cell) in holes().enumerate() {
            if white.under().contains(cell) || black.under().contains(cell) {
                place(36 + idx, usize::from(black.under().contains(cell)));
            }
        }
    }
}

/// Returns the id of the point underneath a hole: `c2'`.
pub(crate) fn under_id(cell: Cell) -> String {
    format!("{cell}'")
}

fn holes() -> impl Iterator<Item = Cell> {
    Cell::all().filter(|cell| !cell.is_spot())
}

/// Returns the left edge of a column or the upper edge of a row.
fn offset(index: usize) -> f64 {
    MARGIN + index as f64 + if index >= 3 { GAP } else { 0.0 }
}

fn point(cell: Cell, under: bool) -> Point {
    let shape = if cell.is_spot() { PointShape::Hidden } else { PointShape::Hole };
    Point {
        id: if under { under_id(cell) } else { cell.to_string() },
        x: offset(cell.column()) + 0.5 + if under { UNDER_OFFSET } else { 0.0 },
        y: offset(cell.row()) + 0.5,
        radius: if under { RADIUS_UNDER } else { RADIUS },
        shape,
        colour: if under { HOLE_UNDER } else { HOLE }.to_owned(),
    }
}

/// Returns a panel: 0 to 3 are on top, 4 to 7 underneath.
fn block(index: usize) -> Block {
    let (panel, under) = (index % 4, index >= 4);
    let points: Vec<u32> = if under {
        holes().enumerate().filter(|(_, cell)| cell.panel() == panel).map(|(idx, _)| 36 + idx as u32).collect()
    } else {
        Cell::all().filter(|cell| cell.panel() == panel).map(|cell| cell.index() as u32).collect()
    };
    Block {
        id: format!("{}{}", panel + 1, if under { "'" } else { "" }),
        x: offset(panel % 2 * 3) + if under { UNDER_OFFSET } else { 0.0 },
        y: offset(panel / 2 * 3),
        width: 3.0,
        height: 3.0,
        colour: if under { PANEL_UNDER } else { PANEL }.to_owned(),
        points,
    }
}

fn labels() -> Vec<Label> {
    let mut labels = Vec::new();
    for (side, name) in [(0.0, "on top"), (UNDER_OFFSET, "underneath")] {
        for i in 0..6 {
            let file = char::from(b'a' + i as u8).to_string();
            labels.push(Label { text: file, x: offset(i) + 0.5 + side, y: MARGIN / 2.0 });
            labels.push(Label { text: (i + 1).to_string(), x: MARGIN / 2.0 + side, y: offset(i) + 0.5 });
        }
        let middle = MARGIN + 3.0 + GAP / 2.0 + side;
        labels.push(Label { text: name.to_owned(), x: middle, y: MARGIN + 6.0 + GAP + (EDGE + CAPTION) / 2.0 });
    }
    labels
}

fn ring(colour: Colour, fill: &str, stroke: &str) -> Piece {
    let name = format!("{} ring", colour.name());
    Piece { shape: PieceShape::Ring, ..Piece::disc(colour.letter(), name, fill, stroke, Some(colour as u32)) }
}

fn spot(colour: Colour, fill: &str, stroke: &str) -> Piece {
    Piece {
        id: colour.letter().to_ascii_uppercase().to_string(),
        name: format!("{} spot", colour.name()),
        shape: PieceShape::Spot,
        ..ring(colour, fill, stroke)
    }
}
