//! Generation of legal moves, in canonical order.
//!
//! The search generates fewer, one for each position that can be reached
//! ([`distinct`](super::distinct)).

use std::ops::ControlFlow;

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::board::{Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

impl Pentago {
    /// Calls `visit` with each legal move until it breaks. The order is
    /// canonical: that of the moves' texts in ASCII.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.each_move_at(position, position.empty(), &mut visit)?;
        if position.reply { visit(Move::PASS) } else { ControlFlow::Continue(()) }
    }

    /// The legal moves that place on one of `cells`, which are empty. The game
    /// is in progress.
    #[inline]
    pub(crate) fn each_move_at(
        &self,
        position: &Position,
        cells: Cells,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = position.empty();
        let final_cells = if position.reply { empty } else { completing_cells(position.own(), empty) };
        let skippable = self.skippable(position);
        let clockwise_only = self.edition == Edition::Clockwise;
        for cell in cells.iter() {
            if final_cells.contains(cell) {
                visit(Move::place(cell))?;
                continue;
            }
            if skippable.contains(cell) {
                visit(Move::place(cell))?;
            }
            for turn in Turn::all() {
                if !clockwise_only || turn.is_clockwise() {
                    visit(Move::place_and_turn(cell, turn))?;
                }
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
        if position.reply {
            return u64::from(empty.count()) + 1;
        }
        let winning = completing_cells(position.own(), empty);
        let skippable = self.skippable(position).and(empty).and(winning.complement());
        let turning = u64::from(empty.count() - winning.count());
        turning * self.edition.n_turns() + u64::from(winning.count()) + u64::from(skippable.count())
    }

    /// The cells after which the turn may be skipped: in the Finnish edition,
    /// those with an empty block other than their own.
    #[inline]
    pub(crate) fn skippable(&self, position: &Position) -> Cells {
        if self.edition != Edition::Finnish {
            return Cells::NONE;
        }
        let occupied = position.occupied();
        let is_empty = [0, 1, 2, 3].map(|block| occupied.block(block) == 0);
        let n_empty = is_empty.iter().filter(|&&empty| empty).count();
        let mut cells = 0;
        for (block, &empty) in is_empty.iter().enumerate() {
            // A placement fills its own block.
            if n_empty > usize::from(empty) {
                cells |= 0x1ff << (block * 16);
            }
        }
        Cells(cells)
    }
}
