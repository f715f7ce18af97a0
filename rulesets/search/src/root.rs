//! What all searches do at the root: which moves are asked about, and what to
//! answer when the game is over.

use crate::game::Game;
use crate::report::{Certainty, Evaluation, Report, Request, Scores, Source, StopReason, Wdl};

/// The moves to choose from: those that the request names, each once, or all
/// that are generated.
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

/// The report on a game that is over (or, against the contract of
/// [`Game::moves`], has no moves): no lines, and the scores as they are.
pub fn finished<G: Game>(game: &G, position: &G::Position) -> Report<G::Move> {
    let over = game.outcome(position);
    let scores = over.unwrap_or_else(|| Scores::even(game.n_seats()));
    let evaluation = Evaluation {
        certainty: if over.is_some() { Certainty::Proven } else { Certainty::Estimate },
        outcome: over.filter(|_| game.n_sides() == 2).map(|scores| Wdl::of_score(scores[game.to_move(position)])),
        plies_to_end: over.map(|_| 0),
        scores,
        source: if over.is_some() { Source::Terminal } else { Source::Static },
        depth: 0,
    };
    Report { lines: Vec::new(), evaluation, depth: 0, nodes: 0, stop: Some(StopReason::Proven) }
}
