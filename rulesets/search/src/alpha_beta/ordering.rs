//! Move ordering.
//!
//! The table's move comes first, before the others are scored; then by [`Game::order`]
//! plus bonuses for killers and history. The best few are selected one by one, as most
//! nodes cut off with them; only then is the rest sorted.

use crate::game::Game;
use crate::primitives::{History, OrderingBonus};

/// On the scale of [`Game::order`].
pub(crate) const BONUS: OrderingBonus = OrderingBonus { killer: 2_000, history_max: 1_000 };
/// Moves picked by selection before the rest is sorted.
const N_SCANS: usize = 4;

/// The moves of one node, returned best first. Kept per step of the path, so that nodes
/// soon allocate nothing.
#[derive(Debug)]
pub(crate) struct MoveList<M> {
    pub(crate) moves: Vec<M>,
    /// Score and index of the remaining moves, from `next` on.
    ranked: Vec<(i32, u32)>,
    next: usize,
}

impl<M> Default for MoveList<M> {
    fn default() -> Self {
        MoveList { moves: Vec::new(), ranked: Vec::new(), next: 0 }
    }
}

impl<M> MoveList<M> {
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.ranked.clear();
        self.next = 0;
    }

    /// Returns the index of the next move.
    pub(crate) fn pick(&mut self) -> Option<usize> {
        let rest = &mut self.ranked[self.next..];
        if rest.is_empty() {
            return None;
        }
        // Higher scores first, then in the order of generation.
        if self.next < N_SCANS {
            let mut best = 0;
            for at in 1..rest.len() {
                if before(rest[at], rest[best]) {
                    best = at;
                }
            }
            rest.swap(0, best);
        } else if self.next == N_SCANS {
            rest.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        self.next += 1;
        Some(self.ranked[self.next - 1].1 as usize)
    }
}

fn before(a: (i32, u32), b: (i32, u32)) -> bool {
    a.0 > b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// Scores all moves of a list except the one already searched.
pub(crate) fn score<G: Game>(
    history: &History<G::Move>,
    game: &G,
    position: &G::Position,
    side: usize,
    step: usize,
    list: &mut MoveList<G::Move>,
    tried: Option<usize>,
) {
    for (idx, mv) in list.moves.iter().enumerate() {
        if Some(idx) != tried {
            let bonus = history.bonus(side, step, mv, game.slot(mv));
            list.ranked.push((game.order(position, mv).saturating_add(bonus), idx as u32));
        }
    }
}
