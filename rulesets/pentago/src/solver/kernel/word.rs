//! The value of a configuration and the operations on it, in plain Rust.
//!
//! A value is one bit per rotation. [`SingleWord`] holds one such vector,
//! [`DualWord`] two: the rotations that are won, and those that are not lost. The same
//! operations with vector instructions are in [`avx2`](super::avx2).

use super::scatter::Scatter;
use super::slice::{Slice, Tile};
use crate::solver::rotation::odd_first;
use crate::variant::Edition;

/// Meaning of a bit of a [`SingleWord`] for a configuration at a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) enum Bitbase {
    /// The player who moved into it has won.
    Won,
    /// That player has not lost.
    NotLost,
}

impl Bitbase {
    pub(in crate::solver) fn of_opponent(self) -> Bitbase {
        match self {
            Bitbase::Won => Bitbase::NotLost,
            Bitbase::NotLost => Bitbase::Won,
        }
    }
}

/// The value of a configuration at all rotations of a parity.
pub(in crate::solver) trait Word: Copy + Send + Sync + 'static {
    /// Returns the word without rotations.
    fn zero() -> Self;
    /// Repeats the same rotations in all vectors.
    fn splat(rotations: &u128) -> Self;
    /// Returns the rotations of either.
    fn or(self, other: Self) -> Self;
    /// Returns the rotations that are in `self` and not in `other`.
    fn and_not(self, other: Self) -> Self;
    /// Returns the vectors of `won` for [`Bitbase::Won`], those of `not_lost` for the
    /// other.
    fn select(bitbase: Bitbase, won: Self, not_lost: Self) -> Self;
    /// Exchanges the two vectors: what one player has won, the other has lost.
    fn swapped(self) -> Self;
    /// Returns the rotations of `parity` from which some turn leads into the set, which
    /// has the other parity.
    fn predecessors<const CLOCKWISE: bool>(self, parity: usize) -> Self;
    /// Returns the two vectors, won and not lost; one that is not held is empty.
    fn bits(self, bitbase: Bitbase) -> [u128; 2];
    /// Prefetches a word that will be read soon.
    #[inline(always)]
    fn prefetch(_: &Self) {}
    /// Computes a tile with the instructions these words need.
    fn fill(slice: &Slice<'_>, tile: Tile, below: &[Self], out: &Scatter<'_, Self>) -> usize {
        fill_by_edition(slice, tile, below, out)
    }
}

/// Monomorphises the tile for each edition.
#[inline(always)]
pub(super) fn fill_by_edition<W: Word>(slice: &Slice<'_>, tile: Tile, below: &[W], out: &Scatter<'_, W>) -> usize {
    match slice.edition {
        Edition::Standard => slice.fill::<W, { Edition::Standard as u8 }>(tile, below, out),
        Edition::Finnish => slice.fill::<W, { Edition::Finnish as u8 }>(tile, below, out),
        Edition::Czech => slice.fill::<W, { Edition::Czech as u8 }>(tile, below, out),
        Edition::Clockwise => slice.fill::<W, { Edition::Clockwise as u8 }>(tile, below, out),
    }
}

/// One vector: a pass for each bitbase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SingleWord(u128);

/// Two vectors: both bitbases in one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct DualWord([u128; 2]);

impl Word for SingleWord {
    #[inline(always)]
    fn zero() -> Self {
        SingleWord(0)
    }

    #[inline(always)]
    fn splat(rotations: &u128) -> Self {
        SingleWord(*rotations)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        SingleWord(self.0 | other.0)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        SingleWord(self.0 & !other.0)
    }

    #[inline(always)]
    fn select(bitbase: Bitbase, won: Self, not_lost: Self) -> Self {
        if bitbase == Bitbase::Won { won } else { not_lost }
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        self
    }

    #[inline(always)]
    fn predecessors<const CLOCKWISE: bool>(self, parity: usize) -> Self {
        SingleWord(if CLOCKWISE { predecessors_clockwise(self.0, parity) } else { predecessors_any(self.0) })
    }

    fn bits(self, bitbase: Bitbase) -> [u128; 2] {
        if bitbase == Bitbase::Won { [self.0, 0] } else { [0, self.0] }
    }
}

impl Word for DualWord {
    #[inline(always)]
    fn zero() -> Self {
        DualWord([0; 2])
    }

    #[inline(always)]
    fn splat(rotations: &u128) -> Self {
        DualWord([*rotations; 2])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        DualWord([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        DualWord([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    #[inline(always)]
    fn select(_: Bitbase, won: Self, not_lost: Self) -> Self {
        DualWord([won.0[0], not_lost.0[1]])
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        DualWord([self.0[1], self.0[0]])
    }

    #[inline(always)]
    fn predecessors<const CLOCKWISE: bool>(self, parity: usize) -> Self {
        DualWord(self.0.map(|x| if CLOCKWISE { predecessors_clockwise(x, parity) } else { predecessors_any(x) }))
    }

    fn bits(self, _: Bitbase) -> [u128; 2] {
        self.0
    }
}

/// Repeats a byte over the whole vector.
const fn bytes(byte: u8) -> u128 {
    u128::from_le_bytes([byte; 16])
}

/// Computes the predecessors by turns either way. A turned block has the other parity,
/// and its two possible rotations differ by a half turn. So each block first joins half
/// turns, then takes the quarter turn between them.
#[inline(always)]
fn predecessors_any(x: u128) -> u128 {
    const R2_HALF: u128 = u128::from_le_bytes([0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0]);
    const R2_QUARTER: u128 = bytes(0xff) / 0xffff * 0xff;
    let first = x | (x & bytes(0xaa)) >> 1 | (x & bytes(0x55)) << 1;
    let second = x | (x & bytes(0xf0)) >> 4 | (x & bytes(0x0f)) << 4;
    let second = (second & bytes(0xcc)) >> 2 | (second & bytes(0x33)) << 2;
    let third = x | (x >> 16 & R2_HALF) | (x & R2_HALF) << 16;
    let third = (third >> 8 & R2_QUARTER) | (third & R2_QUARTER) << 8;
    let fourth = (x | x.rotate_right(64)).rotate_right(32);
    first | second | third | fourth
}

/// Computes the predecessors by clockwise turns, which lead from one rotation to the
/// next. The first block's lowest bit is not stored: if it is odd before the turn, it
/// carries.
#[inline(always)]
fn predecessors_clockwise(x: u128, parity: usize) -> u128 {
    const LOW_BYTE: u128 = u128::from_le_bytes([0xff, 0, 0, 0, 0xff, 0, 0, 0, 0xff, 0, 0, 0, 0xff, 0, 0, 0]);
    const ODD: [u128; 2] = [odd_first(0), odd_first(1)];
    let swapped = (x & bytes(0xaa)) >> 1 | (x & bytes(0x55)) << 1;
    let first = (x & !ODD[parity & 1]) | (swapped & ODD[parity & 1]);
    let second = (x >> 2 & bytes(0x3f)) | (x & bytes(0x03)) << 6;
    let third = (x >> 8 & !(LOW_BYTE << 24)) | (x & LOW_BYTE) << 24;
    let fourth = x.rotate_right(32);
    first | second | third | fourth
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::solver::rotation::{N_ROTATIONS, bit_of, turns_at};

    /// Computes the predecessors by definition, one rotation at a time.
    pub(crate) fn predecessors_plain(x: u128, parity: usize, clockwise: bool) -> u128 {
        let steps: &[usize] = if clockwise { &[1] } else { &[1, 3] };
        let leads = |bit: usize| {
            (0..4).any(|block| {
                steps.iter().any(|step| {
                    let mut turns = turns_at(bit, parity);
                    turns[block] += step;
                    x >> bit_of(turns) & 1 != 0
                })
            })
        };
        (0..N_ROTATIONS).filter(|&bit| leads(bit)).fold(0, |all, bit| all | 1 << bit)
    }

    /// Returns single bits, since the operation distributes over them, and mixtures.
    pub(crate) fn vectors() -> impl Iterator<Item = u128> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u128;
        let mixed = (0..200).map(move |_| {
            state = state.wrapping_mul(0xda94_2042_e4dd_58b5_0000_0000_0000_0001 | 1).wrapping_add(12345);
            state ^ state >> 61
        });
        (0..128).map(|bit| 1 << bit).chain(mixed).chain([0, !0])
    }

    #[test]
    fn turning_follows_its_definition() {
        for (x, parity) in vectors().flat_map(|x| [(x, 0), (x, 1)]) {
            assert_eq!(predecessors_any(x), predecessors_plain(x, parity, false), "{x:032x}");
            assert_eq!(predecessors_clockwise(x, parity), predecessors_plain(x, parity, true), "{x:032x}");
        }
    }
}
