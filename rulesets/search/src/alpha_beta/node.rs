//! Principal variation search of one position.
//!
//! Values are fail-soft and relative to the node, distances to the end of the game
//! included, so a stored value needs no adjustment to the path. Three rules keep proofs
//! valid. A value beyond the window is only a bound and is used as one. Proofs follow
//! from proofs (see [`Proven`]). A repetition on the path is an even estimate, never a
//! proof, and values that depend on it are not stored, because they may be wrong on
//! another path.

use crate::alpha_beta::ordering::{MoveList, score};
use crate::alpha_beta::worker::{STEPS_MAX, Worker};
use crate::game::Game;
use crate::primitives::{Bound, ESTIMATE_MAX, Entry, NodeResult, Proven, UNANCHORED, WIN, is_loss, is_win};

/// Turns that quiescence searches beyond the horizon.
const QUIESCENCE_TURNS: i32 = 6;
/// Lowest depth with reductions, so that ends within three plies are always found at
/// their true distance.
const REDUCE_DEPTH_MIN: i32 = 3;
const REDUCE_MOVES_MIN: usize = 4;

impl<G: Game> Worker<'_, G> {
    /// Searches a position of a game in progress, for its side to move.
    pub(crate) fn search_node(
        &mut self,
        position: &G::Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        step: usize,
    ) -> NodeResult {
        self.lines[step].clear();
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let key = self.game.key(position);
        if self.can_cycle
            && let Some(idx) = self.path.iter().rposition(|&seen| seen == key)
        {
            return NodeResult::repetition(idx);
        }
        // No win is nearer than the end of this turn.
        if alpha >= WIN - 1 {
            return NodeResult::new(WIN - 1, Proven::NONE);
        }
        let key = key ^ self.salt;
        let entry = self.table.probe(key);
        if let Some(result) = cutoff(&entry, alpha, beta, depth) {
            return result;
        }
        if let Some(mv) = self.game.winning_move(position) {
            self.lines[step].push(mv);
            let result = NodeResult::win(1);
            self.store(key, result, Bound::Exact, depth, None);
            return result;
        }
        if depth <= 0 || step >= STEPS_MAX {
            let result = self.quiescence(position, alpha, beta, step, QUIESCENCE_TURNS);
            if !self.limiter.stopped() {
                self.store(key, result, Bound::of(result.value, alpha, beta), 0, None);
            }
            return result;
        }
        self.path.push(key ^ self.salt);
        let mut list = std::mem::take(&mut self.lists[step]);
        let (result, best_idx) = self.search_moves(position, alpha, beta, depth, step, &entry, &mut list);
        self.lists[step] = list;
        self.path.pop();
        if self.limiter.stopped() {
            return result;
        }
        self.finish_node(key, result, best_idx, alpha, beta, depth)
    }

    /// Searches the moves, best first, until one is a cutoff.
    #[allow(clippy::too_many_arguments)]
    fn search_moves(
        &mut self,
        position: &G::Position,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        step: usize,
        entry: &Entry,
        list: &mut MoveList<G::Move>,
    ) -> (NodeResult, Option<usize>) {
        list.clear();
        self.game.moves(position, &mut list.moves);
        let side = self.side(position);
        let hint = Some(usize::from(entry.move_idx)).filter(|&idx| idx < list.moves.len());
        let mut best = NodeResult { value: -WIN, proven: entry.proven, anchor: UNANCHORED };
        let mut best_idx = None;
        let mut all_not_won = true;
        for n_tried in 0.. {
            let picked = if n_tried == 0 && hint.is_some() {
                hint
            } else {
                if n_tried == usize::from(hint.is_some()) {
                    score(&self.history, self.game, position, side, step, list, hint);
                }
                list.pick()
            };
            let Some(idx) = picked else { break };
            let result = self.search_move(position, &list.moves[idx], alpha, beta, depth, step, n_tried);
            if self.limiter.stopped() {
                return (NodeResult::ABORTED, None);
            }
            best.anchor = best.anchor.min(result.anchor);
            best.proven = best.proven.union(result.proven.intersection(Proven::NOT_LOST));
            all_not_won &= result.proven.is_not_won();
            if result.value > best.value {
                best.value = result.value;
                best_idx = Some(idx);
                if result.value > alpha {
                    alpha = result.value;
                    self.update_pv(step, &list.moves[idx]);
                }
            }
            if alpha >= beta {
                let mv = &list.moves[idx];
                self.history.record_cutoff(side, step, mv, self.game.slot(mv), depth);
                return (best, best_idx);
            }
        }
        if best_idx.is_none() {
            // Against the contract: no moves, although the game is not over.
            return (NodeResult::ABORTED, None);
        }
        if all_not_won {
            best.proven = best.proven.union(Proven::NOT_WON);
        }
        (best, best_idx)
    }

    /// Searches one move: the first with the full window, the others with a null
    /// window, reduced if late, and again if they fail high.
    #[allow(clippy::too_many_arguments)]
    fn search_move(
        &mut self,
        position: &G::Position,
        mv: &G::Move,
        alpha: i32,
        beta: i32,
        depth: i32,
        step: usize,
        n_tried: usize,
    ) -> NodeResult {
        let next = self.step(position, mv);
        if n_tried == 0 || next.over.is_some() {
            return self.follow(&next, alpha, beta, depth, step);
        }
        // A search for a nearer end reduces nothing.
        let late = self.reduce && next.turn && n_tried >= REDUCE_MOVES_MIN && depth >= REDUCE_DEPTH_MIN;
        let less = if late && !is_win(alpha) && !is_loss(beta) { reduction(depth, n_tried) } else { 0 };
        let mut result = self.follow(&next, alpha, alpha + 1, depth - less, step);
        if less > 0 {
            if result.value > alpha {
                result = self.follow(&next, alpha, alpha + 1, depth, step);
            } else if !is_loss(result.value) {
                self.reduced = true;
            }
        }
        if result.value > alpha && result.value < beta && !self.limiter.stopped() {
            result = self.follow(&next, alpha, beta, depth, step);
        }
        result
    }

    /// Combines value and proofs, and stores what holds on every path.
    fn finish_node(
        &mut self,
        key: u64,
        mut result: NodeResult,
        best_idx: Option<usize>,
        alpha: i32,
        beta: i32,
        depth: i32,
    ) -> NodeResult {
        result.value = result.proven.clamp(result.value);
        result =
            if result.proven == Proven::DRAW { NodeResult::DRAW } else { result.without_own_anchor(self.path.len()) };
        // With an anchor above the node, a proven win remains one, but a nearer one may
        // exist on other paths; likewise for losses.
        let bound = match result.proven {
            Proven::DRAW => Bound::Exact,
            _ if result.anchor == UNANCHORED => Bound::of(result.value, alpha, beta),
            _ if is_win(result.value) && result.value > alpha => Bound::Lower,
            _ if is_loss(result.value) && result.value < beta => Bound::Upper,
            _ => Bound::Unknown,
        };
        self.store(key, result, bound, depth, best_idx);
        result
    }

    fn store(&mut self, key: u64, result: NodeResult, bound: Bound, depth: i32, best_idx: Option<usize>) {
        self.table.store(key, result.to_entry(bound, depth, best_idx));
    }
}

/// Returns the static evaluation of a position.
pub(crate) fn static_value<G: Game>(game: &G, position: &G::Position) -> i32 {
    game.evaluate(position).clamp(-ESTIMATE_MAX, ESTIMATE_MAX)
}

/// Returns the cutoff that a table entry allows. Proofs cut at any depth; an estimate
/// only if it was searched as deep, and off the principal variation.
fn cutoff(entry: &Entry, alpha: i32, beta: i32, depth: i32) -> Option<NodeResult> {
    let proven = entry.proven;
    if proven == Proven::DRAW || (proven.is_not_lost() && beta <= 0) || (proven.is_not_won() && alpha >= 0) {
        // A proven win or loss says more and takes precedence.
        if entry.bound == Bound::Unknown || entry.value.abs() <= ESTIMATE_MAX {
            return Some(NodeResult::new(0, proven));
        }
    }
    let deep = i32::from(entry.depth) >= depth && beta - alpha == 1;
    let value = entry.value;
    let answers = match entry.bound {
        Bound::Unknown => false,
        Bound::Lower => value >= beta && (deep || is_win(value)),
        Bound::Upper => value <= alpha && (deep || is_loss(value)),
        Bound::Exact => deep || (value >= beta && is_win(value)) || (value <= alpha && is_loss(value)),
    };
    answers.then(|| NodeResult::new(value, proven))
}

/// Returns the reduction of a late move; at least one turn remains.
fn reduction(depth: i32, n_tried: usize) -> i32 {
    let less = 1 + i32::from(n_tried >= 16) + i32::from(n_tried >= 64 && depth >= 5);
    less.min(depth - 2)
}
