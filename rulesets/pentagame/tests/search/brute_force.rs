//! Values of late positions by brute force over the lists of legal moves, to compare
//! the search's proofs with.

use std::ops::ControlFlow;

use pentad_sdk::Ruleset;
use pentagame::{Move, Pentagame, Position};

use crate::support::moves;

/// Returns whether the player to move can have three figures out after this turn.
pub(crate) fn can_finish(game: &Pentagame, position: &Position) -> bool {
    let n_out = position.n_out(position.to_move()) as usize;
    let mut found = false;
    let _stopped = game.legal_moves(position, |mv| {
        found = n_out + mv.greys().count() >= 3;
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// The value of a two-player game for the player to move, with the plies to its
/// end, if at most three plies decide it.
#[derive(Debug, PartialEq)]
pub(crate) enum ExactValue {
    Win(u32),
    Draw(u32),
    Loss(u32),
    Undecided,
}

/// Returns the value where the second player is to move, if this turn decides it.
pub(crate) fn last_player_value(game: &Pentagame, position: &Position) -> ExactValue {
    match (position.n_out(0) >= 3, can_finish(game, position)) {
        (true, true) => ExactValue::Draw(1),
        (true, false) => ExactValue::Loss(1),
        (false, true) => ExactValue::Win(1),
        (false, false) => ExactValue::Undecided,
    }
}

fn first_player_wins(game: &Pentagame, position: &Position) -> bool {
    let n_out = position.n_out(0) as usize;
    let finishing = |mv: &Move| n_out + mv.greys().count() >= 3;
    let wins = |mv: &Move| !can_finish(game, &game.play(position, mv));
    n_out > 0 && moves(game, position).iter().filter(|mv| finishing(mv)).any(wins)
}

/// Tries all moves and all replies to them.
pub(crate) fn exact_value(game: &Pentagame, position: &Position) -> ExactValue {
    let replies =
        |wins: &dyn Fn(&Position) -> bool| moves(game, position).iter().all(|mv| wins(&game.play(position, mv)));
    if position.to_move() == 1 {
        let value = last_player_value(game, position);
        let lost = || replies(&|next: &Position| !next.is_over() && first_player_wins(game, next));
        return if value == ExactValue::Undecided && lost() { ExactValue::Loss(3) } else { value };
    }
    if first_player_wins(game, position) {
        return ExactValue::Win(2);
    }
    let lost = replies(&|next: &Position| last_player_value(game, next) == ExactValue::Win(1));
    if lost { ExactValue::Loss(2) } else { ExactValue::Undecided }
}
