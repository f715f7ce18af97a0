//! The points of the layout that belong to a reason.

use crate::Pentaflip;
use crate::board::lines::completed_lines;
use crate::board::tables::{LINES, N_LINES};
use crate::board::{Cell, Colour, Flip, Holes};
use crate::layout::under_id;
use crate::moves::Move;
use crate::position::Position;

/// Returns the cells of all complete lines of a colour, in order.
pub(super) fn completed_line_cells(position: &Position, colour: Colour) -> Vec<Cell> {
    let complete = completed_lines(position.rings(colour).top(), position.spots(colour));
    let is_on_complete_line =
        |cell: &Cell| (0..N_LINES).any(|line| complete >> line & 1 != 0 && is_on_line(*cell, line));
    Cell::all().filter(is_on_complete_line).collect()
}

/// Returns whether a cell, hole or spot, lies on a line, given by its index.
pub(super) fn is_on_line(cell: Cell, line: usize) -> bool {
    let line = &LINES[line];
    if cell.is_spot() { line.spots >> cell.panel() & 1 != 0 } else { line.holes & Holes::only(cell).0 != 0 }
}

/// Returns the ids of the points on top of cells.
pub(super) fn top_points(cells: impl IntoIterator<Item = Cell>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}

/// Returns the points of the line that a winning move of the side to move completes, as
/// it lies before that move.
pub(super) fn winning_line_points(position: &Position, mv: Move) -> Vec<String> {
    let line = completed_line_cells(&Pentaflip.play_unchecked(position, mv), position.side);
    let Some(flip) = mv.as_flip() else { return top_points(line) };
    line.into_iter().map(|cell| point_before_flip(cell, flip)).collect()
}

/// Returns the point from which a flip brings a ring or spot to the top of a cell.
fn point_before_flip(cell: Cell, flip: Flip) -> String {
    if !flip.panels().contains(&cell.panel()) {
        return cell.to_string();
    }
    let from = cell.flipped(flip);
    if from.is_spot() { from.to_string() } else { under_id(from) }
}
