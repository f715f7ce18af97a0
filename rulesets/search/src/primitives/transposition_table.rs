//! The transposition table.
//!
//! Entries are two words, four per cache line; the key selects the line. The whole key
//! is compared, because proofs are read from here. Every search stamps its entries with
//! a generation and treats older ones as empty, so a table is reused without clearing
//! it and without effect on the result. Using an entry is up to the search.
//!
//! [`TranspositionTable`] belongs to one thread; several threads may write to a
//! [`SharedTable`](crate::primitives::shared_table::SharedTable).

use crate::primitives::memory::zeroed_table;
use crate::primitives::proven::Proven;
use pentad_model::rng::mix;

/// Words in a cache line: four entries of key and data.
pub(crate) const LINE: usize = 8;

/// Kind of bound that the value of an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No value; only proofs and a move.
    Unknown,
    /// A lower bound, from a fail-high.
    Lower,
    /// An upper bound, from a fail-low.
    Upper,
    /// The exact value.
    Exact,
}

impl Bound {
    /// Classifies a value found within a window.
    #[inline]
    pub fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Creates it from two bits, the value of `self as u8`; others are ignored.
    #[inline]
    pub fn from_bits(bits: u8) -> Self {
        [Bound::Unknown, Bound::Lower, Bound::Upper, Bound::Exact][usize::from(bits & 3)]
    }
}

/// Stored result of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// For the side to move.
    pub value: i32,
    /// Plies searched for the value.
    pub depth: u8,
    /// Kind of bound that the value is.
    pub bound: Bound,
    /// Kept when the entry is overwritten: proofs remain valid.
    pub proven: Proven,
    /// The search's number for the best move, or [`Entry::NO_MOVE`].
    pub move_idx: u16,
}

impl Entry {
    /// Stands for no best move.
    pub const NO_MOVE: u16 = u16::MAX;
    /// The entry of a position that is not in the table.
    pub const EMPTY: Entry =
        Entry { value: 0, depth: 0, bound: Bound::Unknown, proven: Proven::NONE, move_idx: Entry::NO_MOVE };

    #[inline]
    fn pack(self, generation: u16) -> u64 {
        u64::from(generation)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.move_idx) << 32
            | u64::from(self.depth) << 48
            | (self.bound as u64) << 56
            | u64::from(self.proven.bits()) << 58
    }

    #[inline]
    fn unpack(data: u64) -> Self {
        Entry {
            value: i32::from((data >> 16) as u16 as i16),
            depth: (data >> 48) as u8,
            bound: Bound::from_bits((data >> 56) as u8),
            proven: Proven::from_bits((data >> 58) as u8),
            move_idx: (data >> 32) as u16,
        }
    }
}

/// Returns the line of a key. The key is mixed, because a game's key may be no better
/// than a counter.
#[inline]
pub(crate) fn line_of(key: u64, n_lines: u64) -> u64 {
    ((u128::from(mix(key)) * u128::from(n_lines)) >> 64) as u64
}

/// Returns the word at which the first line begins, at a cache-line boundary if there
/// are several lines, and the number of lines.
pub(crate) fn first_line<W>(words: &[W]) -> (usize, u64) {
    match words.len() / LINE {
        // Memory was so short that there is only one line.
        1 => (0, 1),
        n_lines => ((64 - words.as_ptr().addr() % 64) % 64 / 8, n_lines as u64 - 1),
    }
}

/// Returns the entry of a key in a cache line.
#[inline]
pub(crate) fn find(line: &[u64; LINE], key: u64, generation: u16) -> Entry {
    for slot in line.chunks_exact(2) {
        if slot[0] == key && slot[1] as u16 == generation {
            return Entry::unpack(slot[1]);
        }
    }
    Entry::EMPTY
}

/// Returns the slot of a line for an entry, and its data: the slot of the same
/// position, an empty one, or the shallowest. Proofs of the same position are kept.
#[inline]
pub(crate) fn place(line: &[u64; LINE], key: u64, generation: u16, mut entry: Entry) -> (usize, u64) {
    let mut victim = 0;
    let mut victim_depth = i32::MAX;
    for slot in 0..LINE / 2 {
        let fresh = line[2 * slot + 1] as u16 == generation;
        let old = Entry::unpack(line[2 * slot + 1]);
        if fresh && line[2 * slot] == key {
            entry.proven = entry.proven.union(old.proven);
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
    (victim, entry.pack(generation))
}

/// A table of a fixed size, for one thread.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    words: Vec<u64>,
    /// The first word on a cache-line boundary.
    start: usize,
    n_lines: u64,
    generation: u16,
}

impl TranspositionTable {
    /// Clears the table and limits it to `bytes`, or to less if memory is short.
    pub fn reset(&mut self, bytes: u64) {
        // One line is lost to the alignment; the minimum is two.
        let n_lines = (bytes / (LINE as u64 * 8)).saturating_sub(1).max(1);
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
        let line = line_of(key, self.n_lines) as usize;
        find(&self.words[self.start..].as_chunks().0[line], key, self.generation)
    }

    /// Stores an entry in place of the same position, of an empty slot, or of the
    /// shallowest. Proofs of the same position are kept.
    #[inline]
    pub fn store(&mut self, key: u64, entry: Entry) {
        let line = line_of(key, self.n_lines) as usize;
        let line = &mut self.words[self.start..].as_chunks_mut().0[line];
        let (slot, data) = place(line, key, self.generation, entry);
        line[2 * slot] = key;
        line[2 * slot + 1] = data;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry =
        Entry { value: -31_990, depth: 17, bound: Bound::Upper, proven: Proven::NOT_WON, move_idx: 287 };

    /// Entries are returned as stored, proofs accumulate, a move is kept if none
    /// replaces it, and a new search sees nothing.
    #[test]
    fn remembers_until_reset() {
        let mut table = TranspositionTable::default();
        table.reset(1 << 12);
        table.store(5, ENTRY);
        assert_eq!(table.probe(5), ENTRY);
        table.store(5, Entry { proven: Proven::NOT_LOST, move_idx: Entry::NO_MOVE, ..ENTRY });
        assert_eq!(table.probe(5), Entry { proven: Proven::DRAW, ..ENTRY });
        table.reset(1 << 12);
        assert_eq!(table.probe(5), Entry::EMPTY);
    }

    /// The table stays within its memory.
    #[test]
    fn keeps_to_its_memory() {
        for bytes in [128, 1000, 4096, 1 << 20] {
            let mut table = TranspositionTable::default();
            table.reset(bytes);
            let taken = table.words.capacity() as u64 * 8;
            assert!(taken <= bytes, "{taken} of {bytes}");
            (0..10_000).for_each(|key| table.store(key, ENTRY));
        }
    }

    /// Generations run out after 65,535 searches; the table is then cleared.
    #[test]
    fn survives_the_last_generation() {
        let mut table = TranspositionTable::default();
        table.reset(256);
        table.store(0, ENTRY);
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), Entry::EMPTY);
        table.store(0, ENTRY);
        assert_eq!(table.probe(0), ENTRY);
    }
}
