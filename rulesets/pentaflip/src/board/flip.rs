//! The eight flips: four panels and four halves.
//!
//! The turned part changes sides, which is a rotation by half a word. Before that a
//! panel's byte exchanges its halves (except two bits that stay), or the bytes of two
//! panels are swapped: both are a delta swap, with masks and a shift from a table.

use std::fmt;

use super::{Cell, Rings, Spots};

/// A flip of one panel or one half, numbered in the order of their letters:
/// `1`, `2`, `3`, `4`, `B`, `L`, `R`, `T`. Each is its own inverse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flip(pub(crate) u8);

/// Four panels and four halves.
pub(crate) const N_FLIPS: usize = 8;

impl Flip {
    /// Returns all eight flips, in order.
    #[inline]
    pub fn all() -> impl Iterator<Item = Flip> {
        (0..N_FLIPS as u8).map(Flip)
    }

    /// Returns the letter of this flip in positions and, after `~`, in moves.
    pub fn letter(self) -> char {
        char::from(LETTERS[self.index()])
    }

    pub(crate) fn from_letter(letter: char) -> Option<Flip> {
        LETTERS.iter().position(|&known| char::from(known) == letter).map(|idx| Flip(idx as u8))
    }

    /// Returns its number, 0 to 7.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0 & 7)
    }

    /// Returns the panels that turn over, from 0 to 3; the same twice if there is only
    /// one.
    pub(crate) fn panels(self) -> [usize; 2] {
        PANELS[self.index()]
    }
}

impl fmt::Debug for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "~{}", self.letter())
    }
}

impl Rings {
    /// Returns the rings after a flip.
    #[inline]
    #[must_use]
    pub fn flipped(self, flip: Flip) -> Rings {
        let masks = &MASKS[flip.index()];
        let moved =
            (self.0 & masks.lower) << masks.shift | (self.0 >> masks.shift) & masks.lower | self.0 & masks.fixed;
        Rings(self.0 & !masks.all | moved.rotate_left(32))
    }
}

impl Spots {
    /// Returns the spots after a flip: those of a half are swapped.
    #[inline]
    #[must_use]
    pub fn flipped(self, flip: Flip) -> Spots {
        Spots(SPOTS[flip.index()][usize::from(self.0 & 15)])
    }
}

impl Cell {
    /// Returns the cell that a flip takes this one to, if its panel turns over; since
    /// flips are their own inverses, this is also the cell whose content it brings
    /// here.
    pub(crate) fn flipped(self, flip: Flip) -> Cell {
        let (row, column) = (self.row(), self.column());
        match flip.letter() {
            '1' | '4' => Cell::at(column, row),
            '2' | '3' => Cell::at(5 - column, 5 - row),
            'L' | 'R' => Cell::at(5 - row, column),
            _ => Cell::at(row, 5 - column),
        }
    }
}

const LETTERS: [u8; N_FLIPS] = *b"1234BLRT";

const PANELS: [[usize; 2]; N_FLIPS] = [[0, 0], [1, 1], [2, 2], [3, 3], [2, 3], [0, 2], [1, 3], [0, 1]];

/// Masks of a flip for the bits of [`Rings`].
struct Masks {
    /// Everything that turns over, on both sides.
    all: u64,
    /// The lower bits of the swap; their partners are `shift` bits above.
    lower: u64,
    /// Bits that keep their place in the panel.
    fixed: u64,
    shift: u32,
}

static MASKS: [Masks; N_FLIPS] =
    [panel(0), panel(1), panel(2), panel(3), half(2, 3), half(0, 2), half(1, 3), half(0, 1)];

/// Returns the bits of a panel, on top and underneath.
const fn both_sides(byte: u64, panel: usize) -> u64 {
    (byte | byte << 32) << (panel * 8)
}

const fn panel(panel: usize) -> Masks {
    Masks { all: both_sides(0xff, panel), lower: both_sides(0x07, panel), fixed: both_sides(0x88, panel), shift: 4 }
}

const fn half(first: usize, second: usize) -> Masks {
    let lower = both_sides(0xff, first);
    let shift = (second - first) as u32 * 8;
    Masks { all: lower | lower << shift, lower, fixed: 0, shift }
}

static SPOTS: [[u8; 16]; N_FLIPS] = spots();

const fn spots() -> [[u8; 16]; N_FLIPS] {
    let mut table = [[0; 16]; N_FLIPS];
    let mut at = 0;
    while at < N_FLIPS * 16 {
        let (flip, spots) = (at / 16, (at % 16) as u8);
        let [first, second] = PANELS[flip];
        let differ = (spots >> first ^ spots >> second) & 1;
        table[flip][spots as usize] = spots ^ if first == second { 0 } else { differ << first | differ << second };
        at += 1;
    }
    table
}
