//! One tile of a slice, from the slice below.
//!
//! The value of a configuration is, for the player to move: the rotations where
//! some placement makes five, and those from which some turn leads to a
//! rotation that is good after some placement. Turning distributes over the
//! placements, so the children are first joined and then turned, once.
//!
//! A tile writes to rows all over the slice, but for each pair of high parts
//! to a small rectangle only: that is why sets are split in two.

use super::pair::Pair;
use super::runs::{Link, Step};
use super::scatter::Scatter;
use super::slice::{Slice, Tile};
use super::word::Word;
use crate::solver::subsets::{parts, sets};
use crate::variant::Edition;

impl Slice<'_> {
    /// Computes the configurations of a tile, and says how many there were.
    /// `below` is the next slice, empty if this is the full board.
    #[inline(always)]
    pub(super) fn fill<W: Word, const EDITION: u8>(&self, tile: Tile, below: &[W], out: &Scatter<'_, W>) -> usize {
        let mut n_done = 0;
        for own in parts(self.all_high() & !tile.high) {
            if let Some(pair) = Pair::new(self, tile, own) {
                n_done += self.fill_pair::<W, EDITION>(&pair, below, out);
            }
        }
        n_done
    }

    #[inline(always)]
    fn fill_pair<W: Word, const EDITION: u8>(&self, pair: &Pair<'_>, below: &[W], out: &Scatter<'_, W>) -> usize {
        let n_low = self.runs.n_low;
        let n_columns = Self::shape(self.n_empty, self.n_added)[1];
        let is_full = self.n_added == self.n_empty;
        let len_below = if is_full { 0 } else { Self::shape(self.n_empty, self.n_added + 1)[1] };
        // A full board without fives is a draw.
        let ended = if is_full { W::choose(self.asked.other(), W::none(), W::spread(&!0)) } else { W::none() };
        let n_links = n_low - pair.low_own - pair.low_opposing;
        let mut n_done = 0;
        for (i, opposing) in sets(n_low, pair.low_opposing).enumerate() {
            let start = (pair.row_below + i) * len_below;
            let row = &below[start..][..len_below];
            let row_after = below[start + len_below..].get(..len_below).unwrap_or(row);
            let their_five = W::spread(&pair.five_opposing[i]);
            let (steps, links) = self.runs.get(opposing, pair.low_own);
            for (j, step) in steps.iter().enumerate() {
                prefetch(pair, row_after, j);
                let moved = joined(pair, row, j);
                let links = &links[j * n_links..][..n_links];
                let (moved, placed) = joined_low(pair, row, *step, links, moved);
                let moved = if EDITION == Edition::Clockwise as u8 {
                    moved.before_turn::<true>(self.n_added)
                } else {
                    moved.before_turn::<false>(self.n_added)
                };
                let own_five = W::spread(&pair.five[usize::from(step.row)]);
                let word = self.seen_by_mover::<W, EDITION>(moved.or(placed).or(ended), placed, own_five, their_five);
                let idx = (pair.row + usize::from(step.row)) * n_columns + pair.column + usize::from(step.column);
                // SAFETY: the index is this configuration's only, and `Crew`
                // gives each tile, which holds all configurations with its
                // opposing sets, to one thread.
                unsafe { out.put(idx, word) };
            }
            n_done += steps.len();
        }
        n_done
    }

    /// The value for the player who moved into a configuration, from that for
    /// the player to move there.
    #[inline(always)]
    fn seen_by_mover<W: Word, const EDITION: u8>(&self, value: W, placed: W, own_five: W, their_five: W) -> W {
        let decided = own_five.or(their_five);
        let goes_on = W::spread(&!0).without(value.crossed()).without(decided);
        let won = if EDITION == Edition::Finnish as u8 {
            // Of two fives, that of the player who turned counts.
            their_five
        } else if EDITION == Edition::Czech as u8 {
            // A five made by turning is worth a draw if the reply makes five
            // too; the reply is a placement without a turn.
            their_five.without(own_five).without(placed)
        } else {
            their_five.without(own_five)
        };
        goes_on.or(W::choose(self.asked, won, their_five))
    }
}

/// The children of the j-th step by placements on high cells.
#[inline(always)]
fn joined<W: Word>(pair: &Pair<'_>, row: &[W], j: usize) -> W {
    pair.segments().iter().fold(W::none(), |all, &segment| all.or(row[segment + j]))
}

/// Those by placements on low cells, too; and the fives that placements make.
#[inline(always)]
fn joined_low<W: Word>(pair: &Pair<'_>, row: &[W], step: Step, links: &[Link], moved: W) -> (W, W) {
    let placed = W::spread(&pair.five_high[usize::from(step.row)]);
    links.iter().fold((moved, placed), |(moved, placed), link| {
        let child = row[pair.low_segment + usize::from(link.beside)];
        (moved.or(child), placed.or(W::spread(&pair.five_low[usize::from(link.among_all)])))
    })
}

/// Segments are too short for the processor to see where the next row's are.
/// One word of each line of the cache is enough.
#[inline(always)]
fn prefetch<W: Word>(pair: &Pair<'_>, row_after: &[W], j: usize) {
    if j.is_multiple_of(64 / size_of::<W>()) {
        for &segment in pair.segments() {
            if let Some(word) = row_after.get(segment + j) {
                W::prefetch(word);
            }
        }
    }
}
