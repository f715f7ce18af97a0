//! Chooses among the moves of a node: all of them at the last ply, best first
//! before it.

use pentad_sdk::search::primitives::{BestMove, NodeResult, Window, is_loss};

use crate::alphabeta::masks::{common, contains, distinct, each_move, move_of};
use crate::alphabeta::ordering::{Candidate, MoveList};
use crate::alphabeta::scan::Scan;
use crate::alphabeta::state::{After, State};
use crate::alphabeta::worker::Worker;
use crate::moves::Move;

/// A move that threatens looks better by so much.
const FORCING_BONUS: i32 = 150;
/// Moves tried before later ones are searched a ply less deep, two and three.
const LATE: [usize; 3] = [4, 16, 64];

impl Worker<'_> {
    /// The last ply before the horizon: every move is looked at once, in no
    /// order but for those that did well elsewhere.
    pub(crate) fn frontier(
        &mut self,
        state: State,
        window: Window,
        ply: usize,
        scan: &Scan,
        hint: Option<Move>,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let killers = *self.history.killers(ply);
        for mv in [hint, killers[0], killers[1]].into_iter().flatten() {
            if !contains(&scan.safe, mv) {
                continue;
            }
            let found = self.step_to_leaf(state, mv, ply);
            if self.update_best(&mut best, found, mv, window, ply) {
                return best.result(false);
            }
        }
        for (turn, mut rest) in common(&scan.safe, &distinct(self.rules, state)).into_iter().enumerate() {
            while rest != 0 {
                let mv = move_of(turn, rest);
                rest &= rest - 1;
                let found = self.step_to_leaf(state, mv, ply);
                if self.limiter.stopped() {
                    return (NodeResult::ABORTED, None);
                }
                if self.update_best(&mut best, found, mv, window, ply) {
                    return best.result(false);
                }
            }
        }
        best.result(true)
    }

    #[inline]
    fn step_to_leaf(&mut self, state: State, mv: Move, ply: usize) -> NodeResult {
        self.limiter.visit();
        self.lines[ply + 1].clear();
        match self.rules.after(state, mv) {
            After::Over(found) => found,
            After::Goes(next) => self.leaf(next, ply + 1).for_parent(),
        }
    }

    /// Takes a move's value over; whether it refutes the move before.
    fn update_best(
        &mut self,
        best: &mut BestMove<Move>,
        found: NodeResult,
        mv: Move,
        window: Window,
        ply: usize,
    ) -> bool {
        let refutes = best.update(found, &mv, window.beta, &mut self.lines[ply..]);
        if refutes {
            self.history.record_cutoff(ply, ply, &mv, mv.index(), window.depth);
        }
        refutes
    }

    /// Tries the moves, best first, until one refutes the move before.
    pub(crate) fn moves(
        &mut self,
        state: State,
        window: Window,
        ply: usize,
        scan: &Scan,
        hint: Option<Move>,
        threatened: bool,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let hint = hint.filter(|&mv| contains(&scan.safe, mv));
        if let Some(mv) = hint {
            self.limiter.visit();
            self.lines[ply + 1].clear();
            let found = match self.rules.after(state, mv) {
                After::Over(found) => found,
                After::Goes(next) => self.node(next, window.flipped(1), ply + 1, true).for_parent(),
            };
            if self.limiter.stopped() {
                return (NodeResult::ABORTED, None);
            }
            if self.update_best(&mut best, found, mv, window, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.list(state, scan, hint, ply, &mut list);
        let mut refuted = false;
        for n_tried in usize::from(hint.is_some()).. {
            let Some(candidate) = list.pick() else { break };
            let window = Window { alpha: best.alpha, ..window };
            let found = self.attempt(&candidate, window, ply, n_tried, threatened);
            if self.limiter.stopped() {
                break;
            }
            if self.update_best(&mut best, found, candidate.mv, window, ply) {
                refuted = true;
                break;
            }
        }
        self.lists[ply] = list;
        best.result(!refuted)
    }

    /// Lists the moves that do not lose at once, with what they look like.
    fn list(&mut self, state: State, scan: &Scan, hint: Option<Move>, ply: usize, list: &mut MoveList) {
        list.clear();
        each_move(&common(&scan.safe, &distinct(self.rules, state)), |turn, bit| {
            let mv = move_of(turn, bit.0);
            if Some(mv) == hint || self.limiter.stopped() {
                return;
            }
            self.limiter.visit();
            let after = self.rules.after(state, mv);
            let value = match after {
                After::Over(found) => found.value,
                After::Goes(next) => -self.rules.glance(next).value,
            };
            let forcing = scan.threats[turn] & bit.0 != 0;
            let score = value + self.history.bonus(ply, ply, &mv, mv.index()) + if forcing { FORCING_BONUS } else { 0 };
            list.moves.push(Candidate { score, mv, after, forcing });
        });
    }

    /// One move: the first with the whole window, the others with a null
    /// window, late ones less deep, and again if they turn out better.
    fn attempt(
        &mut self,
        candidate: &Candidate,
        window: Window,
        ply: usize,
        n_tried: usize,
        threatened: bool,
    ) -> NodeResult {
        let next = match candidate.after {
            After::Over(found) => {
                self.lines[ply + 1].clear();
                return found;
            }
            After::Goes(next) => next,
        };
        self.limiter.visit();
        if n_tried == 0 {
            return self.node(next, window.flipped(1), ply + 1, true).for_parent();
        }
        let less =
            if threatened || is_loss(window.alpha) { 0 } else { reduction(window.depth, n_tried, candidate.forcing) };
        window.search_later_move(less, |window| self.node(next, window, ply + 1, true).for_parent())
    }
}

/// Plies less for a late move that does not threaten.
fn reduction(depth: i32, n_tried: usize, forcing: bool) -> i32 {
    if depth < 2 || forcing {
        return 0;
    }
    let less = LATE.iter().filter(|&&late| n_tried >= late).count() as i32;
    less.min(depth - 1)
}
