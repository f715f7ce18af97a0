//! The eight flips, each a table row of four words.
//!
//! What turns over changes sides, which is a rotation by half a word. Before
//! that a panel's byte exchanges its halves (but for the two bits that stay),
//! or the bytes of two panels change places: both are a shift to and fro
//! between places that the row names.

use std::fmt;

use crate::board::{Rings, Spots};

/// Something that turns over, in the order of their names: `1`, `2`, `3`,
/// `4`, `B`, `L`, `R`, `T`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flip(pub(crate) u8);

/// How many there are.
pub(crate) const N_FLIPS: usize = 8;

impl Flip {
    /// All of them, in order.
    #[inline]
    pub fn all() -> impl Iterator<Item = Flip> {
        (0..N_FLIPS as u8).map(Flip)
    }

    /// As in positions.
    pub fn letter(self) -> char {
        char::from(LETTERS[self.index()])
    }

    pub(crate) fn from_letter(letter: char) -> Option<Flip> {
        LETTERS.iter().position(|&known| char::from(known) == letter).map(|idx| Flip(idx as u8))
    }

    /// Its number, from 0 to 7.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0 & 7)
    }

    /// What turns over, in words.
    pub fn name(self) -> &'static str {
        [
            "panel 1",
            "panel 2",
            "panel 3",
            "panel 4",
            "the bottom half",
            "the left half",
            "the right half",
            "the top half",
        ][self.index()]
    }

    /// The panels, from 0, that turn over; twice the same if it is only one.
    pub(crate) fn panels(self) -> [usize; 2] {
        [[0, 0], [1, 1], [2, 2], [3, 3], [2, 3], [0, 2], [1, 3], [0, 1]][self.index()]
    }
}

impl fmt::Debug for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "~{}", self.letter())
    }
}

impl Rings {
    /// The same rings after a flip.
    #[inline]
    #[must_use]
    pub fn flipped(self, flip: Flip) -> Rings {
        let row = &ROWS[flip.index()];
        let moved = (self.0 & row.lower) << row.shift | (self.0 >> row.shift) & row.lower | self.0 & row.fixed;
        Rings(self.0 & !row.all | moved.rotate_left(32))
    }
}

impl Spots {
    /// The same spots after a flip: those of a half change places.
    #[inline]
    #[must_use]
    pub fn flipped(self, flip: Flip) -> Spots {
        Spots(SPOTS[flip.index()][usize::from(self.0 & 15)])
    }
}

const LETTERS: [u8; N_FLIPS] = *b"1234BLRT";

struct Row {
    /// Everything that turns over, on both sides.
    all: u64,
    /// What changes places with what is `shift` bits above it.
    lower: u64,
    /// What keeps its place.
    fixed: u64,
    shift: u32,
}

static ROWS: [Row; N_FLIPS] = [panel(0), panel(1), panel(2), panel(3), half(2, 3), half(0, 2), half(1, 3), half(0, 1)];

/// A byte of a panel, on both sides.
const fn both(byte: u64, panel: usize) -> u64 {
    (byte | byte << 32) << (panel * 8)
}

const fn panel(panel: usize) -> Row {
    Row { all: both(0xff, panel), lower: both(0x07, panel), fixed: both(0x88, panel), shift: 4 }
}

const fn half(first: usize, second: usize) -> Row {
    let lower = both(0xff, first);
    let shift = (second - first) as u32 * 8;
    Row { all: lower | lower << shift, lower, fixed: 0, shift }
}

static SPOTS: [[u8; 16]; N_FLIPS] = spots();

const fn spots() -> [[u8; 16]; N_FLIPS] {
    const CHANGED: [[usize; 2]; N_FLIPS] = [[0, 0], [0, 0], [0, 0], [0, 0], [2, 3], [0, 2], [1, 3], [0, 1]];
    let mut table = [[0; 16]; N_FLIPS];
    let mut at = 0;
    while at < N_FLIPS * 16 {
        let (flip, spots) = (at / 16, (at % 16) as u8);
        let [first, second] = CHANGED[flip];
        let differ = (spots >> first ^ spots >> second) & 1;
        table[flip][spots as usize] = spots ^ if first == second { 0 } else { differ << first | differ << second };
        at += 1;
    }
    table
}
