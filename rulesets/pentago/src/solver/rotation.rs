//! The rotations of the four blocks, one bit each.
//!
//! A rotation is the number of clockwise quarter turns of each block since the root,
//! modulo four: there are 256. Every move makes one quarter turn, so after n plies only
//! the 128 rotations whose turns add up to n, modulo two, are possible: those of parity
//! n. Their bit in a vector of 128 is `r0 / 2 + 2 r1 + 8 r2 + 32 r3`; the lowest bit of
//! `r0` follows from the parity.
//!
//! In this numbering the rotations from which some turn leads into a set take a few
//! shifts; [`kernel`](super::kernel) computes them, and the tests here define the
//! result.

use crate::board::Cells;
use crate::board::tables::{BLOCK_STRIDE, MAPPED_PATTERN};

/// Rotations of one parity.
pub(super) const N_ROTATIONS: usize = 128;

/// Returns the turns made by each block at a bit of a vector of a parity.
pub(super) fn turns_at(bit: usize, parity: usize) -> [usize; 4] {
    let (r1, r2, r3) = (bit >> 1 & 3, bit >> 3 & 3, bit >> 5 & 3);
    let odd = (parity ^ r1 ^ r2 ^ r3) & 1;
    [(bit & 1) << 1 | odd, r1, r2, r3]
}

/// Returns the bit of a rotation in the vector of its parity.
pub(super) fn bit_of(turns: [usize; 4]) -> usize {
    let [r0, r1, r2, r3] = turns.map(|turns| turns & 3);
    r0 >> 1 | r1 << 1 | r2 << 3 | r3 << 5
}

/// Returns the cells to which each block's turns take cells of the frame.
pub(super) fn turned(cells: Cells, turns: [usize; 4]) -> Cells {
    let block = |i: usize| u64::from(MAPPED_PATTERN[turns[i]][cells.block(i)]) << (i * BLOCK_STRIDE);
    Cells(block(0) | block(1) | block(2) | block(3))
}

/// Returns the cells of the frame that each block's turns take to `cells`.
pub(super) fn turned_back(cells: Cells, turns: [usize; 4]) -> Cells {
    turned(cells, turns.map(|n| (4 - n) % 4))
}

/// Returns the bits of a parity at which `r0` is odd.
pub(super) const fn odd_first(parity: usize) -> u128 {
    let (mut bits, mut bit) = (0, 0);
    while bit < N_ROTATIONS {
        if (parity ^ bit >> 1 ^ bit >> 3 ^ bit >> 5) & 1 != 0 {
            bits |= 1 << bit;
        }
        bit += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_rotations_are_inverse() {
        for parity in 0..2 {
            for bit in 0..N_ROTATIONS {
                let turns = turns_at(bit, parity);
                assert_eq!(turns.iter().sum::<usize>() % 2, parity);
                assert_eq!(bit_of(turns), bit);
                assert_eq!(odd_first(parity) >> bit & 1, turns[0] as u128 & 1);
            }
        }
    }
}
