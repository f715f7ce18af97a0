//! Cells, and sets of holes.

use std::fmt;

use super::tables::{BIT_OF, CELL_OF, CELLS_OF_PANEL, N_CELLS, SPOT, panel_of};

/// One of the 36 cells, hole or spot, numbered in the order of their names:
/// a1, a2 .. f6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub(crate) u8);

impl Cell {
    /// All 36 cells, in order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..N_CELLS as u8).map(Cell)
    }

    /// The cell in a row from the top and a column from the left, from 0 to 5.
    pub(crate) fn at(row: usize, column: usize) -> Cell {
        debug_assert!(row < 6 && column < 6);
        Cell((column * 6 + row) as u8)
    }

    /// The row from the top, from 0 to 5.
    pub fn row(self) -> usize {
        usize::from(self.0 % 6)
    }

    /// The column from the left, from 0 to 5.
    pub fn column(self) -> usize {
        usize::from(self.0 / 6)
    }

    /// The panel it lies in, from 0 to 3.
    pub fn panel(self) -> usize {
        panel_of(self.index())
    }

    /// Whether it is one of the four centre cells, which take no ring.
    pub fn is_spot(self) -> bool {
        BIT_OF[self.index()] >= SPOT
    }

    /// Its number, from 0 to 35.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The set of this hole alone; empty for a spot.
    #[inline]
    pub(crate) fn hole(self) -> Holes {
        let bit = BIT_OF[self.index()];
        Holes(if bit < SPOT { 1 << bit } else { 0 })
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

/// A set of holes of one side of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Holes(pub(crate) u32);

impl Holes {
    /// The empty set.
    pub const NONE: Holes = Holes(0);

    /// Whether a cell is one of them; a spot never is.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 & cell.hole().0 != 0
    }

    /// The holes in either set.
    #[inline]
    #[must_use]
    pub fn union(self, other: Holes) -> Holes {
        Holes(self.0 | other.0)
    }

    /// The holes in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: Holes) -> Holes {
        Holes(self.0 & other.0)
    }

    /// The holes that are not in the set.
    #[inline]
    #[must_use]
    pub fn complement(self) -> Holes {
        Holes(!self.0)
    }

    /// How many holes there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The eight bits of a panel, from 0 to 255.
    #[inline]
    pub(crate) fn panel(self, panel: usize) -> usize {
        (self.0 >> (panel * 8)) as usize & 0xff
    }

    /// The holes in the order of their bits: panel by panel. Faster than
    /// [`iter`](Holes::iter).
    #[inline]
    pub(crate) fn iter_by_bit(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| Cell(CELL_OF[rest.trailing_zeros() as usize]));
            rest &= rest.wrapping_sub(1);
            cell
        })
    }

    /// The holes in the order of their bits, each as a set of its own.
    #[inline]
    pub(crate) fn singletons(self) -> impl Iterator<Item = Holes> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = rest & rest.wrapping_neg();
            rest ^= lowest;
            (lowest != 0).then_some(Holes(lowest))
        })
    }

    /// The holes in the order of their names, which is that of legal moves.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let part = |panel: usize| CELLS_OF_PANEL[panel][self.panel(panel)];
        let mut rest = part(0) | part(1) | part(2) | part(3);
        std::iter::from_fn(move || {
            let cell = (rest != 0).then_some(Cell(rest.trailing_zeros() as u8));
            rest &= rest.wrapping_sub(1);
            cell
        })
    }
}

impl FromIterator<Cell> for Holes {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Holes::NONE, |holes, cell| holes.union(cell.hole()))
    }
}

impl fmt::Debug for Holes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
