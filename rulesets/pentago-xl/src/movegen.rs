//! Move generation: a placement that makes five is a move by itself, any other
//! is followed by each of the sixteen turns.

use std::ops::ControlFlow;

use crate::PentagoXl;
use crate::board::lines::winning_cells;
use crate::board::{Cells, Turn};
use crate::moves::Move;
use crate::position::Position;

impl PentagoXl {
    /// Passes the legal moves to `visit` until it breaks, in canonical order:
    /// that of their texts in ASCII.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.each_move_at(position, position.empty(), &mut visit)
    }

    /// As [`each_move`](PentagoXl::each_move), for the moves that place on one
    /// of `cells`. These are empty, and the game is not over.
    #[inline]
    pub(crate) fn each_move_at(
        &self,
        position: &Position,
        cells: Cells,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let completing = winning_cells(position.own(), cells);
        for cell in cells.iter() {
            if completing.contains(cell) {
                visit(Move::place(cell))?;
                continue;
            }
            for turn in Turn::all() {
                visit(Move::place_and_turn(cell, turn))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The number of legal moves, without listing them.
    pub(crate) fn count_legal_moves(&self, position: &Position) -> u64 {
        if self.verdict(position).is_some() {
            return 0;
        }
        let empty = position.empty();
        let n_completing = u64::from(winning_cells(position.own(), empty).count());
        (u64::from(empty.count()) - n_completing) * Turn::COUNT as u64 + n_completing
    }
}
