//! Memory for tables, limited by what a search can fill and by what the system provides.
//!
//! A table that is much larger than the search needs makes it slow: almost every probe
//! touches a page for the first time, and the system has to clear it (up to 2 MiB at
//! once). [`table_bytes`] therefore sizes tables by the limits of the request.
//!
//! A search that asks for more memory than is available continues with less, because a
//! failed allocation would end the process. Small allocations do not use these
//! functions, so some memory is left for them.

use std::time::Duration;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;
use pentad_model::Request;

/// Bytes per node of a search limited by nodes: a line of four entries, so that entries
/// are hardly ever replaced.
const BYTES_PER_NODE: u64 = 64;
/// Bytes per thread and millisecond of a search limited by time: an entry for each of 4
/// million nodes per second, which is more than most searches visit. Clearing that much
/// takes 2 % of the time.
const BYTES_PER_MS: u64 = 64 << 10;
/// The least that a search gets, if its request allows that much.
const BYTES_MIN: u64 = 4 << 20;
/// The most for a search that neither time nor nodes limit.
const UNLIMITED_BYTES_MAX: u64 = 256 << 20;

/// Returns the total size of the tables for a search: as much as it can fill within its
/// limits, and no more than [`Request::memory_bytes`].
///
/// The size is a power of two unless the memory ends it, so that searches with about the
/// same limits reuse one allocation.
///
/// ```
/// use std::time::Duration;
/// use pentad_model::{Limits, Request};
/// use pentad_search::table_bytes;
///
/// let time = Some(Duration::from_millis(100));
/// let request = Request::<u8> { memory_bytes: 3 << 30, ..Request::new(Limits { time, ..Limits::default() }) };
/// assert_eq!(table_bytes(&request), 8 << 20);
/// ```
pub fn table_bytes<M>(request: &Request<M>) -> u64 {
    let by_nodes = request.limits.nodes.map(|nodes| nodes.saturating_mul(BYTES_PER_NODE));
    let by_time = request.limits.time.map(|time| bytes_by_time(time).saturating_mul(request.threads.max(1) as u64));
    let filled = by_nodes.into_iter().chain(by_time).min().unwrap_or(UNLIMITED_BYTES_MAX);
    let rounded = filled.max(BYTES_MIN).checked_next_power_of_two().unwrap_or(u64::MAX);
    rounded.min(request.memory_bytes)
}

fn bytes_by_time(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(BYTES_PER_MS)
}

/// Allocates `n_buckets` zeroed buckets of `bucket_len` entries, or fewer if memory is
/// short; at least one.
///
/// The system provides large zeroed memory lazily, page by page as it is used.
pub fn zeroed_table<T: Zeroable>(n_buckets: usize, bucket_len: usize) -> Vec<T> {
    let table = |n_buckets: usize| try_zeroed_vec(n_buckets.saturating_mul(bucket_len));
    let n_buckets = n_buckets.max(1);
    table(n_buckets).unwrap_or_else(|()| {
        let n_available = available(n_buckets, 1, bucket_len.saturating_mul(size_of::<T>()));
        table(n_available).unwrap_or_else(|()| (0..bucket_len).map(|_| T::zeroed()).collect())
    })
}

/// Returns the number of elements of a size to allocate: `n`, or fewer if memory is
/// short, so that about as much again is left; at least `n_min`.
pub fn available(n: usize, n_min: usize, element_bytes: usize) -> usize {
    let is_available = |n: usize| is_available(n.saturating_mul(element_bytes));
    if is_available(n) {
        return n;
    }
    let mut fewer = n / 2;
    while fewer > n_min && !is_available(fewer) {
        fewer /= 2;
    }
    (fewer / 2).max(n_min)
}

/// Returns whether this much memory could be allocated now.
pub fn is_available(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use pentad_model::Limits;

    use super::*;

    /// A table that does not fit is made smaller, in whole buckets, but never empty.
    #[test]
    fn a_table_is_as_large_as_memory_allows() {
        assert_eq!(zeroed_table::<u64>(1000, 4), [0; 4000]);
        assert_eq!(zeroed_table::<u64>(0, 4).len(), 4);
        let huge = zeroed_table::<u64>(usize::MAX / 64, 4).len();
        assert!(huge >= 4 && huge.is_multiple_of(4) && huge < usize::MAX / 64, "{huge}");
    }

    /// A table grows with the limits of its search, up to the memory of the request.
    #[test]
    fn tables_are_as_large_as_a_search_can_fill() {
        let bytes = |time_ms: Option<u64>, nodes, threads| {
            let limits = Limits { time: time_ms.map(Duration::from_millis), nodes, depth: None };
            table_bytes(&Request::<u8> { threads, memory_bytes: 3 << 30, ..Request::new(limits) })
        };
        assert_eq!(bytes(Some(10), None, 1), 4 << 20, "the least");
        assert_eq!(bytes(Some(1_000), None, 1), 64 << 20);
        assert_eq!(bytes(Some(990), None, 1), 64 << 20, "the same for about the same time");
        assert_eq!(bytes(Some(1_000), None, 4), 256 << 20);
        assert_eq!(bytes(Some(1_000), Some(100_000), 4), 8 << 20, "the first limit decides");
        assert_eq!(bytes(None, Some(1_000_000), 1), 64 << 20);
        assert_eq!(bytes(None, None, 1), 256 << 20);
        for (time_ms, nodes) in [(Some(3_600_000), None), (None, Some(u64::MAX)), (Some(u64::MAX), Some(u64::MAX))] {
            assert_eq!(bytes(time_ms, nodes, 1), 3 << 30, "what the request allows");
        }
        assert_eq!(table_bytes(&Request::<u8> { memory_bytes: 1000, ..Request::new(Limits::default()) }), 1000);
    }

    /// More than the address space is never available.
    #[test]
    fn more_than_there_is_is_not_available() {
        assert!(is_available(1 << 20));
        assert!(!is_available(usize::MAX / 2) && !is_available(usize::MAX));
        assert_eq!(available(1000, 10, 8), 1000);
        assert_eq!(available(usize::MAX, usize::MAX / 16, 8), usize::MAX / 16, "the least");
        let fewer = available(usize::MAX, 10, 8);
        assert!((10..usize::MAX / 32).contains(&fewer), "{fewer}");
    }
}
