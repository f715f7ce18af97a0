//! Where to look: points of the layout that a reason is about.

use crate::Pentaflip;
use crate::board::{Cell, Colour, fives};
use crate::flip::Flip;
use crate::layout::under_id;
use crate::moves::Move;
use crate::position::Position;
use crate::tables::{LINES, N_LINES};

/// The cells of every five of a colour, in order.
pub(super) fn five_cells(position: &Position, colour: Colour) -> Vec<Cell> {
    let full = fives(position.rings(colour).top(), position.spots(colour));
    let on_a_line = |cell: &Cell| (0..N_LINES).any(|line| full >> line & 1 != 0 && is_on_line(*cell, line));
    Cell::all().filter(on_a_line).collect()
}

/// Whether a cell, hole or spot, is one of a line's five.
pub(super) fn is_on_line(cell: Cell, line: usize) -> bool {
    let line = &LINES[line];
    if cell.is_spot() { line.spots >> cell.panel() & 1 != 0 } else { line.holes & cell.hole().0 != 0 }
}

/// The names of cells on top.
pub(super) fn top(cells: impl IntoIterator<Item = Cell>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}

/// The five that a winning move of the side to move completes, as it lies
/// before that move.
pub(super) fn five_before(position: &Position, mv: Move) -> Vec<String> {
    let five = five_cells(&Pentaflip.play_unchecked(position, mv), position.side);
    let Some(flip) = mv.flipped() else { return top(five) };
    five.into_iter().map(|cell| before_flip(cell, flip)).collect()
}

/// Where that which a flip brings to the top of a cell lies before.
fn before_flip(cell: Cell, flip: Flip) -> String {
    if !flip.panels().contains(&cell.panel()) {
        return cell.to_string();
    }
    let from = cell.turned(flip);
    if from.is_spot() { from.to_string() } else { under_id(from) }
}

impl Cell {
    /// Where a flip, which turns it over, takes the cell; and what it takes
    /// there, since flips undo themselves.
    fn turned(self, flip: Flip) -> Cell {
        let (row, column) = (self.row(), self.column());
        match flip.letter() {
            '1' | '4' => Cell::at(column, row),
            '2' | '3' => Cell::at(5 - column, 5 - row),
            'L' | 'R' => Cell::at(5 - row, column),
            _ => Cell::at(row, 5 - column),
        }
    }
}
