//! True distances: is there a win, or a loss, within so many plies?
//!
//! Exhaustive, so that "no" is as good as "yes". What the other side can do at
//! once is left to [`scan`](super::scan), hence three plies cost no more than
//! one look at each move. Counted and stopped like any other search; stopped,
//! the answer means nothing.

use pentad_sdk::search::primitives::{NodeResult, is_loss, is_win, rank};

use crate::alphabeta::deepen::Deepening;
use crate::alphabeta::masks::{Masks, common, distinct, move_of};
use crate::alphabeta::root::RootMove;
use crate::alphabeta::state::{After, State};
use crate::alphabeta::value::plies;
use crate::alphabeta::worker::Worker;
use crate::moves::Move;
use crate::variant::Edition;

/// Nodes that true distances may always cost, and how many times those so far.
const CONFIRM_NODES: u64 = 50_000;
const CONFIRM_FACTOR: u64 = 2;

impl Deepening<'_> {
    /// Makes the distances of the lines true: no win may be nearer, no loss
    /// further away than they say.
    pub(crate) fn confirm(&mut self) {
        let quota = self.worker.limiter.quota();
        let nodes = self.worker.limiter.nodes();
        self.worker.limiter.set_quota(quota.min(nodes + CONFIRM_NODES + CONFIRM_FACTOR * nodes));
        if !self.worker.limiter.stopped() {
            self.summary.is_true_distance = self.confirm_best();
            for idx in 1..self.summary.n_lines.min(self.moves.len()) {
                confirm_move(&mut self.worker, &mut self.moves[idx]);
            }
            rank(&mut self.moves);
        }
    }

    /// Whether the distance of the best line is true, for the position too.
    fn confirm_best(&mut self) -> bool {
        if is_win(self.moves[0].value) {
            return self.nearest_win();
        }
        // Of losses the furthest counts; one that is nearer than thought makes
        // room for the next.
        while is_loss(self.moves[0].value) && !self.moves[0].is_true_distance {
            if !confirm_move(&mut self.worker, &mut self.moves[0]) {
                return false;
            }
            rank(&mut self.moves);
        }
        true
    }

    /// Looks for a nearer win than the best line, nearest first.
    fn nearest_win(&mut self) -> bool {
        let Some(found) = plies(self.moves[0].value) else { return false };
        // All wins within two plies have been seen at first sight.
        for distance in 3..found {
            for idx in 0..self.moves.len() {
                let After::Goes(next) = self.moves[idx].after else { continue };
                let nearer = self.worker.loses_within(next, distance - 1);
                if self.worker.limiter.stopped() {
                    return false;
                }
                if nearer {
                    let mv = &mut self.moves[idx];
                    (mv.value, mv.proven) = (NodeResult::win(distance).value, NodeResult::win(distance).proven);
                    mv.is_true_distance = true;
                    self.moves[..=idx].rotate_right(1);
                    rank(&mut self.moves);
                    return true;
                }
            }
        }
        self.moves[0].is_true_distance = true;
        true
    }
}

/// Makes the distance of one decided move true, and says whether it is.
fn confirm_move(worker: &mut Worker<'_>, mv: &mut RootMove) -> bool {
    if mv.is_true_distance || !mv.is_decided() {
        return true;
    }
    let (After::Goes(next), Some(found)) = (mv.after, plies(mv.value)) else { return false };
    for distance in 3..found {
        let nearer = if is_win(mv.value) {
            worker.loses_within(next, distance - 1)
        } else {
            worker.wins_within(next, distance - 1)
        };
        if worker.limiter.stopped() {
            return false;
        }
        if nearer {
            let found = if is_win(mv.value) { NodeResult::win(distance) } else { NodeResult::loss(distance) };
            mv.value = found.value;
            break;
        }
    }
    mv.is_true_distance = true;
    true
}

impl Worker<'_> {
    /// Whether the side to move wins within `plies`, one at least.
    pub(crate) fn wins_within(&mut self, state: State, plies: u32) -> bool {
        self.limiter.visit();
        if self.rules.glance(state).may_win
            && let Some((_, found)) = self.rules.quick_win(state)
        {
            return found <= plies;
        }
        if plies < 3 {
            return false;
        }
        // A win that is no threat needs a side that may not pass: rare.
        let scan = self.rules.scan::<true>(state);
        let moves = common(&scan.safe, &distinct(self.rules, state));
        let forcing = common(&moves, &scan.threats);
        let quiet: Masks = std::array::from_fn(|turn| moves[turn] & !forcing[turn]);
        [forcing, quiet].iter().any(|masks| {
            self.any_move(masks, |worker, mv| match worker.rules.after(state, mv) {
                // Had it won, that would have been a quick win.
                After::Over(_) => false,
                After::Goes(next) => worker.loses_within(next, plies - 1),
            })
        })
    }

    /// Whether the side to move loses within `plies`, two at least, whatever
    /// it does.
    pub(crate) fn loses_within(&mut self, state: State, plies: u32) -> bool {
        self.limiter.visit();
        if self.rules.glance(state).may_win && self.rules.quick_win(state).is_some() {
            return false;
        }
        let scan = self.rules.scan::<false>(state);
        // In the Czech edition a safe move may still lose to the next one.
        if plies < 3 && self.rules.edition != Edition::Czech {
            return !scan.any_safe();
        }
        !self.any_move(&common(&scan.safe, &distinct(self.rules, state)), |worker, mv| {
            match worker.rules.after(state, mv) {
                After::Over(found) => !is_loss(found.value),
                After::Goes(next) => !worker.wins_within(next, plies - 1),
            }
        })
    }

    /// Whether `f` says yes to a move; no if stopped.
    fn any_move(&mut self, masks: &Masks, mut f: impl FnMut(&mut Self, Move) -> bool) -> bool {
        for (turn, mut rest) in masks.iter().copied().enumerate() {
            while rest != 0 {
                if self.limiter.stopped() {
                    return false;
                }
                if f(self, move_of(turn, rest)) {
                    return true;
                }
                rest &= rest - 1;
            }
        }
        false
    }
}
