//! The transposition table: what is known of states already searched.
//!
//! Entries are two words, four to a cache line; a line is where a state may
//! lie. The whole key is compared and no two states share one, because proofs
//! are read from here. Words are atomic and the key is kept xored with the
//! data, so threads share a table without locks and never read half an entry.
//! Every search stamps its entries with a generation and sees those of older
//! ones as empty, so a table is reused without clearing it and without any
//! effect on the answer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pentad_sdk::search::rng::mix;

use crate::alphabeta::value::Facts;

/// Words in a cache line: four entries of key and data.
const LINE: usize = 8;

/// How the value of an entry is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// There is no value, only facts and a move.
    Unknown,
    Lower,
    Upper,
    Exact,
}

/// What is known of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    pub(crate) facts: Facts,
    /// Its [`Move::index`](crate::moves::Move::index), or [`Entry::NO_MOVE`].
    pub(crate) move_idx: u16,
}

impl Entry {
    pub(crate) const NO_MOVE: u16 = u16::MAX;
    pub(crate) const EMPTY: Entry =
        Entry { value: 0, depth: 0, bound: Bound::Unknown, facts: Facts::NONE, move_idx: Entry::NO_MOVE };

    fn pack(self, generation: u16) -> u64 {
        u64::from(generation)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.move_idx) << 32
            | u64::from(self.depth) << 48
            | (self.bound as u64) << 56
            | u64::from(self.facts.bits()) << 58
    }

    fn unpack(data: u64) -> Self {
        let bound = [Bound::Unknown, Bound::Lower, Bound::Upper, Bound::Exact][(data >> 56 & 3) as usize];
        Entry {
            value: i32::from((data >> 16) as u16 as i16),
            depth: (data >> 48) as u8,
            bound,
            facts: Facts::from_bits((data >> 58) as u8),
            move_idx: (data >> 32) as u16,
        }
    }
}

/// Where a state may lie: key and data in turn.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Line([AtomicU64; LINE]);

/// A table of a fixed size.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Made when first looked at: getting a large table from the system at
    /// once would take longer than a search may be deaf to a stop.
    chunks: Vec<OnceLock<Box<[Line]>>>,
    n_lines: u64,
    generation: u16,
}

/// Lines in a chunk, 64 KiB together.
const CHUNK: u64 = 1 << 10;

impl Table {
    /// Forgets everything and keeps to `bytes` from now on.
    pub(crate) fn reset(&mut self, bytes: u64) {
        let n_lines = (bytes / (LINE as u64 * 8)).max(1);
        if n_lines != self.n_lines || self.generation == u16::MAX {
            self.chunks = Vec::new();
            self.chunks.resize_with(n_lines.div_ceil(CHUNK) as usize, OnceLock::new);
            self.n_lines = n_lines;
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Entry {
        for slot in self.line(key).chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key && data as u16 == self.generation {
                return Entry::unpack(data);
            }
        }
        Entry::EMPTY
    }

    /// Stores an entry in place of the same state, of an empty slot, or of the
    /// shallowest. Facts stay true, so those of the same state are kept.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let line = self.line(key);
        let mut victim = 0;
        let mut victim_depth = i32::MAX;
        for slot in 0..LINE / 2 {
            let data = line[2 * slot + 1].load(Relaxed);
            let fresh = data as u16 == self.generation;
            let old = Entry::unpack(data);
            if fresh && line[2 * slot].load(Relaxed) ^ data == key {
                entry.facts = entry.facts.and(old.facts);
                if entry.move_idx == Entry::NO_MOVE {
                    entry.move_idx = old.move_idx;
                }
                victim = slot;
                break;
            }
            let depth = if fresh { i32::from(old.depth) } else { -1 };
            if depth < victim_depth {
                (victim, victim_depth) = (slot, depth);
            }
        }
        let data = entry.pack(self.generation);
        line[2 * victim].store(key ^ data, Relaxed);
        line[2 * victim + 1].store(data, Relaxed);
    }

    #[inline]
    fn line(&self, key: u64) -> &[AtomicU64; LINE] {
        let line = ((u128::from(mix(key)) * u128::from(self.n_lines)) >> 64) as u64;
        let chunk = self.chunks[(line / CHUNK) as usize].get_or_init(|| self.new_chunk(line / CHUNK));
        &chunk[(line % CHUNK) as usize].0
    }

    #[cold]
    fn new_chunk(&self, chunk: u64) -> Box<[Line]> {
        let n = (self.n_lines - chunk * CHUNK).min(CHUNK);
        (0..n).map(|_| Line::default()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry { value: -31_990, depth: 17, bound: Bound::Upper, facts: Facts::HELD, move_idx: 287 };

    /// What is stored comes back, facts add up, and a new search sees nothing.
    #[test]
    fn remembers_until_reset() {
        let mut table = Table::default();
        table.reset(1 << 12);
        table.store(5, ENTRY);
        assert_eq!(table.probe(5), ENTRY);
        table.store(5, Entry { facts: Facts::HOLDS, ..ENTRY });
        assert_eq!(table.probe(5).facts, Facts::DRAW);
        table.reset(1 << 12);
        assert_eq!(table.probe(5), Entry::EMPTY);
    }

    /// The table never takes more than it was given, and generations that run
    /// out start anew.
    #[test]
    fn keeps_to_its_memory() {
        for bytes in [128, 1000, 4096, 1 << 20, 5 << 20] {
            let mut table = Table::default();
            table.reset(bytes);
            (0..10_000).for_each(|key| table.store(key, ENTRY));
            let n_lines: usize = table.chunks.iter().filter_map(OnceLock::get).map(|chunk| chunk.len()).sum();
            assert!((n_lines * size_of::<Line>()) as u64 <= bytes);
        }
        let mut table = Table::default();
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), Entry::EMPTY);
    }
}
