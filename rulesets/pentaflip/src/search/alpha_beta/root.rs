//! Root moves: their first values, their search, and their lines as reported.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{self, NodeResult, RootWorker, Summary, Window, is_loss, plies};

use crate::moves::Move;
use crate::position::RelativePosition;
use crate::search::alpha_beta::node::{estimate, forced_loss};
use crate::search::alpha_beta::worker::{PLIES_MAX, Worker};

/// A root move, with the position after it.
pub(crate) type RootMove = primitives::RootMove<Move, RelativePosition>;

impl RootWorker for Worker<'_> {
    type Move = Move;
    type After = RelativePosition;

    fn limiter(&self) -> &Limiter<'_, Move> {
        &self.limiter
    }

    fn root_pv(&self) -> &[Move] {
        &self.stack.pv[1]
    }

    /// By the static evaluation, or by what the next two plies decide.
    fn evaluate_root_move(&mut self, after: &RelativePosition) -> (NodeResult, bool) {
        self.limiter.visit();
        self.stack.pv[1].clear();
        if let Some(outcome) = after.outcome_for_last_mover() {
            return (NodeResult::terminal(outcome), true);
        }
        if let Some(reply) = after.winning_move() {
            self.stack.pv[1].push(reply);
            return (NodeResult::win(1).for_parent(), true);
        }
        match forced_loss(*after) {
            Some(result) => (result.for_parent(), true),
            None => (NodeResult::estimate(estimate(*after, 1)).for_parent(), false),
        }
    }

    fn begin_iteration(&mut self, depth: u32) {
        self.extension_plies_max = 2 * depth as usize;
    }

    fn search_root_move(&mut self, after: &RelativePosition, alpha: i32, depth: u32, n_searched: usize) -> NodeResult {
        self.stack.pv[1].clear();
        if let Some(outcome) = after.outcome_for_last_mover() {
            return NodeResult::terminal(outcome);
        }
        self.limiter.visit();
        let reduction = i32::from(depth >= 4 && n_searched >= 6 && !is_loss(alpha));
        Window::search_root_move(alpha, depth, reduction, |window| {
            self.search_node(*after, window, 1, true).for_parent()
        })
    }

    fn confirm_distances(&mut self, moves: &mut [RootMove], summary: &mut Summary) {
        self.confirm_mates(moves, summary);
    }

    /// Extended by moves of the transposition table, and by any reply where all lose to
    /// the next move, up to the end of the game or the first repetition.
    fn extended_pv(&self, mv: &RootMove) -> Vec<Move> {
        let mut pv = mv.pv.clone();
        let (mut position, mut seen) = (mv.after, vec![mv.after.key()]);
        let n_max = if mv.is_decided() { plies(mv.value) as usize } else { PLIES_MAX };
        for at in 1.. {
            if position.outcome_for_last_mover().is_some() || at >= n_max.max(pv.len()) {
                break;
            }
            let next = match pv.get(at) {
                Some(&next) => next,
                None => {
                    let tt_move = || Move::from_index(self.table.probe(self.key(position, at)).move_idx.into());
                    let reply = || if mv.is_decided() { lost_reply(position) } else { None };
                    let next = position.winning_move().or_else(reply).or_else(tt_move);
                    let next = next.filter(|&next| position.is_legal(next));
                    let Some(next) = next.filter(|&next| !seen.contains(&position.play_unchecked(next).key())) else {
                        break;
                    };
                    pv.push(next);
                    next
                }
            };
            position = position.play_unchecked(next);
            seen.push(position.key());
        }
        pv
    }
}

/// Some move that does not end the game, if the side to move has no win in one and
/// loses at once whatever it does.
fn lost_reply(position: RelativePosition) -> Option<Move> {
    forced_loss(position)?;
    let placements = position.placements().iter().map(Move::place);
    let flips = position.flips().map(Move::flip);
    placements.chain(flips).find(|&reply| position.play_unchecked(reply).outcome_for_last_mover().is_none())
}
