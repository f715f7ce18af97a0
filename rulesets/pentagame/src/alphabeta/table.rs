//! The transposition table: what is known of positions already searched.
//!
//! A move here takes a word of its own, which sets this table apart from those
//! of other games. Of the two places for a position, the second is always taken over and the
//! first only by what was searched as deep. Every search stamps its entries with
//! a generation and sees those of older ones as empty, so a table is reused
//! without clearing it and without any effect on the answer.

use pentad_sdk::search::primitives::Bound;

use crate::moves::Move;

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    pub(crate) mv: Option<Move>,
}

/// Key, move, and the rest; all nought where there is nothing. Large tables of
/// noughts come from the system at no cost, page by page as they are used.
type Slot = [u64; 3];

/// Set beside the bits of a move; without it there is none.
const HAS_MOVE: u64 = 1 << 63;
/// Places for a position.
const WAYS: usize = 2;

/// A table of a fixed size.
#[derive(Debug, Default)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    generation: u16,
}

impl Table {
    /// Forgets everything and keeps to `bytes` from now on.
    pub(crate) fn reset(&mut self, bytes: u64) {
        let n = (bytes as usize / size_of::<Slot>() / WAYS).max(1) * WAYS;
        if n != self.slots.len() || self.generation == u16::MAX {
            self.slots = Vec::new();
            self.slots = vec![[0; 3]; n];
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let at = self.place(key);
        let [_, move_bits, data] = *self.slots[at..at + WAYS].iter().find(|slot| self.is_of(slot, key))?;
        Some(Entry {
            value: (data >> 32) as i32,
            depth: (data >> 16) as u8,
            bound: Bound::from_bits((data >> 24) as u8),
            mv: (move_bits & HAS_MOVE != 0).then(|| Move::from_bits(move_bits)),
        })
    }

    pub(crate) fn store(&mut self, key: u64, entry: Entry) {
        let at = self.place(key);
        let (first, second) = (&self.slots[at], &self.slots[at + 1]);
        let is_shallower = first[2] as u16 != self.generation || (first[2] >> 16) as u8 <= entry.depth;
        let takes_first = self.is_of(first, key) || is_shallower && !self.is_of(second, key);
        let at = if takes_first { at } else { at + 1 };
        let old_move = if self.is_of(&self.slots[at], key) { self.slots[at][1] } else { 0 };
        let move_bits = entry.mv.map_or(old_move, |mv| mv.to_bits() | HAS_MOVE);
        let data = u64::from(self.generation)
            | u64::from(entry.depth) << 16
            | (entry.bound as u64) << 24
            | u64::from(entry.value as u32) << 32;
        self.slots[at] = [key, move_bits, data];
    }

    #[inline]
    fn is_of(&self, slot: &Slot, key: u64) -> bool {
        slot[0] == key && slot[2] as u16 == self.generation
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let n_sets = (self.slots.len() / WAYS) as u128;
        ((u128::from(key) * n_sets) >> 64) as usize * WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::moves::Grey;
    use crate::stop::Stop;

    /// What is stored comes back, with its move, until the next search.
    #[test]
    fn remembers_until_reset() {
        let mut table = Table::default();
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

    /// The table never takes more than it was given, and generations that run
    /// out start anew.
    #[test]
    fn keeps_to_its_memory() {
        for bytes in [128, 1000, 4096, 1 << 20] {
            let mut table = Table::default();
            table.reset(bytes);
            let entry = Entry { value: 0, depth: 1, bound: Bound::Exact, mv: None };
            (0..10_000).for_each(|key| table.store(key, entry));
            assert!((table.slots.len() * size_of::<Slot>()) as u64 <= bytes);
        }
        let mut table = Table::default();
        (0..70_000).for_each(|_| table.reset(256));
        assert_eq!(table.probe(0), None);
    }
}
