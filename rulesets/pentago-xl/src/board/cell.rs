//! A cell of the board.

pentad_sdk::grid_cell! {
    /// One of the 81 cells, numbered in the order of their names: a1, a2 .. i9.
    pub struct Cell of 9 x 9;
}

impl Cell {
    /// Returns the cell of a bit of [`Cells`](super::Cells).
    #[inline]
    pub(crate) fn of_bit(bit: u32) -> Cell {
        // Each file has ten bits, and the tenth is not a cell.
        Cell((bit - bit / 10) as u8)
    }

    /// Returns its bit in [`Cells`](super::Cells).
    #[inline]
    pub(crate) fn bit(self) -> u32 {
        u32::from(self.0) + u32::from(self.0 / 9)
    }

    /// Returns the block it lies in, from 0.
    pub fn block(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }
}
