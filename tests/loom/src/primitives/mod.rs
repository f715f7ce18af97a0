//! The tables of `pentad-search` with loom's atomics.

#![allow(dead_code, unreachable_pub, reason = "the crate that they are from uses the rest")]

#[path = "../../../../rulesets/search/src/primitives/proven.rs"]
pub(crate) mod proven;
#[path = "../../../../rulesets/search/src/primitives/shared_table.rs"]
pub(crate) mod shared_table;
#[path = "../../../../rulesets/search/src/primitives/transposition_table.rs"]
pub(crate) mod transposition_table;

pub(crate) mod atomic {
    pub(crate) use loom::sync::atomic::AtomicU64;
    pub(crate) use loom::sync::atomic::Ordering::Relaxed;
}

/// Always one bucket, as when memory is short: a larger model would take too long.
pub(crate) mod memory {
    pub(crate) trait Zero {
        fn zero() -> Self;
    }

    impl Zero for u64 {
        fn zero() -> u64 {
            0
        }
    }

    impl Zero for super::atomic::AtomicU64 {
        fn zero() -> Self {
            Self::new(0)
        }
    }

    pub(crate) fn zeroed_table<T: Zero>(_n_buckets: usize, bucket_len: usize) -> Vec<T> {
        (0..bucket_len).map(|_| T::zero()).collect()
    }
}
