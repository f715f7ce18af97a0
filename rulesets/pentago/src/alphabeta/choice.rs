//! Chooses among the moves of a node: all of them at the last ply, best first
//! before it.

use pentad_sdk::search::alphabeta::{Aim, Best, Found, is_loss};

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
        aim: Aim,
        ply: usize,
        scan: &Scan,
        hint: Option<Move>,
    ) -> (Found, Option<Move>) {
        let mut best = Best::new(aim.alpha);
        let killers = *self.memory.killers(ply);
        for mv in [hint, killers[0], killers[1]].into_iter().flatten() {
            if !contains(&scan.safe, mv) {
                continue;
            }
            let found = self.step_to_leaf(state, mv, ply);
            if self.take(&mut best, found, mv, aim, ply) {
                return best.result(false);
            }
        }
        for (turn, mut rest) in common(&scan.safe, &distinct(self.rules, state)).into_iter().enumerate() {
            while rest != 0 {
                let mv = move_of(turn, rest);
                rest &= rest - 1;
                let found = self.step_to_leaf(state, mv, ply);
                if self.watch.stopped() {
                    return (Found::NOTHING, None);
                }
                if self.take(&mut best, found, mv, aim, ply) {
                    return best.result(false);
                }
            }
        }
        best.result(true)
    }

    #[inline]
    fn step_to_leaf(&mut self, state: State, mv: Move, ply: usize) -> Found {
        self.watch.visit();
        self.lines[ply + 1].clear();
        match self.rules.after(state, mv) {
            After::Over(found) => found,
            After::Goes(next) => self.leaf(next, ply + 1).seen_from_parent(),
        }
    }

    /// Takes a move's value over; whether it refutes the move before.
    fn take(&mut self, best: &mut Best<Move>, found: Found, mv: Move, aim: Aim, ply: usize) -> bool {
        let refutes = best.take(found, &mv, aim.beta, &mut self.lines[ply..]);
        if refutes {
            self.memory.praise(ply, ply, &mv, mv.index(), aim.depth);
        }
        refutes
    }

    /// Tries the moves, best first, until one refutes the move before.
    pub(crate) fn moves(
        &mut self,
        state: State,
        aim: Aim,
        ply: usize,
        scan: &Scan,
        hint: Option<Move>,
        threatened: bool,
    ) -> (Found, Option<Move>) {
        let mut best = Best::new(aim.alpha);
        let hint = hint.filter(|&mv| contains(&scan.safe, mv));
        if let Some(mv) = hint {
            self.watch.visit();
            self.lines[ply + 1].clear();
            let found = match self.rules.after(state, mv) {
                After::Over(found) => found,
                After::Goes(next) => self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent(),
            };
            if self.watch.stopped() {
                return (Found::NOTHING, None);
            }
            if self.take(&mut best, found, mv, aim, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.list(state, scan, hint, ply, &mut list);
        let mut refuted = false;
        for n_tried in usize::from(hint.is_some()).. {
            let Some(candidate) = list.pick() else { break };
            let aim = Aim { alpha: best.alpha, ..aim };
            let found = self.attempt(&candidate, aim, ply, n_tried, threatened);
            if self.watch.stopped() {
                break;
            }
            if self.take(&mut best, found, candidate.mv, aim, ply) {
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
            if Some(mv) == hint || self.watch.stopped() {
                return;
            }
            self.watch.visit();
            let after = self.rules.after(state, mv);
            let value = match after {
                After::Over(found) => found.value,
                After::Goes(next) => -self.rules.glance(next).value,
            };
            let forcing = scan.threats[turn] & bit.0 != 0;
            let score = value + self.memory.bonus(ply, ply, &mv, mv.index()) + if forcing { FORCING_BONUS } else { 0 };
            list.moves.push(Candidate { score, mv, after, forcing });
        });
    }

    /// One move: the first with the whole window, the others with a null
    /// window, late ones less deep, and again if they turn out better.
    fn attempt(&mut self, candidate: &Candidate, aim: Aim, ply: usize, n_tried: usize, threatened: bool) -> Found {
        let next = match candidate.after {
            After::Over(found) => {
                self.lines[ply + 1].clear();
                return found;
            }
            After::Goes(next) => next,
        };
        self.watch.visit();
        if n_tried == 0 {
            return self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent();
        }
        let less = if threatened || is_loss(aim.alpha) { 0 } else { reduction(aim.depth, n_tried, candidate.forcing) };
        aim.attempt(less, |aim| self.node(next, aim, ply + 1, true).seen_from_parent())
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
