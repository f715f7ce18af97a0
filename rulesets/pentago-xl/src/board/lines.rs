//! Lines of five cells, for the whole board at once.
//!
//! Shifting a word by a step lays each cell's neighbour on the cell itself. Three
//! `&` therefore find the cells with one to four marbles directly before them,
//! three more those with marbles directly behind them. A cell that completes a
//! five has four marbles around it, split between both sides in one of five ways.
//!
//! A set of lines of one direction is a word with the lowest cell of each line.

use crate::board::Cells;
use crate::board::tables::STEPS;

/// Returns the cells, empty or not, that complete a five with four of `cells`.
#[inline]
pub(crate) fn completing_cells(cells: Cells) -> u128 {
    let x = cells.0;
    let mut completing = 0;
    for step in STEPS {
        let (down1, up1) = (x << step, x >> step);
        let (down2, up2) = (down1 & down1 << step, up1 & up1 >> step);
        if down2 | up2 == 0 {
            continue;
        }
        let (down3, up3) = (down1 & down2 << step, up1 & up2 >> step);
        let (down4, up4) = (down2 & down2 << (2 * step), up2 & up2 >> (2 * step));
        completing |= down4 | up4 | down3 & up1 | down2 & up2 | down1 & up3;
    }
    completing
}

/// Returns the cells of `empty` where one more marble gives `cells` a five.
#[inline]
pub(crate) fn winning_cells(cells: Cells, empty: Cells) -> Cells {
    if cells.count() < 4 {
        return Cells::NONE;
    }
    Cells(completing_cells(cells) & empty.0)
}

/// Number of marbles on each line of one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCounts {
    /// Binary digits of the counts, one word per digit.
    ones: u128,
    twos: u128,
    fours: u128,
}

impl LineCounts {
    /// Counts the marbles on each line of a direction.
    #[inline(always)]
    pub(crate) fn count(cells: Cells, step: u32) -> LineCounts {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| cells.0 >> (i * step));
        let (sum, carry) = (a ^ b ^ c, a & b | c & (a ^ b));
        let (ones, second) = (sum ^ d ^ e, sum & d | e & (sum ^ d));
        LineCounts { ones, twos: carry ^ second, fours: carry & second }
    }

    /// Returns the lines with any marbles.
    #[inline(always)]
    pub(crate) fn any(self) -> u128 {
        self.ones | self.twos | self.fours
    }

    /// Returns the lines with one marble.
    #[inline(always)]
    pub(crate) fn one(self) -> u128 {
        self.ones & !self.twos & !self.fours
    }

    /// Returns the lines with two marbles.
    #[inline(always)]
    pub(crate) fn two(self) -> u128 {
        self.twos & !self.ones
    }

    /// Returns the lines with three marbles.
    #[inline(always)]
    pub(crate) fn three(self) -> u128 {
        self.twos & self.ones
    }

    /// Returns the lines with four or five marbles.
    #[inline(always)]
    pub(crate) fn four(self) -> u128 {
        self.fours
    }
}

/// Returns the lines of a direction that lie on the board.
#[inline(always)]
pub(crate) fn lines_on_board(step: u32) -> u128 {
    let outside = !Cells::ALL.0;
    let two = outside | outside >> step;
    // A line that leaves the word at the top hits no bit of `outside`.
    let off_top = !(u128::MAX >> (4 * step));
    !(two | two >> (2 * step) | outside >> (4 * step) | off_top)
}
