//! Mate search: the true distance of a proven win or loss, by exhaustive search.
//!
//! The main search proves wins and losses at any distance. Here shorter ones are
//! excluded, ply by ply, until the node limit is reached. A side may also win by
//! a move of its opponent, so even and odd numbers of plies are both searched.
//! All functions return `None` when the node limit is reached.

use pentad_sdk::Wdl;
use pentad_sdk::search::primitives::{NodeResult, NodeSearch, RootWorker, Summary, is_loss, is_win, plies, rank};

use crate::position::RelativePosition;
use crate::search::alpha_beta::move_loop::Successor;
use crate::search::alpha_beta::root::RootMove;
use crate::search::alpha_beta::worker::Worker;

/// Node limit: this many, and this many times the nodes of the preceding search.
const MATE_SEARCH_NODES: u64 = 100_000;
const MATE_SEARCH_FACTOR: u64 = 2;

impl Worker<'_> {
    /// Finds the true distances of the lines and with them that of the position:
    /// no win may be shorter and no loss longer. The moves are ranked, and the
    /// lines proven.
    pub(crate) fn confirm_mates(&mut self, moves: &mut [RootMove], summary: &mut Summary) {
        self.mate_search_nodes_end = self.limiter.nodes() * (1 + MATE_SEARCH_FACTOR) + MATE_SEARCH_NODES;
        if is_win(moves[0].value) {
            summary.is_true_distance = self.confirm_win(moves).is_some();
        } else if is_loss(moves[0].value) {
            // Every move loses; the longest loss is best.
            let n_true = moves.iter_mut().filter_map(|mv| self.confirm_move(mv)).count();
            summary.is_true_distance = n_true == moves.len();
        }
        rank(moves);
        for mv in moves.iter_mut().take(summary.n_lines).filter(|mv| mv.is_decided()) {
            let _at_node_limit = self.confirm_move(mv).and_then(|()| self.complete_win_in_five(mv));
        }
        if moves[0].is_true_distance && moves[0].is_decided() {
            summary.depth = summary.depth.max(plies(moves[0].value));
        }
    }

    /// Finds the true distance of the best win, and whether another move wins
    /// sooner.
    fn confirm_win(&mut self, moves: &mut [RootMove]) -> Option<()> {
        self.confirm_move(&mut moves[0])?;
        for fewer in 1..plies(moves[0].value) {
            for mv in moves.iter_mut().skip(1).filter(|mv| !is_loss(mv.value)) {
                let Successor::Ongoing(next) = mv.after else { continue };
                if self.loses_within(next, fewer - 1)? {
                    let result = NodeResult::win(fewer);
                    (mv.value, mv.is_true_distance) = (result.value, true);
                    mv.proven = mv.proven.union(result.proven);
                    mv.update_pv(&[]);
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// Finds the true distance of a proven win or loss.
    fn confirm_move(&mut self, mv: &mut RootMove) -> Option<()> {
        if !mv.is_true_distance
            && let Successor::Ongoing(next) = mv.after
        {
            let wins = is_win(mv.value);
            let distance = 1 + self.mate_distance(next, !wins, plies(mv.value) - 1)?;
            if distance != plies(mv.value) {
                // The line belongs to the longer distance.
                mv.update_pv(&[]);
            }
            mv.value = NodeResult::proven(if wins { Wdl::Win } else { Wdl::Loss }, distance).value;
        }
        mv.is_true_distance = true;
        Some(())
    }

    /// Finds the moves of a win in five plies whose line does not lead to the end.
    fn complete_win_in_five(&mut self, mv: &mut RootMove) -> Option<()> {
        let is_due = is_win(mv.value) && mv.is_true_distance && plies(mv.value) == 5;
        let Successor::Ongoing(after) = mv.after else { return Some(()) };
        if !is_due || self.leads_to_end(after, &self.extended_pv(mv)[1..], 4) {
            return Some(());
        }
        for reply in after.moves() {
            let Successor::Ongoing(next) = after.successor(reply) else { continue };
            if self.wins_within(next, 2)? {
                continue;
            }
            for answer in next.moves() {
                let Successor::Ongoing(lost) = next.successor(answer) else { continue };
                if self.loses_within(lost, 2)? {
                    mv.update_pv(&[reply, answer]);
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// Returns the fewest plies in which the side to move wins (or, if `wins` is false,
    /// loses), given that it does so within `plies`.
    fn mate_distance(&mut self, position: RelativePosition, wins: bool, plies: u32) -> Option<u32> {
        for fewer in 1..plies {
            if if wins { self.wins_within(position, fewer)? } else { self.loses_within(position, fewer)? } {
                return Some(fewer);
            }
        }
        Some(plies)
    }

    /// Returns whether the side to move wins within `plies`.
    fn wins_within(&mut self, position: RelativePosition, plies: u32) -> Option<bool> {
        if plies == 0 || position.has_winning_move() {
            return Some(plies > 0);
        }
        if plies == 1 {
            return Some(false);
        }
        for mv in position.moves() {
            if let Successor::Ongoing(next) = position.successor(mv)
                && self.loses_within(next, plies - 1)?
            {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns whether the side to move loses within `plies`.
    fn loses_within(&mut self, position: RelativePosition, plies: u32) -> Option<bool> {
        self.limiter.visit();
        if self.limiter.stopped() || self.limiter.nodes() >= self.mate_search_nodes_end {
            return None;
        }
        if plies == 0 || position.has_winning_move() {
            return Some(false);
        }
        // The move that refuted the last mate of this length usually refutes this one.
        let slot = (plies as usize).min(self.mate_refutations.len() - 1);
        let first = self.mate_refutations[slot].filter(|&mv| position.is_legal(mv));
        for mv in first.into_iter().chain(position.moves().filter(|&mv| Some(mv) != first)) {
            let lost = match position.successor(mv) {
                Successor::Terminal(result) => is_loss(result.value),
                Successor::Ongoing(next) => self.wins_within(next, plies - 1)?,
            };
            if !lost {
                self.mate_refutations[slot] = Some(mv);
                return Some(false);
            }
        }
        Some(true)
    }
}
