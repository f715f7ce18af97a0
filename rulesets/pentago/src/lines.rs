//! How full the 32 lines are, counted for all of them at once.
//!
//! Two words hold sixteen counters of four bits each. A turn or a placement
//! changes one block, so its counters are the old ones less what that block
//! gave, plus what it gives now.

use crate::board::{Cells, Turn};
use crate::tables::{FILLED, LINES, TURN_CHANGE};

/// The lowest bit of every counter.
const ONES: u64 = 0x1111_1111_1111_1111;

/// How many cells of a set each line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled([u64; 2]);

impl Filled {
    #[inline]
    pub(crate) fn of(cells: Cells) -> Filled {
        let mut sum = [0; 2];
        for (block, table) in FILLED.iter().enumerate() {
            let part = table[cells.block(block)];
            sum = [sum[0] + part[0], sum[1] + part[1]];
        }
        Filled(sum)
    }

    /// The counts of `cells`, which are `self`, after a turn.
    #[inline]
    pub(crate) fn turned(self, cells: Cells, turn: Turn) -> Filled {
        let old = cells.block(turn.block());
        let new = old ^ usize::from(TURN_CHANGE[usize::from(turn.is_clockwise())][old]);
        let [old, new] = [FILLED[turn.block()][old], FILLED[turn.block()][new & 0x1ff]];
        Filled([self.0[0] - old[0] + new[0], self.0[1] - old[1] + new[1]])
    }

    /// Whether some line has four or five.
    #[inline]
    pub(crate) fn any_four(self) -> bool {
        (self.0[0] | self.0[1]) & (ONES << 2) != 0
    }

    /// Which lines have exactly this many; a bit set per line, in no order
    /// that means anything, but the same for every count.
    #[inline]
    pub(crate) fn exactly(self, n: u32) -> u64 {
        let word = |word: u64| {
            let bit = |i: u32| if n >> i & 1 != 0 { word >> i } else { !(word >> i) };
            bit(0) & bit(1) & bit(2) & ONES
        };
        word(self.0[0]) | word(self.0[1]) << 1
    }

    /// One for each line of two and four for each of three, among those that
    /// `opposing` has none of.
    #[inline]
    pub(crate) fn twos_and_threes(self, opposing: Filled) -> i32 {
        let word = |own: u64, opposing: u64| {
            let open = !(opposing | opposing >> 1 | opposing >> 2) & ONES;
            // The second bit without the third: two or three.
            let two_up = own >> 1 & !(own >> 2) & open;
            let three = two_up & own;
            (two_up ^ three) + (three << 2)
        };
        // At most 8 in four bits, so the sums of pairs fit into a byte, and
        // the whole, at most 128, into the highest one.
        let sum = word(self.0[0], opposing.0[0]) + word(self.0[1], opposing.0[1]);
        let pairs = (sum & 0x0f0f_0f0f_0f0f_0f0f) + (sum >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
    }

    /// How many lines have four or five, among those that `opposing` has none
    /// of.
    #[inline]
    pub(crate) fn fours(self, opposing: Filled) -> i32 {
        if !self.any_four() {
            return 0;
        }
        (self.four_or_five() & opposing.exactly(0)).count_ones() as i32
    }

    /// Which lines have four or five, in the order of [`Filled::exactly`].
    #[inline]
    pub(crate) fn four_or_five(self) -> u64 {
        (self.0[0] >> 2 & ONES) | (self.0[1] >> 2 & ONES) << 1
    }
}

/// The line that a bit of [`Filled::exactly`] stands for.
#[inline]
fn line_at(bit: u32) -> u64 {
    LINES[(bit as usize / 4 + bit as usize % 2 * 16) % LINES.len()]
}

/// The cells of `empty` that give `cells`, which have no five, a five.
#[inline]
pub(crate) fn completing(cells: Cells, empty: Cells) -> Cells {
    if cells.count() < 4 {
        return Cells::NONE;
    }
    completing_filled(Filled::of(cells), cells, empty)
}

/// As [`completing`], where the lines have been counted already. Lines that
/// are full do not count.
#[inline]
pub(crate) fn completing_filled(filled: Filled, cells: Cells, empty: Cells) -> Cells {
    let mut found = 0;
    let mut lines = filled.four_or_five();
    while lines != 0 {
        found |= line_at(lines.trailing_zeros()) & !cells.0;
        lines &= lines - 1;
    }
    Cells(found).and(empty)
}

/// All cells of the fives of a colour.
pub(crate) fn five_cells(cells: Cells) -> Cells {
    let fives = cells.fives();
    (0..LINES.len()).filter(|line| fives >> line & 1 != 0).fold(Cells::NONE, |all, line| all.or(Cells(LINES[line])))
}
