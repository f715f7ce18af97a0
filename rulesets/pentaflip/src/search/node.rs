//! The recursion: what a state is worth, within a window and to a depth.

use crate::search::table::{Bound, Entry};
use crate::search::value::{ESTIMATE_MAX, Facts, Found, OPTIMISM, WIN_MIN, is_loss, is_win};
use crate::search::worker::{PLIES_MAX, Worker};
use crate::state::{End, State};

/// Up to this depth a quiet position that looks better than needed by so much
/// a ply is believed to be.
const STATIC_DEPTH_MAX: i32 = 3;
const STATIC_MARGIN: i32 = 60;
/// Plies less after a null move.
const PASS_LESS: i32 = 2;

/// A window and how deep to look.
#[derive(Clone, Copy)]
pub(crate) struct Aim {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) depth: i32,
}

impl Aim {
    /// As the side to move next sees it, `less` plies less deep.
    pub(crate) fn flipped(self, less: i32) -> Aim {
        Aim { alpha: -self.beta, beta: -self.alpha, depth: self.depth - less }
    }

    pub(crate) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Proofs are not compared with each other.
    fn clipped(self) -> Aim {
        Aim { alpha: self.alpha.clamp(-WIN_MIN, WIN_MIN - 1), beta: self.beta.clamp(1 - WIN_MIN, WIN_MIN), ..self }
    }
}

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
        if let Some(found) = known(&entry, aim) {
            return found;
        }
        if let Some(mv) = state.win_in_one() {
            self.lines[ply].push(mv);
            return Found::win(1);
        }
        if !threatened && let Some(value) = self.shortcut(state, aim, ply, may_pass) {
            return Found { facts: entry.facts, ..Found::estimate(entry.facts.confine(value)) };
        }
        let (found, best) = if aim.depth == 1 {
            self.frontier(state, aim, ply, entry.best)
        } else {
            self.moves(state, aim, ply, entry.best, threatened)
        };
        if self.watch.stopped() {
            return Found::NOTHING;
        }
        let facts = found.facts.and(entry.facts);
        let found = Found { value: facts.confine(found.value), facts, ..found };
        let found = if facts == Facts::DRAW { Found::DRAW } else { found };
        let bound = if facts == Facts::DRAW { Bound::Exact } else { bound(found.value, aim) };
        self.remember(key, ply, found, bound, aim.depth, best);
        // What leads back to this node does so on every path.
        Found { anchor: if found.anchor >= ply { usize::MAX } else { found.anchor }, ..found }
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

/// What a stored entry already answers. Proven values and facts answer at any
/// depth; an estimate only at its depth and off the principal variation.
fn known(entry: &Entry, aim: Aim) -> Option<Found> {
    let Aim { alpha, beta, depth } = aim;
    let facts = entry.facts;
    let found = |value| Some(Found { facts, ..Found::estimate(value) });
    if entry.bound != Bound::Unknown && (is_win(entry.value) || is_loss(entry.value)) {
        return found(entry.value);
    }
    if facts == Facts::DRAW || (facts.holds() && beta <= 0) || (facts.held() && alpha >= 0) {
        return found(0);
    }
    let deep = i32::from(entry.depth) >= depth && aim.is_null();
    let answers = match entry.bound {
        Bound::Unknown => false,
        Bound::Lower => entry.value >= beta && deep,
        Bound::Upper => entry.value <= alpha && deep,
        Bound::Exact => deep,
    };
    if answers { found(entry.value) } else { None }
}

fn bound(value: i32, aim: Aim) -> Bound {
    if value >= aim.beta {
        Bound::Lower
    } else if value <= aim.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
