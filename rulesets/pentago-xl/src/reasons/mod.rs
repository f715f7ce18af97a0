//! Why a move is good or bad, and for whom, in sentences that can be checked
//! by the rules.
//!
//! | code | what is true |
//! | --- | --- |
//! | `wins_now` | the move ends the game with a win, alone or for the team |
//! | `shares_now` | the move ends the game, and several share the win |
//! | `loses_now` | the move ends the game with a five of others |
//! | `draws_now` | the move ends the game with a draw |
//! | `finishes_now` | the mover has finished, on the place named |
//! | `gives_five` | the turn lets the players named finish |
//! | `loses_to` | the next player's reply named wins at once, or the report has proven the loss |
//! | `lets_finish` | the next player's reply named finishes, and others play on |
//! | `double_threat` | whatever the reply, a win at once follows (two sides) |
//! | `forced_win` | the report has proven the win |
//! | `blocks` | the players named had a win in one, and no longer have |
//! | `only_move` | every other move loses at once, or the report has proven that it loses |
//! | `leaves_threat` | a later player threatens five, and those before have to stop it |
//! | `threatens` | if nothing is done, the mover or the partner makes five |
//! | `builds_line` | the marble lies on a line that nobody else has a marble on, with others |
//! | `takes_centre` | the marble is where no turn can move it |
//! | `improves` | none of these; only the ranking of the search speaks for it |
//!
//! The points of fives and lines are those after the moves that make them.

mod explained_move;

use pentad_sdk::{Certainty, Line, Reason, Reasons, Report};

use crate::PentagoXl;
use crate::board::{Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::ruleset::join_names;
use crate::variant::Objective;
use explained_move::ExplainedMove;

impl Reasons for PentagoXl {
    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let explained = ExplainedMove::new(self, position, line.moves[0]);
        let mut reasons: Vec<Reason> = Vec::new();
        if let Some(reason) = ends_game(&explained) {
            reasons.push(reason);
        } else {
            reasons.extend(finishes(&explained));
            reasons.extend(gives_five(&explained));
            reasons.extend(loses_to(&explained, line));
            reasons.extend(double_threat(&explained));
            reasons.extend(forced_win(&explained, line));
            reasons.extend(blocks(&explained));
            reasons.extend(leaves_threat(&explained));
            if !reasons.iter().any(|reason| matches!(reason.code, "double_threat" | "loses_to" | "finishes_now")) {
                reasons.extend(threatens(&explained));
            }
        }
        if !is_proven_loss(&explained, line) && explained.is_only_move(&proven_losses(&explained, report)) {
            let cell = Cells::only(explained.mv.cell());
            reasons.push(reason("only_move", "Every other move loses.".to_owned(), cell));
        }
        if !reasons.iter().any(|reason| reason.code.ends_with("_now")) {
            reasons.extend(builds_line(&explained));
            reasons.extend(takes_centre(&explained));
        }
        if reasons.is_empty() {
            let text = format!("No single feature stands out; the search ranks it number {}.", line_idx + 1);
            reasons.push(reason("improves", text, Cells::NONE));
        }
        reasons
    }
}

fn ends_game(explained: &ExplainedMove<'_>) -> Option<Reason> {
    let result = explained.rules.game_result(&explained.after)?;
    let variant = explained.rules.variant;
    let fives = explained.newly_five();
    let cells = explained.five_cells(&fives);
    let names: Vec<&str> = fives.iter().map(|colour| colour.name()).collect();
    if variant.objective() == Objective::Places {
        return finishes(explained).or_else(|| {
            let text = match names.as_slice() {
                [] => "It fills the board, and all who are left share the next place.".to_owned(),
                _ => format!("It ends the game with five in a row for {}.", join_names(&names)),
            };
            Some(reason(if names.is_empty() { "draws_now" } else { "loses_now" }, text, cells))
        });
    }
    let score = explained.rules.scores(&result)[explained.mover as usize];
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
    let text =
        format!("{} threatens five in a row with {}, and {} has to stop it.", later.name(), mv.text(), next.name());
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
        2 => "two",
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
