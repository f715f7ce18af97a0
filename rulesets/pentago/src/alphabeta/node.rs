//! The recursion: principal variation search over one state.
//!
//! Values are fail-soft and relative to the node, distances included, so a
//! stored value needs no adjustment to the path. A proven win ends a node: no
//! search is spent here on a nearer one. Moves that lose to the next move are
//! never searched ([`scan`](super::scan) knows them all), and where none is
//! left the loss is proven. What is reduced, pruned or found by passing is an
//! estimate and stays one. Trying the moves is in [`choice`](super::choice).

use pentad_sdk::search::Proven;
use pentad_sdk::search::primitives::{Bound, ESTIMATE_MAX, NodeResult, Window};

use crate::alphabeta::masks::count;
use crate::alphabeta::scan::Scan;
use crate::alphabeta::state::State;
use crate::alphabeta::worker::{Key, PLIES_MAX, Worker};

/// The proof search is tried from this depth on, with so many states, and twice
/// as many for each of the next three plies. Nearer the horizon it finds too
/// little for its cost.
const PROOF_DEPTH_MIN: i32 = 5;
const PROOF_NODES: u64 = 1_000;
/// A threat with no more replies than this is followed for a ply more. With
/// many more the tree grows a hundredfold.
const FORCED_MAX: u32 = 3;
/// Up to this depth a quiet position that looks good enough is believed to be:
/// the side to move can mostly keep what it has.
const STATIC_DEPTH_MAX: i32 = 2;
/// Plies less after a null move.
const PASS_LESS: i32 = 2;

impl Worker<'_> {
    /// The value of a state, for its side to move.
    pub(crate) fn node(&mut self, state: State, window: Window, ply: usize, may_pass: bool) -> NodeResult {
        self.lines[ply].clear();
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let window = window.clipped();
        if window.depth <= 0 || ply >= PLIES_MAX {
            return self.leaf(state, ply);
        }
        let key = self.key(state);
        let entry = self.table.probe(key.word);
        if let Some(found) = window.cutoff(&entry) {
            return found;
        }
        let glance = self.rules.glance(state);
        if glance.may_win
            && let Some((mv, plies)) = self.rules.quick_win(state)
        {
            self.lines[ply].push(mv);
            return NodeResult::win(plies);
        }
        let scan = if window.depth >= 2 { self.rules.scan::<true>(state) } else { self.rules.scan::<false>(state) };
        if !scan.any_safe() {
            return NodeResult::loss(if scan.hopeless { 1 } else { 2 });
        }
        if let Some(found) = self.ask_oracle(state, window.depth) {
            self.remember(key, found, Bound::Exact, window.depth, None);
            return found;
        }
        if let Some(found) = self.shortcut(state, key, window, glance.value, glance.threatened, &scan, ply, may_pass) {
            return NodeResult::new(entry.proven.clamp(found.value), found.proven.union(entry.proven));
        }
        // A threat that leaves few replies is followed for a ply more.
        let is_forced = glance.threatened && ply < self.plies_max && count(&scan.safe) <= FORCED_MAX;
        let window = Window { depth: window.depth + i32::from(is_forced), ..window };
        let (found, best) = if window.depth == 1 {
            self.frontier(state, window, ply, &scan, self.hint(key, &entry))
        } else {
            self.moves(state, window, ply, &scan, self.hint(key, &entry), glance.threatened)
        };
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let proven = found.proven.union(entry.proven);
        let found = NodeResult::new(proven.clamp(found.value), proven);
        let bound =
            if proven == Proven::DRAW { Bound::Exact } else { Bound::of(found.value, window.alpha, window.beta) };
        self.remember(key, found, bound, window.depth, best);
        found
    }

    /// The value at the horizon. A threat that cannot be met is a loss.
    pub(crate) fn leaf(&mut self, state: State, ply: usize) -> NodeResult {
        let glance = self.rules.glance(state);
        if glance.may_win
            && let Some((mv, plies)) = self.rules.quick_win(state)
        {
            self.lines[ply].push(mv);
            return NodeResult::win(plies);
        }
        if glance.threatened {
            let scan = self.rules.scan::<false>(state);
            if !scan.any_safe() {
                return NodeResult::loss(if scan.hopeless { 1 } else { 2 });
            }
        }
        NodeResult::estimate(glance.value)
    }

    /// What may answer a node before its moves are tried: a win by force, or a
    /// position so good that even passing would keep it.
    #[allow(clippy::too_many_arguments)]
    fn shortcut(
        &mut self,
        state: State,
        key: Key,
        window: Window,
        value: i32,
        threatened: bool,
        scan: &Scan,
        ply: usize,
        may_pass: bool,
    ) -> Option<NodeResult> {
        if window.depth >= PROOF_DEPTH_MIN && scan.forcing() != [0; 9] {
            let budget = PROOF_NODES << (window.depth - PROOF_DEPTH_MIN).min(3);
            if let Some((mv, plies)) = self.prove(state, budget) {
                self.lines[ply].push(mv);
                let found = NodeResult::win(plies);
                self.remember(key, found, Bound::Lower, window.depth, Some(mv));
                return Some(found);
            }
        }
        // Passing proves nothing, so it must not stand in the way of a proof
        // where the end of the game is in sight.
        let is_far = (window.depth as u32) < state.empty().count();
        let quiet = is_far && !threatened && window.is_null() && window.beta.abs() <= ESTIMATE_MAX;
        if !quiet || value < window.beta {
            return None;
        }
        if window.depth <= STATIC_DEPTH_MAX {
            return Some(NodeResult::estimate(value));
        }
        if may_pass {
            self.limiter.visit();
            let passed = self.node(state.passed(), window.flipped(1 + PASS_LESS), ply + 1, false).for_parent();
            self.lines[ply].clear();
            if passed.value >= window.beta && !self.limiter.stopped() {
                return Some(NodeResult::estimate(passed.value.min(ESTIMATE_MAX)));
            }
        }
        None
    }
}
