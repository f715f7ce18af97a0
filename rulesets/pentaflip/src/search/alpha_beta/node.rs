//! One node of the principal variation search.

use pentad_sdk::Wdl;
use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{BestMove, ESTIMATE_MAX, NodeResult, NodeSearch, SearchStack, Window};

use crate::moves::Move;
use crate::position::RelativePosition;
use crate::search::alpha_beta::move_loop::{MoveList, Node, ScoredMove, Successor};
use crate::search::alpha_beta::value::OPTIMISM;
use crate::search::alpha_beta::worker::{PLIES_MAX, Worker};

/// Reverse futility pruning: up to this depth, a static evaluation above beta by
/// the margin times the depth is a cutoff.
const REVERSE_FUTILITY_DEPTH_MAX: i32 = 3;
const REVERSE_FUTILITY_MARGIN: i32 = 60;
/// Plies by which the search after a null move is reduced.
const NULL_MOVE_REDUCTION: i32 = 2;

impl NodeSearch for Worker<'_> {
    type Move = Move;
    type Position = RelativePosition;
    type Scan = ();

    const LATE_MOVES: &'static [usize] = &[3, 9];
    const REDUCTION_DEPTH_MIN: i32 = 3;

    #[inline]
    fn limiter(&self) -> &Limiter<'_, Move> {
        &self.limiter
    }

    #[inline]
    fn visit(&mut self) {
        self.limiter.visit();
    }

    #[inline]
    fn stack(&mut self) -> &mut SearchStack<Move, RelativePosition> {
        &mut self.stack
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.index()
    }

    #[inline]
    fn successor(&self, position: RelativePosition, mv: Move) -> Successor {
        position.successor(mv)
    }

    fn search_node(
        &mut self,
        position: RelativePosition,
        window: Window,
        ply: usize,
        allow_null_move: bool,
    ) -> NodeResult {
        self.stack.pv[ply].clear();
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let mut window = window.clipped();
        let threatened = position.null_move().has_winning_move();
        let extends = threatened && ply < self.extension_plies_max;
        if (window.depth <= 0 && !extends) || ply >= PLIES_MAX {
            return self.evaluate_leaf(position, threatened, ply);
        }
        let key = self.key(position, ply);
        self.set_path(position, key, ply);
        if let Some(anchor) = self.repetition(position, ply) {
            return NodeResult::repetition(anchor);
        }
        // Threat extension by one ply.
        window.depth = if extends { window.depth.max(0) + 1 } else { window.depth };
        let entry = self.table.probe(key);
        if let Some(result) = window.cutoff(&entry) {
            return result;
        }
        if let Some(mv) = position.winning_move() {
            self.stack.pv[ply].push(mv);
            return NodeResult::win(1);
        }
        if !threatened && let Some(value) = self.prune(position, window, ply, allow_null_move) {
            return NodeResult::new(entry.proven.clamp(value), entry.proven);
        }
        let tt_move = Move::from_index(entry.move_idx.into()).filter(|&mv| position.is_legal(mv));
        let node = Node { position, scan: &(), window, ply, tt_move, threatened };
        let (result, best) = if window.depth == 1 { self.search_frontier(&node) } else { self.search_moves(&node) };
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let (result, bound) = window.conclude(result, entry.proven);
        self.store(key, ply, result, bound, window.depth, best);
        result.without_own_anchor(ply)
    }

    fn generate(&mut self, node: &Node<'_>, list: &mut MoveList, best: &mut BestMove<Move>) -> bool {
        self.generate_moves(node, list, best)
    }

    #[inline]
    fn select(list: &mut MoveList) -> Option<ScoredMove> {
        list.select()
    }
}

impl Worker<'_> {
    /// Evaluates a position at the horizon. A threat that no move stops is a loss.
    fn evaluate_leaf(&mut self, position: RelativePosition, threatened: bool, ply: usize) -> NodeResult {
        if let Some(mv) = position.winning_move() {
            self.stack.pv[ply].push(mv);
            return NodeResult::win(1);
        }
        if threatened && let Some(result) = forced_loss(position) {
            return result;
        }
        NodeResult::estimate(estimate(position, ply))
    }

    /// Returns a fail-high value of a position without threats, by reverse futility or
    /// null-move pruning.
    fn prune(&mut self, position: RelativePosition, window: Window, ply: usize, allow_null_move: bool) -> Option<i32> {
        if !window.is_null() || window.beta.abs() > ESTIMATE_MAX {
            return None;
        }
        let value = estimate(position, ply);
        if window.depth <= REVERSE_FUTILITY_DEPTH_MAX && value - REVERSE_FUTILITY_MARGIN * window.depth >= window.beta {
            return Some(value);
        }
        if !allow_null_move || window.depth < 2 || value < window.beta {
            return None;
        }
        self.limiter.visit();
        let window_after = window.flipped(1 + NULL_MOVE_REDUCTION);
        let result = self.search_node(position.null_move(), window_after, ply + 1, false).for_parent();
        self.stack.pv[ply].clear();
        let fails_high = result.value >= window.beta && !self.limiter.stopped();
        fails_high.then_some(result.value.min(ESTIMATE_MAX))
    }
}

/// Returns the static evaluation at a ply for the side to move there, with the optimism
/// of the side to move at the root.
pub(crate) fn estimate(position: RelativePosition, ply: usize) -> i32 {
    position.static_eval() + if ply.is_multiple_of(2) { OPTIMISM } else { -OPTIMISM }
}

/// Returns the loss of a side to move without a win in one, if every move loses at once
/// or allows the opponent a win in one.
pub(crate) fn forced_loss(position: RelativePosition) -> Option<NodeResult> {
    let mut plies = 1;
    for hole in position.placements().singletons() {
        let next = position.place(hole);
        if next.all_rings_placed() || !next.has_winning_move() {
            return None;
        }
        plies = 2;
    }
    for flip in position.flips() {
        let next = position.flip(flip);
        match next.outcome_for_last_mover() {
            Some(Wdl::Loss) => {}
            Some(_) => return None,
            None if next.has_winning_move() => plies = 2,
            None => return None,
        }
    }
    Some(NodeResult::loss(plies))
}
