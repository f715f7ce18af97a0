//! The transposition table of several threads.
//!
//! Words are atomic and a key is kept xored with its data, so threads share the table
//! without locks and never read half an entry (`tests/loom` tries every order in which
//! they may see each other's stores). Entries are placed as in the
//! [`table`](crate::primitives::transposition_table) of one thread.

use crate::primitives::atomic::{AtomicU64, Relaxed};
use crate::primitives::memory::zeroed_table;
use crate::primitives::transposition_table::{Entry, LINE, find, first_line, line_of, place};

/// The slots of a position: keys and data alternate.
type Line = [AtomicU64; LINE];

/// A table of a fixed size that threads may use at the same time.
#[derive(Debug, Default)]
pub struct SharedTable {
    words: Vec<AtomicU64>,
    /// The first word on a cache-line boundary.
    start: usize,
    n_lines: u64,
    generation: u16,
}

impl SharedTable {
    /// Clears the table and limits it to `bytes` plus one line for the alignment, or to
    /// less if memory is short.
    pub fn reset(&mut self, bytes: u64) {
        let n_lines = (bytes / (LINE as u64 * 8)).max(1);
        if n_lines != self.n_lines || self.generation == u16::MAX {
            self.words = Vec::new();
            self.words = zeroed_table(n_lines as usize + 1, LINE);
            (self.start, self.n_lines) = first_line(&self.words);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Returns the entry of a position, or [`Entry::EMPTY`].
    #[inline]
    pub fn probe(&self, key: u64) -> Entry {
        find(&loaded(self.line(key)), key, self.generation)
    }

    /// Stores an entry in place of the same position, of an empty slot, or of the
    /// shallowest. Proofs of the same position are kept.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let line = self.line(key);
        let (slot, data) = place(&loaded(line), key, self.generation, entry);
        line[2 * slot].store(key ^ data, Relaxed);
        line[2 * slot + 1].store(data, Relaxed);
    }

    #[inline]
    fn line(&self, key: u64) -> &Line {
        &self.words[self.start..].as_chunks().0[line_of(key, self.n_lines) as usize]
    }
}

/// Loads keys and data as they were stored. A slot that another thread is writing to
/// gets an invalid key.
#[inline]
fn loaded(line: &Line) -> [u64; LINE] {
    let mut words = [0; LINE];
    for (slot, word) in words.chunks_exact_mut(2).zip(line.chunks_exact(2)) {
        slot[1] = word[1].load(Relaxed);
        slot[0] = word[0].load(Relaxed) ^ slot[1];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::proven::Proven;
    use crate::primitives::transposition_table::{Bound, TranspositionTable};

    /// Both tables hold the same entries, whatever is stored.
    #[test]
    fn knows_what_the_table_of_one_thread_knows() {
        let (mut shared, mut single) = (SharedTable::default(), TranspositionTable::default());
        for seed in 0..3_u64 {
            shared.reset(32 * 64);
            single.reset(33 * 64);
            for n in 0..5_000_u64 {
                let key = pentad_model::rng::mix(n ^ seed << 32) % 300;
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
                let other = pentad_model::rng::mix(n) % 300;
                assert_eq!(shared.probe(other), single.probe(other));
            }
        }
    }

    /// The table stays within its memory, and is cleared when generations run out.
    #[test]
    fn keeps_to_its_memory() {
        for bytes in [128, 1000, 4096, 1 << 20, 5 << 20] {
            let mut table = SharedTable::default();
            table.reset(bytes);
            (0..10_000).for_each(|key| table.store(key, Entry::EMPTY));
            assert!(table.words.capacity() as u64 * 8 <= bytes + 64);
        }
        let mut table = SharedTable::default();
        table.reset(256);
        table.store(0, Entry { depth: 1, ..Entry::EMPTY });
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), Entry::EMPTY);
    }
}
