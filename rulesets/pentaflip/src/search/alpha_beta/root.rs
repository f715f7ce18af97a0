//! Root moves: their evaluation and their reported lines.

use pentad_sdk::search::primitives::{self, NodeResult, RootWorker, Summary, plies};

use crate::moves::Move;
use crate::position::RelativePosition;
use crate::search::alpha_beta::move_loop::Successor;
use crate::search::alpha_beta::node::{estimate, forced_loss};
use crate::search::alpha_beta::worker::{PLIES_MAX, Worker};

/// A root move with its successor.
pub(crate) type RootMove = primitives::RootMove<Move, Successor>;

impl RootWorker for Worker<'_> {
    /// Uses the static evaluation, unless the next two plies are decisive.
    fn evaluate_reply(&mut self, position: RelativePosition) -> (NodeResult, bool) {
        if let Some(reply) = position.winning_move() {
            self.stack.pv[1].push(reply);
            return (NodeResult::win(1), true);
        }
        match forced_loss(position) {
            Some(result) => (result, true),
            None => (NodeResult::estimate(estimate(position, 1)), false),
        }
    }

    fn begin_iteration(&mut self, depth: u32) {
        self.extension_plies_max = 2 * depth as usize;
    }

    fn root_reduction(depth: u32, n_searched: usize) -> i32 {
        i32::from(depth >= 4 && n_searched >= 6)
    }

    fn confirm_distances(&mut self, moves: &mut [RootMove], summary: &mut Summary) {
        self.confirm_mates(moves, summary);
    }

    /// Extends the line by moves of the transposition table, and by any reply if all
    /// lose to the next move, up to the end of the game or the first repetition.
    fn extended_pv(&self, mv: &RootMove) -> Vec<Move> {
        let mut pv = mv.pv.clone();
        let n_max = if mv.is_decided() { plies(mv.value) as usize } else { PLIES_MAX };
        let (mut reached, mut seen) = (mv.after, Vec::new());
        for at in 1..n_max.max(pv.len()) {
            let Successor::Ongoing(position) = reached else { break };
            seen.push(position.key());
            if at == pv.len() {
                let tt_move = || Move::from_index(self.table.probe(self.key(position, at)).move_idx.into());
                let reply = || if mv.is_decided() { lost_reply(position) } else { None };
                let is_new = |&next: &Move| !seen.contains(&position.play_unchecked(next).key());
                let next = position.winning_move().or_else(reply).or_else(tt_move);
                let Some(next) = next.filter(|&next| position.is_legal(next)).filter(is_new) else { break };
                pv.push(next);
            }
            reached = position.successor(pv[at]);
        }
        pv
    }
}

/// Returns a move that does not end the game, if the side to move has no win in one and
/// loses at once whatever it does.
fn lost_reply(position: RelativePosition) -> Option<Move> {
    forced_loss(position)?;
    let placements = position.placements().iter().map(Move::place);
    let flips = position.flips().map(Move::flip);
    placements.chain(flips).find(|&reply| position.play_unchecked(reply).outcome_for_last_mover().is_none())
}
