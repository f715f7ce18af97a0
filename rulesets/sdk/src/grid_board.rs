//! The drawing of a square board made of blocks of 3 × 3 cells.

use crate::abilities::{Block, Board, Label, Piece, Point, PointShape};

// Lengths are in cells.

/// Room for the labels, left of the board and above it.
const MARGIN: f64 = 0.8;
/// Margin right of the board and below it.
const EDGE: f64 = 0.3;
/// Gap between two blocks.
const GAP: f64 = 0.2;
const RADIUS: f64 = 0.38;
/// Cells per side of a block.
const BLOCK: usize = 3;

/// Draws a square board of `n_cells` × `n_cells` round holes in blocks of 3 × 3, with
/// files and ranks as labels. Points are the cells of [`grid_cell!`](crate::grid_cell), in
/// its order; blocks are numbered row by row, from 0 for `colours` and from 1 in their ids.
/// `colours` returns the colours of a block and of its holes.
///
/// ```
/// let board = pentad_sdk::grid_board(6, |_block| ("#b5432f", "#7d2b1e"), Vec::new());
/// assert_eq!((board.points.len(), board.points[6].id.as_str()), (36, "b1"));
/// assert_eq!((board.blocks.len(), board.blocks[1].id.as_str()), (4, "2"));
/// ```
pub fn grid_board(
    n_cells: usize,
    colours: impl Fn(usize) -> (&'static str, &'static str),
    pieces: Vec<Piece>,
) -> Board {
    let n_blocks = n_cells / BLOCK;
    let size = MARGIN + n_cells as f64 + GAP * (n_blocks - 1) as f64 + EDGE;
    let cells = || (0..n_cells).flat_map(|column| (0..n_cells).map(move |row| (row, column)));
    let block_of = |row: usize, column: usize| row / BLOCK * n_blocks + column / BLOCK;
    let point = |(row, column): (usize, usize)| Point {
        id: format!("{}{}", file(column), row + 1),
        x: centre(column),
        y: centre(row),
        radius: RADIUS,
        shape: PointShape::Hole,
        colour: colours(block_of(row, column)).1.to_owned(),
    };
    let block = |idx: usize| Block {
        id: (idx + 1).to_string(),
        x: offset(idx % n_blocks * BLOCK),
        y: offset(idx / n_blocks * BLOCK),
        width: BLOCK as f64,
        height: BLOCK as f64,
        colour: colours(idx).0.to_owned(),
        points: (0..).zip(cells()).filter(|&(_, (row, column))| block_of(row, column) == idx).map(|it| it.0).collect(),
    };
    let file_label = |column| Label { text: file(column).to_string(), x: centre(column), y: MARGIN / 2.0 };
    let rank_label = |row: usize| Label { text: (row + 1).to_string(), x: MARGIN / 2.0, y: centre(row) };
    Board {
        width: size,
        height: size,
        points: cells().map(point).collect(),
        edges: Vec::new(),
        blocks: (0..n_blocks * n_blocks).map(block).collect(),
        labels: (0..n_cells).map(file_label).chain((0..n_cells).map(rank_label)).collect(),
        pieces,
    }
}

/// Returns the left edge of a column or the upper edge of a row.
fn offset(idx: usize) -> f64 {
    MARGIN + idx as f64 + GAP * (idx / BLOCK) as f64
}

fn centre(idx: usize) -> f64 {
    offset(idx) + 0.5
}

fn file(column: usize) -> char {
    char::from(b'a' + column as u8)
}
