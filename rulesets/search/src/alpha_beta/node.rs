//! The recursion: principal variation search over one position.
//!
//! Values are fail-soft and relative to the node, distances to the end of the
//! game included, so a stored value needs no adjustment to the path. Three
//! rules keep proofs true. A value beyond the window is only a bound and is
//! read as one. Proven come from proven (see [`Proven`]). A repetition on the path
//! is worth an even estimate and no fact, and what depends on it is not stored
//! as a value, because it may be wrong on another path.

use crate::alpha_beta::ordering::{MoveList, score};
use crate::alpha_beta::worker::{STEPS_MAX, Worker};
use crate::game::Game;
use crate::primitives::{Bound, ESTIMATE_MAX, Entry, NodeResult, Proven, UNANCHORED, WIN, is_loss, is_win};

/// Turns that quiescence looks beyond the horizon.
const QUIESCENCE_TURNS: i32 = 6;
/// Reductions begin with this depth, so that ends within three plies are
/// always found at their true distance.
const REDUCE_DEPTH_MIN: i32 = 3;
const REDUCE_MOVES_MIN: usize = 4;

impl<G: Game> Worker<'_, G> {
    /// The value of a position that is not over, for its side to move.
    pub(crate) fn node(
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
        if let Some(found) = cutoff(&entry, alpha, beta, depth) {
            return found;
        }
        if let Some(mv) = self.game.winning_move(position) {
            self.lines[step].push(mv);
            let found = NodeResult::win(1);
            self.store(key, found, Bound::Exact, depth, None);
            return found;
        }
        if depth <= 0 || step >= STEPS_MAX {
            let found = self.quiescence(position, alpha, beta, step, QUIESCENCE_TURNS);
            if !self.limiter.stopped() {
                self.store(key, found, Bound::of(found.value, alpha, beta), 0, None);
            }
            return found;
        }
        self.path.push(key ^ self.salt);
        let mut list = std::mem::take(&mut self.lists[step]);
        let (found, best_idx) = self.search_moves(position, alpha, beta, depth, step, &entry, &mut list);
        self.lists[step] = list;
        self.path.pop();
        if self.limiter.stopped() {
            return found;
        }
        self.finish_node(key, found, best_idx, alpha, beta, depth)
    }

    /// Tries the moves, best first, until one refutes the move before.
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
            let found = self.search_move(position, &list.moves[idx], alpha, beta, depth, step, n_tried);
            if self.limiter.stopped() {
                return (NodeResult::ABORTED, None);
            }
            best.anchor = best.anchor.min(found.anchor);
            best.proven = best.proven.union(found.proven.intersection(Proven::NOT_LOST));
            all_not_won &= found.proven.is_not_won();
            if found.value > best.value {
                best.value = found.value;
                best_idx = Some(idx);
                if found.value > alpha {
                    alpha = found.value;
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
            // Against the contract: no moves, and yet not over.
            return (NodeResult::ABORTED, None);
        }
        if all_not_won {
            best.proven = best.proven.union(Proven::NOT_WON);
        }
        (best, best_idx)
    }

    /// One move: the first with the whole window, the others with a null
    /// window, late ones less deep, and again if they turn out better.
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
        // A search for a nearer end leaves nothing out.
        let late = self.reduce && next.turn && n_tried >= REDUCE_MOVES_MIN && depth >= REDUCE_DEPTH_MIN;
        let less = if late && !is_win(alpha) && !is_loss(beta) { reduction(depth, n_tried) } else { 0 };
        let mut found = self.follow(&next, alpha, alpha + 1, depth - less, step);
        if less > 0 {
            if found.value > alpha {
                found = self.follow(&next, alpha, alpha + 1, depth, step);
            } else if !is_loss(found.value) {
                self.reduced = true;
            }
        }
        if found.value > alpha && found.value < beta && !self.limiter.stopped() {
            found = self.follow(&next, alpha, beta, depth, step);
        }
        found
    }

    /// Brings value and proven together and stores what holds on every path.
    fn finish_node(
        &mut self,
        key: u64,
        mut found: NodeResult,
        best_idx: Option<usize>,
        alpha: i32,
        beta: i32,
        depth: i32,
    ) -> NodeResult {
        found.value = found.proven.clamp(found.value);
        found = if found.proven == Proven::DRAW { NodeResult::DRAW } else { found.without_own_anchor(self.path.len()) };
        // With an anchor above, a proven win is still one but a nearer one may
        // exist on other paths, and a proven loss may be nearer too.
        let bound = match found.proven {
            Proven::DRAW => Bound::Exact,
            _ if found.anchor == UNANCHORED => Bound::of(found.value, alpha, beta),
            _ if is_win(found.value) && found.value > alpha => Bound::Lower,
            _ if is_loss(found.value) && found.value < beta => Bound::Upper,
            _ => Bound::Unknown,
        };
        self.store(key, found, bound, depth, best_idx);
        found
    }

    fn store(&mut self, key: u64, found: NodeResult, bound: Bound, depth: i32, best_idx: Option<usize>) {
        self.table.store(key, found.to_entry(bound, depth, best_idx));
    }
}

/// The estimate of a position as it stands.
pub(crate) fn static_value<G: Game>(game: &G, position: &G::Position) -> i32 {
    game.evaluate(position).clamp(-ESTIMATE_MAX, ESTIMATE_MAX)
}

/// What a stored entry already answers. Proven values and proven answer at any
/// depth; an estimate only at its depth and off the principal variation.
fn cutoff(entry: &Entry, alpha: i32, beta: i32, depth: i32) -> Option<NodeResult> {
    let proven = entry.proven;
    if proven == Proven::DRAW || (proven.is_not_lost() && beta <= 0) || (proven.is_not_won() && alpha >= 0) {
        // A proven win or loss says more, and is looked at first.
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

/// Turns less for a late move; one at least always remains.
fn reduction(depth: i32, n_tried: usize) -> i32 {
    let less = 1 + i32::from(n_tried >= 16) + i32::from(n_tried >= 64 && depth >= 5);
    less.min(depth - 2)
}
