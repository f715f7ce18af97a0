//! Killer moves and the history of cutoffs, for move ordering.

/// Killers, the two latest moves that caused a cutoff at a step of the path, and
/// the history of cutoffs by side and slot. A killer adds `KILLER` to the score of
/// a move, its history at most `HISTORY`. Only the last bit of a side's number
/// counts, so where sides alternate the ply will do.
#[derive(Debug)]
pub struct History<M, const KILLER: i32, const HISTORY: i32> {
    killers: Vec<[Option<M>; 2]>,
    history: [Vec<i32>; 2],
}

impl<M: Clone + PartialEq, const KILLER: i32, const HISTORY: i32> History<M, KILLER, HISTORY> {
    /// For paths of so many steps, and moves with slots below `n_slots`.
    pub fn new(n_steps: usize, n_slots: usize) -> Self {
        History { killers: vec![[None, None]; n_steps], history: [vec![0; n_slots], vec![0; n_slots]] }
    }

    /// The two killers of a step, the later first.
    #[inline]
    pub fn killers(&self, step: usize) -> &[Option<M>; 2] {
        &self.killers[step]
    }

    /// What killers and history add to the ordering score of a move.
    #[inline]
    pub fn bonus(&self, side: usize, step: usize, mv: &M, slot: usize) -> i32 {
        let is_killer = self.killers[step].iter().any(|killer| killer.as_ref() == Some(mv));
        self.history[side & 1].get(slot).copied().unwrap_or(0) + if is_killer { KILLER } else { 0 }
    }

    /// Records a beta cutoff by a move, found by a search of `depth` turns.
    #[inline]
    pub fn record_cutoff(&mut self, side: usize, step: usize, mv: &M, slot: usize, depth: i32) {
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

    /// A cutoff counts at its step and for its side; the history comes near its
    /// limit and never passes it.
    #[test]
    fn cutoffs_add_up_to_a_limit() {
        let mut history: History<u8, 250, 400> = History::new(4, 10);
        assert_eq!(history.bonus(1, 3, &7, 7), 0);
        history.record_cutoff(1, 3, &7, 7, 2);
        assert_eq!(history.bonus(1, 3, &7, 7), 250 + 16);
        assert_eq!((history.bonus(3, 1, &7, 7), history.bonus(0, 3, &7, 7)), (16, 250));
        (0..1_000).for_each(|_| history.record_cutoff(1, 3, &7, 7, 20));
        assert!((390..=400).contains(&history.bonus(1, 1, &7, 7)), "{}", history.bonus(1, 1, &7, 7));
        history.record_cutoff(1, 3, &8, 8, 1);
        assert_eq!(history.killers(3), &[Some(8), Some(7)]);
    }
}
