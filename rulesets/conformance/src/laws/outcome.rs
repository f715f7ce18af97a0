//! Ends of games, and the board.

use pentad_host::CallError;
use pentad_search::rng::Rng;

use crate::site::{Held, Site, told};

pub(super) fn sound(site: &Site<'_>, _rng: &mut Rng) -> Held {
    let rules = site.ruleset;
    let moves = site.moves()?;
    rules.to_move(site.variant, site.position).map_err(told("to_move"))?;
    let Some(outcome) = rules.outcome(site.variant, site.position).map_err(told("outcome"))? else {
        return if moves.is_empty() { Err("not over, but no move is legal".to_owned()) } else { Ok(()) };
    };
    if !moves.is_empty() {
        return Err(format!("over, but {} moves are legal", moves.len()));
    }
    if outcome.text.is_empty() {
        return Err("over, but nothing is said about how".to_owned());
    }
    let places = &outcome.places;
    for (place_idx, place) in places.iter().enumerate() {
        let n_better = places.iter().filter(|other| *other < place).count();
        if *place as usize != n_better + 1 {
            return Err(format!("places {places:?}: {n_better} are better than place {place}"));
        }
        for (other_idx, other) in places.iter().enumerate() {
            let (score, other_score) = (outcome.scores[place_idx], outcome.scores[other_idx]);
            if (place < other && score < other_score) || (place == other && (score - other_score).abs() > 1e-9) {
                return Err(format!("places {places:?} do not fit the scores {:?}", outcome.scores));
            }
        }
    }
    match rules.play(site.variant, site.position, "a1") {
        Err(CallError::GameOver) => Ok(()),
        other => Err(format!("a move after the end should be told that the game is over, not {other:?}")),
    }
}

pub(super) fn drawn(site: &Site<'_>, _rng: &mut Rng) -> Held {
    let Some(board) = &site.ruleset.variants()[site.variant].board else { return Ok(()) };
    let pieces = site.ruleset.pieces(site.variant, site.position).map_err(told("pieces"))?;
    if !pieces.is_sorted_by_key(|&(point, _)| point) {
        return Err("the pieces are not in the order of their points".to_owned());
    }
    for (point, piece) in pieces {
        if point as usize >= board.points.len() || piece as usize >= board.pieces.len() {
            return Err(format!("piece {piece} on point {point}, which the board does not have"));
        }
    }
    Ok(())
}
