//! How full the 32 lines are, counted for all of them at once, and which flips
//! bring up five.
//!
//! Two words hold sixteen counters of four bits each. A panel's byte gives its
//! part of all of them.

use std::ops::Add;

use crate::board::{Holes, Rings, Spots};
use crate::flip::Flip;
use crate::tables::{FILLED, FILLED_SPOTS, FULL, FULL_SPOTS, LINES};

/// The lowest bit of every counter.
const ONES: u64 = 0x1111_1111_1111_1111;

/// How many rings on top and spots of a colour each line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled([u64; 2]);

/// Lines that are marked, the lowest bit of a counter each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked([u64; 2]);

impl Add for Filled {
    type Output = Filled;
    #[inline]
    fn add(self, other: Filled) -> Filled {
        Filled([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl Filled {
    #[inline]
    pub(crate) fn of(top: Holes, spots: Spots) -> Filled {
        part(0, top.panel(0)) + part(1, top.panel(1)) + part(2, top.panel(2)) + part(3, top.panel(3)) + of_spots(spots)
    }

    /// Some line has four or five.
    #[inline]
    pub(crate) fn any_four(self) -> bool {
        (self.0[0] | self.0[1]) & (ONES << 2) != 0
    }

    /// Lines of which there is nothing.
    #[inline]
    pub(crate) fn none(self) -> Marked {
        self.mark(|word| !(word | word >> 1 | word >> 2))
    }

    #[inline]
    pub(crate) fn ones(self) -> Marked {
        self.mark(|word| word & !(word >> 1) & !(word >> 2))
    }

    #[inline]
    pub(crate) fn twos(self) -> Marked {
        self.mark(|word| word >> 1 & !word)
    }

    #[inline]
    pub(crate) fn threes(self) -> Marked {
        self.mark(|word| word >> 1 & word)
    }

    #[inline]
    pub(crate) fn fours(self) -> Marked {
        self.mark(|word| word >> 2 & !word)
    }

    #[inline]
    fn mark(self, bits: impl Fn(u64) -> u64) -> Marked {
        Marked([bits(self.0[0]) & ONES, bits(self.0[1]) & ONES])
    }
}

impl Marked {
    #[inline]
    pub(crate) fn and(self, other: Marked) -> Marked {
        Marked([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// How many there are.
    #[inline]
    pub(crate) fn total(self) -> i32 {
        // Both words fit in one, and a product adds its counters up.
        let both = self.0[0] + self.0[1];
        let bytes = (both & 0x0f0f_0f0f_0f0f_0f0f) + (both >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
    }

    /// The numbers of the lines marked.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = usize> {
        let [mut low, mut high] = self.0;
        std::iter::from_fn(move || {
            let (word, first) = if low != 0 { (&mut low, 0) } else { (&mut high, 16) };
            let line = (*word != 0).then(|| first + word.trailing_zeros() as usize / 4);
            *word &= word.wrapping_sub(1);
            line
        })
    }
}

/// The flips, a bit each, that bring up five of a colour.
#[inline]
pub(crate) fn fives_by_flips(rings: Rings, spots: Spots) -> u32 {
    let (top, under) = (rings.top(), rings.under());
    let turned = reflected(under);
    let full = |panel: usize, byte: usize| FULL[panel][byte & 0xff];
    let own = [0, 1, 2, 3].map(|panel| full(panel, top.panel(panel)));
    let (upper, lower, left, right) = (own[0] & own[1], own[2] & own[3], own[0] & own[2], own[1] & own[3]);
    let still = FULL_SPOTS[usize::from(spots.0 & 15)];
    let panel = |panel: usize, rest: u32| full(panel, turned.panel(panel)) & rest & still;
    let half = |flip: u8, first: usize, second: usize, rest: u32| {
        let new = full(first, under.panel(second)) & full(second, under.panel(first));
        new & rest & FULL_SPOTS[usize::from(spots.flipped(Flip(flip)).0 & 15)]
    };
    let lines = [
        panel(0, own[1] & lower),
        panel(1, own[0] & lower),
        panel(2, own[3] & upper),
        panel(3, own[2] & upper),
        half(4, 2, 3, upper),
        half(5, 0, 2, right),
        half(6, 1, 3, left),
        half(7, 0, 1, lower),
    ];
    lines.iter().enumerate().fold(0, |flips, (flip, &lines)| flips | u32::from(lines != 0) << flip)
}

/// The empty holes that would complete a line of four, which `fours` marks.
#[inline]
pub(crate) fn completing(fours: Marked, top: Holes) -> Holes {
    fours.lines().fold(Holes::NONE, |holes, line| Holes(holes.0 | LINES[line].holes & !top.0))
}

/// Each panel's holes reflected on its diagonal.
#[inline]
fn reflected(holes: Holes) -> Holes {
    const LOWER: u32 = 0x0707_0707;
    Holes((holes.0 & LOWER) << 4 | holes.0 >> 4 & LOWER | holes.0 & 0x8888_8888)
}

#[inline]
fn part(panel: usize, byte: usize) -> Filled {
    Filled(FILLED[panel][byte & 0xff])
}

#[inline]
fn of_spots(spots: Spots) -> Filled {
    Filled(FILLED_SPOTS[usize::from(spots.0 & 15)])
}
