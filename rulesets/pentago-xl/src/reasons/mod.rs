//! `impl Reasons`: why a move is good or bad, and for whom, in sentences that can be
//! checked against the rules. [`Reasons::CODES`] lists the codes.
//!
//! The points of fives and lines are those after the moves that make them.

mod explained_move;

use pentad_sdk::i18n::Message;
use pentad_sdk::{Certainty, Line, Reason, ReasonCode, Reasons, Report};
use pentad_sdk::{code_with_points, code_without_points, explain_ranking};

use crate::PentagoXl;
use crate::board::{Cells, Colour};
use crate::i18n::{self, TRANSLATIONS, seats};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Objective;
use explained_move::ExplainedMove;

/// A line of two is worth a reason while the player has at most this many marbles.
const OPENING_MARBLES_MAX: u32 = 3;

impl Reasons for PentagoXl {
    const CODES: &'static [ReasonCode] = &[
        code_with_points("wins_now", "the move ends the game with a win, alone or for the team"),
        code_with_points(
            "shares_now",
            "the move ends the game, and the mover shares the win or a place above the last",
        ),
        code_with_points("loses_now", "the move ends the game, and the mover gets no points"),
        code_with_points("draws_now", "the move ends the game with a draw"),
        code_with_points("finishes_now", "the mover has finished, on the place named"),
        code_with_points("gives_five", "the turn lets the players named finish"),
        code_with_points("loses_to", "the next player's reply named wins at once, or the report has proven the loss"),
        code_with_points("lets_finish", "the next player's reply named finishes, and more than one player is left"),
        code_with_points("double_threat", "whatever the reply, a win at once follows (two sides)"),
        code_without_points("forced_win", "the report has proven the win"),
        code_with_points("blocks", "the players named had a win in one, and no longer have"),
        code_with_points("only_move", "every other move loses at once, or the report has proven that it loses"),
        code_with_points("leaves_threat", "a later player threatens five, and the player named has to stop it"),
        code_with_points("threatens", "if nothing is done, the mover or the partner makes five"),
        code_with_points("builds_line", "the marble lies on a line that nobody else has a marble on, with others"),
        code_with_points("takes_centre", "the marble is where no turn can move it"),
        code_without_points("improves", "none of these; what the search expects of it, compared with the other moves"),
    ];

    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let explained = ExplainedMove::new(self, position, line.moves[0]);
        let mut reasons: Vec<Reason> = Vec::new();
        // A player who has finished neither wins nor loses by what comes after.
        if let Some(reason) = ends_game(&explained).or_else(|| finishes(&explained)) {
            reasons.push(reason);
        } else {
            reasons.extend(gives_five(&explained));
            reasons.extend(loses_to(&explained, line));
            reasons.extend(double_threat(&explained));
            reasons.extend(forced_win(&explained, line));
            reasons.extend(blocks(&explained));
            reasons.extend(leaves_threat(&explained));
            if !reasons.iter().any(|reason| matches!(reason.code, "double_threat" | "loses_to")) {
                reasons.extend(threatens(&explained));
            }
        }
        if !is_proven_loss(&explained, line) && explained.is_only_move(&proven_losses(&explained, report)) {
            let cell = Cells::only(explained.mv.cell());
            reasons.push(reason(i18n::only_move(), cell));
        }
        if !reasons.iter().any(|reason| reason.code.ends_with("_now") || reason.code == "loses_to") {
            reasons.extend(builds_line(&explained));
            reasons.extend(takes_centre(&explained));
        }
        if reasons.is_empty() {
            let text = |mv: &Move| mv.text().to_owned();
            reasons.push(explain_ranking(report, line_idx, position.side as usize, text));
        }
        reasons
    }
}

fn ends_game(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let result = explained.rules.game_result(&explained.after)?;
    let score = explained.rules.scores(&result)[explained.mover as usize];
    let variant = explained.rules.variant;
    let fives = explained.newly_five();
    let cells = explained.five_cells(&fives);
    if variant.objective() == Objective::Places {
        return finishes(explained).or_else(|| Some(ends_without_place(explained, score, &fives, cells)));
    }
    let message = if fives.is_empty() {
        i18n::draws_by_full_board()
    } else if score == 1.0 && fives.contains(&explained.mover) {
        i18n::wins_now()
    } else if score == 1.0 {
        i18n::wins_for_team(seats(&fives))
    } else if variant.objective() == Objective::Team && score == 0.5 {
        i18n::draws_by_both_teams()
    } else if score > 0.0 {
        i18n::shares_win(seats(&fives))
    } else {
        i18n::loses_now(seats(&fives))
    };
    Some(reason(message, cells))
}

/// Explains the end of a game for places in which the mover has not finished.
fn ends_without_place(explained: &ExplainedMove<'_>, score: f64, fives: &[Colour], cells: Cells) -> Reason {
    let message = match (fives, score == 0.0) {
        ([], _) if explained.after.n_finished() == 0 => i18n::draws_by_full_board(),
        ([], _) => i18n::shares_next_place(),
        (_, true) => i18n::loses_to_last_place(seats(fives)),
        (_, false) => i18n::shares_place_after(seats(fives)),
    };
    reason(message, cells)
}

fn finishes(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let place = explained.after.place(explained.mover).filter(|_| explained.before.place(explained.mover).is_none())?;
    let sharing: Vec<Colour> = explained.newly_five().into_iter().filter(|&colour| colour != explained.mover).collect();
    let place = place.to_string();
    let message = match sharing.as_slice() {
        [] => i18n::finishes(place),
        _ => i18n::finishes_with(place, seats(&sharing)),
    };
    Some(reason(message, explained.five_cells(&[explained.mover])))
}

fn gives_five(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let others: Vec<Colour> = explained.newly_five().into_iter().filter(|&colour| colour != explained.mover).collect();
    if others.is_empty() || explained.after.place(explained.mover).is_some() {
        return None;
    }
    Some(reason(i18n::gives_five(seats(&others)), explained.five_cells(&others)))
}

fn loses_to(explained: &ExplainedMove<'_>, line: &Line<Move>) -> Option<Reason> {
    let next = explained.after.side;
    let is_partner = explained.rules.team(explained.mover as usize) >> (next as usize) & 1 != 0;
    if let Some(reply) = explained.refutation.filter(|_| !is_partner) {
        let cells = explained.five_after(&explained.after, next, reply);
        if !explained.rules.is_decisive(&explained.after) {
            return Some(reason(i18n::lets_finish(next, reply.text()), cells));
        }
        return Some(reason(i18n::loses_at_once_to(next, reply.text()), cells));
    }
    if !is_proven_loss(explained, line) {
        return None;
    }
    let reply = line.moves.get(1);
    let message = reply.map_or_else(i18n::loses_by_force, |reply| i18n::loses_by_force_to(reply.text()));
    Some(reason(message, reply.map(|reply| reply.cell()).into_iter().collect()))
}

fn double_threat(explained: &ExplainedMove<'_>) -> Option<Reason> {
    if !explained.rules.variant.is_two_sided() {
        return None;
    }
    let (seat, threat) = explained.threat()?;
    explained
        .wins_against_every_reply()
        .then(|| reason(i18n::double_threat(threat.text()), explained.five_after(&explained.after, seat, threat)))
}

fn forced_win(explained: &ExplainedMove<'_>, line: &Line<Move>) -> Option<Reason> {
    let evaluation = &line.evaluation;
    let mine = evaluation.scores[explained.mover as usize];
    if evaluation.certainty != Certainty::Proven || mine < 1.0 {
        return None;
    }
    let message = evaluation.plies_to_end.map_or_else(i18n::forced_win, i18n::forced_win_in);
    Some(reason(message, Cells::NONE))
}

fn blocks(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let threats = explained.opponent_threats(explained.before);
    let left = explained.opponent_threats(&explained.after);
    let newly_five = explained.newly_five();
    let stopped: Vec<&(Colour, Move)> = threats
        .iter()
        .filter(|(colour, _)| !left.iter().any(|(other, _)| other == colour) && !newly_five.contains(colour))
        .collect();
    let (first, mv) = stopped.first()?;
    let message = match stopped.len() {
        1 => i18n::blocks(*first, mv.text()),
        _ => {
            let players: Vec<Colour> = stopped.iter().map(|(colour, _)| *colour).collect();
            i18n::blocks_several(seats(&players), *first, mv.text())
        }
    };
    Some(reason(message, explained.five_after(explained.before, *first, *mv)))
}

fn leaves_threat(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let next = explained.after.side;
    let (later, mv) = explained.opponent_threats(&explained.after).into_iter().find(|(colour, _)| *colour != next)?;
    if explained.refutation.is_some() {
        return None;
    }
    let message = match explained.defender_against(later) {
        Some(defender) => i18n::leaves_threat_to(later, mv.text(), defender),
        None => i18n::leaves_threat(later, mv.text()),
    };
    Some(reason(message, explained.five_after(&explained.after, later, mv)))
}

fn threatens(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let (seat, threat) = explained.threat()?;
    let message = match seat == explained.mover {
        true => i18n::threatens(threat.text()),
        false => i18n::threatens_by_partner(seat, threat.text()),
    };
    Some(reason(message, explained.five_after(&explained.after, seat, threat)))
}

fn builds_line(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let line = explained.longest_open_line()?;
    let count = line.count();
    let is_opening = explained.after.marbles(explained.mover).count() <= OPENING_MARBLES_MAX;
    let is_worth_saying = matches!(count, 3 | 4) || count == 2 && is_opening;
    is_worth_saying.then(|| reason(i18n::builds_line(count), line))
}

fn takes_centre(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let cell = explained.mv.cell();
    let message = if cell.block() == 4 {
        i18n::takes_fixed_cell(cell.to_string())
    } else if cell.row() % 3 == 1 && cell.column() % 3 == 1 {
        i18n::takes_middle(cell.block() + 1)
    } else {
        return None;
    };
    Some(reason(message, Cells::only(cell)))
}

/// Returns whether the line is proven to score 0 for the mover.
fn is_proven_loss(explained: &ExplainedMove<'_>, line: &Line<Move>) -> bool {
    line.evaluation.certainty == Certainty::Proven && line.evaluation.scores[explained.mover as usize] == 0.0
}

/// Returns the positions after moves that the report proves to be lost.
fn proven_losses(explained: &ExplainedMove<'_>, report: &Report<Move>) -> Vec<Position> {
    let lost = report.lines.iter().filter(|line| is_proven_loss(explained, line));
    lost.map(|line| explained.rules.play_unchecked(explained.before, line.moves[0])).collect()
}

fn reason(message: Message, cells: Cells) -> Reason {
    TRANSLATIONS.reason(message, cells.iter().map(|cell| cell.to_string()).collect())
}
