//! One position of the search for two players: what is certain about it, what
//! the table knows, and the candidates in order.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{Bound, INFINITE, WIN, Window, is_decided, is_loss};

use crate::alphabeta::table::{Entry, Table};
use crate::alphabeta::value::{LOOKS_LOST, bound_for_child, seen_from_parent};
use crate::candidates::{Candidate, Width, candidates};
use crate::moves::Move;
use crate::position::Position;
use crate::race::Race;
use crate::settle::{Rescue, Settled};

/// One running search.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a mut Table,
    pub(crate) limiter: Limiter<'a, Move>,
    /// Keys from the root to the present position.
    pub(crate) path: Vec<u64>,
    /// Candidates of all positions on the path, one after the other.
    stack: Vec<Candidate>,
}

/// Moves looked at, by depth left: the nearer the horizon, the fewer.
fn width(depth: i32) -> Width {
    match depth {
        ..=1 => Width { blocks: 3, greys: 1, is_thorough: false, moves: 12 },
        2 => Width { blocks: 4, greys: 1, is_thorough: false, moves: 20 },
        _ => Width { blocks: 5, greys: 2, is_thorough: false, moves: 32 },
    }
}

impl<'a> Worker<'a> {
    pub(crate) fn new(table: &'a mut Table, limiter: Limiter<'a, Move>) -> Self {
        Worker { table, limiter, path: Vec::new(), stack: Vec::new() }
    }

    /// Counts a position, unless the search is over; whether it goes on.
    pub(crate) fn visit(&mut self) -> bool {
        if !self.limiter.stopped() {
            self.limiter.visit();
        }
        !self.limiter.stopped()
    }

    /// The value of a position, for the player to move there. Nothing it says
    /// counts once the limiter has stopped.
    pub(crate) fn node(&mut self, position: &Position, window: Window) -> i32 {
        if !self.visit() {
            return 0;
        }
        if position.is_over() {
            return over(position);
        }
        let race = Race::of(position);
        if let Some(settled) = position.settled(&race.ways) {
            return settled_value(&settled);
        }
        if window.depth <= 0 {
            return position.value(&race);
        }
        let key = position.key();
        if self.path.contains(&key) {
            // Nobody gets on by going round in circles. An estimate only, so no
            // proof ever rests on it.
            return 0;
        }
        let hint = match self.known(key, window) {
            Ok(value) => return value,
            Err(hint) => hint.filter(|&mv| position.check_move(mv).is_ok()),
        };
        self.path.push(key);
        let begin = self.stack.len();
        let found = self.best_of(position, &race, window, hint);
        self.stack.truncate(begin);
        self.path.pop();
        if self.limiter.stopped() {
            return 0;
        }
        let (value, mv) = self.rescued(position, window, found);
        let bound = if value >= window.beta {
            Bound::Lower
        } else if value > window.alpha || is_decided(value) {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(key, Entry { value, depth: window.depth as u8, bound, mv });
        value
    }

    /// A value from the table that answers the question, or else a move.
    fn known(&self, key: u64, window: Window) -> Result<i32, Option<Move>> {
        let Some(entry) = self.table.probe(key) else { return Err(None) };
        if i32::from(entry.depth) < window.depth && !is_decided(entry.value) {
            return Err(entry.mv);
        }
        match entry.bound {
            Bound::Exact => Ok(entry.value),
            Bound::Lower if entry.value >= window.beta => Ok(entry.value),
            Bound::Upper if entry.value <= window.alpha => Ok(entry.value),
            _ => Err(entry.mv),
        }
    }

    /// The best of the hint and the candidates. These are not even looked for
    /// where the hint is good enough.
    fn best_of(&mut self, position: &Position, race: &Race, window: Window, hint: Option<Move>) -> (i32, Option<Move>) {
        let (mut best, mut best_move) = (-INFINITE, None);
        let begin = self.stack.len();
        let mut n_tried = 0;
        if let Some(mv) = hint {
            (best, best_move) = (self.try_move(position, mv, window, 0), Some(mv));
            n_tried = 1;
            if best >= window.beta || self.limiter.stopped() {
                return (best, best_move);
            }
        }
        candidates(position, race, width(window.depth), &mut self.stack);
        for at in begin..self.stack.len() {
            let mv = self.stack[at].mv;
            if Some(mv) == hint {
                continue;
            }
            let value = self.try_move(position, mv, Window { alpha: window.alpha.max(best), ..window }, n_tried);
            if self.limiter.stopped() {
                return (0, None);
            }
            n_tried += 1;
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            if best >= window.beta {
                break;
            }
        }
        (best, best_move)
    }

    /// Later moves are first asked whether they are any better, and not as deep.
    fn try_move(&mut self, position: &Position, mv: Move, window: Window, n_tried: usize) -> i32 {
        let next = position.play_unchecked(mv);
        let depth = window.depth - 1;
        let child =
            |alpha: i32, beta: i32, depth| Window { alpha: bound_for_child(beta), beta: bound_for_child(alpha), depth };
        if n_tried > 0 && window.alpha > -INFINITE {
            let less = if window.depth >= 3 { i32::from(n_tried >= 3) + i32::from(n_tried >= 10) } else { 0 };
            let mut value = seen_from_parent(self.node(&next, child(window.alpha, window.alpha + 1, depth - less)));
            if value > window.alpha && less > 0 {
                value = seen_from_parent(self.node(&next, child(window.alpha, window.alpha + 1, depth)));
            }
            if value <= window.alpha || value >= window.beta {
                return value;
            }
        }
        seen_from_parent(self.node(&next, child(window.alpha, window.beta, depth)))
    }

    /// Where every candidate is lost, looks at all kinds of moves: a loss is
    /// claimed only if none of them helps.
    fn rescued(&mut self, position: &Position, window: Window, found: (i32, Option<Move>)) -> (i32, Option<Move>) {
        if !is_loss(found.0) && found.1.is_some() {
            return found;
        }
        match self.rescue(position) {
            Rescue::None(plies) => (plies as i32 - WIN, found.1),
            Rescue::By(mv) => {
                let value = self.try_move(position, mv, Window { alpha: -INFINITE, beta: INFINITE, ..window }, 0);
                (value.max(LOOKS_LOST), Some(mv))
            }
            Rescue::Unknown => (LOOKS_LOST, found.1),
        }
    }

    pub(crate) fn rescue(&mut self, position: &Position) -> Rescue {
        position.rescue(&mut || !self.visit())
    }
}

/// The value of a settled position.
pub(crate) fn settled_value(settled: &Settled) -> i32 {
    match settled {
        Settled::Win(_, plies) => WIN - *plies as i32,
        Settled::Draw(_) => 0,
        Settled::Loss => 1 - WIN,
    }
}

/// The value of a finished game of two, for the player who would be to move.
pub(crate) fn over(position: &Position) -> i32 {
    match (position.has_finished(position.to_move()), position.has_finished(1 - position.to_move())) {
        (true, false) => WIN,
        (false, true) => -WIN,
        _ => 0,
    }
}
