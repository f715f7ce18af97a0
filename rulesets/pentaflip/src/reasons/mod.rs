//! Why a move is good or bad, in sentences that the rules bear out.
//!
//! | code | what is true |
//! | --- | --- |
//! | `wins_now` | the move ends the game with a win |
//! | `loses_now` | the move ends the game with a loss |
//! | `draws_now` | the move ends the game with a draw |
//! | `loses_to` | the reply named wins at once, or the report has proven the loss |
//! | `double_threat` | whatever the reply, a win at once follows |
//! | `forced_win` | the report has proven the win |
//! | `blocks` | the opponent could win at once if nothing was done, and no longer can |
//! | `flip_threat` | if nothing is done, a flip wins at once for the side that moved |
//! | `threatens` | if nothing is done, a ring wins at once for the side that moved |
//! | `only_move` | every other move loses at once, or the report has proven that it loses |
//! | `builds_line` | the ring lies on a line that the opponent has nothing on, with others or a spot |
//! | `brings_up` | the flip changes who has more rings on top in favour of the side that made it |
//! | `opening` | games from here went better with the move than with others that look playable |
//! | `improves` | none of these; only the ranking of the search speaks for it |
//!
//! Points name what the sentence is about: how a game that ends now lies then;
//! how a five that is threatened lies before the move that completes it, with
//! rings that a flip would bring up where they are now, underneath.

mod case;
mod points;

use pentad_sdk::{Reason, Reasons, Report, Wdl};

use crate::Pentaflip;
use crate::moves::Move;
use crate::openings;
use crate::position::Position;
use case::Case;

impl Reasons for Pentaflip {
    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let case = Case::new(self, position, line.moves[0]);
        let outcome = line.evaluation.outcome;
        let mut reasons: Vec<Reason> = case.ending().into_iter().collect();
        let is_over = !reasons.is_empty();
        if !is_over {
            reasons.extend(case.loses_to(outcome, line.moves.get(1).copied()));
            reasons.extend(case.double_threat());
            reasons.extend(forced_win(outcome, line.evaluation.plies_to_end));
            reasons.extend(case.blocks());
            if !reasons.iter().any(|reason| matches!(reason.code, "double_threat" | "loses_to")) {
                reasons.extend(case.threatens());
            }
        }
        // A move that is lost itself is no way out.
        if outcome != Some(Wdl::Loss) {
            reasons.extend(case.only_move(report));
        }
        if !is_over {
            reasons.extend(case.builds_line());
            reasons.extend(case.brings_up());
        }
        reasons.extend(opening(self, position, line.moves[0]));
        if reasons.is_empty() {
            let text = format!("No single feature stands out; the search ranks it number {}.", line_idx + 1);
            reasons.push(Reason { code: "improves", text, points: Vec::new() });
        }
        reasons
    }
}

fn opening(rules: &Pentaflip, position: &Position, mv: Move) -> Option<Reason> {
    let learnt = openings::learnt(rules, position).filter(|learnt| learnt.mv == mv)?;
    let text = format!(
        "In games from here it scored {} of {} points, where others that look playable scored as few as {}.",
        learnt.points,
        openings::GAMES,
        learnt.points_least
    );
    Some(Reason { code: "opening", text, points: Vec::new() })
}

fn forced_win(outcome: Option<Wdl>, plies: Option<u32>) -> Option<Reason> {
    let text = match (outcome?, plies) {
        (Wdl::Win, Some(plies)) => format!("It wins by force, {plies} plies from here at the latest."),
        (Wdl::Win, None) => "It wins by force.".to_owned(),
        _ => return None,
    };
    Some(Reason { code: "forced_win", text, points: Vec::new() })
}
