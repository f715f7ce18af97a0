//! Why a move is good or bad, and for whom, in sentences that can be checked
//! by the rules.
//!
//! The codes are listed in [`Reasons::CODES`].
//!
//! The points of fives and lines are those after the moves that make them.

mod explained_move;

use pentad_sdk::{Certainty, Line, Reason, ReasonCode, Reasons, Report};
use pentad_sdk::{code_with_points, code_without_points, explain_ranking};

use crate::PentagoXl;
use crate::board::{Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::ruleset::join_names;
use crate::variant::Objective;
use explained_move::ExplainedMove;

/// Two on a line say something only while a player has no more marbles than this.
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
        // Whoever has finished neither wins nor loses by what comes after.
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
            reasons.push(reason("only_move", "Every other move loses.".to_owned(), cell));
        }
        if !reasons.iter().any(|reason| reason.code.ends_with("_now") || reason.code == "loses_to") {
            reasons.extend(builds_line(&explained));
            reasons.extend(takes_centre(&explained));
        }
        if reasons.is_empty() {
            let text = |mv: &Move| mv.text().to_owned();
            reasons.push(explain_ranking("improves", report, line_idx, position.side as usize, text));
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
    let names: Vec<&str> = fives.iter().map(|colour| colour.name()).collect();
    if variant.objective() == Objective::Places {
        return finishes(explained).or_else(|| Some(ends_without_place(explained, score, &names, cells)));
    }
    Some(if fives.is_empty() {
        reason("draws_now", "It fills the board, so the game is drawn.".to_owned(), cells)
    } else if score == 1.0 && fives.contains(&explained.mover) {
        reason("wins_now", "It makes five in a row and wins at once.".to_owned(), cells)
    } else if score == 1.0 {
        reason("wins_now", format!("It gives {} five in a row and wins for the team.", join_names(&names)), cells)
    } else if variant.objective() == Objective::Team && score == 0.5 {
        reason("draws_now", "Both teams have five in a row, so the game is drawn.".to_owned(), cells)
    } else if score > 0.0 {
        reason("shares_now", format!("{} have five in a row and share the win.", join_names(&names)), cells)
    } else {
        reason("loses_now", format!("It gives {} five in a row and loses at once.", join_names(&names)), cells)
    })
}

/// The end of a game for places in which the mover has not finished.
fn ends_without_place(explained: &ExplainedMove<'_>, score: f64, names: &[&str], cells: Cells) -> Reason {
    let (code, text) = match (names, score == 0.0) {
        ([], _) if explained.after.n_finished() == 0 => {
            ("draws_now", "It fills the board, so the game is drawn.".to_owned())
        }
        ([], _) => ("shares_now", "It fills the board, and all who are left share the next place.".to_owned()),
        (_, true) => {
            ("loses_now", format!("It gives {} five in a row, and the last place is left.", join_names(names)))
        }
        (_, false) => {
            let text =
                format!("It gives {} five in a row and fills the board: the rest share a place.", join_names(names));
            ("shares_now", text)
        }
    };
    reason(code, text, cells)
}

fn finishes(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let place = explained.after.place(explained.mover).filter(|_| explained.before.place(explained.mover).is_none())?;
    let sharing: Vec<&str> = explained
        .newly_five()
        .iter()
        .filter(|&&colour| colour != explained.mover)
        .map(|colour| colour.name())
        .collect();
    let place = ["first", "second", "third", "fourth"][usize::from(place).clamp(1, 4) - 1];
    let text = match sharing.as_slice() {
        [] => format!("It makes five in a row and takes the {place} place."),
        _ => format!("It makes five in a row and shares the {place} place with {}.", join_names(&sharing)),
    };
    Some(reason("finishes_now", text, explained.five_cells(&[explained.mover])))
}

fn gives_five(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let others: Vec<Colour> = explained.newly_five().into_iter().filter(|&colour| colour != explained.mover).collect();
    if others.is_empty() || explained.after.place(explained.mover).is_some() {
        return None;
    }
    let names: Vec<&str> = others.iter().map(|colour| colour.name()).collect();
    let text = format!("Its turn gives {} five in a row, and with it a place.", join_names(&names));
    Some(reason("gives_five", text, explained.five_cells(&others)))
}

fn loses_to(explained: &ExplainedMove<'_>, line: &Line<Move>) -> Option<Reason> {
    let next = explained.after.side;
    let is_partner = explained.rules.team(explained.mover as usize) >> (next as usize) & 1 != 0;
    if let Some(reply) = explained.refutation.filter(|_| !is_partner) {
        let cells = explained.five_after(&explained.after, next, reply);
        if !explained.rules.is_decisive(&explained.after) {
            let text = format!("It lets {} finish next with {}.", next.name(), reply.text());
            return Some(reason("lets_finish", text, cells));
        }
        let text = format!("It loses at once to {}, with which {} makes five in a row.", reply.text(), next.name());
        return Some(reason("loses_to", text, cells));
    }
    if !is_proven_loss(explained, line) {
        return None;
    }
    let text = match line.moves.get(1) {
        Some(reply) => format!("It loses by force to {}.", reply.text()),
        None => "It loses by force.".to_owned(),
    };
    Some(reason("loses_to", text, line.moves.get(1).map(|reply| reply.cell()).into_iter().collect()))
}

fn double_threat(explained: &ExplainedMove<'_>) -> Option<Reason> {
    if !explained.rules.variant.is_two_sided() {
        return None;
    }
    let (seat, threat) = explained.threat()?;
    explained.wins_against_every_reply().then(|| {
        let text = format!("It threatens {} and more: no reply stops every five in a row.", threat.text());
        reason("double_threat", text, explained.five_after(&explained.after, seat, threat))
    })
}

fn forced_win(explained: &ExplainedMove<'_>, line: &Line<Move>) -> Option<Reason> {
    let evaluation = &line.evaluation;
    let mine = evaluation.scores[explained.mover as usize];
    if evaluation.certainty != Certainty::Proven || mine < 1.0 {
        return None;
    }
    let text = match evaluation.plies_to_end {
        Some(plies) => format!("It wins by force, {plies} plies from here at the latest."),
        None => "It wins by force.".to_owned(),
    };
    Some(reason("forced_win", text, Cells::NONE))
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
    let names: Vec<&str> = stopped.iter().map(|(colour, _)| colour.name()).collect();
    let text = match names.as_slice() {
        [name] => format!("It stops {name} from making five in a row with {}.", mv.text()),
        _ => format!("It stops {} from making five in a row, {first:?} with {}.", join_names(&names), mv.text()),
    };
    Some(reason("blocks", text, explained.five_after(explained.before, *first, *mv)))
}

fn leaves_threat(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let next = explained.after.side;
    let (later, mv) = explained.opponent_threats(&explained.after).into_iter().find(|(colour, _)| *colour != next)?;
    if explained.refutation.is_some() {
        return None;
    }
    let threat = format!("{} threatens five in a row with {}", later.name(), mv.text());
    let text = match explained.defender_against(later) {
        Some(defender) => format!("{threat}, and {} has to stop it.", defender.name()),
        None => format!("{threat}."),
    };
    Some(reason("leaves_threat", text, explained.five_after(&explained.after, later, mv)))
}

fn threatens(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let (seat, threat) = explained.threat()?;
    let text = if seat == explained.mover {
        format!("It threatens to make five in a row with {}.", threat.text())
    } else {
        format!("It threatens five in a row by the partner {} with {}.", seat.name(), threat.text())
    };
    Some(reason("threatens", text, explained.five_after(&explained.after, seat, threat)))
}

fn builds_line(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let line = explained.longest_open_line()?;
    let n = match line.count() {
        2 if explained.after.marbles(explained.mover).count() <= OPENING_MARBLES_MAX => "two",
        3 => "three",
        4 => "four",
        _ => return None,
    };
    Some(reason("builds_line", format!("It makes {n} on a line that is still open."), line))
}

fn takes_centre(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let cell = explained.mv.cell();
    let text = if cell.block() == 4 {
        format!("It takes {cell} in the fixed block, which never turns.")
    } else if cell.row() % 3 == 1 && cell.column() % 3 == 1 {
        format!("It takes the middle of block {}, which no turn can move.", cell.block() + 1)
    } else {
        return None;
    };
    Some(reason("takes_centre", text, Cells::only(cell)))
}

/// Whether the line is proven to give the mover nothing.
fn is_proven_loss(explained: &ExplainedMove<'_>, line: &Line<Move>) -> bool {
    line.evaluation.certainty == Certainty::Proven && line.evaluation.scores[explained.mover as usize] == 0.0
}

/// The positions after moves that the report proves to be lost.
fn proven_losses(explained: &ExplainedMove<'_>, report: &Report<Move>) -> Vec<Position> {
    let lost = report.lines.iter().filter(|line| is_proven_loss(explained, line));
    lost.map(|line| explained.rules.play_unchecked(explained.before, line.moves[0])).collect()
}

fn reason(code: &'static str, text: String, cells: Cells) -> Reason {
    Reason { code, text, points: cells.iter().map(|cell| cell.to_string()).collect() }
}
