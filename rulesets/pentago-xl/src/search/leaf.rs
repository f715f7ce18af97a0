//! Leaf values: exact where the rules or the next two plies decide, else the static
//! evaluation. There are no rollouts.

use crate::position::Position;
use crate::search::endgame::SOLVED_EMPTY_MAX;
use crate::search::proof::{MaxN, SeatValues, State};
use crate::search::safe_moves::game_ending_moves;
use crate::search::tree::UNKNOWN;
use crate::search::tree_search::TreeSearch;

impl TreeSearch<'_> {
    /// Evaluates a node at its first visit, and solves it if the value is exact.
    pub(crate) fn evaluate_leaf(&mut self, node: usize, position: &Position) -> SeatValues {
        let rules = self.rules;
        let seat = position.side as usize;
        if let Some(result) = rules.game_result(position) {
            let values = rules.values(&result);
            self.tree.nodes[node].set_terminal(values);
            return values;
        }
        if position.empty().count() <= SOLVED_EMPTY_MAX {
            let (state, values) = rules.solve_endgame(position);
            self.tree.nodes[node].set_solved(state, values, UNKNOWN);
            return values;
        }
        if rules.is_decisive(position) {
            if rules.winning_move(position).is_some() {
                let values = rules.values_after_five(position, seat);
                self.tree.nodes[node].set_solved(State::Proven, values, 1);
                return values;
            }
            if rules.is_threatened(position) && self.solve_if_no_safe_move(node, position) {
                return self.tree.nodes[node].values;
            }
        } else if let Some(mv) = rules.winning_move(position) {
            // A player who can finish does so.
            return self.static_values(&rules.play_unchecked(position, mv));
        }
        self.static_values(position)
    }

    /// Returns the static evaluation of a position.
    pub(crate) fn static_values(&self, position: &Position) -> SeatValues {
        let scores = self.rules.static_scores(position);
        let mut values = [0.0; 4];
        values.iter_mut().zip(scores.as_slice()).for_each(|(value, score)| *value = *score as f32);
        values
    }

    /// Solves a decisive node without a win in one if every move ends the game
    /// or loses to the next one; returns whether it did.
    pub(crate) fn solve_if_no_safe_move(&mut self, node: usize, position: &Position) -> bool {
        let safe_moves = self.rules.safe_moves(position);
        if safe_moves.any() {
            return false;
        }
        let mut max_n = MaxN::new(position.side as usize);
        if safe_moves.n_unsafe > 0 {
            let next = self.rules.next_to_move(position.side, &position.places);
            max_n.add_n(safe_moves.n_unsafe, State::Proven, &self.rules.values_after_five(position, next as usize));
        }
        self.moves.clear();
        game_ending_moves(position, &safe_moves, &mut self.moves);
        for &mv in &self.moves {
            if let Some(result) = self.rules.game_result(&self.rules.play_unchecked(position, mv)) {
                max_n.add(State::Proven, &self.rules.values(&result));
            }
        }
        let Some((state, values)) = max_n.result() else { return false };
        // A lost player chooses the longer game.
        let is_loss = state == State::Proven && values[position.side as usize] == 0.0;
        let plies = if is_loss { 1 + u8::from(safe_moves.n_unsafe > 0) } else { UNKNOWN };
        self.tree.nodes[node].set_solved(state, values, plies);
        true
    }
}
