//! Sets of cells, their turns, and fives in a row.

use crate::board::tables::{ALL, BLOCK, STEPS, TURN_CHANGE, bit_at, block_bit, packed};
use crate::board::{Cell, Turn};

pentad_sdk::bit_set! {
    /// A set of cells, such as the marbles of one colour.
    pub struct Cells(u128) of Cell {
        all: ALL,
        mask: |cell: Cell| 1 << cell.bit(),
        at_bit: Cell::of_bit,
    }
}

impl Cells {
    /// Returns the cells of the set that lie in one block.
    #[inline]
    #[must_use]
    pub(crate) fn in_block(self, block: usize) -> Cells {
        Cells(self.0 & BLOCK << block_bit(block))
    }

    /// Returns the set after a turn.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Turn) -> Cells {
        let at = block_bit(turn.block());
        let change = TURN_CHANGE[usize::from(turn.0 & 1)][packed((self.0 >> at) as u32)];
        Cells(self.0 ^ u128::from(change) << at)
    }

    /// Returns whether five or more cells lie in a row.
    #[inline]
    pub fn has_five(self) -> bool {
        STEPS.iter().fold(0, |starts, &step| starts | self.five_starts(step)) != 0
    }

    /// Returns all cells that lie in a row of five or more.
    pub fn fives(self) -> Cells {
        let mut cells = 0;
        for step in STEPS {
            let starts = self.five_starts(step);
            cells |= (0..5).fold(0, |row, i| row | starts << (i * step));
        }
        Cells(cells)
    }

    /// Returns the lowest cell of every row of five in one direction.
    #[inline(always)]
    fn five_starts(self, step: u32) -> u128 {
        let two = self.0 & self.0 >> step;
        let four = two & two >> (2 * step);
        four & self.0 >> (4 * step)
    }

    /// Iterates over the cells in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        self.iter_by_bit()
    }

    /// Returns the cells of a file as nine bits; the top cell is the lowest bit.
    #[inline]
    pub(crate) fn file(self, column: usize) -> usize {
        (self.0 >> bit_at(0, column)) as usize & 0x1ff
    }
}
