//! The transposition table: results of positions already searched.
//!
//! Unlike in the SDK's table, a move takes a word of its own. A bucket has two slots:
//! the first is replaced only by an entry of at least its depth, the second always. Entries carry the generation of their search, and those of
//! older searches count as empty, so the table is reused without clearing it and
//! without any effect on the answer.

use pentad_sdk::search::primitives::{Bound, zeroed_table};

use crate::moves::Move;

/// Result of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    pub(crate) mv: Option<Move>,
}

/// Key, move, and the other fields; all zero if empty. The system allocates large
/// zeroed tables lazily, page by page as they are used.
type Slot = [u64; 3];

/// Set beside the bits of a move; clear if the entry has none.
const HAS_MOVE: u64 = 1 << 63;
const SLOTS_PER_BUCKET: usize = 2;

#[derive(Debug, Default)]
pub(crate) struct TranspositionTable {
    slots: Vec<Slot>,
    generation: u16,
}

impl TranspositionTable {
    /// Empties the table and limits it to `bytes`.
    pub(crate) fn reset(&mut self, bytes: u64) {
        let n = (bytes as usize / size_of::<Slot>() / SLOTS_PER_BUCKET).max(1) * SLOTS_PER_BUCKET;
        if n != self.slots.len() || self.generation == u16::MAX {
            self.slots = Vec::new();
            self.slots = zeroed_table(n / SLOTS_PER_BUCKET, SLOTS_PER_BUCKET);
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let at = self.bucket_start(key);
        let [_, move_bits, data] =
            *self.slots[at..at + SLOTS_PER_BUCKET].iter().find(|slot| self.is_entry_of(slot, key))?;
        Some(Entry {
            value: (data >> 32) as i32,
            depth: (data >> 16) as u8,
            bound: Bound::from_bits((data >> 24) as u8),
            mv: (move_bits & HAS_MOVE != 0).then(|| Move::from_bits(move_bits)),
        })
    }

    pub(crate) fn store(&mut self, key: u64, entry: Entry) {
        let at = self.bucket_start(key);
        let (first, second) = (&self.slots[at], &self.slots[at + 1]);
        let is_replaceable = first[2] as u16 != self.generation || (first[2] >> 16) as u8 <= entry.depth;
        let uses_first = self.is_entry_of(first, key) || is_replaceable && !self.is_entry_of(second, key);
        let at = if uses_first { at } else { at + 1 };
        let old_move = if self.is_entry_of(&self.slots[at], key) { self.slots[at][1] } else { 0 };
        let move_bits = entry.mv.map_or(old_move, |mv| mv.to_bits() | HAS_MOVE);
        let data = u64::from(self.generation)
            | u64::from(entry.depth) << 16
            | (entry.bound as u64) << 24
            | u64::from(entry.value as u32) << 32;
        self.slots[at] = [key, move_bits, data];
    }

    #[inline]
    fn is_entry_of(&self, slot: &Slot, key: u64) -> bool {
        slot[0] == key && slot[2] as u16 == self.generation
    }

    #[inline]
    fn bucket_start(&self, key: u64) -> usize {
        let n_sets = (self.slots.len() / SLOTS_PER_BUCKET) as u128;
        ((u128::from(key) * n_sets) >> 64) as usize * SLOTS_PER_BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Figure;
    use crate::board::Stop;
    use crate::moves::Grey;

    /// An entry is found with its move until the next search.
    #[test]
    fn entries_last_until_reset() {
        let mut table = TranspositionTable::default();
        table.reset(1 << 12);
        let grey = |from, to| Grey { from, to: Stop(to) };
        let mv = Move::go(Figure(7), Stop(99))
            .with_swap(Figure(19))
            .with_black(Stop(0))
            .with_grey(grey(None, 3))
            .with_grey(grey(Some(Stop(5)), 98));
        for mv in [mv, Move::PASS, Move::out(Figure(0)), Move::go(Figure(1), Stop(64))] {
            let entry = Entry { value: -31_990, depth: 17, bound: Bound::Upper, mv: Some(mv) };
            table.store(5, entry);
            assert_eq!(table.probe(5), Some(entry));
        }
        let entry = Entry { value: 3, depth: 18, bound: Bound::Exact, mv: None };
        table.store(5, entry);
        let kept = Some(Move::go(Figure(1), Stop(64)));
        assert_eq!(table.probe(5), Some(Entry { mv: kept, ..entry }), "the move is kept");
        table.reset(1 << 12);
        assert_eq!(table.probe(5), None);
    }

    /// The table never exceeds its memory, and generations wrap around.
    #[test]
    fn memory_limit_is_kept() {
        for bytes in [128, 1000, 4096, 1 << 20] {
            let mut table = TranspositionTable::default();
            table.reset(bytes);
            let entry = Entry { value: 0, depth: 1, bound: Bound::Exact, mv: None };
            (0..10_000).for_each(|key| table.store(key, entry));
            assert!((table.slots.len() * size_of::<Slot>()) as u64 <= bytes);
        }
        let mut table = TranspositionTable::default();
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), None);
    }
}
