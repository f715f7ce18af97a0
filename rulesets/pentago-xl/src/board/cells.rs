//! Sets of cells: how turns change them, and fives in a row.

use std::fmt;

use crate::board::tables::{ALL, BLOCK, STEPS, TURN_CHANGE, bit_at, block_bit, packed};
use crate::board::{Cell, Turn};

/// A set of cells, such as the marbles of one colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cells(pub(crate) u128);

impl Cells {
    /// No cell.
    pub const NONE: Cells = Cells(0);
    /// The whole board.
    pub const ALL: Cells = Cells(ALL);

    /// One cell.
    #[inline]
    pub fn only(cell: Cell) -> Cells {
        Cells(1 << cell.bit())
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.bit() & 1 != 0
    }

    /// The set with one more cell.
    #[inline]
    #[must_use]
    pub fn with(self, cell: Cell) -> Cells {
        Cells(self.0 | 1 << cell.bit())
    }

    /// The union.
    #[inline]
    #[must_use]
    pub fn or(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }

    /// The intersection.
    #[inline]
    #[must_use]
    pub fn and(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }

    /// The rest of the board.
    #[inline]
    #[must_use]
    pub fn complement(self) -> Cells {
        Cells(!self.0 & ALL)
    }

    /// Number of cells.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no cell.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cells of one block.
    #[inline]
    #[must_use]
    pub(crate) fn in_block(self, block: usize) -> Cells {
        Cells(self.0 & BLOCK << block_bit(block))
    }

    /// The same marbles after a turn.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Turn) -> Cells {
        let at = block_bit(turn.block());
        let change = TURN_CHANGE[usize::from(turn.0 & 1)][packed((self.0 >> at) as u32)];
        Cells(self.0 ^ u128::from(change) << at)
    }

    /// Whether five or more lie in a row.
    #[inline]
    pub fn has_five(self) -> bool {
        STEPS.iter().fold(0, |found, &step| found | self.five_starts(step)) != 0
    }

    /// All cells that lie in a row of five or more.
    pub fn fives(self) -> Cells {
        let mut cells = 0;
        for step in STEPS {
            let starts = self.five_starts(step);
            cells |= (0..5).fold(0, |row, i| row | starts << (i * step));
        }
        Cells(cells)
    }

    /// The lowest cells of all rows of five in one direction.
    #[inline(always)]
    fn five_starts(self, step: u32) -> u128 {
        let two = self.0 & self.0 >> step;
        let four = two & two >> (2 * step);
        four & self.0 >> (4 * step)
    }

    /// The cells, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| Cell::of_bit(rest.trailing_zeros()));
            rest &= rest.wrapping_sub(1);
            cell
        })
    }

    /// The first cell, if any.
    #[inline]
    pub fn first(self) -> Option<Cell> {
        (self.0 != 0).then(|| Cell::of_bit(self.0.trailing_zeros()))
    }

    /// The cells of a file as nine bits, the top one lowest.
    #[inline]
    pub(crate) fn file(self, column: usize) -> usize {
        (self.0 >> bit_at(0, column)) as usize & 0x1ff
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Cells::NONE, Cells::with)
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
