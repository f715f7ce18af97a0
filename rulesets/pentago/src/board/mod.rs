//! Cells, turns and cell sets; lookup tables and lines of five.
//!
//! Every operation is a table lookup per block; `tables` defines the order of the bits.

pub(crate) mod lines;
pub(crate) mod tables;

use std::fmt;

pub use pentad_sdk::Colour;
use tables::{ALL, BLOCK_STRIDE, CELL_AT, CELL_BIT, FULL_LINES, TURN_CHANGE};

pentad_sdk::grid_cell! {
    /// One of the 36 cells, numbered in the order of their names: a1, a2 .. f6.
    pub struct Cell of 6 x 6;
}

impl Cell {
    /// Returns its block, 0 to 3.
    #[inline]
    pub fn block(self) -> usize {
        self.row() / 3 * 2 + self.column() / 3
    }

    /// Returns whether it is the middle of its block, which no turn moves.
    #[inline]
    pub fn is_block_centre(self) -> bool {
        self.row() % 3 == 1 && self.column() % 3 == 1
    }
}

/// A quarter turn of one block, as twice the block, plus one if clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub(crate) u8);

impl Turn {
    /// Returns all eight turns, in the order of their names.
    #[inline]
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..8).map(Turn)
    }

    /// Returns a turn of a block, from 0.
    #[inline]
    pub(crate) fn new(block: usize, clockwise: bool) -> Turn {
        debug_assert!(block < 4);
        Turn(block as u8 * 2 + u8::from(clockwise))
    }

    /// Returns the block that is turned, 0 to 3.
    #[inline]
    pub fn block(self) -> usize {
        usize::from(self.0 >> 1)
    }

    /// Returns whether it is clockwise, seen from above.
    #[inline]
    pub fn is_clockwise(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns the turn that undoes this one.
    #[inline]
    pub fn inverse(self) -> Turn {
        Turn(self.0 ^ 1)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.block() + 1, if self.is_clockwise() { 'r' } else { 'l' })
    }
}

pentad_sdk::bit_set! {
    /// A set of cells, mostly the marbles of one colour.
    pub struct Cells(u64) of Cell {
        all: ALL,
        mask: |cell: Cell| CELL_BIT[cell.index()],
        at_bit: |bit| Cell(CELL_AT[bit as usize]),
    }
}

impl Cells {
    /// Returns the nine bits of a block.
    #[inline]
    pub(crate) fn block(self, block: usize) -> usize {
        (self.0 >> (block * BLOCK_STRIDE)) as usize & 0x1ff
    }

    /// Returns the set after a turn.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Turn) -> Cells {
        let change = TURN_CHANGE[usize::from(turn.0 & 1)][self.block(turn.block())];
        Cells(self.0 ^ u64::from(change) << (turn.block() * BLOCK_STRIDE))
    }

    /// Returns the lines, one bit each, that these cells fill.
    #[inline]
    pub(crate) fn fives(self) -> u32 {
        FULL_LINES[0][self.block(0)]
            & FULL_LINES[1][self.block(1)]
            & FULL_LINES[2][self.block(2)]
            & FULL_LINES[3][self.block(3)]
    }

    /// Returns whether five or more of its cells are in a row.
    #[inline]
    pub fn has_five(self) -> bool {
        self.fives() != 0
    }

    /// Returns the cells, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        Cell::all().filter(move |&cell| self.contains(cell))
    }
}
