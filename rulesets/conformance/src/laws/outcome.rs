//! Laws of the outcome, and of the pieces on the board.

use pentad_host::CallError;
use pentad_model::rng::Rng;

use crate::sample::{CheckResult, Sample, in_call};

pub(super) fn consistent(sample: &Sample<'_>, _rng: &mut Rng) -> CheckResult {
    let rules = sample.rules;
    let moves = sample.moves()?;
    rules.to_move(sample.variant, sample.position).map_err(in_call("to_move"))?;
    let Some(outcome) = rules.outcome(sample.variant, sample.position).map_err(in_call("outcome"))? else {
        return if moves.is_empty() { Err("the game is not over, but no move is legal".to_owned()) } else { Ok(()) };
    };
    if !moves.is_empty() {
        return Err(format!("the game is over, but {} moves are legal", moves.len()));
    }
    if outcome.text.is_empty() {
        return Err("the game is over, but the outcome has no text".to_owned());
    }
    let places = &outcome.places;
    for (place_idx, place) in places.iter().enumerate() {
        let n_better = places.iter().filter(|other| *other < place).count();
        if *place as usize != n_better + 1 {
            return Err(format!("places {places:?}: {n_better} seats are better than place {place}"));
        }
        for (other_idx, other) in places.iter().enumerate() {
            let (score, other_score) = (outcome.scores[place_idx], outcome.scores[other_idx]);
            if (place < other && score < other_score) || (place == other && (score - other_score).abs() > 1e-9) {
                return Err(format!("places {places:?} contradict the scores {:?}", outcome.scores));
            }
        }
    }
    match rules.play(sample.variant, sample.position, "a1") {
        Err(CallError::GameOver) => Ok(()),
        other => Err(format!("a move in a finished game returns {other:?} instead of GAME_OVER")),
    }
}

pub(super) fn pieces_on_board(sample: &Sample<'_>, _rng: &mut Rng) -> CheckResult {
    let Some(board) = &sample.rules.variants()[sample.variant].board else { return Ok(()) };
    let pieces = sample.rules.pieces(sample.variant, sample.position).map_err(in_call("pieces"))?;
    if !pieces.is_sorted_by_key(|&(point, _)| point) {
        return Err("the pieces are not in ascending order of points".to_owned());
    }
    for (point, piece) in pieces {
        if point as usize >= board.points.len() || piece as usize >= board.pieces.len() {
            return Err(format!("piece {piece} on point {point}: the board lacks one of them"));
        }
    }
    Ok(())
}
