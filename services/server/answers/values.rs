//! Evaluations and boards as text.

use super::ascii_board;
use super::fields::{Certainty, Evaluation, Outcome, PositionAnswer};
use super::game_view::GameView;

/// Draws the board with characters; `None` if the rule set describes none.
pub(crate) fn drawn(game: &GameView, position: &PositionAnswer) -> Option<String> {
    ascii_board::render(game.board.as_ref()?, &game.pieces(position))
}

/// Returns `a proven win in 2 moves (3 plies) (search)` or `White 63 %, Black 37 % (an
/// estimate, search)`, for the side to move.
pub(crate) fn evaluation_text(game: &GameView, evaluation: &Evaluation) -> String {
    // A win takes the mover every other ply.
    let plies = match evaluation.plies_to_end {
        None => String::new(),
        Some(1) => " in 1 move".to_owned(),
        Some(2) => " in 1 move (2 plies)".to_owned(),
        Some(plies) => format!(" in {} moves ({plies} plies)", plies.div_ceil(2)),
    };
    let source = &evaluation.source;
    match (evaluation.certainty, evaluation.outcome) {
        (Certainty::Proven, Some(Outcome::Win)) => format!("a proven win{plies} ({source})"),
        (Certainty::Proven, Some(Outcome::Draw)) => format!("a proven draw{plies} ({source})"),
        (Certainty::Proven, Some(Outcome::Loss)) => format!("a proven loss{plies} ({source})"),
        (certainty, _) => {
            let seats = game.variant.seats.iter().filter_map(|seat| Some((seat, evaluation.scores.get(seat)?)));
            let scores: Vec<String> =
                seats.map(|(seat, score)| format!("{} {}", game.variant.seat_name(seat), percent(*score))).collect();
            let certainty = if certainty == Certainty::Proven { "proven" } else { "an estimate" };
            format!("{} ({certainty}, {source})", scores.join(", "))
        }
    }
}

/// Returns a share between 0 and 1 as `63 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
