//! Rows of five that lack one marble, found for the whole board at once.
//!
//! A word shifted by a step lays each cell's neighbour on the cell itself. So
//! the cells with one, two, three or four marbles right behind them are three
//! `&` away, the same before them, and a cell that completes a five has
//! four marbles around it, split in one of five ways.

use crate::board::Cells;
use crate::tables::STEPS;

/// The cells, empty or not, that are the fifth of four of `cells`.
#[inline]
pub(crate) fn fifths(cells: Cells) -> u128 {
    let x = cells.0;
    let mut found = 0;
    for step in STEPS {
        let (down1, up1) = (x << step, x >> step);
        let (down2, up2) = (down1 & down1 << step, up1 & up1 >> step);
        if down2 | up2 == 0 {
            continue;
        }
        let (down3, up3) = (down1 & down2 << step, up1 & up2 >> step);
        let (down4, up4) = (down2 & down2 << (2 * step), up2 & up2 >> (2 * step));
        found |= down4 | up4 | down3 & up1 | down2 & up2 | down1 & up3;
    }
    found
}

/// The cells of `empty` that give `cells` a five.
#[inline]
pub(crate) fn completing(cells: Cells, empty: Cells) -> Cells {
    if cells.count() < 4 {
        return Cells::NONE;
    }
    Cells(fifths(cells) & empty.0)
}

/// For one direction, the windows of five cells by their lowest one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows {
    /// How many of the cells hold a marble, in binary.
    ones: u128,
    twos: u128,
    fours: u128,
}

impl Windows {
    /// Counts the marbles of each window in a direction.
    #[inline(always)]
    pub(crate) fn count(cells: Cells, step: u32) -> Windows {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| cells.0 >> (i * step));
        let (sum, carry) = (a ^ b ^ c, a & b | c & (a ^ b));
        let (ones, second) = (sum ^ d ^ e, sum & d | e & (sum ^ d));
        Windows { ones, twos: carry ^ second, fours: carry & second }
    }

    /// Windows with any marbles.
    #[inline(always)]
    pub(crate) fn any(self) -> u128 {
        self.ones | self.twos | self.fours
    }

    /// Windows with one marble.
    #[inline(always)]
    pub(crate) fn one(self) -> u128 {
        self.ones & !self.twos & !self.fours
    }

    /// Windows with two marbles.
    #[inline(always)]
    pub(crate) fn two(self) -> u128 {
        self.twos & !self.ones
    }

    /// Windows with three marbles.
    #[inline(always)]
    pub(crate) fn three(self) -> u128 {
        self.twos & self.ones
    }

    /// Windows with four or five marbles.
    #[inline(always)]
    pub(crate) fn four(self) -> u128 {
        self.fours
    }
}

/// The windows that lie on the board and have none of `blocked` in them.
#[inline(always)]
pub(crate) fn open_windows(blocked: Cells, step: u32) -> u128 {
    // What is no cell blocks as well, above the board and between the files.
    let x = blocked.0 | !Cells::ALL.0;
    let two = x | x >> step;
    let off_top = !(u128::MAX >> (4 * step));
    !(two | two >> (2 * step) | x >> (4 * step) | off_top)
}
