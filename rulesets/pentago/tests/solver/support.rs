pub(crate) use pentad_sdk::testing::{moves, parse, text};

use std::collections::HashMap;

use pentad_sdk::Wdl;
use pentad_sdk::rng::Rng;
use pentago::solver::{Plan, Solution, SolverOptions, plan, solve};
use pentago::{Edition, Move, Pentago, Position};

/// Returns a position of a random game in progress that can be solved.
pub(crate) fn random_position(game: &Pentago, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let (mut position, mut found) = (Position::START, None);
        game.playout_with(
            &Position::START,
            || rng.next_u64(),
            |mv| {
                if position.occupied().count() == n_marbles {
                    found.get_or_insert(position);
                }
                position = game.play_unchecked(&position, mv);
            },
        );
        // These games are started by white; either colour may start.
        if let Some(position) = found.filter(|position| plan(game, position, usize::MAX).is_ok()) {
            let text = text(game, &position);
            let swap = |letter| match letter {
                'w' => 'b',
                'b' => 'w',
                other => other,
            };
            let swapped: String = text.chars().map(swap).collect();
            return if rng.below(2) == 0 { position } else { parse(game, &swapped) };
        }
    }
}

/// Solves by a plan, with two threads.
pub(crate) fn solve_by(game: &Pentago, position: &Position, plan: &Plan) -> Solution {
    solve(game, position, plan, SolverOptions::new(2), &|| false, &mut |_| {}).expect("never stopped")
}

/// Solves in one pass.
pub(crate) fn solution(game: &Pentago, position: &Position) -> Solution {
    solve_by(game, position, &plan(game, position, usize::MAX).expect("solvable"))
}

/// Minimax to the end of the game by the crate's rules, with memoisation.
#[derive(Default)]
pub(crate) struct Minimax {
    memo: HashMap<u64, Wdl>,
}

impl Minimax {
    pub(crate) fn value(&mut self, game: &Pentago, position: &Position) -> Wdl {
        if let Some(result) = game.game_result(position) {
            return match result.winner() {
                None => Wdl::Draw,
                Some(winner) if winner == position.side() => Wdl::Win,
                Some(_) => Wdl::Loss,
            };
        }
        if let Some(&value) = self.memo.get(&position.code()) {
            return value;
        }
        let mut best = Wdl::Loss;
        for mv in moves(game, position) {
            best = best.max(self.value_of_move(game, position, mv));
            if best == Wdl::Win {
                break;
            }
        }
        self.memo.insert(position.code(), best);
        best
    }

    /// Returns the value of a move for the side that plays it.
    pub(crate) fn value_of_move(&mut self, game: &Pentago, position: &Position, mv: Move) -> Wdl {
        let next = game.play_unchecked(position, mv);
        let value = self.value(game, &next);
        // Passing on the reply leaves the side as it is.
        if next.side() == position.side() { value } else { value.opposite() }
    }
}

pub(crate) fn editions() -> impl Iterator<Item = Pentago> {
    Edition::ALL.into_iter().map(Pentago::of)
}
