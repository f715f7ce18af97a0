//! The drawing of the board, and its symmetries.

use pentad_sdk::{Board, Layout, Piece, PieceShape, Point, PointShape, Symmetry};

use crate::Rules;
use crate::position::{CELLS, Position, SIZE};
use crate::ruleset::{PLAYERS, cell_name};

/// Ids of points are those in moves: a click on a point enters it.
impl Layout for Rules {
    fn board(&self) -> Board {
        let point = |cell: usize| Point {
            id: cell_name(cell),
            x: (cell % SIZE) as f64 + 0.5,
            y: (cell / SIZE) as f64 + 0.5,
            radius: 0.48,
            shape: PointShape::Cell,
            colour: "#e3d5b8".to_owned(),
        };
        let stone = |seat: usize, fill: &str, stroke: &str| Piece {
            id: ["b", "w"][seat].to_owned(),
            name: format!("{} stone", PLAYERS[seat].to_lowercase()),
            fill: fill.to_owned(),
            stroke: stroke.to_owned(),
            label: String::new(),
            shape: PieceShape::Disc,
            seat: Some(seat as u32),
        };
        Board {
            width: SIZE as f64,
            height: SIZE as f64,
            points: (0..CELLS).map(point).collect(),
            edges: Vec::new(),
            blocks: Vec::new(),
            labels: Vec::new(),
            pieces: vec![
                stone(0, "#222222", "#000000"),
                stone(1, "#fafafa", "#777777"),
            ],
        }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        for (cell, stone) in position.cells.iter().enumerate() {
            if let Some(seat) = stone {
                place(cell, usize::from(*seat));
            }
        }
    }
}

/// The quarter turns of the board, and each of them mirrored. What is known about one
/// position holds for its images.
impl Symmetry for Rules {
    fn n_symmetries(&self) -> usize {
        8
    }

    fn inverse(&self, symmetry: usize) -> usize {
        // A turn is undone by the other turns; a mirror image by itself.
        if symmetry < 4 {
            (4 - symmetry) % 4
        } else {
            symmetry
        }
    }

    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        let mut image = *position;
        for (cell, stone) in position.cells.iter().enumerate() {
            image.cells[mapped(symmetry, cell)] = *stone;
        }
        image
    }

    fn apply_move(&self, symmetry: usize, _position: &Position, cell: &usize) -> usize {
        mapped(symmetry, *cell)
    }
}

/// Symmetries 0 to 3 turn the board; 4 to 7 do so and then mirror it.
fn mapped(symmetry: usize, cell: usize) -> usize {
    let (mut column, mut row) = (cell % SIZE, cell / SIZE);
    for _ in 0..symmetry % 4 {
        (column, row) = (SIZE - 1 - row, column);
    }
    if symmetry >= 4 {
        column = SIZE - 1 - column;
    }
    row * SIZE + column
}
