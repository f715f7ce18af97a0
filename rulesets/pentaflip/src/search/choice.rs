//! Chooses among the moves of a node: all of them at the last ply, best first
//! before it.

use pentad_sdk::search::alphabeta::{Aim, Best, Found, is_loss};

use crate::moves::Move;
use crate::search::ordering::{Candidate, MoveList};
use crate::search::value::over;
use crate::search::worker::Worker;
use crate::state::State;

/// A move that threatens looks better by so much.
const FORCING_BONUS: i32 = 100;
/// Moves tried before later ones are searched a ply less deep, and two.
const LATE: [usize; 2] = [3, 9];

impl Worker<'_> {
    /// The last ply before the horizon: every move is looked at once, in no
    /// order but for those that did well elsewhere.
    pub(crate) fn frontier(&mut self, state: State, aim: Aim, ply: usize, hint: Option<Move>) -> (Found, Option<Move>) {
        let mut best = Best::new(aim.alpha);
        let killers = *self.memory.killers(ply);
        let mut tried = [None; 3];
        for (slot, mv) in [hint, killers[0], killers[1]].into_iter().enumerate() {
            let Some(mv) = mv.filter(|&mv| !tried.contains(&Some(mv)) && state.allows(mv)) else { continue };
            tried[slot] = Some(mv);
            let found = self.step(state, mv, Aim { alpha: best.alpha, ..aim }, ply);
            if self.take(&mut best, found, mv, aim, ply) || self.watch.stopped() {
                return best.result(false);
            }
        }
        for mv in state.moves() {
            if tried.contains(&Some(mv)) {
                continue;
            }
            let found = self.step(state, mv, Aim { alpha: best.alpha, ..aim }, ply);
            if self.take(&mut best, found, mv, aim, ply) || self.watch.stopped() {
                return best.result(false);
            }
        }
        best.result(true)
    }

    /// Plays a move and values what it leads to, for the one who played it.
    fn step(&mut self, state: State, mv: Move, aim: Aim, ply: usize) -> Found {
        self.watch.visit();
        self.lines[ply + 1].clear();
        let next = state.played(mv);
        match next.end() {
            Some(end) => over(end),
            None => self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent(),
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
        hint: Option<Move>,
        threatened: bool,
    ) -> (Found, Option<Move>) {
        let mut best = Best::new(aim.alpha);
        let hint = hint.filter(|&mv| state.allows(mv));
        if let Some(mv) = hint {
            let found = self.step(state, mv, aim, ply);
            if self.watch.stopped() {
                return (Found::NOTHING, None);
            }
            if self.take(&mut best, found, mv, aim, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let refuted = self.list(state, hint, ply, &mut list, &mut best, aim);
        let mut complete = !refuted;
        let first = usize::from(hint.is_some());
        for n_tried in first.. {
            if refuted {
                break;
            }
            let Some(candidate) = list.pick() else { break };
            let aim = Aim { alpha: best.alpha, ..aim };
            let found = self.attempt(&candidate, aim, ply, n_tried, threatened);
            if self.watch.stopped() || self.take(&mut best, found, candidate.mv, aim, ply) {
                complete = false;
                break;
            }
        }
        self.lists[ply] = list;
        best.result(complete)
    }

    /// Lists the moves that do not lose to the next one, with what they look
    /// like. Those that do, and those that end the game, are taken at once; true
    /// if that refutes the move before, or the search is stopped.
    fn list(
        &mut self,
        state: State,
        hint: Option<Move>,
        ply: usize,
        list: &mut MoveList,
        best: &mut Best<Move>,
        aim: Aim,
    ) -> bool {
        list.clear();
        for mv in state.moves() {
            if Some(mv) == hint {
                continue;
            }
            self.watch.visit();
            if self.watch.stopped() {
                return true;
            }
            let next = state.played(mv);
            self.lines[ply + 1].clear();
            let at_once = match next.end() {
                Some(end) => Some(over(end)),
                None => next.win_in_one().map(|reply| {
                    self.lines[ply + 1].push(reply);
                    Found::loss(2)
                }),
            };
            if let Some(found) = at_once {
                if self.take(best, found, mv, aim, ply) {
                    return true;
                }
                continue;
            }
            let forcing = next.passed().can_win();
            let bonus = if forcing { FORCING_BONUS } else { 0 };
            let score = self.memory.bonus(ply, ply, &mv, mv.index()) + bonus - next.value();
            list.moves.push(Candidate { score, mv, next, forcing });
        }
        false
    }

    /// One move: the first with the whole window, the others with a null
    /// window, late ones less deep, and again if they turn out better.
    fn attempt(&mut self, candidate: &Candidate, aim: Aim, ply: usize, n_tried: usize, threatened: bool) -> Found {
        let next = candidate.next;
        self.watch.visit();
        if n_tried == 0 {
            return self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent();
        }
        let quiet = !threatened && !candidate.forcing && !is_loss(aim.alpha);
        let less = if quiet { reduction(aim.depth, n_tried) } else { 0 };
        aim.attempt(less, |aim| self.node(next, aim, ply + 1, true).seen_from_parent())
    }
}

/// Plies less for a late move that does not threaten.
fn reduction(depth: i32, n_tried: usize) -> i32 {
    if depth < 3 {
        return 0;
    }
    let less = LATE.iter().filter(|&&late| n_tried >= late).count() as i32;
    less.min(depth - 2)
}
