//! The 32 lines of five: complete lines, counts of rings, and flips that complete a
//! line.
//!
//! All lines are counted at once: two words hold sixteen counters of four bits each,
//! and a table holds the contribution of each panel's byte.

use std::ops::Add;

use super::tables::{COMPLETE, COMPLETE_SPOTS, COUNTS, COUNTS_OF_SPOTS, LINES};
use super::{Flip, Holes, Rings, Spots};

/// The lowest bit of every counter.
const ONES: u64 = 0x1111_1111_1111_1111;

/// Number of rings on top and spots of one colour on each line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineCounts([u64; 2]);

/// A set of lines: the lowest bit of each one's counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineSet([u64; 2]);

impl Add for LineCounts {
    type Output = LineCounts;
    #[inline]
    fn add(self, other: LineCounts) -> LineCounts {
        LineCounts([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl LineCounts {
    #[inline]
    pub(crate) fn of(top: Holes, spots: Spots) -> LineCounts {
        let part = |panel: usize| LineCounts(COUNTS[panel][top.panel(panel)]);
        part(0) + part(1) + part(2) + part(3) + LineCounts(COUNTS_OF_SPOTS[usize::from(spots.0 & 15)])
    }

    /// Returns whether some line has four or five.
    #[inline]
    pub(crate) fn has_four_or_five(self) -> bool {
        (self.0[0] | self.0[1]) & (ONES << 2) != 0
    }

    /// Returns the lines with no ring or spot of the colour: those open to the
    /// opponent.
    #[inline]
    pub(crate) fn none(self) -> LineSet {
        self.select(|word| !(word | word >> 1 | word >> 2))
    }

    #[inline]
    pub(crate) fn ones(self) -> LineSet {
        self.select(|word| word & !(word >> 1) & !(word >> 2))
    }

    #[inline]
    pub(crate) fn twos(self) -> LineSet {
        self.select(|word| word >> 1 & !word)
    }

    #[inline]
    pub(crate) fn threes(self) -> LineSet {
        self.select(|word| word >> 1 & word)
    }

    #[inline]
    pub(crate) fn fours(self) -> LineSet {
        self.select(|word| word >> 2 & !word)
    }

    #[inline]
    fn select(self, bits: impl Fn(u64) -> u64) -> LineSet {
        LineSet([bits(self.0[0]) & ONES, bits(self.0[1]) & ONES])
    }
}

impl LineSet {
    #[inline]
    pub(crate) fn intersection(self, other: LineSet) -> LineSet {
        LineSet([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Returns the number of lines.
    #[inline]
    pub(crate) fn count(self) -> i32 {
        // The words are added counter by counter, and a product sums the bytes.
        let both = self.0[0] + self.0[1];
        let bytes = (both & 0x0f0f_0f0f_0f0f_0f0f) + (both >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
    }

    /// Returns the indices of the lines in [`LINES`].
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let [mut low, mut high] = self.0;
        std::iter::from_fn(move || {
            let (word, first) = if low != 0 { (&mut low, 0) } else { (&mut high, 16) };
            let line = (*word != 0).then(|| first + word.trailing_zeros() as usize / 4);
            *word &= word.wrapping_sub(1);
            line
        })
    }
}

/// Returns the lines, one bit each, that rings on top and spots of one colour complete.
#[inline]
pub(crate) fn completed_lines(top: Holes, spots: Spots) -> u32 {
    let part = |panel: usize| COMPLETE[panel][top.panel(panel)];
    part(0) & part(1) & part(2) & part(3) & COMPLETE_SPOTS[usize::from(spots.0 & 15)]
}

/// Returns the flips, one bit each, after which a colour has five on top.
#[inline]
pub(crate) fn flips_making_five(rings: Rings, spots: Spots) -> u32 {
    let (top, under) = (rings.top(), rings.under());
    let transposed_under = transposed(under);
    let complete = |panel: usize, byte: usize| COMPLETE[panel][byte & 0xff];
    let kept = [0, 1, 2, 3].map(|panel| complete(panel, top.panel(panel)));
    let (upper, lower, left, right) = (kept[0] & kept[1], kept[2] & kept[3], kept[0] & kept[2], kept[1] & kept[3]);
    let spots_unmoved = COMPLETE_SPOTS[usize::from(spots.0 & 15)];
    let panel = |panel: usize, rest: u32| complete(panel, transposed_under.panel(panel)) & rest & spots_unmoved;
    let half = |flip: u8, first: usize, second: usize, rest: u32| {
        let new = complete(first, under.panel(second)) & complete(second, under.panel(first));
        new & rest & COMPLETE_SPOTS[usize::from(spots.flipped(Flip(flip)).0 & 15)]
    };
    let lines = [
        panel(0, kept[1] & lower),
        panel(1, kept[0] & lower),
        panel(2, kept[3] & upper),
        panel(3, kept[2] & upper),
        half(4, 2, 3, upper),
        half(5, 0, 2, right),
        half(6, 1, 3, left),
        half(7, 0, 1, lower),
    ];
    lines.iter().enumerate().fold(0, |flips, (flip, &lines)| flips | u32::from(lines != 0) << flip)
}

/// Returns the holes missing from lines of four: a ring on top of one completes five.
#[inline]
pub(crate) fn completing_holes(fours: LineSet, top: Holes) -> Holes {
    fours.iter().fold(Holes::NONE, |holes, line| Holes(holes.0 | LINES[line].holes & !top.0))
}

/// Reflects each panel's holes on its diagonal, as its flip does.
#[inline]
fn transposed(holes: Holes) -> Holes {
    const LOWER: u32 = 0x0707_0707;
    Holes((holes.0 & LOWER) << 4 | holes.0 >> 4 & LOWER | holes.0 & 0x8888_8888)
}
