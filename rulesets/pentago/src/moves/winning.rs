//! Immediate wins.
//!
//! A line with four marbles and an empty cell wins by placing. After each turn the
//! lines are counted again, so a line that has four (or five) then wins by placing
//! first and turning second; turning the missing cell back gives the cell to place on.

use crate::Pentago;
use crate::board::lines::{LineCounts, completing_cells_of};
use crate::board::{Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

impl Pentago {
    /// Returns the turns that this edition allows.
    #[inline]
    pub(crate) fn turns(&self) -> impl Iterator<Item = Turn> + use<> {
        let step = if self.edition == Edition::Clockwise { 2 } else { 1 };
        (step as u8 - 1..8).step_by(step).map(Turn)
    }

    /// Returns a move that ends the game at once with a win for the side to move; if
    /// there are several, one of them. The game is in progress.
    #[inline]
    pub fn winning_move(&self, position: &Position) -> Option<Move> {
        let own = position.own();
        if position.reply || own.count() < 4 {
            return None;
        }
        let counts = LineCounts::of(own);
        let empty = position.empty();
        if counts.any_four()
            && let Some(cell) = completing_cells_of(counts, own, empty).first()
        {
            return Some(Move::place(cell));
        }
        if self.edition == Edition::Czech && empty.count() > 1 {
            // A five by turning may be answered.
            return None;
        }
        self.five_by_turning(position, counts, self.edition == Edition::Finnish)
    }

    /// Returns a placement and turn that give the side to move five, if no placement
    /// alone does. If `both_may_have_five` is unset, the other side must not get five
    /// too.
    #[inline]
    pub(crate) fn five_by_turning(
        &self,
        position: &Position,
        counts: LineCounts,
        both_may_have_five: bool,
    ) -> Option<Move> {
        let own = position.own();
        for turn in self.turns() {
            let turned = counts.turned(own, turn);
            if turned.any_four()
                && let Some(mv) = turn_to_five(position, turned, turn)
                && (both_may_have_five || !position.opposing().turned(turn).has_five())
            {
                return Some(mv);
            }
        }
        None
    }
}

/// Returns the move, if any, that makes five by this turn; `turned` counts the own
/// marbles after it.
#[inline]
fn turn_to_five(position: &Position, turned: LineCounts, turn: Turn) -> Option<Move> {
    let own = position.own().turned(turn);
    let empty = position.empty().turned(turn);
    // If the turn alone makes five, any placement will do.
    let cells = if own.has_five() { empty } else { completing_cells_of(turned, own, empty) };
    let lowest = Cells(cells.0 & cells.0.wrapping_neg());
    let cell = lowest.turned(turn.inverse()).first()?;
    Some(Move::place_and_turn(cell, turn))
}
