//! `impl Reasons`: why a move is good or bad, in statements that follow from the rules.
//!
//! The codes are listed in [`Reasons::CODES`].
//!
//! Points are the cells that the statement is about: for a game that ends now the line
//! on the final board, for a threat the line before the move that completes it, with
//! rings that a flip would bring up still underneath.

mod explainer;
mod points;

use pentad_sdk::{Reason, ReasonCode, Reasons, Report, Wdl, code_with_points, code_without_points, explain_ranking};

use crate::i18n::{self, TRANSLATIONS};
use crate::moves::Move;
use crate::position::Position;
use crate::{Pentaflip, book};
use explainer::MoveExplainer;

impl Reasons for Pentaflip {
    const CODES: &'static [ReasonCode] = &[
        code_with_points("wins_now", "the move ends the game with a win"),
        code_with_points("loses_now", "the move ends the game with a loss"),
        code_with_points("draws_now", "the move ends the game with a draw"),
        code_with_points("loses_to", "the reply named wins at once, or the report has proven the loss"),
        code_with_points("double_threat", "whatever the reply, a win at once follows"),
        code_without_points("forced_win", "the report has proven the win"),
        code_with_points("blocks", "the opponent could win at once if nothing was done, and no longer can"),
        code_with_points("flip_threat", "if nothing is done, a flip wins at once for the side that moved"),
        code_with_points("threatens", "if nothing is done, a ring wins at once for the side that moved"),
        code_with_points("only_move", "every other move loses at once, or the report has proven that it loses"),
        code_with_points(
            "builds_line",
            "the ring lies on a line that the opponent has nothing on, with others or a spot",
        ),
        code_with_points("brings_up", "the flip gives the side that made it more rings on top"),
        code_with_points(
            "turns_under",
            "the flip leaves the opponent fewer rings on top, and the side that made it as many as before",
        ),
        code_without_points("opening", "the move is in the opening book"),
        code_without_points("improves", "none of these; what the search expects of it, compared with the other moves"),
    ];

    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let explainer = MoveExplainer::new(self, position, line.moves[0]);
        let outcome = line.evaluation.outcome;
        let mut reasons: Vec<Reason> = explainer.explain_game_end().into_iter().collect();
        let is_over = !reasons.is_empty();
        if !is_over {
            reasons.extend(explainer.explain_loss(outcome, line.moves.get(1).copied()));
            reasons.extend(explainer.explain_double_threat());
            reasons.extend(explain_forced_win(outcome, line.evaluation.plies_to_end));
            reasons.extend(explainer.explain_blocked_threat());
            if !reasons.iter().any(|reason| matches!(reason.code, "double_threat" | "loses_to")) {
                reasons.extend(explainer.explain_threat());
            }
        }
        // "Every other move loses" would mislead if this one loses too.
        if outcome != Some(Wdl::Loss) {
            reasons.extend(explainer.explain_only_move(report));
        }
        if !is_over && !reasons.iter().any(|reason| reason.code == "loses_to") {
            reasons.extend(explainer.explain_open_line());
            reasons.extend(explainer.explain_rings_turned());
        }
        reasons.extend(explain_book_move(self, position, line.moves[0]));
        if reasons.is_empty() {
            let text = |mv: &Move| mv.text().to_owned();
            reasons.push(explain_ranking(report, line_idx, position.side as usize, text));
        }
        reasons
    }
}

fn explain_book_move(rules: &Pentaflip, position: &Position, mv: Move) -> Option<Reason> {
    let book_move = book::probe(rules, position).filter(|book_move| book_move.mv == mv)?;
    let (points, worst) = (book_move.points as u32, book_move.worst_points as u32);
    let message = match book_move.worst_points > f64::from(worst) {
        true => i18n::opening_with_half(points, book::GAMES_PER_MOVE, worst),
        false => i18n::opening(points, book::GAMES_PER_MOVE, worst),
    };
    Some(TRANSLATIONS.reason(message, Vec::new()))
}

fn explain_forced_win(outcome: Option<Wdl>, plies: Option<u32>) -> Option<Reason> {
    let message = match (outcome?, plies) {
        (Wdl::Win, Some(plies)) => i18n::forced_win_in(plies),
        (Wdl::Win, None) => i18n::forced_win(),
        _ => return None,
    };
    Some(TRANSLATIONS.reason(message, Vec::new()))
}
