//! What others do when they do not look.
//!
//! With three and more players it is not enough to ask what each of them
//! should do. Whose turn it is may leave a threat to the next one, or not see
//! it, because it takes a turn of a block to become a five. So at most visits
//! another player is taken to follow habit: one of the moves that are best by
//! the lines as they lie, whatever that lets others do. Only a five at hand is
//! never overlooked. The mean over visits then weighs both kinds of play.
//!
//! Proofs know nothing of this: what is proven assumes that nobody errs.

use crate::moves::Move;
use crate::search::planter::{FIRST_WIDTH, Planter};

/// The share of visits at which another player follows habit. Of 0, 0.3, 0.6,
/// 0.9 and 1 the one with the most points in 96 games each of `ffa4` against a
/// greedy player, 74 % where the others had 61 to 72 with no order in them and
/// a standard error of 5: little more than a guess.
const CARELESS: f32 = 0.9;
/// Moves that a player has in mind without looking further.
pub(crate) const N_HABITS: usize = 4;
/// Children by index, of which [`OVERLOOKS`] and [`NONE`] are none.
pub(crate) type Habits = [u16; N_HABITS];
/// A move that lets the next player have five at once.
pub(crate) const OVERLOOKS: u16 = u16::MAX;
/// No move.
const NONE: u16 = u16::MAX - 1;
/// Of a player who always looks.
pub(crate) const NO_HABITS: Habits = [NONE; N_HABITS];

impl Planter<'_> {
    /// The child that habit leads to, if it is time for that.
    pub(crate) fn habit(&mut self, node: usize) -> Option<u16> {
        let here = &mut self.tree.nodes[node];
        if here.habits == NO_HABITS || here.n_careless as f32 > CARELESS * here.visits as f32 {
            return None;
        }
        let n_habits = here.habits.iter().filter(|&&habit| habit != NONE).count();
        let habit = here.habits[here.n_careless as usize % n_habits];
        here.n_careless += 1;
        Some(habit)
    }

    /// Notes where the moves of habit are among the children, and sees to it
    /// that they are among the first of them.
    pub(crate) fn keep_habits(&mut self, moves: &[Move]) {
        for (idx, mv) in moves.iter().enumerate() {
            let Some(rank) = self.candidates.iter().position(|candidate| candidate.mv == *mv) else { continue };
            let rank_max = FIRST_WIDTH - N_HABITS + idx;
            if rank > rank_max {
                self.candidates[rank_max..=rank].rotate_right(1);
            }
        }
        self.habits = NO_HABITS;
        for (habit, mv) in self.habits.iter_mut().zip(moves) {
            let rank = self.candidates.iter().position(|candidate| candidate.mv == *mv);
            *habit = rank.map_or(OVERLOOKS, |rank| (self.moves.len() + rank) as u16);
        }
    }
}
