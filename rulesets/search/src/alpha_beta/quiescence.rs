//! Quiescence: the forcing moves beyond the horizon.
//!
//! The side to move may always decline and take the static evaluation. So a loss is
//! never claimed here, since not all moves are searched, and a win only for a searched
//! move.

use crate::alpha_beta::node::static_value;
use crate::alpha_beta::worker::{STEPS_MAX, Worker};
use crate::game::Game;
use crate::primitives::{NodeResult, Proven};

impl<G: Game> Worker<'_, G> {
    /// Searches a position at the horizon. The caller has already checked
    /// [`winning_move`](Game::winning_move).
    pub(crate) fn quiescence(
        &mut self,
        position: &G::Position,
        alpha: i32,
        beta: i32,
        step: usize,
        turns: i32,
    ) -> NodeResult {
        let mut best = NodeResult::estimate(static_value(self.game, position));
        if best.value >= beta || turns == 0 || step >= STEPS_MAX || self.limiter.stopped() {
            return best;
        }
        let mut list = std::mem::take(&mut self.lists[step]);
        list.clear();
        self.game.forcing_moves(position, &mut list.moves);
        let mut alpha = alpha.max(best.value);
        for mv in &list.moves {
            let result = self.force(position, mv, alpha, beta, step, turns);
            if self.limiter.stopped() {
                break;
            }
            best.proven = best.proven.union(result.proven.intersection(Proven::NOT_LOST));
            if result.value > best.value {
                best.value = result.value;
                if result.value > alpha {
                    alpha = result.value;
                    self.update_pv(step, mv);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.lists[step] = list;
        best.value = best.proven.clamp(best.value);
        best
    }

    fn force(
        &mut self,
        position: &G::Position,
        mv: &G::Move,
        alpha: i32,
        beta: i32,
        step: usize,
        turns: i32,
    ) -> NodeResult {
        let next = self.step(position, mv);
        self.lines[step + 1].clear();
        if let Some(result) = next.over {
            return result;
        }
        let result = if let Some(reply) = self.game.winning_move(&next.position) {
            self.lines[step + 1].push(reply);
            NodeResult::win(1)
        } else {
            let (alpha, beta) = next.window(alpha, beta);
            self.quiescence(&next.position, alpha, beta, step + 1, turns - i32::from(next.turn))
        };
        next.seen_before(result)
    }
}
