//! `impl Layout`: the board as a drawing, 81 holes in nine blocks with gaps between
//! them. The fixed block has a colour of its own.

use pentad_sdk::{Board, Layout, Piece, grid_board};

use crate::PentagoXl;
use crate::board::Colour;
use crate::position::Position;

const WOOD: &str = "#a5805a";
const HOLE: &str = "#6e5236";
/// The colours of the block that does not turn.
const FIXED: &str = "#5b5f66";
const FIXED_HOLE: &str = "#3d4046";
const CENTRE_BLOCK: usize = 4;

impl Layout for PentagoXl {
    fn board(&self) -> Board {
        let colours = |block| if block == CENTRE_BLOCK { (FIXED, FIXED_HOLE) } else { (WOOD, HOLE) };
        grid_board(9, colours, self.variant.colours().map(piece).collect())
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        for cell in position.occupied().iter() {
            if let Some(colour) = self.variant.colours().find(|&colour| position.marbles(colour).contains(cell)) {
                place(cell.index(), colour as usize);
            }
        }
    }
}

fn piece(colour: Colour) -> Piece {
    let (fill, stroke) = match colour {
        Colour::Red => ("#e8402c", "#7a1509"),
        Colour::Yellow => ("#f5d033", "#8a7206"),
        Colour::Green => ("#3fae4d", "#17551f"),
        Colour::Blue => ("#3576d4", "#123a75"),
    };
    Piece::disc(colour.letter(), format!("{} marble", colour.name()), fill, stroke, Some(colour as u32))
}
