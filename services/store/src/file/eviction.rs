//! Which answers go when the file is full.
//!
//! The least valuable ones: of rules that have been replaced, then those that are
//! quickly found again. Nothing is sorted and no answer remembers when it was used: some
//! stretches of the table are looked at, and the least eighth of what is there goes. Keys
//! are spread evenly, so that is a fair sample.

use std::collections::HashSet;

use pentad_model::rng::Rng;

use super::database::{KEY_LEN, OpenFile};
use crate::error::StoreError;

/// Stretches looked at in one transaction, and their length.
const STRETCHES: usize = 8;
const STRETCH_LEN: usize = 512;
/// One in so many goes.
const SHARE: usize = 8;
/// Pages are about two thirds full, and commits need some room beside them.
const PAGE_USE: f64 = 0.6;

/// Whether there is more in the file than its bound allows.
pub(crate) fn is_over(file: &OpenFile, bytes_max: u64) -> bool {
    file.size().bytes as f64 > bytes_max as f64 * PAGE_USE
}

/// Removes some answers. `replaced` are the numbers of scopes whose rules are not served
/// any more.
pub(crate) fn evict(file: &OpenFile, replaced: &HashSet<u32>, rng: &mut Rng) -> Result<u64, StoreError> {
    let starts: [[u8; KEY_LEN]; STRETCHES] = std::array::from_fn(|idx| {
        let mut start = [0; KEY_LEN];
        // One is at the beginning, so that there is something in each sample.
        let random = if idx == 0 { 0 } else { rng.next_u64() };
        start[..8].copy_from_slice(&random.to_be_bytes());
        start
    });
    file.remove_some(&starts, STRETCH_LEN, |worths| least(worths, replaced))
}

fn least(worths: &[(u32, u64)], replaced: &HashSet<u32>) -> Vec<usize> {
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

    /// Replaced rules first, then what was quickly found.
    #[test]
    fn the_least_valuable_go() {
        let worths: Vec<(u32, u64)> = (0..24).map(|n| (n % 2, u64::from(n * 7 % 24))).collect();
        let gone = |replaced: &[u32]| {
            let gone = least(&worths, &replaced.iter().copied().collect());
            gone.into_iter().map(|idx| worths[idx]).collect::<Vec<_>>()
        };
        assert_eq!(gone(&[]), [(0, 0), (1, 1), (0, 2)]);
        assert_eq!(gone(&[1]), [(1, 1), (1, 3), (1, 5)]);
    }
}
