//! Colours, cells, sets of cells and turns of blocks.

pub(crate) mod lines;
pub(crate) mod tables;

use std::fmt;

use tables::{ALL, BLOCK, N_CELLS, SIDE, STEPS, TURN_CHANGE, TURNING, bit_at, block_bit, packed};

/// One of the players, numbered as their seats are, in playing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// `r`, seat 0.
    Red = 0,
    /// `y`, seat 1.
    Yellow = 1,
    /// `g`, seat 2.
    Green = 2,
    /// `b`, seat 3.
    Blue = 3,
}

impl Colour {
    /// In playing order.
    pub const ALL: [Colour; 4] = [Colour::Red, Colour::Yellow, Colour::Green, Colour::Blue];

    /// The name in texts for people.
    pub fn name(self) -> &'static str {
        ["Red", "Yellow", "Green", "Blue"][self as usize]
    }

    /// The letter in positions.
    pub fn letter(self) -> char {
        ['r', 'y', 'g', 'b'][self as usize]
    }

    /// The colour of a letter, whether or not it plays.
    pub(crate) fn of_letter(letter: char) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}

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

/// A quarter turn of one block: two for each block that turns, of which the
/// second is clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub(crate) u8);

impl Turn {
    /// Number of turns: two for each of eight blocks.
    pub const COUNT: usize = 16;

    /// All sixteen, in the order of their texts.
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..Turn::COUNT as u8).map(Turn)
    }

    /// The turn of a block, from 0; `None` for the fixed one in the centre.
    pub(crate) fn new(block: usize, clockwise: bool) -> Option<Turn> {
        let idx = TURNING.iter().position(|&turning| usize::from(turning) == block)?;
        Some(Turn(2 * idx as u8 + u8::from(clockwise)))
    }

    /// The block that is turned, from 0.
    #[inline]
    pub fn block(self) -> usize {
        usize::from(TURNING[usize::from(self.0 >> 1 & 7)])
    }

    /// Clockwise as the board is drawn.
    #[inline]
    pub fn is_clockwise(self) -> bool {
        self.0 & 1 != 0
    }

    /// The turn that undoes this one.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Turn {
        Turn(self.0 ^ 1)
    }

    /// Its number, from 0 to 15.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0 & 15)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.block() + 1, if self.is_clockwise() { 'r' } else { 'l' })
    }
}

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
