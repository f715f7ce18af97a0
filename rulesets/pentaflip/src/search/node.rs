//! The recursion: what a state is worth, within a window and to a depth.

use pentad_sdk::search::Facts;
use pentad_sdk::search::alphabeta::{Aim, Bound, ESTIMATE_MAX, Found};

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
    pub(crate) fn node(&mut self, state: State, aim: Aim, ply: usize, may_pass: bool) -> Found {
        self.lines[ply].clear();
        if self.watch.stopped() {
            return Found::NOTHING;
        }
        let mut aim = aim.clipped();
        let threatened = state.passed().can_win();
        let follows = threatened && ply < self.plies_max;
        if (aim.depth <= 0 && !follows) || ply >= PLIES_MAX {
            return self.leaf(state, threatened, ply);
        }
        let key = self.key(state, ply);
        self.enter(state, key, ply);
        if let Some(anchor) = self.repeats(state, ply) {
            return Found::repeated(anchor);
        }
        // A threat is followed for a ply more.
        aim.depth = if follows { aim.depth.max(0) + 1 } else { aim.depth };
        let entry = self.table.probe(key);
        if let Some(found) = aim.answer(&entry) {
            return found;
        }
        if let Some(mv) = state.win_in_one() {
            self.lines[ply].push(mv);
            return Found::win(1);
        }
        if !threatened && let Some(value) = self.shortcut(state, aim, ply, may_pass) {
            return Found::new(entry.facts.confine(value), entry.facts);
        }
        let hint = Move::at(entry.move_idx.into());
        let (found, best) = if aim.depth == 1 {
            self.frontier(state, aim, ply, hint)
        } else {
            self.moves(state, aim, ply, hint, threatened)
        };
        if self.watch.stopped() {
            return Found::NOTHING;
        }
        let facts = found.facts.and(entry.facts);
        let found = Found { value: facts.confine(found.value), facts, ..found };
        let found = if facts == Facts::DRAW { Found::DRAW } else { found };
        let bound = if facts == Facts::DRAW { Bound::Exact } else { Bound::of(found.value, aim.alpha, aim.beta) };
        self.remember(key, ply, found, bound, aim.depth, best);
        found.handed_up(ply)
    }

    /// The value at the horizon. A threat that cannot be met is a loss.
    pub(crate) fn leaf(&mut self, state: State, threatened: bool, ply: usize) -> Found {
        if let Some(mv) = state.win_in_one() {
            self.lines[ply].push(mv);
            return Found::win(1);
        }
        if threatened && let Some(found) = hopeless(state) {
            return found;
        }
        Found::estimate(estimate(state, ply))
    }

    /// Whether a quiet position is so good that even passing would keep it.
    fn shortcut(&mut self, state: State, aim: Aim, ply: usize, may_pass: bool) -> Option<i32> {
        if !aim.is_null() || aim.beta.abs() > ESTIMATE_MAX {
            return None;
        }
        let value = estimate(state, ply);
        if aim.depth <= STATIC_DEPTH_MAX && value - STATIC_MARGIN * aim.depth >= aim.beta {
            return Some(value);
        }
        if !may_pass || aim.depth < 2 || value < aim.beta {
            return None;
        }
        self.watch.visit();
        let passed = self.node(state.passed(), aim.flipped(1 + PASS_LESS), ply + 1, false).seen_from_parent();
        self.lines[ply].clear();
        let is_enough = passed.value >= aim.beta && !self.watch.stopped();
        is_enough.then_some(passed.value.min(ESTIMATE_MAX))
    }
}

/// The value of a state at a ply as it stands, for its side to move.
pub(crate) fn estimate(state: State, ply: usize) -> i32 {
    state.value() + if ply.is_multiple_of(2) { OPTIMISM } else { -OPTIMISM }
}

/// The loss of a side that can neither win at once nor keep the other side
/// from it; `None` if some move does not lose.
pub(crate) fn hopeless(state: State) -> Option<Found> {
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
    Some(Found::loss(plies))
}
