//! What lies on the board: the rings of one colour on both sides, the spots,
//! and the flips that move them. See `tables` for the order of the bits.

use std::fmt;

use crate::tables::{BIT_OF, CELL_AT, CELLS_OF, FULL, FULL_SPOTS, N_CELLS, NEXT_TO, NEXT_TO_SPOTS, SPOT, panel_of};

/// One of the two players, numbered as their seats are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// `w`, seat 0.
    White = 0,
    /// `b`, seat 1.
    Black = 1,
}

impl Colour {
    /// Both, in the order of their seats.
    pub const ALL: [Colour; 2] = [Colour::White, Colour::Black];

    /// The one who plays against this one.
    #[inline]
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        ["White", "Black"][self as usize]
    }

    /// As in positions.
    pub fn letter(self) -> char {
        ['w', 'b'][self as usize]
    }
}

/// One of the 36 cells, numbered in the order of their names: a1, a2 .. f6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub(crate) u8);

impl Cell {
    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..N_CELLS as u8).map(Cell)
    }

    /// The cell in a row from the top and a column from the left, from 0 to 5.
    pub(crate) fn at(row: usize, column: usize) -> Cell {
        debug_assert!(row < 6 && column < 6);
        Cell((column * 6 + row) as u8)
    }

    /// From the top, from 0.
    pub fn row(self) -> usize {
        usize::from(self.0 % 6)
    }

    /// From the left, from 0.
    pub fn column(self) -> usize {
        usize::from(self.0 / 6)
    }

    /// The panel it lies in, from 0.
    pub fn panel(self) -> usize {
        panel_of(self.index())
    }

    /// Whether it is one of the four that take no ring.
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
    /// No hole.
    pub const NONE: Holes = Holes(0);

    /// Whether a cell is one of them; a spot never is.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 & cell.hole().0 != 0
    }

    /// Those in either set.
    #[inline]
    #[must_use]
    pub fn or(self, other: Holes) -> Holes {
        Holes(self.0 | other.0)
    }

    /// Those in both sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: Holes) -> Holes {
        Holes(self.0 & other.0)
    }

    /// All the others.
    #[inline]
    #[must_use]
    pub fn complement(self) -> Holes {
        Holes(!self.0)
    }

    /// How many there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The byte of a panel.
    #[inline]
    pub(crate) fn panel(self, panel: usize) -> usize {
        (self.0 >> (panel * 8)) as usize & 0xff
    }

    /// The holes, in order of their bits: panel by panel.
    #[inline]
    pub(crate) fn bits(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| Cell(CELL_AT[rest.trailing_zeros() as usize]));
            rest &= rest.wrapping_sub(1);
            cell
        })
    }

    /// The holes, each as a set of its own, in order of their bits.
    #[inline]
    pub(crate) fn singles(self) -> impl Iterator<Item = Holes> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = rest & rest.wrapping_neg();
            rest ^= lowest;
            (lowest != 0).then_some(Holes(lowest))
        })
    }

    /// The holes, in order of their names.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let part = |panel: usize| CELLS_OF[panel][self.panel(panel)];
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
        cells.into_iter().fold(Holes::NONE, |holes, cell| holes.or(cell.hole()))
    }
}

impl fmt::Debug for Holes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The rings of one colour: on top in the lower half, underneath in the upper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rings(pub(crate) u64);

impl Rings {
    /// No ring.
    pub const NONE: Rings = Rings(0);
    /// How many a player has.
    pub const MAX: u32 = 22;

    /// Those on top.
    #[inline]
    pub fn top(self) -> Holes {
        Holes(self.0 as u32)
    }

    /// Those underneath, by the cell as seen from above.
    #[inline]
    pub fn under(self) -> Holes {
        Holes((self.0 >> 32) as u32)
    }

    /// How many are on the board.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// These and one more on top.
    #[inline]
    #[must_use]
    pub(crate) fn with(self, hole: Holes) -> Rings {
        Rings(self.0 | u64::from(hole.0))
    }

    /// These and one more underneath.
    #[must_use]
    pub(crate) fn with_under(self, hole: Holes) -> Rings {
        Rings(self.0 | u64::from(hole.0) << 32)
    }
}

/// Which of the spots are one colour's, a bit per panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spots(pub(crate) u8);

impl Spots {
    /// Those of the other colour.
    #[inline]
    #[must_use]
    pub fn others(self) -> Spots {
        Spots(self.0 ^ 15)
    }

    /// Whether the spot of a panel, from 0, is one of them.
    #[inline]
    pub fn contains(self, panel: usize) -> bool {
        self.0 >> panel & 1 != 0
    }
}

/// The holes beside rings on top and spots of one colour.
#[inline]
pub(crate) fn next_to(top: Holes, spots: Spots) -> Holes {
    let part = |panel: usize| NEXT_TO[panel][top.panel(panel)];
    Holes(part(0) | part(1) | part(2) | part(3) | NEXT_TO_SPOTS[usize::from(spots.0 & 15)])
}

/// The lines, a bit each, that rings on top and spots of one colour fill.
#[inline]
pub(crate) fn fives(top: Holes, spots: Spots) -> u32 {
    let part = |panel: usize| FULL[panel][top.panel(panel)];
    part(0) & part(1) & part(2) & part(3) & FULL_SPOTS[usize::from(spots.0 & 15)]
}
