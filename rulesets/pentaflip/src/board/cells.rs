//! Cells, and sets of holes.

use super::tables::{BIT_OF, CELL_OF, CELLS_OF_PANEL, SPOT, panel_of};

pentad_sdk::grid_cell! {
    /// One of the 36 cells, hole or spot, numbered in the order of their names:
    /// a1, a2 .. f6.
    pub struct Cell of 6 x 6;
}

impl Cell {
    /// Returns its panel, 0 to 3.
    pub fn panel(self) -> usize {
        panel_of(self.index())
    }

    /// Returns whether it is one of the four centre cells, which take no ring.
    pub fn is_spot(self) -> bool {
        BIT_OF[self.index()] >= SPOT
    }

    /// Returns the bit of this hole; 0 for a spot.
    #[inline]
    fn mask(self) -> u32 {
        let bit = BIT_OF[self.index()];
        if bit < SPOT { 1 << bit } else { 0 }
    }
}

pentad_sdk::bit_set! {
    /// A set of holes of one side of the board, never of spots.
    pub struct Holes(u32) of Cell {
        all: u32::MAX,
        mask: Cell::mask,
        at_bit: |bit| Cell(CELL_OF[bit as usize]),
    }
}

impl Holes {
    /// Returns the eight bits of a panel, from 0 to 255.
    #[inline]
    pub(crate) fn panel(self, panel: usize) -> usize {
        (self.0 >> (panel * 8)) as usize & 0xff
    }

    /// Returns the holes in the order of their bits, each as a set of its own.
    #[inline]
    pub(crate) fn singletons(self) -> impl Iterator<Item = Holes> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = rest & rest.wrapping_neg();
            rest ^= lowest;
            (lowest != 0).then_some(Holes(lowest))
        })
    }

    /// Returns the holes in the order of their names, which is that of legal moves.
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
