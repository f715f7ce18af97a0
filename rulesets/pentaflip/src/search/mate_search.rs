//! True distances: whether a side wins or loses within so many plies, by
//! trying everything.
//!
//! The search proves wins and losses without caring how far they are. Here the
//! shorter ones are excluded, ply by ply, as long as the nodes allowed last. A
//! side may also win by a move of the other side, so every number of plies is
//! looked at, not only the odd ones.

use crate::search::worker::Worker;
use crate::state::{End, State};

impl Worker<'_> {
    /// The fewest plies within which the side to move wins (or, for `wins`
    /// false, loses), if that is known to happen within `plies`. `None` if it
    /// takes too long to say.
    pub(crate) fn distance(&mut self, state: State, wins: bool, plies: u32) -> Option<u32> {
        for fewer in 1..plies {
            if if wins { self.wins(state, fewer)? } else { self.loses(state, fewer)? } {
                return Some(fewer);
            }
        }
        Some(plies)
    }

    /// Whether the side to move wins within `plies`; `None` if it takes too
    /// long to say.
    pub(crate) fn wins(&mut self, state: State, plies: u32) -> Option<bool> {
        if plies == 0 || state.can_win() {
            return Some(plies > 0);
        }
        if plies == 1 {
            return Some(false);
        }
        for mv in state.moves() {
            let next = state.played(mv);
            if next.end().is_none() && self.loses(next, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side to move loses within `plies`; `None` if it takes too
    /// long to say.
    pub(crate) fn loses(&mut self, state: State, plies: u32) -> Option<bool> {
        self.limiter.visit();
        if self.limiter.stopped() || self.limiter.nodes() >= self.mates_end {
            return None;
        }
        if plies == 0 || state.can_win() {
            return Some(false);
        }
        // What saved the side to move elsewhere mostly does so here.
        let slot = (plies as usize).min(self.refutations.len() - 1);
        let first = self.refutations[slot].filter(|&mv| state.allows(mv));
        for mv in first.into_iter().chain(state.moves().filter(|&mv| Some(mv) != first)) {
            let next = state.played(mv);
            let lost = match next.end() {
                Some(End::Lost) => true,
                Some(_) => false,
                None => self.wins(next, plies - 1)?,
            };
            if !lost {
                self.refutations[slot] = Some(mv);
                return Some(false);
            }
        }
        Some(true)
    }
}
