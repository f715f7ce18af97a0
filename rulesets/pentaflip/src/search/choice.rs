//! Chooses among the moves of a node: all of them at the last ply, best first
//! before it.

use crate::moves::Move;
use crate::search::node::Aim;
use crate::search::ordering::{Candidate, MoveList};
use crate::search::value::{Facts, Found, UNANCHORED, WIN, is_loss, is_win};
use crate::search::worker::Worker;
use crate::state::State;

/// A move that threatens looks better by so much.
const FORCING_BONUS: i32 = 100;
/// Moves tried before later ones are searched a ply less deep, and two.
const LATE: [usize; 2] = [3, 9];

impl Worker<'_> {
    /// The last ply before the horizon: every move is looked at once, in no
    /// order but for those that did well elsewhere.
    pub(crate) fn frontier(&mut self, state: State, aim: Aim, ply: usize, hint: Option<Move>) -> (Found, Option<Move>) {
        let mut best = Best::new();
        let mut alpha = aim.alpha;
        let killers = self.memory.killers(ply);
        let mut tried = [None; 3];
        for (slot, mv) in [hint, killers[0], killers[1]].into_iter().enumerate() {
            let Some(mv) = mv.filter(|&mv| !tried.contains(&Some(mv)) && state.allows(mv)) else { continue };
            tried[slot] = Some(mv);
            let found = self.step(state, mv, Aim { alpha, ..aim }, ply);
            if self.take(&mut best, &mut alpha, found, mv, aim, ply) || self.watch.stopped() {
                return best.result(false);
            }
        }
        for mv in state.moves() {
            if tried.contains(&Some(mv)) {
                continue;
            }
            let found = self.step(state, mv, Aim { alpha, ..aim }, ply);
            if self.take(&mut best, &mut alpha, found, mv, aim, ply) || self.watch.stopped() {
                return best.result(false);
            }
        }
        best.result(true)
    }

    /// Plays a move and values what it leads to, for the one who played it.
    fn step(&mut self, state: State, mv: Move, aim: Aim, ply: usize) -> Found {
        self.watch.visit();
        self.lines[ply + 1].clear();
        let next = state.played(mv);
        match next.end() {
            Some(end) => Found::over(end),
            None => self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent(),
        }
    }

    /// Takes a move's value over; whether it refutes the move before.
    fn take(&mut self, best: &mut Best, alpha: &mut i32, found: Found, mv: Move, aim: Aim, ply: usize) -> bool {
        best.facts = best.facts.and(found.facts.common(Facts::HOLDS));
        best.all_held &= found.facts.held();
        best.anchor = best.anchor.min(found.anchor);
        if found.value > best.value || best.mv.is_none() {
            best.value = found.value;
            best.mv = Some(mv);
            if found.value > *alpha {
                *alpha = found.value;
                self.expect(ply, mv);
            }
        }
        if *alpha >= aim.beta {
            // The others do not matter to what this one is worth at least.
            best.anchor = found.anchor;
            self.memory.praise(ply, mv, aim.depth);
            return true;
        }
        false
    }

    /// Tries the moves, best first, until one refutes the move before.
    pub(crate) fn moves(
        &mut self,
        state: State,
        aim: Aim,
        ply: usize,
        hint: Option<Move>,
        threatened: bool,
    ) -> (Found, Option<Move>) {
        let mut best = Best::new();
        let mut alpha = aim.alpha;
        let hint = hint.filter(|&mv| state.allows(mv));
        if let Some(mv) = hint {
            let found = self.step(state, mv, aim, ply);
            if self.watch.stopped() {
                return (Found::NOTHING, None);
            }
            if self.take(&mut best, &mut alpha, found, mv, aim, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let refuted = self.list(state, hint, ply, &mut list, &mut best, &mut alpha, aim);
        let mut complete = !refuted;
        let first = usize::from(hint.is_some());
        for n_tried in first.. {
            if refuted {
                break;
            }
            let Some(candidate) = list.pick() else { break };
            let aim = Aim { alpha, ..aim };
            let found = self.attempt(&candidate, aim, ply, n_tried, threatened);
            if self.watch.stopped() || self.take(&mut best, &mut alpha, found, candidate.mv, aim, ply) {
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
    #[allow(clippy::too_many_arguments)]
    fn list(
        &mut self,
        state: State,
        hint: Option<Move>,
        ply: usize,
        list: &mut MoveList,
        best: &mut Best,
        alpha: &mut i32,
        aim: Aim,
    ) -> bool {
        list.clear();
        for mv in state.moves() {
            if Some(mv) == hint {
                continue;
            }
            self.watch.visit();
            if self.watch.stopped() {
                return true;
            }
            let next = state.played(mv);
            self.lines[ply + 1].clear();
            let at_once = match next.end() {
                Some(end) => Some(Found::over(end)),
                None => next.win_in_one().map(|reply| {
                    self.lines[ply + 1].push(reply);
                    Found::loss(2)
                }),
            };
            if let Some(found) = at_once {
                if self.take(best, alpha, found, mv, aim, ply) {
                    return true;
                }
                continue;
            }
            let forcing = next.passed().can_win();
            let bonus = if forcing { FORCING_BONUS } else { 0 };
            let score = self.memory.bonus(ply, mv) + bonus - next.value();
            list.moves.push(Candidate { score, mv, next, forcing });
        }
        false
    }

    /// One move: the first with the whole window, the others with a null
    /// window, late ones less deep, and again if they turn out better.
    fn attempt(&mut self, candidate: &Candidate, aim: Aim, ply: usize, n_tried: usize, threatened: bool) -> Found {
        let next = candidate.next;
        self.watch.visit();
        if n_tried == 0 {
            return self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent();
        }
        let null = Aim { beta: aim.alpha + 1, ..aim };
        let quiet = !threatened && !candidate.forcing && !is_loss(aim.alpha);
        let less = if quiet { reduction(aim.depth, n_tried) } else { 0 };
        let mut found = self.node(next, null.flipped(1 + less), ply + 1, true).seen_from_parent();
        if less > 0 && found.value > aim.alpha && !is_win(found.value) {
            found = self.node(next, null.flipped(1), ply + 1, true).seen_from_parent();
        }
        if found.value > aim.alpha && found.value < aim.beta && !is_win(found.value) && !self.watch.stopped() {
            found = self.node(next, aim.flipped(1), ply + 1, true).seen_from_parent();
        }
        found
    }
}

/// The best move of a node so far.
struct Best {
    value: i32,
    mv: Option<Move>,
    facts: Facts,
    all_held: bool,
    anchor: usize,
}

impl Best {
    fn new() -> Self {
        Best { value: -WIN, mv: None, facts: Facts::NONE, all_held: true, anchor: UNANCHORED }
    }

    /// `complete` if every move has been looked at.
    fn result(self, complete: bool) -> (Found, Option<Move>) {
        let held = if complete && self.all_held { Facts::HELD } else { Facts::NONE };
        (Found { value: self.value, facts: self.facts.and(held), anchor: self.anchor }, self.mv)
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
