//! The recursion: what a state is worth, within a window and to a depth.

use pentad_sdk::search::Proven;
use pentad_sdk::search::primitives::{Bound, ESTIMATE_MAX, NodeResult, Window};

use crate::moves::Move;
use crate::search::value::OPTIMISM;
use crate::search::worker::{PLIES_MAX, Worker};
use crate::state::{End, State};

/// Up to this depth a quiet position that looks better than needed by so much
/// a ply is believed to be.
const STATIC_DEPTH_MAX: i32 = 3;
const STATIC_MARGIN: i32 = 60;
/// Plies less after a null move.
const PASS_LESS: i32 = 2;

impl Worker<'_> {
    /// The value of a state that is not over, for its side to move.
    pub(crate) fn node(&mut self, state: State, window: Window, ply: usize, may_pass: bool) -> NodeResult {
        self.lines[ply].clear();
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let mut window = window.clipped();
        let threatened = state.passed().can_win();
        let follows = threatened && ply < self.plies_max;
        if (window.depth <= 0 && !follows) || ply >= PLIES_MAX {
            return self.leaf(state, threatened, ply);
        }
        let key = self.key(state, ply);
        self.enter(state, key, ply);
        if let Some(anchor) = self.repeats(state, ply) {
            return NodeResult::repetition(anchor);
        }
        // A threat is followed for a ply more.
        window.depth = if follows { window.depth.max(0) + 1 } else { window.depth };
        let entry = self.table.probe(key);
        if let Some(found) = window.cutoff(&entry) {
            return found;
        }
        if let Some(mv) = state.win_in_one() {
            self.lines[ply].push(mv);
            return NodeResult::win(1);
        }
        if !threatened && let Some(value) = self.shortcut(state, window, ply, may_pass) {
            return NodeResult::new(entry.proven.clamp(value), entry.proven);
        }
        let hint = Move::at(entry.move_idx.into());
        let (found, best) = if window.depth == 1 {
            self.frontier(state, window, ply, hint)
        } else {
            self.moves(state, window, ply, hint, threatened)
        };
        if self.limiter.stopped() {
            return NodeResult::ABORTED;
        }
        let proven = found.proven.union(entry.proven);
        let found = NodeResult { value: proven.clamp(found.value), proven, ..found };
        let found = if proven == Proven::DRAW { NodeResult::DRAW } else { found };
        let bound =
            if proven == Proven::DRAW { Bound::Exact } else { Bound::of(found.value, window.alpha, window.beta) };
        self.remember(key, ply, found, bound, window.depth, best);
        found.without_own_anchor(ply)
    }

    /// The value at the horizon. A threat that cannot be met is a loss.
    pub(crate) fn leaf(&mut self, state: State, threatened: bool, ply: usize) -> NodeResult {
        if let Some(mv) = state.win_in_one() {
            self.lines[ply].push(mv);
            return NodeResult::win(1);
        }
        if threatened && let Some(found) = hopeless(state) {
            return found;
        }
        NodeResult::estimate(estimate(state, ply))
    }

    /// Whether a quiet position is so good that even passing would keep it.
    fn shortcut(&mut self, state: State, window: Window, ply: usize, may_pass: bool) -> Option<i32> {
        if !window.is_null() || window.beta.abs() > ESTIMATE_MAX {
            return None;
        }
        let value = estimate(state, ply);
        if window.depth <= STATIC_DEPTH_MAX && value - STATIC_MARGIN * window.depth >= window.beta {
            return Some(value);
        }
        if !may_pass || window.depth < 2 || value < window.beta {
            return None;
        }
        self.limiter.visit();
        let passed = self.node(state.passed(), window.flipped(1 + PASS_LESS), ply + 1, false).for_parent();
        self.lines[ply].clear();
        let is_enough = passed.value >= window.beta && !self.limiter.stopped();
        is_enough.then_some(passed.value.min(ESTIMATE_MAX))
    }
}

/// The value of a state at a ply as it stands, for its side to move.
pub(crate) fn estimate(state: State, ply: usize) -> i32 {
    state.value() + if ply.is_multiple_of(2) { OPTIMISM } else { -OPTIMISM }
}

/// The loss of a side that can neither win at once nor keep the other side
/// from it; `None` if some move does not lose.
pub(crate) fn hopeless(state: State) -> Option<NodeResult> {
    let mut plies = 1;
    for hole in state.places().singles() {
        let next = state.placed(hole);
        if next.all_placed() || !next.can_win() {
            return None;
        }
        plies = 2;
    }
    for flip in state.flips() {
        let next = state.flipped(flip);
        match next.end() {
            Some(End::Lost) => {}
            Some(_) => return None,
            None if next.can_win() => plies = 2,
            None => return None,
        }
    }
    Some(NodeResult::loss(plies))
}
