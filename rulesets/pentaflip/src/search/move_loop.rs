//! Chooses among the moves of a node: all of them at the last ply, best first
//! before it.

use pentad_sdk::search::primitives::{BestMove, NodeResult, Window, is_loss};

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
    pub(crate) fn frontier(
        &mut self,
        state: State,
        window: Window,
        ply: usize,
        hint: Option<Move>,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let killers = *self.history.killers(ply);
        let mut tried = [None; 3];
        for (slot, mv) in [hint, killers[0], killers[1]].into_iter().enumerate() {
            let Some(mv) = mv.filter(|&mv| !tried.contains(&Some(mv)) && state.allows(mv)) else { continue };
            tried[slot] = Some(mv);
            let found = self.step(state, mv, Window { alpha: best.alpha, ..window }, ply);
            if self.update_best(&mut best, found, mv, window, ply) || self.limiter.stopped() {
                return best.result(false);
            }
        }
        for mv in state.moves() {
            if tried.contains(&Some(mv)) {
                continue;
            }
            let found = self.step(state, mv, Window { alpha: best.alpha, ..window }, ply);
            if self.update_best(&mut best, found, mv, window, ply) || self.limiter.stopped() {
                return best.result(false);
            }
        }
        best.result(true)
    }

    /// Plays a move and values what it leads to, for the one who played it.
    fn step(&mut self, state: State, mv: Move, window: Window, ply: usize) -> NodeResult {
        self.limiter.visit();
        self.lines[ply + 1].clear();
        let next = state.played(mv);
        match next.end() {
            Some(end) => over(end),
            None => self.node(next, window.flipped(1), ply + 1, true).for_parent(),
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
        hint: Option<Move>,
        threatened: bool,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let hint = hint.filter(|&mv| state.allows(mv));
        if let Some(mv) = hint {
            let found = self.step(state, mv, window, ply);
            if self.limiter.stopped() {
                return (NodeResult::ABORTED, None);
            }
            if self.update_best(&mut best, found, mv, window, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let refuted = self.list(state, hint, ply, &mut list, &mut best, window);
        let mut complete = !refuted;
        let first = usize::from(hint.is_some());
        for n_tried in first.. {
            if refuted {
                break;
            }
            let Some(candidate) = list.pick() else { break };
            let window = Window { alpha: best.alpha, ..window };
            let found = self.attempt(&candidate, window, ply, n_tried, threatened);
            if self.limiter.stopped() || self.update_best(&mut best, found, candidate.mv, window, ply) {
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
        best: &mut BestMove<Move>,
        window: Window,
    ) -> bool {
        list.clear();
        for mv in state.moves() {
            if Some(mv) == hint {
                continue;
            }
            self.limiter.visit();
            if self.limiter.stopped() {
                return true;
            }
            let next = state.played(mv);
            self.lines[ply + 1].clear();
            let at_once = match next.end() {
                Some(end) => Some(over(end)),
                None => next.win_in_one().map(|reply| {
                    self.lines[ply + 1].push(reply);
                    NodeResult::loss(2)
                }),
            };
            if let Some(found) = at_once {
                if self.update_best(best, found, mv, window, ply) {
                    return true;
                }
                continue;
            }
            let forcing = next.passed().can_win();
            let bonus = if forcing { FORCING_BONUS } else { 0 };
            let score = self.history.bonus(ply, ply, &mv, mv.index()) + bonus - next.value();
            list.moves.push(Candidate { score, mv, next, forcing });
        }
        false
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
        let next = candidate.next;
        self.limiter.visit();
        if n_tried == 0 {
            return self.node(next, window.flipped(1), ply + 1, true).for_parent();
        }
        let quiet = !threatened && !candidate.forcing && !is_loss(window.alpha);
        let less = if quiet { reduction(window.depth, n_tried) } else { 0 };
        window.search_later_move(less, |window| self.node(next, window, ply + 1, true).for_parent())
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
