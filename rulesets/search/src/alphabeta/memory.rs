//! What earlier nodes taught about good moves.

/// Moves that lately refuted a sibling (killers, two for each step of the path)
/// and that often refuted something (history, by side and slot). What either
/// adds to the score of a move is up to the search: `KILLER`, and at most
/// `HISTORY`. Sides are told apart by the last bit of their number, so where
/// they take turns a ply will do.
#[derive(Debug)]
pub struct Memory<M, const KILLER: i32, const HISTORY: i32> {
    killers: Vec<[Option<M>; 2]>,
    history: [Vec<i32>; 2],
}

impl<M: Clone + PartialEq, const KILLER: i32, const HISTORY: i32> Memory<M, KILLER, HISTORY> {
    /// For paths of so many steps, and moves with slots below `n_slots`.
    pub fn new(n_steps: usize, n_slots: usize) -> Self {
        Memory { killers: vec![[None, None]; n_steps], history: [vec![0; n_slots], vec![0; n_slots]] }
    }

    /// The latest two that refuted a sibling at a step, the later first.
    #[inline]
    pub fn killers(&self, step: usize) -> &[Option<M>; 2] {
        &self.killers[step]
    }

    /// What the score of a move is raised by.
    #[inline]
    pub fn bonus(&self, side: usize, step: usize, mv: &M, slot: usize) -> i32 {
        let is_killer = self.killers[step].iter().any(|killer| killer.as_ref() == Some(mv));
        self.history[side & 1].get(slot).copied().unwrap_or(0) + if is_killer { KILLER } else { 0 }
    }

    /// A move refuted the one before it, `depth` turns deep.
    #[inline]
    pub fn praise(&mut self, side: usize, step: usize, mv: &M, slot: usize, depth: i32) {
        let killers = &mut self.killers[step];
        if killers[0].as_ref() != Some(mv) {
            killers.swap(0, 1);
            killers[0] = Some(mv.clone());
        }
        if let Some(value) = self.history[side & 1].get_mut(slot) {
            let bonus = (4 * depth * depth).min(HISTORY / 4);
            *value += bonus - *value * bonus / HISTORY;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A refutation counts at its step and with its side; the history comes near
    /// its limit and never passes it.
    #[test]
    fn praise_adds_up_to_a_limit() {
        let mut memory: Memory<u8, 250, 400> = Memory::new(4, 10);
        assert_eq!(memory.bonus(1, 3, &7, 7), 0);
        memory.praise(1, 3, &7, 7, 2);
        assert_eq!(memory.bonus(1, 3, &7, 7), 250 + 16);
        assert_eq!((memory.bonus(3, 1, &7, 7), memory.bonus(0, 3, &7, 7)), (16, 250));
        (0..1_000).for_each(|_| memory.praise(1, 3, &7, 7, 20));
        assert!((390..=400).contains(&memory.bonus(1, 1, &7, 7)), "{}", memory.bonus(1, 1, &7, 7));
        memory.praise(1, 3, &8, 8, 1);
        assert_eq!(memory.killers(3), &[Some(8), Some(7)]);
    }
}
