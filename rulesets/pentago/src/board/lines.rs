//! Counts of marbles on the 32 lines, computed for all lines at once.
//!
//! Two words hold sixteen counters of four bits each. A turn or a placement
//! changes one block, so it adds the difference of that block's counters.

use crate::board::tables::{LINE_COUNTS, LINES, MAPPED_PATTERN, TURN_CHANGE};
use crate::board::{Cells, Turn};

/// The lowest bit of every counter.
const ONES: u64 = 0x1111_1111_1111_1111;

/// A set of lines: the lowest bit of the counter of each.
pub(crate) type LineSet = [u64; 2];

/// Number of cells of a set on each line; also a difference of such counts, with
/// wrapping words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineCounts(pub(crate) [u64; 2]);

impl LineCounts {
    #[inline]
    pub(crate) fn of(cells: Cells) -> LineCounts {
        let mut sum = LineCounts([0; 2]);
        for (block, table) in LINE_COUNTS.iter().enumerate() {
            sum = sum.plus(LineCounts(table[cells.block(block)]));
        }
        sum
    }

    #[inline]
    pub(crate) fn plus(self, other: LineCounts) -> LineCounts {
        LineCounts([self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])])
    }

    /// Returns what a turn adds to the counts of `cells`.
    #[inline]
    pub(crate) fn turn_delta(cells: Cells, turn: Turn) -> LineCounts {
        let old = cells.block(turn.block());
        let new = old ^ usize::from(TURN_CHANGE[usize::from(turn.is_clockwise())][old]);
        LineCounts::delta(turn.block(), old, new & 0x1ff)
    }

    /// Returns what half a turn of a block adds to the counts of `cells`.
    #[inline]
    pub(crate) fn half_turn_delta(cells: Cells, block: usize) -> LineCounts {
        let old = cells.block(block);
        LineCounts::delta(block, old, usize::from(MAPPED_PATTERN[2][old]) & 0x1ff)
    }

    #[inline]
    fn delta(block: usize, old: usize, new: usize) -> LineCounts {
        let (old, new) = (LINE_COUNTS[block][old], LINE_COUNTS[block][new]);
        LineCounts([new[0].wrapping_sub(old[0]), new[1].wrapping_sub(old[1])])
    }

    /// Returns the counts after a turn; `self` holds those of `cells`.
    #[inline]
    pub(crate) fn turned(self, cells: Cells, turn: Turn) -> LineCounts {
        self.plus(LineCounts::turn_delta(cells, turn))
    }

    /// Returns whether some line has four or five.
    #[inline]
    pub(crate) fn any_four(self) -> bool {
        (self.0[0] | self.0[1]) & (ONES << 2) != 0
    }

    /// Returns the lines of four or five.
    #[inline]
    pub(crate) fn fours(self) -> LineSet {
        self.0.map(|word| word >> 2 & ONES)
    }

    /// Returns the lines of five.
    #[inline]
    pub(crate) fn fives(self) -> LineSet {
        self.0.map(|word| word >> 2 & word & ONES)
    }

    /// Returns the lines of three.
    #[inline]
    pub(crate) fn threes(self) -> LineSet {
        self.0.map(|word| word & word >> 1 & ONES)
    }

    /// Returns the lines without any cell of the set.
    #[inline]
    pub(crate) fn empties(self) -> LineSet {
        self.0.map(|word| !(word | word >> 1 | word >> 2) & ONES)
    }

    /// Returns the lines of exactly `n`, packed into one word: one bit per line, in the
    /// same order for every count.
    #[inline]
    pub(crate) fn exactly(self, n: u32) -> u64 {
        let word = |word: u64| {
            let bit = |i: u32| if n >> i & 1 != 0 { word >> i } else { !(word >> i) };
            bit(0) & bit(1) & bit(2) & ONES
        };
        word(self.0[0]) | word(self.0[1]) << 1
    }

    /// Returns one for each line of two and four for each of three, among lines without
    /// `opposing` cells.
    #[inline]
    pub(crate) fn open_twos_and_threes(self, opposing: LineCounts) -> i32 {
        let word = |own: u64, opposing: u64| {
            let open = !(opposing | opposing >> 1 | opposing >> 2) & ONES;
            // The second bit is set and the third is not: two or three.
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

    /// Returns the number of lines of four or five, among lines without `opposing`
    /// cells.
    #[inline]
    pub(crate) fn n_open_fours(self, opposing: LineCounts) -> i32 {
        if !self.any_four() {
            return 0;
        }
        (self.four_or_five() & opposing.exactly(0)).count_ones() as i32
    }

    /// Returns the lines of four or five, packed as by [`LineCounts::exactly`].
    #[inline]
    pub(crate) fn four_or_five(self) -> u64 {
        (self.0[0] >> 2 & ONES) | (self.0[1] >> 2 & ONES) << 1
    }
}

/// Returns the lines that are in both sets.
#[inline]
pub(crate) fn both(a: LineSet, b: LineSet) -> LineSet {
    [a[0] & b[0], a[1] & b[1]]
}

#[inline]
pub(crate) fn any(lines: LineSet) -> bool {
    lines[0] | lines[1] != 0
}

/// Calls `f` with the index of each line.
#[inline]
pub(crate) fn each_line(lines: LineSet, mut f: impl FnMut(usize)) {
    for (word, mut bits) in lines.into_iter().enumerate() {
        while bits != 0 {
            f(word * 16 + bits.trailing_zeros() as usize / 4);
            bits &= bits - 1;
        }
    }
}

/// Returns the line that a bit of [`LineCounts::exactly`] stands for.
#[inline]
fn line_at(bit: u32) -> u64 {
    LINES[(bit as usize / 4 + bit as usize % 2 * 16) % LINES.len()]
}

/// Returns the cells of `empty` that give `cells` a five. They have none yet.
#[inline]
pub(crate) fn completing_cells(cells: Cells, empty: Cells) -> Cells {
    if cells.count() < 4 {
        return Cells::NONE;
    }
    completing_cells_of(LineCounts::of(cells), cells, empty)
}

/// Works like [`completing_cells`], given the line counts of `cells`. Skips full lines.
#[inline]
pub(crate) fn completing_cells_of(counts: LineCounts, cells: Cells, empty: Cells) -> Cells {
    let mut found = 0;
    let mut lines = counts.four_or_five();
    while lines != 0 {
        found |= line_at(lines.trailing_zeros()) & !cells.0;
        lines &= lines - 1;
    }
    Cells(found).intersection(empty)
}

/// Returns all cells that are part of a five.
pub(crate) fn cells_of_fives(cells: Cells) -> Cells {
    let fives = cells.fives();
    (0..LINES.len()).filter(|line| fives >> line & 1 != 0).fold(Cells::NONE, |all, line| all.union(Cells(LINES[line])))
}
