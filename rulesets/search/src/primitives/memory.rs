//! Memory for tables, limited by what the system provides.
//!
//! A search that asks for more memory than is available continues with less, because a
//! failed allocation would end the process. Small allocations do not use these
//! functions, so some memory is left for them.

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;

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
    use super::*;

    /// A table that does not fit is made smaller, in whole buckets, but never empty.
    #[test]
    fn a_table_is_as_large_as_memory_allows() {
        assert_eq!(zeroed_table::<u64>(1000, 4), [0; 4000]);
        assert_eq!(zeroed_table::<u64>(0, 4).len(), 4);
        let huge = zeroed_table::<u64>(usize::MAX / 64, 4).len();
        assert!(huge >= 4 && huge.is_multiple_of(4) && huge < usize::MAX / 64, "{huge}");
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
