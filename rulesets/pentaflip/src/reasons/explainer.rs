//! Finds the reasons for one move from the positions before and after it.
//!
//! Each `explain_` method returns one reason if it holds, with a code from
//! [`reasons`](super).

use std::cmp::Reverse;
use std::ops::ControlFlow;

use pentad_sdk::i18n::Message;
use pentad_sdk::{Reason, Report, Ruleset, Wdl};

use super::points::{completed_line_cells, is_on_line, top_points, winning_line_points};
use crate::Pentaflip;
use crate::board::tables::N_LINES;
use crate::board::{Cell, Colour, Flip, Holes};
use crate::i18n::{self, TRANSLATIONS};
use crate::layout::under_id;
use crate::moves::Move;
use crate::position::Position;

/// Two on a line are worth mentioning only up to this many rings.
const OPENING_RINGS_MAX: u32 = 6;

/// A move and the positions before and after it.
pub(super) struct MoveExplainer<'a> {
    rules: &'a Pentaflip,
    before: &'a Position,
    mv: Move,
    after: Position,
    mover: Colour,
    /// A reply that wins at once.
    winning_reply: Option<Move>,
}

impl<'a> MoveExplainer<'a> {
    pub(super) fn new(rules: &'a Pentaflip, before: &'a Position, mv: Move) -> Self {
        let after = rules.play_unchecked(before, mv);
        let winning_reply = if rules.game_result(&after).is_some() { None } else { rules.winning_move(&after) };
        MoveExplainer { rules, before, mv, after, mover: before.side, winning_reply }
    }

    fn opponent(&self) -> Colour {
        self.mover.other()
    }

    /// Explains `wins_now`, `loses_now` or `draws_now`.
    pub(super) fn explain_game_end(&self) -> Option<Reason> {
        let result = self.rules.game_result(&self.after)?;
        let line = |colour| completed_line_cells(&self.after, colour);
        Some(match result.winner() {
            Some(winner) if winner == self.mover => reason(i18n::wins_now(), top_points(line(winner))),
            Some(winner) => reason(i18n::loses_now(winner), top_points(line(winner))),
            None => {
                let mut cells = [line(Colour::White), line(Colour::Black)].concat();
                cells.sort_unstable();
                let message = if cells.is_empty() { i18n::draws_by_last_ring() } else { i18n::draws_by_two_fives() };
                reason(message, top_points(cells))
            }
        })
    }

    /// Explains `loses_to`: the reply is a win in one, or the report has proven the
    /// loss.
    pub(super) fn explain_loss(&self, outcome: Option<Wdl>, reply: Option<Move>) -> Option<Reason> {
        if let Some(winning_reply) = self.winning_reply {
            let message = i18n::loses_at_once_to(winning_reply.text());
            return Some(reason(message, winning_line_points(&self.after, winning_reply)));
        }
        if outcome != Some(Wdl::Loss) {
            return None;
        }
        let message = reply.map_or_else(i18n::loses_by_force, |reply| i18n::loses_by_force_to(reply.text()));
        Some(reason(message, top_points(reply.and_then(Move::as_placement))))
    }

    /// Explains `double_threat`: no reply, of all that are tried, stops all wins in
    /// one.
    pub(super) fn explain_double_threat(&self) -> Option<Reason> {
        let threat = self.threat()?;
        let wins_after = |reply: Move| {
            let next = self.rules.play_unchecked(&self.after, reply);
            match self.rules.game_result(&next) {
                Some(result) => result.winner() == Some(self.mover),
                None => self.rules.winning_move(&next).is_some(),
            }
        };
        self.all_moves(&self.after, wins_after)
            .then(|| reason(i18n::double_threat(threat.text()), winning_line_points(&self.after_null_move(), threat)))
    }

    /// Explains `blocks`: the opponent had a win in one, and has none after the move.
    pub(super) fn explain_blocked_threat(&self) -> Option<Reason> {
        if self.winning_reply.is_some() {
            return None;
        }
        let passed = Position { side: self.opponent(), last_flip: None, ..*self.before };
        let stopped = self.rules.winning_move(&passed)?;
        let message = i18n::blocks(self.opponent(), stopped.text());
        Some(reason(message, winning_line_points(&passed, stopped)))
    }

    /// Explains `threatens` or `flip_threat`.
    pub(super) fn explain_threat(&self) -> Option<Reason> {
        let threat = self.threat()?;
        let points = winning_line_points(&self.after_null_move(), threat);
        Some(match threat.as_flip() {
            Some(flip) => reason(i18n::flip_threat(threat.text(), flip), points),
            None => reason(i18n::threatens(threat.text()), points),
        })
    }

    /// Explains `only_move`: every other move loses at once, allows a win in one, or is
    /// proven to lose by the report.
    pub(super) fn explain_only_move(&self, report: &Report<Move>) -> Option<Reason> {
        let loses = |mv: Move| {
            let next = self.rules.play_unchecked(self.before, mv);
            let proven =
                |line: &pentad_sdk::Line<Move>| line.moves[0] == mv && line.evaluation.outcome == Some(Wdl::Loss);
            match self.rules.game_result(&next) {
                Some(result) => result.winner() == Some(self.opponent()),
                None => self.rules.winning_move(&next).is_some() || report.lines.iter().any(proven),
            }
        };
        let is_only_move = !loses(self.mv) && self.all_moves(self.before, |mv| mv == self.mv || loses(mv));
        is_only_move.then(|| reason(i18n::only_move(), top_points(self.mv.as_placement())))
    }

    /// Explains `builds_line`: the fullest open line through the placed ring.
    pub(super) fn explain_open_line(&self) -> Option<Reason> {
        let placed = self.mv.as_placement()?;
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
        let count = line.len();
        let is_worth_saying = matches!(count, 3 | 4) || count == 2 && self.after.n_rings() <= OPENING_RINGS_MAX;
        is_worth_saying.then(|| reason(i18n::builds_line(count), top_points(line)))
    }

    /// Explains `brings_up` or `turns_under`, if the flip improves the balance of rings
    /// on top.
    pub(super) fn explain_rings_turned(&self) -> Option<Reason> {
        let flip: Flip = self.mv.as_flip()?;
        let turned: Holes = Cell::all().filter(|cell| flip.panels().contains(&cell.panel())).collect();
        let change = |colour: Colour| {
            let on_top = |position: &Position| position.rings(colour).top().count() as i32;
            on_top(&self.after) - on_top(self.before)
        };
        let (own, opposing) = (change(self.mover), change(self.opponent()));
        if own > 0 && own > opposing {
            let message = match opposing < 0 {
                true => i18n::brings_up_and_leaves(flip, self.mover, own, self.opponent(), -opposing),
                false => i18n::brings_up(flip, self.mover, own),
            };
            let brought_up = self.after.rings(self.mover).top().intersection(turned);
            return Some(reason(message, top_points(brought_up.iter())));
        }
        (own == 0 && opposing < 0).then(|| {
            let turned_under = self.after.rings(self.opponent()).under().intersection(turned);
            let message = i18n::turns_under(flip, self.opponent(), -opposing);
            reason(message, turned_under.iter().map(under_id).collect())
        })
    }

    /// Returns the win in one if the opponent passed; `None` if the opponent wins
    /// first.
    fn threat(&self) -> Option<Move> {
        if self.rules.game_result(&self.after).is_some() || self.winning_reply.is_some() {
            return None;
        }
        self.rules.winning_move(&self.after_null_move())
    }

    /// Returns the position after the move if the opponent passed.
    fn after_null_move(&self) -> Position {
        Position { side: self.mover, last_flip: None, ..self.after }
    }

    /// Returns whether a predicate holds for every legal move.
    fn all_moves(&self, position: &Position, holds: impl Fn(Move) -> bool) -> bool {
        let check = |mv| if holds(mv) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        self.rules.legal_moves(position, check).is_continue()
    }
}

fn reason(message: Message, points: Vec<String>) -> Reason {
    TRANSLATIONS.reason(message, points)
}
