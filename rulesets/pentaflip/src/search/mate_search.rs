//! Mate search: the true distance of a proven win or loss, by exhaustive search.
//!
//! The main search proves wins and losses at any distance. Here shorter ones are
//! excluded, ply by ply, until the node limit is reached. A side may also win by
//! a move of its opponent, so even and odd numbers of plies are both searched.
//! All functions return `None` when the node limit is reached.

use pentad_sdk::Wdl;

use super::worker::Worker;
use crate::position::RelativePosition;

impl Worker<'_> {
    /// The fewest plies in which the side to move wins (or, if `wins` is false,
    /// loses), given that it does so within `plies`.
    pub(crate) fn mate_distance(&mut self, position: RelativePosition, wins: bool, plies: u32) -> Option<u32> {
        for fewer in 1..plies {
            if if wins { self.wins_within(position, fewer)? } else { self.loses_within(position, fewer)? } {
                return Some(fewer);
            }
        }
        Some(plies)
    }

    /// Whether the side to move wins within `plies`.
    fn wins_within(&mut self, position: RelativePosition, plies: u32) -> Option<bool> {
        if plies == 0 || position.has_winning_move() {
            return Some(plies > 0);
        }
        if plies == 1 {
            return Some(false);
        }
        for mv in position.moves() {
            let next = position.play_unchecked(mv);
            if next.outcome_for_last_mover().is_none() && self.loses_within(next, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side to move loses within `plies`.
    pub(crate) fn loses_within(&mut self, position: RelativePosition, plies: u32) -> Option<bool> {
        self.limiter.visit();
        if self.limiter.stopped() || self.limiter.nodes() >= self.mate_search_nodes_end {
            return None;
        }
        if plies == 0 || position.has_winning_move() {
            return Some(false);
        }
        // The move that refuted the last mate of this length mostly refutes this one.
        let slot = (plies as usize).min(self.mate_refutations.len() - 1);
        let first = self.mate_refutations[slot].filter(|&mv| position.is_legal(mv));
        for mv in first.into_iter().chain(position.moves().filter(|&mv| Some(mv) != first)) {
            let next = position.play_unchecked(mv);
            let lost = match next.outcome_for_last_mover() {
                Some(Wdl::Loss) => true,
                Some(_) => false,
                None => self.wins_within(next, plies - 1)?,
            };
            if !lost {
                self.mate_refutations[slot] = Some(mv);
                return Some(false);
            }
        }
        Some(true)
    }
}
