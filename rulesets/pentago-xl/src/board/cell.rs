//! A cell of the board, and its name.

use std::fmt;

use crate::board::tables::{N_CELLS, SIDE};

/// One of the 81 cells, numbered in the order of their names: a1, a2 .. i9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub(crate) u8);

impl Cell {
    /// All 81, in order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..N_CELLS as u8).map(Cell)
    }

    /// The cell in a row from the top and a column from the left, from 0 to 8.
    pub(crate) fn at(row: usize, column: usize) -> Cell {
        debug_assert!(row < SIDE && column < SIDE);
        Cell((column * SIDE + row) as u8)
    }

    /// The cell of a bit of [`Cells`].
    #[inline]
    pub(crate) fn of_bit(bit: u32) -> Cell {
        // One bit of each file is no cell.
        Cell((bit - bit / 10) as u8)
    }

    /// Its bit in [`Cells`].
    #[inline]
    pub(crate) fn bit(self) -> u32 {
        u32::from(self.0) + u32::from(self.0 / 9)
    }

    /// Row, from 0 at the top.
    pub fn row(self) -> usize {
        usize::from(self.0) % SIDE
    }

    /// Column, from 0 at the left.
    pub fn column(self) -> usize {
        usize::from(self.0) / SIDE
    }

    /// The block it lies in, from 0.
    pub fn block(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }

    /// Its number in order, from 0 to 80.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 / 9), self.row() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
