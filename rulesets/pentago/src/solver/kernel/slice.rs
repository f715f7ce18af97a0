//! All configurations with the same number of marbles.
//!
//! A configuration is a pair of sets: the cells that the player to move (own) and the
//! other player (opposing) have added to the root. A slice is a table of one word per
//! configuration, the value for the player who moved into it. Its rows are the sets of
//! the player to move, its columns the sets of the other player beside them. One ply
//! later the players swap roles, so all children of the configurations with one
//! opposing set are in one row of the slice below.

use super::low_parts::LowParts;
use super::word::Bitbase;
use crate::solver::fives::Fives;
use crate::solver::indexing::choose;
use crate::variant::Edition;

/// The inputs of computing a slice.
#[derive(Debug)]
pub(in crate::solver) struct Slice<'a> {
    pub(in crate::solver) n_empty: usize,
    /// Number of marbles added to the root; its parity is that of the rotations.
    pub(in crate::solver) n_added: usize,
    /// Fives of the player to move at this slice, and of the other player.
    pub(in crate::solver) fives: [&'a Fives; 2],
    pub(in crate::solver) low_parts: &'a LowParts,
    pub(in crate::solver) edition: Edition,
    pub(in crate::solver) bitbase: Bitbase,
}

/// The opposing sets with one high part: the unit of work of a thread.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Tile {
    pub(super) high: u32,
}

impl Slice<'_> {
    /// Returns the added marbles of the player to move, and of the other player, who
    /// may have placed one more.
    pub(super) fn sizes(n_added: usize) -> [usize; 2] {
        [n_added / 2, n_added.div_ceil(2)]
    }

    /// Returns the number of configurations of a slice, and of one row.
    pub(in crate::solver) fn shape(n_empty: usize, n_added: usize) -> [usize; 2] {
        let [n_own, n_opposing] = Self::sizes(n_added);
        let n_columns = choose(n_empty - n_own, n_opposing);
        [choose(n_empty, n_own) * n_columns, n_columns]
    }

    /// Returns the high cells.
    pub(super) fn all_high(&self) -> u32 {
        (1 << (self.n_empty - self.low_parts.n_low)) - 1
    }

    /// Returns the tiles that make up the slice.
    pub(super) fn tiles(&self) -> Vec<Tile> {
        let n_opposing = Self::sizes(self.n_added)[1];
        let fits = n_opposing.saturating_sub(self.low_parts.n_low)..=n_opposing;
        let high = (0..=self.all_high()).filter(|high| fits.contains(&(high.count_ones() as usize)));
        high.map(|high| Tile { high }).collect()
    }

    /// Returns the maximum bytes of the list of tiles.
    pub(in crate::solver) fn bytes_max(n_empty: usize) -> usize {
        // A growing vector, and its copy of twice the size.
        (3 * size_of::<Tile>()) << (n_empty - LowParts::n_low(n_empty))
    }
}
