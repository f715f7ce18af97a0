//! `impl Layout`: the board as a drawing, 36 holes in four blocks with a gap between them.

use pentad_sdk::{Board, Layout, Piece, grid_board};

use crate::Pentago;
use crate::board::Colour;
use crate::position::Position;

const WOOD: &str = "#b5432f";
const HOLE: &str = "#7d2b1e";

impl Layout for Pentago {
    fn board(&self) -> Board {
        let pieces = vec![piece(Colour::White, "#f7f3e8", "#8c8573"), piece(Colour::Black, "#23262b", "#000000")];
        grid_board(6, |_block| (WOOD, HOLE), pieces)
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        for cell in position.occupied().iter() {
            place(cell.index(), usize::from(position.marbles(Colour::Black).contains(cell)));
        }
    }
}

fn piece(colour: Colour, fill: &str, stroke: &str) -> Piece {
    Piece::disc(colour.letter(), format!("{} marble", colour.name()), fill, stroke, Some(colour as u32))
}
