//! Lookup tables for the low parts of configurations, shared by all high parts.
//!
//! A run consists of all sets of one size that the player to move can have on the low
//! cells, beside a given set of the opponent. The data of a run beyond the sums of the
//! high parts is stored here in the order of use. All numbers fit into a byte because
//! there are at most [`N_LOW_MAX`] low cells.

use std::sync::OnceLock;

use crate::solver::indexing::{choose, compress, members, rank, sets};

/// Maximum number of cells of the low part. Fewer make shorter runs, more make tiles
/// that exceed the caches; 8 was measured to be best.
pub(super) const N_LOW_MAX: usize = 8;
/// Maximum number of sets of one size among them.
pub(super) const N_LOW_SETS_MAX: usize = 70;

/// The indices of one configuration's low part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The number of the own set among those of its size.
    pub(super) row: u8,
    /// The number of the opponent's set among those beside the own one.
    pub(super) column: u8,
}

/// The indices of the own set after one placement on a low cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Its number among the sets beside the opponent's.
    pub(super) beside: u8,
    /// Its number among all sets of its size.
    pub(super) among_all: u8,
}

/// All runs.
#[derive(Debug)]
pub(in crate::solver) struct LowParts {
    pub(super) n_low: usize,
    steps: Vec<Step>,
    links: Vec<Link>,
    /// First step and link, by opponent's set and own size.
    starts: Vec<[u32; 2]>,
}

impl LowParts {
    /// Returns the runs of positions with `n_empty` empty cells. They depend on nothing
    /// else, so they are computed once and kept.
    pub(in crate::solver) fn of(n_empty: usize) -> &'static LowParts {
        static LOW_PARTS: [OnceLock<LowParts>; N_LOW_MAX + 1] = [const { OnceLock::new() }; N_LOW_MAX + 1];
        let n_low = Self::n_low(n_empty);
        LOW_PARTS[n_low].get_or_init(|| LowParts::new(n_low))
    }

    fn new(n_low: usize) -> Self {
        let [n_steps, n_links, n_starts] = Self::lens(n_low);
        let (steps, links) = (Vec::with_capacity(n_steps), Vec::with_capacity(n_links));
        let mut low_parts = LowParts { n_low, steps, links, starts: Vec::with_capacity(n_starts) };
        for opposing in 0..1u32 << n_low {
            for n_own in 0..=n_low {
                low_parts.starts.push([low_parts.steps.len() as u32, low_parts.links.len() as u32]);
                low_parts.push(opposing, n_own);
            }
        }
        debug_assert_eq!(
            [low_parts.steps.len(), low_parts.links.len(), low_parts.starts.len()],
            [n_steps, n_links, n_starts]
        );
        low_parts
    }

    /// Returns the number of low cells among the empty ones.
    pub(super) fn n_low(n_empty: usize) -> usize {
        n_empty.min(N_LOW_MAX)
    }

    /// Returns the steps of a run, and the links of all its steps, the same number for
    /// each.
    #[inline(always)]
    pub(super) fn get(&self, opposing: u32, n_own: usize) -> (&[Step], &[Link]) {
        let n_beside = self.n_low - opposing.count_ones() as usize;
        let n_steps = choose(n_beside, n_own);
        let n_links = n_steps * (n_beside - n_own);
        let [step, link] = self.starts[opposing as usize * (self.n_low + 1) + n_own];
        (&self.steps[step as usize..][..n_steps], &self.links[link as usize..][..n_links])
    }

    /// Returns the bytes on the heap.
    pub(in crate::solver) fn bytes(n_empty: usize) -> usize {
        let [n_steps, n_links, n_starts] = Self::lens(Self::n_low(n_empty));
        n_steps * size_of::<Step>() + n_links * size_of::<Link>() + n_starts * size_of::<[u32; 2]>()
    }

    /// Returns the numbers of steps, links and runs. Each cell is own, opposing or
    /// free, and each free one makes a link.
    fn lens(n_low: usize) -> [usize; 3] {
        let n_steps = 3usize.pow(n_low as u32);
        [n_steps, n_low * n_steps / 3, (n_low + 1) << n_low]
    }

    fn push(&mut self, opposing: u32, n_own: usize) {
        let all = (1 << self.n_low) - 1;
        let beside = all & !opposing;
        for own in sets(self.n_low, n_own).filter(|own| own & opposing == 0) {
            let column = rank(compress(opposing, all & !own)) as u8;
            self.steps.push(Step { row: rank(own) as u8, column });
            for cell in members(beside & !own) {
                let own = own | 1 << cell;
                self.links.push(Link { beside: rank(compress(own, beside)) as u8, among_all: rank(own) as u8 });
            }
        }
    }
}
