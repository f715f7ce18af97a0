//! One move, the positions around it, and what is true of them.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use pentad_sdk::{Reason, Report, Wdl};

use super::points::{five_before, five_cells, is_on_line, top};
use crate::Pentaflip;
use crate::board::{Cell, Colour, Holes};
use crate::flip::Flip;
use crate::moves::Move;
use crate::position::Position;
use crate::tables::N_LINES;

pub(super) struct Case<'a> {
    rules: &'a Pentaflip,
    before: &'a Position,
    mv: Move,
    after: Position,
    mover: Colour,
    /// What wins at once for the other side afterwards.
    refutation: Option<Move>,
}

impl<'a> Case<'a> {
    pub(super) fn new(rules: &'a Pentaflip, before: &'a Position, mv: Move) -> Self {
        let after = rules.play_unchecked(before, mv);
        let refutation = if rules.verdict(&after).is_some() { None } else { rules.win_in_one(&after) };
        Case { rules, before, mv, after, mover: before.side, refutation }
    }

    fn opponent(&self) -> Colour {
        self.mover.other()
    }

    pub(super) fn ending(&self) -> Option<Reason> {
        let verdict = self.rules.verdict(&self.after)?;
        let five = |colour| five_cells(&self.after, colour);
        Some(match verdict.winner() {
            Some(winner) if winner == self.mover => {
                reason("wins_now", "It makes five in a row and wins at once.".to_owned(), top(five(winner)))
            }
            Some(winner) => {
                let text = format!("It brings up five in a row for {} and loses at once.", winner.name());
                reason("loses_now", text, top(five(winner)))
            }
            None => {
                let mut cells = [five(Colour::White), five(Colour::Black)].concat();
                cells.sort_unstable();
                let text = if cells.is_empty() {
                    "It is the last of all rings, so the game is drawn."
                } else {
                    "Both have five in a row, so the game is drawn."
                };
                reason("draws_now", text.to_owned(), top(cells))
            }
        })
    }

    pub(super) fn loses_to(&self, outcome: Option<Wdl>, reply: Option<Move>) -> Option<Reason> {
        if let Some(refutation) = self.refutation {
            let text = format!("It loses at once to {}, which makes five in a row.", refutation.text());
            return Some(reason("loses_to", text, five_before(&self.after, refutation)));
        }
        if outcome != Some(Wdl::Loss) {
            return None;
        }
        let text = match reply {
            Some(reply) => format!("It loses by force to {}.", reply.text()),
            None => "It loses by force.".to_owned(),
        };
        Some(reason("loses_to", text, top(reply.and_then(Move::cell))))
    }

    /// Holds only if every reply has been tried.
    pub(super) fn double_threat(&self) -> Option<Reason> {
        let threat = self.threat()?;
        let wins_after = |reply: Move| {
            let next = self.rules.play_unchecked(&self.after, reply);
            match self.rules.verdict(&next) {
                Some(verdict) => verdict.winner() == Some(self.mover),
                None => self.rules.win_in_one(&next).is_some(),
            }
        };
        self.all_moves(&self.after, wins_after).then(|| {
            let text = format!("It threatens {} and more: no reply stops every five in a row.", threat.text());
            reason("double_threat", text, five_before(&self.undisturbed(), threat))
        })
    }

    pub(super) fn blocks(&self) -> Option<Reason> {
        if self.refutation.is_some() {
            return None;
        }
        let idle = Position { side: self.opponent(), last: None, ..*self.before };
        let stopped = self.rules.win_in_one(&idle)?;
        let text = format!("It stops {} from making five in a row with {}.", self.opponent().name(), stopped.text());
        Some(reason("blocks", text, five_before(&idle, stopped)))
    }

    pub(super) fn threatens(&self) -> Option<Reason> {
        let threat = self.threat()?;
        let points = five_before(&self.undisturbed(), threat);
        Some(match threat.flipped() {
            Some(flip) => {
                let text =
                    format!("It threatens {}: flipping {} would bring up five in a row.", threat.text(), flip.name());
                reason("flip_threat", text, points)
            }
            None => reason("threatens", format!("It threatens to make five in a row with {}.", threat.text()), points),
        })
    }

    pub(super) fn only_move(&self, report: &Report<Move>) -> Option<Reason> {
        let loses = |mv: Move| {
            let next = self.rules.play_unchecked(self.before, mv);
            let proven =
                |line: &pentad_sdk::Line<Move>| line.moves[0] == mv && line.evaluation.outcome == Some(Wdl::Loss);
            match self.rules.verdict(&next) {
                Some(verdict) => verdict.winner() == Some(self.opponent()),
                None => self.rules.win_in_one(&next).is_some() || report.lines.iter().any(proven),
            }
        };
        let alone = !loses(self.mv) && self.all_moves(self.before, |mv| mv == self.mv || loses(mv));
        alone.then(|| reason("only_move", "Every other move loses.".to_owned(), top(self.mv.cell())))
    }

    pub(super) fn builds_line(&self) -> Option<Reason> {
        let placed = self.mv.cell()?;
        let has = |colour: Colour, cell: Cell| {
            if cell.is_spot() {
                self.after.spots(colour).contains(cell.panel())
            } else {
                self.after.rings(colour).top().contains(cell)
            }
        };
        let cells = |line: usize| Cell::all().filter(move |&cell| is_on_line(cell, line));
        let open = (0..N_LINES)
            .filter(|&line| is_on_line(placed, line) && !cells(line).any(|cell| has(self.opponent(), cell)))
            .map(|line| cells(line).filter(|&cell| has(self.mover, cell)).collect::<Vec<_>>());
        let line = open.max_by_key(|line| (line.len(), Reverse(line.clone())))?;
        let n = match line.len() {
            2 => "two",
            3 => "three",
            4 => "four",
            _ => return None,
        };
        Some(reason("builds_line", format!("It makes {n} on a line that is still open."), top(line)))
    }

    pub(super) fn brings_up(&self) -> Option<Reason> {
        let flip: Flip = self.mv.flipped()?;
        let lead = |position: &Position| {
            let on_top = |colour: Colour| position.rings(colour).top().count() as i32;
            on_top(self.mover) - on_top(self.opponent())
        };
        let gain = lead(&self.after) - lead(self.before);
        if gain <= 0 {
            return None;
        }
        let turned: Holes = Cell::all().filter(|cell| flip.panels().contains(&cell.panel())).collect();
        let come_up = self.after.rings(self.mover).top().and(turned);
        let text = format!("Flipping {} gives {} more of the rings on top.", flip.name(), self.mover.name());
        Some(reason("brings_up", text, top(come_up.iter())))
    }

    /// What would win at once if the other side did nothing.
    fn threat(&self) -> Option<Move> {
        if self.rules.verdict(&self.after).is_some() || self.refutation.is_some() {
            return None;
        }
        self.rules.win_in_one(&self.undisturbed())
    }

    /// As if the other side had moved and changed nothing.
    fn undisturbed(&self) -> Position {
        Position { side: self.mover, last: None, ..self.after }
    }

    /// Whether something holds for every legal move.
    fn all_moves(&self, position: &Position, holds: impl Fn(Move) -> bool) -> bool {
        let check = |mv| if holds(mv) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        self.rules.each_move(position, check).is_continue()
    }
}

fn reason(code: &'static str, text: String, points: Vec<String>) -> Reason {
    Reason { code, text, points }
}
