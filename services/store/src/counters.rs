//! Counters of lookups and writes, shared by many threads.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::status::{ReadCounts, WriteCounts};

pub(crate) struct Counters<const N: usize>([AtomicU64; N]);

// Indices in the order of `ReadCounts`.
pub(crate) const HIT: usize = 0;
pub(crate) const MISS: usize = 1;
pub(crate) const SKIPPED: usize = 2;
pub(crate) const TIMEOUT: usize = 3;
pub(crate) const BAD: usize = 4;
pub(crate) const READ_FAILED: usize = 5;
// Indices in the order of `WriteCounts`.
pub(crate) const STORED: usize = 0;
pub(crate) const KEPT: usize = 1;
pub(crate) const DROPPED: usize = 2;
pub(crate) const WRITE_FAILED: usize = 3;
pub(crate) const EVICTED: usize = 4;

impl<const N: usize> Counters<N> {
    pub(crate) fn new() -> Self {
        Counters([const { AtomicU64::new(0) }; N])
    }

    pub(crate) fn add(&self, idx: usize, n: u64) {
        self.0[idx].fetch_add(n, Ordering::Relaxed);
    }

    fn load(&self) -> [u64; N] {
        self.0.each_ref().map(|count| count.load(Ordering::Relaxed))
    }
}

pub(crate) fn read_counts(counters: &Counters<6>) -> ReadCounts {
    let [hit, miss, skipped, timeout, bad, failed] = counters.load();
    ReadCounts { hit, miss, skipped, timeout, bad, failed }
}

pub(crate) fn write_counts(counters: &Counters<5>) -> WriteCounts {
    let [stored, kept, dropped, failed, evicted] = counters.load();
    WriteCounts { stored, kept, dropped, failed, evicted }
}
