//! One node of the principal variation search.
//!
//! Values are fail-soft and relative to the node, distances included, so a stored value
//! needs no adjustment to the path. A proven win ends a node; a nearer one is not
//! searched here. Moves that lose to the next move are never searched
//! ([`threat_scan`](crate::search::static_eval::threat_scan) finds them all), and if no
//! other is left the loss is proven. Values from reductions, pruning and null moves are
//! estimates. Moves are generated in [`move_loop`](super::move_loop).

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{BestMove, Bound, ESTIMATE_MAX, NodeResult, NodeSearch, SearchStack, Window};

use crate::moves::Move;
use crate::search::alpha_beta::move_loop::{MoveList, N_SELECTED, Node, ScoredMove};
use crate::search::alpha_beta::worker::{Key, PLIES_MAX, Worker};
use crate::search::move_set::{contains, count};
use crate::search::search_position::{SearchPosition, Successor};
use crate::search::static_eval::StaticEval;
use crate::search::static_eval::threat_scan::ThreatScan;

/// The proof-number search runs from this depth on, with `PROOF_NODES` nodes and twice
/// as many for each of the next three plies. Closer to the horizon it finds too little
/// for its cost.
const PROOF_DEPTH_MIN: i32 = 5;
const PROOF_NODES: u64 = 1_000;
/// A threat with at most this many safe replies extends the search by a ply.
/// With many more the tree grows a hundredfold.
const EXTENSION_REPLIES_MAX: u32 = 3;
/// Up to this depth a static evaluation of beta or more is a cutoff (reverse futility
/// pruning): the side to move can usually keep its advantage.
const REVERSE_FUTILITY_DEPTH_MAX: i32 = 2;
/// Plies by which the search after a null move is reduced.
const NULL_MOVE_REDUCTION: i32 = 2;

impl NodeSearch for Worker<'_> {
    type Move = Move;
    type Position = SearchPosition;
    type Scan = ThreatScan;

    const LATE_MOVES: &'static [usize] = &[4, 16, 64];
    const REDUCTION_DEPTH_MIN: i32 = 2;

    #[inline]
    fn limiter(&self) -> &Limiter<'_, Move> {
        &self.limiter
    }

    #[inline]
    fn visit(&mut self) {
        self.limiter.visit();
    }

    #[inline]
    fn stack(&mut self) -> &mut SearchStack<Move, SearchPosition> {
        &mut self.stack
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.index()
    }

    #[inline]
    fn successor(&self, position: SearchPosition, mv: Move) -> Successor {
        self.rules.successor(position, mv)
    }

    fn search_node(
        &mut self,
        position: SearchPosition,
        window: Window,
        ply: usize,
        allow_null_move: bool,
    ) -> NodeResult {
        self.stack.pv[ply].clear();
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let window = window.clipped();
        if window.depth <= 0 || ply >= PLIES_MAX {
            return self.evaluate_leaf(position, ply);
        }
        let key = self.key(position);
        let entry = self.table.probe(key.word);
        if let Some(result) = window.cutoff(&entry) {
            return result;
        }
        let eval = self.rules.static_eval(position);
        if eval.may_win
            && let Some((mv, plies)) = self.rules.immediate_win(position)
        {
            self.stack.pv[ply].push(mv);
            return NodeResult::win(plies);
        }
        let scan = if window.depth >= 2 {
            self.rules.scan_threats::<true>(position)
        } else {
            self.rules.scan_threats::<false>(position)
        };
        if !scan.any_safe() {
            return NodeResult::loss(scan.loss_plies());
        }
        if let Some(result) = self.probe_endgame(position, window.depth) {
            self.store(key, result, Bound::Exact, window.depth, None);
            return result;
        }
        if let Some(result) = self.prune(position, key, window, eval, &scan, ply, allow_null_move) {
            return NodeResult::new(entry.proven.clamp(result.value), result.proven.union(entry.proven));
        }
        let is_forced = eval.threatened && ply < self.extension_plies_max && count(&scan.safe) <= EXTENSION_REPLIES_MAX;
        let window = Window { depth: window.depth + i32::from(is_forced), ..window };
        let tt_move = self.tt_move(key, &entry).filter(|&mv| contains(&scan.safe, mv));
        let node = Node { position, scan: &scan, window, ply, tt_move, threatened: eval.threatened };
        let (result, best) = if window.depth == 1 { self.search_frontier(&node) } else { self.search_moves(&node) };
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let (result, bound) = window.conclude(result, entry.proven);
        self.store(key, result, bound, window.depth, best);
        result
    }

    fn generate(&mut self, node: &Node<'_>, list: &mut MoveList, _best: &mut BestMove<Move>) -> bool {
        self.generate_moves(node, list);
        false
    }

    #[inline]
    fn select(list: &mut MoveList) -> Option<ScoredMove> {
        list.select_then_sort(N_SELECTED, |mv| mv.index())
    }
}

impl Worker<'_> {
    /// Evaluates a position at depth 0: immediate wins and threats that cannot be
    /// parried are proven, otherwise the static evaluation counts.
    pub(crate) fn evaluate_leaf(&mut self, position: SearchPosition, ply: usize) -> NodeResult {
        let eval = self.rules.static_eval(position);
        if eval.may_win
            && let Some((mv, plies)) = self.rules.immediate_win(position)
        {
            self.stack.pv[ply].push(mv);
            return NodeResult::win(plies);
        }
        if eval.threatened {
            let scan = self.rules.scan_threats::<false>(position);
            if !scan.any_safe() {
                return NodeResult::loss(scan.loss_plies());
            }
        }
        NodeResult::estimate(eval.value)
    }

    /// Looks for a cutoff before the moves are searched: by proof-number search,
    /// reverse futility pruning or a null move.
    #[allow(clippy::too_many_arguments)]
    fn prune(
        &mut self,
        position: SearchPosition,
        key: Key,
        window: Window,
        eval: StaticEval,
        scan: &ThreatScan,
        ply: usize,
        allow_null_move: bool,
    ) -> Option<NodeResult> {
        if window.depth >= PROOF_DEPTH_MIN && scan.forcing() != [0; 9] {
            let budget = PROOF_NODES << (window.depth - PROOF_DEPTH_MIN).min(3);
            if let Some((mv, plies)) = self.prove(position, budget) {
                self.stack.pv[ply].push(mv);
                let result = NodeResult::win(plies);
                self.store(key, result, Bound::Lower, window.depth, Some(mv));
                return Some(result);
            }
        }
        // A null move proves nothing, so it must not prevent a proof if the depth
        // reaches the end of the game.
        let is_before_end = (window.depth as u32) < position.empty().count();
        let is_prunable = is_before_end && !eval.threatened && window.is_null() && window.beta.abs() <= ESTIMATE_MAX;
        if !is_prunable || eval.value < window.beta {
            return None;
        }
        if window.depth <= REVERSE_FUTILITY_DEPTH_MAX {
            return Some(NodeResult::estimate(eval.value));
        }
        if allow_null_move {
            self.limiter.visit();
            let result = self
                .search_node(position.after_null_move(), window.flipped(1 + NULL_MOVE_REDUCTION), ply + 1, false)
                .for_parent();
            self.stack.pv[ply].clear();
            if result.value >= window.beta && !self.limiter.stopped() {
                return Some(NodeResult::estimate(result.value.min(ESTIMATE_MAX)));
            }
        }
        None
    }
}
