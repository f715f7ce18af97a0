//! Colours, cells, turns and cell sets; lookup tables and lines of five.
//!
//! Everything is a table lookup per block; `tables` has the order of the bits.

pub(crate) mod lines;
pub(crate) mod tables;

use std::fmt;

use tables::{ALL, BLOCK_STRIDE, CELL_AT, CELL_BIT, FULL_LINES, N_CELLS, TURN_CHANGE};

/// One of the two players, numbered as their seats are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// `w`, seat 0.
    White = 0,
    /// `b`, seat 1.
    Black = 1,
}

impl Colour {
    /// The opponent.
    #[inline]
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// `White` or `Black`, for messages.
    pub fn name(self) -> &'static str {
        ["White", "Black"][self as usize]
    }

    /// `w` or `b`, as in positions.
    pub fn letter(self) -> char {
        ['w', 'b'][self as usize]
    }
}

/// One of the 36 cells, numbered in the order of their names: a1, a2 .. f6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub(crate) u8);

impl Cell {
    /// All 36, in order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..N_CELLS as u8).map(Cell)
    }

    /// The cell in a row from the top and a column from the left, from 0 to 5.
    pub(crate) fn at(row: usize, column: usize) -> Cell {
        debug_assert!(row < 6 && column < 6);
        Cell((column * 6 + row) as u8)
    }

    /// Row from the top, 0 to 5.
    pub fn row(self) -> usize {
        usize::from(self.0 % 6)
    }

    /// Column from the left, 0 to 5.
    pub fn column(self) -> usize {
        usize::from(self.0 / 6)
    }

    /// The block it lies in, 0 to 3.
    pub fn block(self) -> usize {
        self.row() / 3 * 2 + self.column() / 3
    }

    /// Its index, 0 to 35.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 / 6), self.row() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A quarter turn of one block, as twice the block, plus one if clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub(crate) u8);

impl Turn {
    /// All eight, in the order of their names.
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..8).map(Turn)
    }

    /// A turn of a block, from 0.
    pub(crate) fn new(block: usize, clockwise: bool) -> Turn {
        debug_assert!(block < 4);
        Turn(block as u8 * 2 + u8::from(clockwise))
    }

    /// The block that is turned, 0 to 3.
    #[inline]
    pub fn block(self) -> usize {
        usize::from(self.0 >> 1)
    }

    /// Whether it is clockwise as the board is drawn.
    #[inline]
    pub fn is_clockwise(self) -> bool {
        self.0 & 1 != 0
    }

    /// The turn that undoes this one.
    pub fn inverse(self) -> Turn {
        Turn(self.0 ^ 1)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.block() + 1, if self.is_clockwise() { 'r' } else { 'l' })
    }
}

/// A set of cells, mostly the marbles of one colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cells(pub(crate) u64);

impl Cells {
    /// No cell.
    pub const NONE: Cells = Cells(0);
    /// The whole board.
    pub const ALL: Cells = Cells(ALL);

    /// Whether the set contains a cell.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 & CELL_BIT[cell.index()] != 0
    }

    /// The set with one more cell.
    #[inline]
    #[must_use]
    pub fn with(self, cell: Cell) -> Cells {
        Cells(self.0 | CELL_BIT[cell.index()])
    }

    /// The union of two sets.
    #[inline]
    #[must_use]
    pub fn or(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }

    /// The intersection of two sets.
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

    /// The number of cells.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no cell.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The nine bits of a block.
    #[inline]
    pub(crate) fn block(self, block: usize) -> usize {
        (self.0 >> (block * BLOCK_STRIDE)) as usize & 0x1ff
    }

    /// The set after a turn.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Turn) -> Cells {
        let change = TURN_CHANGE[usize::from(turn.0 & 1)][self.block(turn.block())];
        Cells(self.0 ^ u64::from(change) << (turn.block() * BLOCK_STRIDE))
    }

    /// The lines, one bit each, that these cells fill.
    #[inline]
    pub(crate) fn fives(self) -> u32 {
        FULL_LINES[0][self.block(0)]
            & FULL_LINES[1][self.block(1)]
            & FULL_LINES[2][self.block(2)]
            & FULL_LINES[3][self.block(3)]
    }

    /// Whether five or more of its cells are in a row.
    #[inline]
    pub fn has_five(self) -> bool {
        self.fives() != 0
    }

    /// The cells in the order of their bits: block by block, from the top left.
    pub(crate) fn iter_by_block(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| Cell(CELL_AT[rest.trailing_zeros() as usize]));
            rest &= rest.wrapping_sub(1);
            cell
        })
    }

    /// The cells, in order.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        Cell::all().filter(move |&cell| self.contains(cell))
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
