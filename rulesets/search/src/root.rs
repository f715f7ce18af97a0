//! What all searches do at the root: choose the moves, and report finished games.

use crate::game::Game;
use pentad_model::{Evaluation, Report, Request, Scores, StopReason, Wdl};

/// Returns the moves to search: those that the request names, each once, or all
/// generated ones.
pub fn root_moves<G: Game>(game: &G, position: &G::Position, request: &Request<G::Move>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if request.root_moves.is_empty() {
        game.moves(position, &mut moves);
        return moves;
    }
    for mv in &request.root_moves {
        if !moves.contains(mv) {
            moves.push(mv.clone());
        }
    }
    moves
}

/// Returns the report on a game that is over (or, against the contract of
/// [`Game::moves`], has no moves): no lines, and the final scores.
pub fn finished<G: Game>(game: &G, position: &G::Position) -> Report<G::Move> {
    let evaluation = match game.outcome(position) {
        Some(scores) => {
            let outcome = (game.n_sides() == 2).then(|| Wdl::of_score(scores[game.to_move(position)]));
            Evaluation::terminal(scores, outcome)
        }
        None => Evaluation::static_estimate(Scores::even(game.n_seats())),
    };
    Report { lines: Vec::new(), evaluation, depth: 0, nodes: 0, stop: Some(StopReason::Proven) }
}
