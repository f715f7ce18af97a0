//! Computes one tile of a slice from the slice below.
//!
//! The value of a configuration is, for the player to move: the rotations where some
//! placement makes five, and those from which some turn leads to a rotation that is
//! good after some placement. Turning distributes over the placements, so the children
//! are first joined and then turned once.
//!
//! A tile writes to rows all over the slice, but for each pair of high parts only to a
//! small rectangle; sets are split in two for this reason.

use super::high_parts::HighParts;
use super::low_parts::{Link, Step};
use super::scatter::Scatter;
use super::slice::{Slice, Tile};
use super::word::Word;
use crate::solver::indexing::{sets, subsets};
use crate::variant::Edition;

impl Slice<'_> {
    /// Computes the configurations of a tile, and returns their number. `below` is the
    /// next slice, empty if this is the full board.
    #[inline(always)]
    pub(super) fn fill<W: Word, const EDITION: u8>(&self, tile: Tile, below: &[W], out: &Scatter<'_, W>) -> usize {
        let mut n_done = 0;
        for own in subsets(self.all_high() & !tile.high) {
            if let Some(high) = HighParts::new(self, tile, own) {
                n_done += self.fill_rectangle::<W, EDITION>(&high, below, out);
            }
        }
        n_done
    }

    #[inline(always)]
    fn fill_rectangle<W: Word, const EDITION: u8>(
        &self,
        high: &HighParts<'_>,
        below: &[W],
        out: &Scatter<'_, W>,
    ) -> usize {
        let n_low = self.low_parts.n_low;
        let n_columns = Self::shape(self.n_empty, self.n_added)[1];
        let is_full = self.n_added == self.n_empty;
        let len_below = if is_full { 0 } else { Self::shape(self.n_empty, self.n_added + 1)[1] };
        // A full board without fives is a draw.
        let ended = if is_full { W::select(self.bitbase.of_opponent(), W::zero(), W::splat(&!0)) } else { W::zero() };
        let n_links = n_low - high.low_own - high.low_opposing;
        let mut n_done = 0;
        for (i, opposing) in sets(n_low, high.low_opposing).enumerate() {
            let start = (high.row_below + i) * len_below;
            let row = &below[start..][..len_below];
            let row_after = below[start + len_below..].get(..len_below).unwrap_or(row);
            let their_five = W::splat(&high.five_opposing[i]);
            let (steps, links) = self.low_parts.get(opposing, high.low_own);
            for (j, step) in steps.iter().enumerate() {
                prefetch(high, row_after, j);
                let moved = join_high(high, row, j);
                let links = &links[j * n_links..][..n_links];
                let (moved, placed) = join_low(high, row, *step, links, moved);
                let moved = if EDITION == Edition::Clockwise as u8 {
                    moved.predecessors::<true>(self.n_added)
                } else {
                    moved.predecessors::<false>(self.n_added)
                };
                let own_five = W::splat(&high.five[usize::from(step.row)]);
                let word = self.value_for_mover::<W, EDITION>(moved.or(placed).or(ended), placed, own_five, their_five);
                let idx = (high.row + usize::from(step.row)) * n_columns + high.column + usize::from(step.column);
                // SAFETY: the index is this configuration's only, and `Threads`
                // gives each tile, which holds all configurations with its
                // opposing sets, to one thread.
                unsafe { out.put(idx, word) };
            }
            n_done += steps.len();
        }
        n_done
    }

    /// Returns the value for the player who moved into a configuration, from that for
    /// the player to move there.
    #[inline(always)]
    fn value_for_mover<W: Word, const EDITION: u8>(&self, value: W, placed: W, own_five: W, their_five: W) -> W {
        let decided = own_five.or(their_five);
        let goes_on = W::splat(&!0).and_not(value.swapped()).and_not(decided);
        let won = if EDITION == Edition::Finnish as u8 {
            // If both have five, that of the player who turned counts.
            their_five
        } else if EDITION == Edition::Czech as u8 {
            // A five made by turning is worth a draw if the reply makes five
            // too; the reply is a placement without a turn.
            their_five.and_not(own_five).and_not(placed)
        } else {
            their_five.and_not(own_five)
        };
        goes_on.or(W::select(self.bitbase, won, their_five))
    }
}

/// Returns the children of the j-th step by placements on high cells.
#[inline(always)]
fn join_high<W: Word>(high: &HighParts<'_>, row: &[W], j: usize) -> W {
    high.segments().iter().fold(W::zero(), |all, &segment| all.or(row[segment + j]))
}

/// Adds the children by placements on low cells, and the fives that placements make.
#[inline(always)]
fn join_low<W: Word>(high: &HighParts<'_>, row: &[W], step: Step, links: &[Link], moved: W) -> (W, W) {
    let placed = W::splat(&high.five_high[usize::from(step.row)]);
    links.iter().fold((moved, placed), |(moved, placed), link| {
        let child = row[high.low_segment + usize::from(link.beside)];
        (moved.or(child), placed.or(W::splat(&high.five_low[usize::from(link.among_all)])))
    })
}

/// Prefetches the next row's segments: they are too short for the hardware prefetcher.
/// One word of each cache line is enough.
#[inline(always)]
fn prefetch<W: Word>(high: &HighParts<'_>, row_after: &[W], j: usize) {
    if j.is_multiple_of(64 / size_of::<W>()) {
        for &segment in high.segments() {
            if let Some(word) = row_after.get(segment + j) {
                W::prefetch(word);
            }
        }
    }
}
