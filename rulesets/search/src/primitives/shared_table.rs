//! The transposition table of several threads.
//!
//! Words are atomic and a key is kept xored with its data, so threads share the
//! table without locks and never read half an entry. What lies where is decided
//! as in the [`table`](crate::primitives::transposition_table) of one thread.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::primitives::transposition_table::{Entry, LINE, find, line_of, place};

/// Lines in a chunk, 64 KiB together.
const CHUNK: u64 = 1 << 10;

/// Where a position may lie: key and data in turn.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Line([AtomicU64; LINE]);

/// A table of a fixed size that threads may use at the same time.
#[derive(Debug, Default)]
pub struct SharedTable {
    /// Made when first looked at: getting a large table of atomic words from
    /// the system at once would take longer than a search may be deaf to a stop.
    chunks: Vec<OnceLock<Box<[Line]>>>,
    n_lines: u64,
    generation: u16,
}

impl SharedTable {
    /// Forgets everything and keeps to `bytes` from now on.
    pub fn reset(&mut self, bytes: u64) {
        let n_lines = (bytes / (LINE as u64 * 8)).max(1);
        if n_lines != self.n_lines || self.generation == u16::MAX {
            self.chunks = Vec::new();
            self.chunks.resize_with(n_lines.div_ceil(CHUNK) as usize, OnceLock::new);
            self.n_lines = n_lines;
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// What is known of a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Entry {
        find(&self.line(key).words(), key, self.generation)
    }

    /// Stores an entry in place of the same position, of an empty slot, or of
    /// the shallowest. Proven stay true, so those of the same position are kept.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let line = self.line(key);
        let (slot, data) = place(&line.words(), key, self.generation, entry);
        line.0[2 * slot].store(key ^ data, Relaxed);
        line.0[2 * slot + 1].store(data, Relaxed);
    }

    #[inline]
    fn line(&self, key: u64) -> &Line {
        let line = line_of(key, self.n_lines);
        let chunk = self.chunks[(line / CHUNK) as usize].get_or_init(|| self.new_chunk(line / CHUNK));
        &chunk[(line % CHUNK) as usize]
    }

    #[cold]
    fn new_chunk(&self, chunk: u64) -> Box<[Line]> {
        let n = (self.n_lines - chunk * CHUNK).min(CHUNK);
        (0..n).map(|_| Line::default()).collect()
    }
}

impl Line {
    /// Keys and data as they were stored. A slot that another thread is writing
    /// to gets a key that is none.
    #[inline]
    fn words(&self) -> [u64; LINE] {
        let mut words = [0; LINE];
        for (slot, word) in words.chunks_exact_mut(2).zip(self.0.chunks_exact(2)) {
            slot[1] = word[1].load(Relaxed);
            slot[0] = word[0].load(Relaxed) ^ slot[1];
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::proven::Proven;
    use crate::primitives::transposition_table::{Bound, TranspositionTable};

    /// Whatever is stored, both tables know the same.
    #[test]
    fn knows_what_the_table_of_one_thread_knows() {
        let (mut shared, mut single) = (SharedTable::default(), TranspositionTable::default());
        for seed in 0..3_u64 {
            shared.reset(32 * 64);
            single.reset(33 * 64);
            for n in 0..5_000_u64 {
                let key = crate::rng::mix(n ^ seed << 32) % 300;
                let entry = Entry {
                    value: n as i32 % 64_000 - 32_000,
                    depth: (n % 23) as u8,
                    bound: Bound::from_bits(n as u8),
                    proven: Proven::from_bits((n >> 3) as u8),
                    move_idx: if n.is_multiple_of(3) { Entry::NO_MOVE } else { (n % 289) as u16 },
                };
                shared.store(key, entry);
                single.store(key, entry);
                assert_eq!(shared.probe(key), single.probe(key));
                let other = crate::rng::mix(n) % 300;
                assert_eq!(shared.probe(other), single.probe(other));
            }
        }
    }

    /// The table never takes more than it was given, and generations that run
    /// out start anew.
    #[test]
    fn keeps_to_its_memory() {
        for bytes in [128, 1000, 4096, 1 << 20, 5 << 20] {
            let mut table = SharedTable::default();
            table.reset(bytes);
            (0..10_000).for_each(|key| table.store(key, Entry::EMPTY));
            let n_lines: usize = table.chunks.iter().filter_map(OnceLock::get).map(|chunk| chunk.len()).sum();
            assert!((n_lines * size_of::<Line>()) as u64 <= bytes);
        }
        let mut table = SharedTable::default();
        table.reset(256);
        table.store(0, Entry { depth: 1, ..Entry::EMPTY });
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), Entry::EMPTY);
    }
}
