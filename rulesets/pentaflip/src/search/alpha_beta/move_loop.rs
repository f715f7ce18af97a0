//! The loop over the moves of a node: ordered, with reductions of late moves, or
//! in one pass at a frontier node.

use pentad_sdk::search::primitives::{BestMove, NodeResult, Window, is_loss};

use crate::moves::Move;
use crate::position::RelativePosition;
use crate::search::alpha_beta::ordering::{MoveList, ScoredMove};
use crate::search::alpha_beta::worker::Worker;

/// Ordering bonus of a move that threatens a win in one.
const THREAT_BONUS: i32 = 100;
/// Late move reductions: from each of these many moves on, a ply less.
const LATE_MOVES: [usize; 2] = [3, 9];

impl Worker<'_> {
    /// Searches the moves of a frontier node, one ply before the horizon. Only
    /// the table's move and killers come first; ordering the others would cost
    /// as much as searching them.
    pub(crate) fn search_frontier(
        &mut self,
        position: RelativePosition,
        window: Window,
        ply: usize,
        tt_move: Option<Move>,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let killers = *self.stack.history.killers(ply);
        let mut tried = [None; 3];
        for (slot, mv) in [tt_move, killers[0], killers[1]].into_iter().enumerate() {
            let Some(mv) = mv.filter(|&mv| !tried.contains(&Some(mv)) && position.is_legal(mv)) else { continue };
            tried[slot] = Some(mv);
            let result = self.search_move(position, mv, Window { alpha: best.alpha, ..window }, ply);
            if self.stack.update_best(&mut best, result, &mv, mv.index(), window, ply) || self.limiter.stopped() {
                return best.result(false);
            }
        }
        for mv in position.moves() {
            if tried.contains(&Some(mv)) {
                continue;
            }
            let result = self.search_move(position, mv, Window { alpha: best.alpha, ..window }, ply);
            if self.stack.update_best(&mut best, result, &mv, mv.index(), window, ply) || self.limiter.stopped() {
                return best.result(false);
            }
        }
        best.result(true)
    }

    /// Searches the moves of a node, best first, until one is a cutoff.
    pub(crate) fn search_moves(
        &mut self,
        position: RelativePosition,
        window: Window,
        ply: usize,
        tt_move: Option<Move>,
        threatened: bool,
    ) -> (NodeResult, Option<Move>) {
        let mut best = BestMove::new(window.alpha);
        let tt_move = tt_move.filter(|&mv| position.is_legal(mv));
        if let Some(mv) = tt_move {
            let result = self.search_move(position, mv, window, ply);
            if self.limiter.stopped() {
                return (NodeResult::ABORTED, None);
            }
            if self.stack.update_best(&mut best, result, &mv, mv.index(), window, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        let cutoff = self.generate_and_score(position, tt_move, ply, &mut list, &mut best, window);
        let mut complete = !cutoff;
        let first = usize::from(tt_move.is_some());
        for n_searched in first.. {
            if cutoff {
                break;
            }
            let Some(candidate) = list.select() else { break };
            let window = Window { alpha: best.alpha, ..window };
            let result = self.search_picked_move(&candidate, window, ply, n_searched, threatened);
            if self.limiter.stopped()
                || self.stack.update_best(&mut best, result, &candidate.mv, candidate.mv.index(), window, ply)
            {
                complete = false;
                break;
            }
        }
        self.move_lists[ply] = list;
        best.result(complete)
    }

    /// Plays a move and searches the position after it, for the side that moved.
    fn search_move(&mut self, position: RelativePosition, mv: Move, window: Window, ply: usize) -> NodeResult {
        self.limiter.visit();
        self.stack.pv[ply + 1].clear();
        let next = position.play_unchecked(mv);
        match next.outcome_for_last_mover() {
            Some(outcome) => NodeResult::terminal(outcome),
            None => self.search_node(next, window.flipped(1), ply + 1, true).for_parent(),
        }
    }

    /// Fills the list with the moves to search. Moves that end the game or
    /// allow a win in one are decided here and need no search; true if one of
    /// them is a cutoff, or if the search is stopped.
    fn generate_and_score(
        &mut self,
        position: RelativePosition,
        tt_move: Option<Move>,
        ply: usize,
        list: &mut MoveList,
        best: &mut BestMove<Move>,
        window: Window,
    ) -> bool {
        list.clear();
        for mv in position.moves() {
            if Some(mv) == tt_move {
                continue;
            }
            self.limiter.visit();
            if self.limiter.stopped() {
                return true;
            }
            let next = position.play_unchecked(mv);
            self.stack.pv[ply + 1].clear();
            let decided = match next.outcome_for_last_mover() {
                Some(outcome) => Some(NodeResult::terminal(outcome)),
                None => next.winning_move().map(|reply| {
                    self.stack.pv[ply + 1].push(reply);
                    NodeResult::loss(2)
                }),
            };
            if let Some(result) = decided {
                if self.stack.update_best(best, result, &mv, mv.index(), window, ply) {
                    return true;
                }
                continue;
            }
            let is_forcing = next.null_move().has_winning_move();
            let bonus = if is_forcing { THREAT_BONUS } else { 0 };
            let score = self.stack.history.bonus(ply, ply, &mv, mv.index()) + bonus - next.static_eval();
            list.push(ScoredMove { score, mv, after: next, is_forcing });
        }
        false
    }

    /// Principal variation search: the first move with the full window, later
    /// ones with a null window, reduced if late, and again if they fail high.
    fn search_picked_move(
        &mut self,
        candidate: &ScoredMove,
        window: Window,
        ply: usize,
        n_searched: usize,
        threatened: bool,
    ) -> NodeResult {
        let next = candidate.after;
        self.limiter.visit();
        if n_searched == 0 {
            return self.search_node(next, window.flipped(1), ply + 1, true).for_parent();
        }
        let may_reduce = !threatened && !candidate.is_forcing && !is_loss(window.alpha);
        let less = if may_reduce { reduction(window.depth, n_searched) } else { 0 };
        window.search_later_move(less, |window| self.search_node(next, window, ply + 1, true).for_parent())
    }
}

/// Late move reduction, in plies.
fn reduction(depth: i32, n_searched: usize) -> i32 {
    if depth < 3 {
        return 0;
    }
    let less = LATE_MOVES.iter().filter(|&&late| n_searched >= late).count() as i32;
    less.min(depth - 2)
}
