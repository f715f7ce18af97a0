//! Eviction of answers from a full file.
//!
//! The least valuable answers go first: those of replaced rules, then those that are
//! quickly found again. There is no global order, and no answer records when it was used:
//! some ranges of the table are read, and their least valuable eighth goes. Keys are spread
//! evenly, so that this is a fair sample.

use std::collections::HashSet;

use pentad_model::rng::Rng;

use super::database::{KEY_LEN, OpenFile};
use crate::error::StoreError;

/// Number of ranges read in one transaction, and their length.
const N_RANGES: usize = 8;
const RANGE_LEN: usize = 512;
/// One answer in this many goes.
const SHARE: usize = 8;
/// Pages are about two thirds full, and commits need some extra space.
const PAGE_USE: f64 = 0.6;

/// Returns whether the content of the file exceeds its bound.
pub(crate) fn is_over(file: &OpenFile, bytes_max: u64) -> bool {
    file.size().bytes as f64 > bytes_max as f64 * PAGE_USE
}

/// Removes some answers. `replaced` has the numbers of scopes whose rules are no longer
/// served.
pub(crate) fn evict(file: &OpenFile, replaced: &HashSet<u32>, rng: &mut Rng) -> Result<u64, StoreError> {
    let starts: [[u8; KEY_LEN]; N_RANGES] = std::array::from_fn(|idx| {
        let mut start = [0; KEY_LEN];
        // One range is at the beginning, so that no sample is empty.
        let random = if idx == 0 { 0 } else { rng.next_u64() };
        start[..8].copy_from_slice(&random.to_be_bytes());
        start
    });
    file.remove_some(&starts, RANGE_LEN, |worths| least_valuable(worths, replaced))
}

fn least_valuable(worths: &[(u32, u64)], replaced: &HashSet<u32>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..worths.len()).collect();
    order.sort_by_key(|&idx| {
        let (scope, worth) = worths[idx];
        (!replaced.contains(&scope), worth)
    });
    order.truncate(worths.len().div_ceil(SHARE));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of replaced rules go first, then those quickly found.
    #[test]
    fn the_least_valuable_go() {
        let worths: Vec<(u32, u64)> = (0..24).map(|n| (n % 2, u64::from(n * 7 % 24))).collect();
        let gone = |replaced: &[u32]| {
            let gone = least_valuable(&worths, &replaced.iter().copied().collect());
            gone.into_iter().map(|idx| worths[idx]).collect::<Vec<_>>()
        };
        assert_eq!(gone(&[]), [(0, 0), (1, 1), (0, 2)]);
        assert_eq!(gone(&[1]), [(1, 1), (1, 3), (1, 5)]);
    }
}
