//! Killer moves and the history of cutoffs, for move ordering.

/// Contributions of killers and history to the ordering score of a move.
#[derive(Clone, Copy, Debug)]
pub struct OrderingBonus {
    /// Added for a killer.
    pub killer: i32,
    /// Upper limit of the history's share.
    pub history_max: i32,
}

/// Killers, the two latest moves that caused a cutoff at a step of the path, and
/// the history of cutoffs by side and slot. Only the last bit of a side's number
/// counts, so if sides alternate the ply can stand for the side.
#[derive(Debug)]
pub struct History<M> {
    killers: Vec<[Option<M>; 2]>,
    history: [Vec<i32>; 2],
    bonus: OrderingBonus,
}

impl<M: Clone + PartialEq> History<M> {
    /// Makes room for paths of `n_steps`, and moves with slots below `n_slots`.
    pub fn new(n_steps: usize, n_slots: usize, bonus: OrderingBonus) -> Self {
        History { killers: vec![[None, None]; n_steps], history: [vec![0; n_slots], vec![0; n_slots]], bonus }
    }

    /// Returns the two killers of a step, the later first.
    #[inline]
    pub fn killers(&self, step: usize) -> &[Option<M>; 2] {
        &self.killers[step]
    }

    /// Returns what killers and history add to the ordering score of a move.
    #[inline]
    pub fn bonus(&self, side: usize, step: usize, mv: &M, slot: usize) -> i32 {
        let is_killer = self.killers[step].iter().any(|killer| killer.as_ref() == Some(mv));
        self.history[side & 1].get(slot).copied().unwrap_or(0) + if is_killer { self.bonus.killer } else { 0 }
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
            let max = self.bonus.history_max;
            let bonus = (4 * depth * depth).min(max / 4);
            *value += bonus - *value * bonus / max;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cutoff counts at its step and for its side; the history approaches its
    /// limit and never exceeds it.
    #[test]
    fn cutoffs_add_up_to_a_limit() {
        let mut history: History<u8> = History::new(4, 10, OrderingBonus { killer: 250, history_max: 400 });
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
