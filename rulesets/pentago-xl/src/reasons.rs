//! Why a move is good or bad, in sentences that the rules bear out, and for
//! whom.
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
//! | `blocks` | the players named had a five at hand, and no longer have |
//! | `only_move` | every other move loses at once, or the report has proven that it loses |
//! | `leaves_threat` | a later player has a five at hand, and those before have to stop it |
//! | `threatens` | if nothing is done, the mover or the partner makes five |
//! | `builds_line` | the marble lies on a line that nobody else has a marble on, with others |
//! | `takes_centre` | the marble is where no turn can move it |
//! | `improves` | none of these; only the ranking of the search speaks for it |
//!
//! Fives and lines are given as they lie after the moves that make them.

use pentad_sdk::{Certainty, Line, Reason, Reasons, Report};

use crate::PentagoXl;
use crate::board::{Cells, Colour};
use crate::case::Case;
use crate::moves::Move;
use crate::position::Position;
use crate::ruleset::listed;
use crate::variant::Aim;

impl Reasons for PentagoXl {
    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let case = Case::new(self, position, line.moves[0]);
        let mut reasons: Vec<Reason> = Vec::new();
        if let Some(ending) = ending(&case) {
            reasons.push(ending);
        } else {
            reasons.extend(finishes(&case));
            reasons.extend(gives_five(&case));
            reasons.extend(loses_to(&case, line));
            let double = double_threat(&case);
            let forced = forced_win(&case, line);
            reasons.extend(double);
            reasons.extend(forced);
            reasons.extend(blocks(&case));
            reasons.extend(leaves_threat(&case));
            if !reasons.iter().any(|reason| matches!(reason.code, "double_threat" | "loses_to" | "finishes_now")) {
                reasons.extend(threatens(&case));
            }
        }
        if !is_proven_loss(&case, line) && case.is_only_move(&lost(&case, report)) {
            let cell = Cells::only(case.mv.cell());
            reasons.push(reason("only_move", "Every other move loses.".to_owned(), cell));
        }
        if !reasons.iter().any(|reason| reason.code.ends_with("_now")) {
            reasons.extend(builds_line(&case));
            reasons.extend(takes_centre(&case));
        }
        if reasons.is_empty() {
            let text = format!("No single feature stands out; the search ranks it number {}.", line_idx + 1);
            reasons.push(reason("improves", text, Cells::NONE));
        }
        reasons
    }
}

fn ending(case: &Case<'_>) -> Option<Reason> {
    let verdict = case.rules.verdict(&case.after)?;
    let contest = case.rules.contest;
    let fives = case.newly_five();
    let cells = case.five_cells(&fives);
    let names: Vec<&str> = fives.iter().map(|colour| colour.name()).collect();
    if contest.aim() == Aim::Places {
        return finishes(case).or_else(|| {
            let text = match names.as_slice() {
                [] => "It fills the board, and all who are left share the next place.".to_owned(),
                _ => format!("It ends the game with five in a row for {}.", listed(&names)),
            };
            Some(reason(if names.is_empty() { "draws_now" } else { "loses_now" }, text, cells))
        });
    }
    let score = case.rules.scores(&verdict)[case.mover as usize];
    Some(if fives.is_empty() {
        reason("draws_now", "It fills the board, so the game is drawn.".to_owned(), cells)
    } else if score == 1.0 && fives.contains(&case.mover) {
        reason("wins_now", "It makes five in a row and wins at once.".to_owned(), cells)
    } else if score == 1.0 {
        reason("wins_now", format!("It gives {} five in a row and wins for the team.", listed(&names)), cells)
    } else if contest.aim() == Aim::Team && score == 0.5 {
        reason("draws_now", "Both teams have five in a row, so the game is drawn.".to_owned(), cells)
    } else if score > 0.0 {
        reason("shares_now", format!("{} have five in a row and share the win.", listed(&names)), cells)
    } else {
        reason("loses_now", format!("It gives {} five in a row and loses at once.", listed(&names)), cells)
    })
}

fn finishes(case: &Case<'_>) -> Option<Reason> {
    let place = case.after.place(case.mover).filter(|_| case.before.place(case.mover).is_none())?;
    let sharing: Vec<&str> =
        case.newly_five().iter().filter(|&&colour| colour != case.mover).map(|colour| colour.name()).collect();
    let place = ["first", "second", "third", "fourth"][usize::from(place).clamp(1, 4) - 1];
    let text = match sharing.as_slice() {
        [] => format!("It makes five in a row and takes the {place} place."),
        _ => format!("It makes five in a row and shares the {place} place with {}.", listed(&sharing)),
    };
    Some(reason("finishes_now", text, case.five_cells(&[case.mover])))
}

fn gives_five(case: &Case<'_>) -> Option<Reason> {
    let others: Vec<Colour> = case.newly_five().into_iter().filter(|&colour| colour != case.mover).collect();
    if others.is_empty() || case.after.place(case.mover).is_some() {
        return None;
    }
    let names: Vec<&str> = others.iter().map(|colour| colour.name()).collect();
    let text = format!("Its turn gives {} five in a row, and with it a place.", listed(&names));
    Some(reason("gives_five", text, case.five_cells(&others)))
}

fn loses_to(case: &Case<'_>, line: &Line<Move>) -> Option<Reason> {
    let next = case.after.side;
    let is_mate = case.rules.mates(case.mover as usize) >> (next as usize) & 1 != 0;
    if let Some(reply) = case.refutation.filter(|_| !is_mate) {
        let cells = case.five_after(&case.after, next, reply);
        if !case.rules.is_decisive(&case.after) {
            let text = format!("It lets {} finish next with {}.", next.name(), reply.text());
            return Some(reason("lets_finish", text, cells));
        }
        let text = format!("It loses at once to {}, with which {} makes five in a row.", reply.text(), next.name());
        return Some(reason("loses_to", text, cells));
    }
    if !is_proven_loss(case, line) {
        return None;
    }
    let text = match line.moves.get(1) {
        Some(reply) => format!("It loses by force to {}.", reply.text()),
        None => "It loses by force.".to_owned(),
    };
    Some(reason("loses_to", text, line.moves.get(1).map(|reply| reply.cell()).into_iter().collect()))
}

fn double_threat(case: &Case<'_>) -> Option<Reason> {
    if !case.rules.contest.is_two_sided() {
        return None;
    }
    let (seat, threat) = case.threat()?;
    case.wins_whatever_comes().then(|| {
        let text = format!("It threatens {} and more: no reply stops every five in a row.", threat.text());
        reason("double_threat", text, case.five_after(&case.after, seat, threat))
    })
}

fn forced_win(case: &Case<'_>, line: &Line<Move>) -> Option<Reason> {
    let evaluation = &line.evaluation;
    let mine = evaluation.scores[case.mover as usize];
    if evaluation.certainty != Certainty::Proven || mine < 1.0 {
        return None;
    }
    let text = match evaluation.plies_to_end {
        Some(plies) => format!("It wins by force, {plies} plies from here at the latest."),
        None => "It wins by force.".to_owned(),
    };
    Some(reason("forced_win", text, Cells::NONE))
}

fn blocks(case: &Case<'_>) -> Option<Reason> {
    let threats = case.rival_threats(case.before);
    let left = case.rival_threats(&case.after);
    let newly_five = case.newly_five();
    let stopped: Vec<&(Colour, Move)> = threats
        .iter()
        .filter(|(colour, _)| !left.iter().any(|(other, _)| other == colour) && !newly_five.contains(colour))
        .collect();
    let (first, mv) = stopped.first()?;
    let names: Vec<&str> = stopped.iter().map(|(colour, _)| colour.name()).collect();
    let text = match names.as_slice() {
        [name] => format!("It stops {name} from making five in a row with {}.", mv.text()),
        _ => format!("It stops {} from making five in a row, {first:?} with {}.", listed(&names), mv.text()),
    };
    Some(reason("blocks", text, case.five_after(case.before, *first, *mv)))
}

fn leaves_threat(case: &Case<'_>) -> Option<Reason> {
    let next = case.after.side;
    let (later, mv) = case.rival_threats(&case.after).into_iter().find(|(colour, _)| *colour != next)?;
    if case.refutation.is_some() {
        return None;
    }
    let text =
        format!("{} threatens five in a row with {}, and {} has to stop it.", later.name(), mv.text(), next.name());
    Some(reason("leaves_threat", text, case.five_after(&case.after, later, mv)))
}

fn threatens(case: &Case<'_>) -> Option<Reason> {
    let (seat, threat) = case.threat()?;
    let text = if seat == case.mover {
        format!("It threatens to make five in a row with {}.", threat.text())
    } else {
        format!("It threatens five in a row by the partner {} with {}.", seat.name(), threat.text())
    };
    Some(reason("threatens", text, case.five_after(&case.after, seat, threat)))
}

fn builds_line(case: &Case<'_>) -> Option<Reason> {
    let line = case.best_line()?;
    let n = match line.count() {
        2 => "two",
        3 => "three",
        4 => "four",
        _ => return None,
    };
    Some(reason("builds_line", format!("It makes {n} on a line that is still open."), line))
}

fn takes_centre(case: &Case<'_>) -> Option<Reason> {
    let cell = case.mv.cell();
    let text = if cell.block() == 4 {
        format!("It takes {cell} in the fixed block, which never turns.")
    } else if cell.row() % 3 == 1 && cell.column() % 3 == 1 {
        format!("It takes the middle of block {}, which no turn can move.", cell.block() + 1)
    } else {
        return None;
    };
    Some(reason("takes_centre", text, Cells::only(cell)))
}

/// Whether the report has proven that the mover gets nothing.
fn is_proven_loss(case: &Case<'_>, line: &Line<Move>) -> bool {
    line.evaluation.certainty == Certainty::Proven && line.evaluation.scores[case.mover as usize] == 0.0
}

/// The positions that the report has proven to be lost.
fn lost(case: &Case<'_>, report: &Report<Move>) -> Vec<Position> {
    let lost = report.lines.iter().filter(|line| is_proven_loss(case, line));
    lost.map(|line| case.rules.play_unchecked(case.before, line.moves[0])).collect()
}

fn reason(code: &'static str, text: String, cells: Cells) -> Reason {
    Reason { code, text, points: cells.iter().map(|cell| cell.to_string()).collect() }
}
