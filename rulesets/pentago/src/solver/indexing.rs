//! Indices of cell sets, without gaps.
//!
//! A set is a mask over the empty cells of the root. Sets of one size are numbered by
//! the combinatorial number system (colexicographic order), which is the order of the
//! masks as numbers. Two facts make this order suitable: omitting cells that no set
//! uses preserves it, and sets that agree above the `n_low` lowest cells are adjacent.
//! So an index is that of the high part plus that of the low part, and a rectangle of
//! configurations is traversed with a few precomputed sums.

use super::plan::N_EMPTY_MAX;

/// `CHOOSE[n][k]`: the number of sets of size k among n cells.
pub(super) static CHOOSE: [[u32; N_EMPTY_MAX + 2]; N_EMPTY_MAX + 1] = choose_table();

/// Returns the number of sets of size k among n cells.
pub(super) fn choose(n: usize, k: usize) -> usize {
    CHOOSE[n][k] as usize
}

/// Returns the masks of size k among n cells, in order.
pub(super) fn sets(n: usize, k: usize) -> impl Iterator<Item = u32> {
    let mut next = Some((1u32 << k) - 1);
    std::iter::from_fn(move || {
        let set = next?;
        // The next larger number with as many bits (Gosper's hack); zero has none.
        next = (set != 0)
            .then(|| {
                let lowest = set & set.wrapping_neg();
                let ripple = set + lowest;
                ripple | (((set ^ ripple) >> 2) / lowest)
            })
            .filter(|&set| set >> n == 0);
        Some(set)
    })
    .take(if k > n { 0 } else { usize::MAX })
}

/// Returns the index of a set among those of its size.
pub(super) fn rank(set: u32) -> usize {
    rank_high(set, 0, 0)
}

/// Returns what a high part adds to the index of a set with `n_set` cells in its low
/// part of `n_low` cells.
pub(super) fn rank_high(high: u32, n_low: usize, n_set: usize) -> usize {
    members(high).enumerate().map(|(i, cell)| choose(n_low + cell, n_set + i + 1)).sum()
}

/// Renumbers a set among the cells of `within` alone, its superset.
pub(super) fn compress(set: u32, within: u32) -> u32 {
    members(set).map(|cell| 1 << (within & ((1 << cell) - 1)).count_ones()).sum()
}

/// Returns the cells of a set, lowest first.
pub(super) fn members(set: u32) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let cell = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        cell
    })
}

/// Returns the subsets of a set, from the empty one.
pub(super) fn subsets(set: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(0u32);
    std::iter::from_fn(move || {
        let part = next?;
        next = (part != set).then(|| (part.wrapping_sub(set)) & set);
        Some(part)
    })
}

const fn choose_table() -> [[u32; N_EMPTY_MAX + 2]; N_EMPTY_MAX + 1] {
    let mut table = [[0; N_EMPTY_MAX + 2]; N_EMPTY_MAX + 1];
    let mut n = 0;
    while n <= N_EMPTY_MAX {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indices have no gaps, and the index is the sum over the high and low parts.
    #[test]
    fn sets_are_numbered_in_order() {
        for n in 0..=9 {
            for k in 0..=n + 1 {
                let all: Vec<u32> = sets(n, k).collect();
                assert_eq!(all.len(), choose(n, k), "{k} of {n}");
                for (i, &set) in all.iter().enumerate() {
                    assert_eq!(rank(set), i);
                    for n_low in 0..=n {
                        let low = set & ((1 << n_low) - 1);
                        let high = rank_high(set >> n_low, n_low, low.count_ones() as usize);
                        assert_eq!(rank(low) + high, i, "{set:b} split at {n_low}");
                    }
                }
            }
        }
    }

    #[test]
    fn compressing_drops_the_cells_between() {
        assert_eq!(compress(0b1_0010_0100, 0b1_0110_1100), 0b10101);
        assert_eq!(subsets(0b101).collect::<Vec<_>>(), [0, 1, 4, 5]);
        assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
    }
}
