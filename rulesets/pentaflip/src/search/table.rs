//! The transposition table: what is known of states already searched.
//!
//! Entries are two words, four to a cache line; a line is where a state may
//! lie. The whole key is compared, and which line it is comes from bits that
//! the key does not show, because proofs are read from here. Every search
//! stamps its entries with a generation and sees those of older ones as empty,
//! so a table is reused without clearing it and without any effect on the
//! answer. What may be stored is decided by the search.

use pentad_sdk::search::rng::mix;

use crate::moves::Move;
use crate::search::value::Facts;

/// Words in a line: four entries of key and data.
const LINE: usize = 8;
const NO_MOVE: u8 = u8::MAX;

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
    pub(crate) best: Option<Move>,
}

impl Entry {
    pub(crate) const EMPTY: Entry = Entry { value: 0, depth: 0, bound: Bound::Unknown, facts: Facts::NONE, best: None };

    fn pack(self, generation: u16) -> u64 {
        let best = self.best.map_or(NO_MOVE, |mv| mv.index() as u8);
        u64::from(generation)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(best) << 32
            | u64::from(self.depth) << 40
            | (self.bound as u64) << 48
            | u64::from(self.facts.bits()) << 50
    }

    fn unpack(data: u64) -> Self {
        Entry {
            value: i32::from((data >> 16) as u16 as i16),
            depth: (data >> 40) as u8,
            bound: [Bound::Unknown, Bound::Lower, Bound::Upper, Bound::Exact][(data >> 48 & 3) as usize],
            facts: Facts::from_bits((data >> 50) as u8),
            best: Move::at((data >> 32 & 0xff) as usize),
        }
    }
}

/// A table of a fixed size.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Zeroed by the system on demand: an unused part costs no time.
    words: Vec<u64>,
    n_lines: u64,
    generation: u16,
}

impl Table {
    /// Forgets everything and keeps to `bytes` from now on.
    pub(crate) fn reset(&mut self, bytes: u64) {
        let n_lines = (bytes / (LINE as u64 * 8)).max(1);
        if n_lines != self.n_lines || self.generation == u16::MAX {
            self.words = Vec::new();
            self.words = vec![0; n_lines as usize * LINE];
            self.n_lines = n_lines;
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Entry {
        let at = self.line(key);
        for slot in self.words[at..at + LINE].chunks_exact(2) {
            if slot[0] == key && slot[1] as u16 == self.generation {
                return Entry::unpack(slot[1]);
            }
        }
        Entry::EMPTY
    }

    /// Stores an entry in place of the same state, of an empty slot, or of the
    /// shallowest. Facts stay true, so those of the same state are kept.
    pub(crate) fn store(&mut self, key: u64, mut entry: Entry) {
        let at = self.line(key);
        let line = &mut self.words[at..at + LINE];
        let mut victim = 0;
        let mut victim_depth = i32::MAX;
        for slot in 0..LINE / 2 {
            let fresh = line[2 * slot + 1] as u16 == self.generation;
            let old = Entry::unpack(line[2 * slot + 1]);
            if fresh && line[2 * slot] == key {
                entry.facts = entry.facts.and(old.facts);
                entry.best = entry.best.or(old.best);
                victim = slot;
                break;
            }
            let depth = if fresh { i32::from(old.depth) } else { -1 };
            if depth < victim_depth {
                (victim, victim_depth) = (slot, depth);
            }
        }
        line[2 * victim] = key;
        line[2 * victim + 1] = entry.pack(self.generation);
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        ((u128::from(mix(key)) * u128::from(self.n_lines)) >> 64) as usize * LINE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry { value: -31_990, depth: 17, bound: Bound::Upper, facts: Facts::HELD, best: Move::at(40) }
    }

    /// What is stored comes back, facts add up, and a new search sees nothing.
    #[test]
    fn remembers_until_reset() {
        let mut table = Table::default();
        table.reset(1 << 12);
        table.store(5, entry());
        assert_eq!(table.probe(5), entry());
        table.store(5, Entry { facts: Facts::HOLDS, best: None, ..entry() });
        assert_eq!((table.probe(5).facts, table.probe(5).best), (Facts::DRAW, Move::at(40)));
        table.reset(1 << 12);
        assert_eq!(table.probe(5), Entry::EMPTY);
    }

    /// The table never takes more than it was given, and generations that run
    /// out start anew.
    #[test]
    fn keeps_to_its_memory() {
        for bytes in [64, 1000, 4096, 1 << 20] {
            let mut table = Table::default();
            table.reset(bytes);
            (0..10_000).for_each(|key| table.store(key, entry()));
            assert!(table.words.capacity() as u64 * 8 <= bytes);
        }
        let mut table = Table::default();
        table.reset(256);
        table.store(0, entry());
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), Entry::EMPTY);
    }
}
