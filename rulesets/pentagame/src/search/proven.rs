//! Evaluations that the rules alone prove: finished games and last turns.

use pentad_sdk::{Certainty, Evaluation, Scores, Source, Wdl};

use crate::position::Position;
use crate::rules::final_scores;
use crate::search::endgame::EndgameValue;

/// Returns the evaluation of a finished game, of any number of players.
pub(crate) fn terminal(position: &Position) -> Evaluation {
    let wdl = |has_finished, other_has_finished| match (has_finished, other_has_finished) {
        (true, false) => Wdl::Win,
        (false, true) => Wdl::Loss,
        _ => Wdl::Draw,
    };
    let seat = position.to_move();
    let outcome = (position.n_seats() == 2).then(|| wdl(position.has_finished(seat), position.has_finished(1 - seat)));
    Evaluation::terminal(final_scores(position), outcome)
}

/// Returns the evaluation of a two-player endgame.
pub(crate) fn endgame(position: &Position, value: &EndgameValue) -> Evaluation {
    let (outcome, plies, score) = match value {
        EndgameValue::Win(_, plies) => (Wdl::Win, *plies, 1.0),
        EndgameValue::Draw(_) => (Wdl::Draw, 1, 0.5),
        EndgameValue::Loss => (Wdl::Loss, 1, 0.0),
    };
    Evaluation {
        outcome: Some(outcome),
        plies_to_end: Some(plies),
        ..last_turn(Scores::pair(position.to_move(), score))
    }
}

/// Returns the evaluation of a position whose turn ends the game with these scores.
pub(crate) fn last_turn(scores: Scores) -> Evaluation {
    Evaluation {
        certainty: Certainty::Proven,
        outcome: None,
        plies_to_end: Some(1),
        scores,
        source: Source::Search,
        depth: 1,
    }
}
