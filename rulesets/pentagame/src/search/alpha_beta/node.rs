//! One node of the search: exact endgames, the transposition table, then the
//! candidates, best first.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{Bound, INFINITE, WIN, Window, is_decided, is_loss};

use crate::evaluate::Race;
use crate::moves::Move;
use crate::position::Position;
use crate::search::alpha_beta::transposition_table::{Entry, TranspositionTable};
use crate::search::alpha_beta::value::{UNPROVEN_LOSS, child_window, value_for_parent};
use crate::search::candidates::{Candidate, CandidateLimits, candidates};
use crate::search::endgame::{EndgameValue, LossProof};

/// The state of one running search.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a mut TranspositionTable,
    pub(crate) limiter: Limiter<'a, Move>,
    /// Keys from the root to the current position, to find repetitions.
    pub(crate) path: Vec<u64>,
    /// Candidates of all nodes on the path, one node after the other.
    candidate_stack: Vec<Candidate>,
}

/// Returns how many moves are searched at a remaining depth: fewer near the horizon.
fn candidate_limits(depth: i32) -> CandidateLimits {
    let limits = |stops_per_block, grey_origins, moves_max| CandidateLimits {
        stops_per_block,
        grey_origins,
        blocks_wide_paths: false,
        moves_max,
    };
    match depth {
        ..=1 => limits(3, 1, 12),
        2 => limits(4, 1, 20),
        _ => limits(5, 2, 32),
    }
}

impl<'a> Worker<'a> {
    pub(crate) fn new(table: &'a mut TranspositionTable, limiter: Limiter<'a, Move>) -> Self {
        Worker { table, limiter, path: Vec::new(), candidate_stack: Vec::new() }
    }

    /// Counts a node unless the search has stopped; returns false once it has.
    pub(crate) fn visit(&mut self) -> bool {
        if !self.limiter.stopped() {
            self.limiter.visit();
        }
        !self.limiter.stopped()
    }

    /// Returns the value of a position for the player to move; meaningless once the
    /// limiter has stopped.
    pub(crate) fn search_node(&mut self, position: &Position, window: Window) -> i32 {
        if !self.visit() {
            return 0;
        }
        if position.is_over() {
            return terminal_value(position);
        }
        let race = Race::of(position);
        if let Some(value) = position.probe_endgame(&race.costs) {
            return endgame_value(&value);
        }
        if window.depth <= 0 {
            return position.static_eval(&race);
        }
        let key = position.key();
        if self.path.contains(&key) {
            // A repetition counts as even. It is an estimate, so no proof depends on it.
            return 0;
        }
        let tt_move = match self.probe(key, window) {
            Ok(value) => return value,
            Err(tt_move) => tt_move.filter(|&mv| position.check_move(mv).is_ok()),
        };
        self.path.push(key);
        let begin = self.candidate_stack.len();
        let result = self.search_moves(position, &race, window, tt_move);
        self.candidate_stack.truncate(begin);
        self.path.pop();
        if self.limiter.stopped() {
            return 0;
        }
        let (value, mv) = self.verify_loss(position, window, result);
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

    /// Returns the table's value if it decides the window, or else its move.
    fn probe(&self, key: u64, window: Window) -> Result<i32, Option<Move>> {
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

    /// Searches the table's move, then the candidates, which are generated only if the
    /// table's move does not cut off. Returns the best value and move.
    fn search_moves(
        &mut self,
        position: &Position,
        race: &Race,
        window: Window,
        tt_move: Option<Move>,
    ) -> (i32, Option<Move>) {
        let (mut best, mut best_move) = (-INFINITE, None);
        let begin = self.candidate_stack.len();
        let mut n_tried = 0;
        if let Some(mv) = tt_move {
            (best, best_move) = (self.search_move(position, mv, window, 0), Some(mv));
            n_tried = 1;
            if best >= window.beta || self.limiter.stopped() {
                return (best, best_move);
            }
        }
        candidates(position, race, candidate_limits(window.depth), &mut self.candidate_stack);
        for idx in begin..self.candidate_stack.len() {
            let mv = self.candidate_stack[idx].mv;
            if Some(mv) == tt_move {
                continue;
            }
            let value = self.search_move(position, mv, Window { alpha: window.alpha.max(best), ..window }, n_tried);
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

    fn search_move(&mut self, position: &Position, mv: Move, window: Window, n_tried: usize) -> i32 {
        let reduction = if window.depth >= 3 { i32::from(n_tried >= 3) + i32::from(n_tried >= 10) } else { 0 };
        let is_later_move = n_tried > 0 && window.alpha > -INFINITE;
        self.search_child(&position.play_unchecked(mv), window, is_later_move.then_some(reduction))
    }

    /// Returns the value of a child for the player to move at its parent, whose window is
    /// given. A later move is searched with a null window and its late-move reduction
    /// first, and with the full window only if that shows it to be better.
    pub(crate) fn search_child(&mut self, child: &Position, window: Window, reduction: Option<i32>) -> i32 {
        let (alpha, depth) = (window.alpha, window.depth - 1);
        if let Some(reduction) = reduction {
            let mut value =
                value_for_parent(self.search_node(child, child_window(alpha, alpha + 1, depth - reduction)));
            if value > alpha && reduction > 0 {
                value = value_for_parent(self.search_node(child, child_window(alpha, alpha + 1, depth)));
            }
            if value <= alpha || value >= window.beta {
                return value;
            }
        }
        value_for_parent(self.search_node(child, child_window(alpha, window.beta, depth)))
    }

    /// If every candidate is lost, tries all distinct moves: a loss is proven only
    /// if none of them refutes it.
    fn verify_loss(&mut self, position: &Position, window: Window, result: (i32, Option<Move>)) -> (i32, Option<Move>) {
        if !is_loss(result.0) && result.1.is_some() {
            return result;
        }
        match self.prove_loss(position) {
            LossProof::Proven(plies) => (plies as i32 - WIN, result.1),
            LossProof::Refuted(mv) => {
                let value = self.search_move(position, mv, Window { alpha: -INFINITE, beta: INFINITE, ..window }, 0);
                (value.max(UNPROVEN_LOSS), Some(mv))
            }
            LossProof::Unknown => (UNPROVEN_LOSS, result.1),
        }
    }

    pub(crate) fn prove_loss(&mut self, position: &Position) -> LossProof {
        position.prove_loss(&mut || !self.visit())
    }
}

/// Returns the value of an endgame for the player to move.
fn endgame_value(endgame: &EndgameValue) -> i32 {
    match endgame {
        EndgameValue::Win(_, plies) => WIN - *plies as i32,
        EndgameValue::Draw(_) => 0,
        EndgameValue::Loss => 1 - WIN,
    }
}

/// Returns the value of a finished game for the player who would be to move.
fn terminal_value(position: &Position) -> i32 {
    match (position.has_finished(position.to_move()), position.has_finished(1 - position.to_move())) {
        (true, false) => WIN,
        (false, true) => -WIN,
        _ => 0,
    }
}
