//! A pair of high parts, own and opposing, and the data shared by their configurations.
//!
//! The configurations form a small rectangle of the slice, and their children a few
//! segments of adjacent rows of the slice below. Sums that do not depend on the low
//! parts are computed here, once for the whole rectangle.

use super::low_parts::{N_LOW_MAX, N_LOW_SETS_MAX};
use super::slice::{Slice, Tile};
use crate::solver::indexing::{choose, compress, members, rank_high};
use crate::solver::plan::N_EMPTY_MAX;

pub(super) struct HighParts<'a> {
    /// Sizes of the low parts.
    pub(super) low_own: usize,
    pub(super) low_opposing: usize,
    /// Number of the first own set: the first of the rows.
    pub(super) row: usize,
    /// The first of the columns in each of these rows.
    pub(super) column: usize,
    /// Number of the first opposing set: the first row of the children.
    pub(super) row_below: usize,
    /// Start of the children in each such row: for each placement on a high cell, and
    /// for all placements on low cells together.
    segments: [usize; N_EMPTY_MAX - N_LOW_MAX],
    n_segments: usize,
    pub(super) low_segment: usize,
    /// Fives of the player to move, by own low part: now, after a placement on
    /// any of the free high cells, and, by the low part with it, after a
    /// placement on a low cell.
    pub(super) five: &'a [u128],
    pub(super) five_high: [u128; N_LOW_SETS_MAX],
    pub(super) five_low: &'a [u128],
    /// Fives of the other player, by opposing low part.
    pub(super) five_opposing: &'a [u128],
}

impl<'a> HighParts<'a> {
    /// Creates the pair; `None` if no sets of the slice's sizes have these high parts.
    pub(super) fn new(slice: &Slice<'a>, tile: Tile, own: u32) -> Option<Self> {
        let (n_low, all_high, opposing) = (slice.low_parts.n_low, slice.all_high(), tile.high);
        let [n_own, n_opposing] = Slice::sizes(slice.n_added);
        let low_own = n_own.checked_sub(own.count_ones() as usize)?;
        let low_opposing = n_opposing - opposing.count_ones() as usize;
        let n_low_free = n_low.checked_sub(low_own + low_opposing)?;
        // First index of the own sets beside the opposing ones, and their fives.
        let beside = |own, low_own| rank_high(compress(own, all_high & !opposing), n_low - low_opposing, low_own);
        let fives = |size, own, low_own| {
            let all = slice.fives[0].of(size, slice.n_added);
            &all[rank_high(own, n_low, low_own)..][..choose(n_low, low_own)]
        };
        let row_below = rank_high(opposing, n_low, low_opposing);
        let mut high = HighParts {
            low_own,
            low_opposing,
            row: rank_high(own, n_low, low_own),
            column: rank_high(compress(opposing, all_high & !own), n_low - low_own, low_opposing),
            row_below,
            segments: [0; N_EMPTY_MAX - N_LOW_MAX],
            n_segments: 0,
            low_segment: 0,
            five: fives(n_own, own, low_own),
            five_high: [0; N_LOW_SETS_MAX],
            five_low: &[],
            five_opposing: &slice.fives[1].of(n_opposing, slice.n_added)[row_below..],
        };
        for cell in members(all_high & !opposing & !own) {
            let own = own | 1 << cell;
            high.segments[high.n_segments] = beside(own, low_own);
            high.n_segments += 1;
            for (all, &five) in high.five_high.iter_mut().zip(fives(n_own + 1, own, low_own)) {
                *all |= five;
            }
        }
        if n_low_free > 0 {
            high.low_segment = beside(own, low_own + 1);
            high.five_low = fives(n_own + 1, own, low_own + 1);
        }
        Some(high)
    }

    #[inline(always)]
    pub(super) fn segments(&self) -> &[usize] {
        &self.segments[..self.n_segments]
    }
}
