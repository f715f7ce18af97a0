//! `impl Reasons`: why a move is good or bad, in statements that follow from the rules.
//!
//! The codes are listed in [`Reasons::CODES`].
//!
//! Points of fives and lines are those after the move that makes them.

use std::ops::ControlFlow;

use pentad_sdk::i18n::Message;
use pentad_sdk::{Evaluation, Reason, ReasonCode, Reasons, Report, Ruleset, Source, Wdl};
use pentad_sdk::{code_with_points, code_without_points, explain_ranking};

use crate::Pentago;
use crate::board::lines::{cells_of_fives, completing_cells};
use crate::board::tables::LINES;
use crate::board::{Cell, Cells, Colour};
use crate::i18n::{self, TRANSLATIONS};
use crate::moves::Move;
use crate::position::Position;

/// Two on a line are worth mentioning only up to this many marbles of a side.
const OPENING_MARBLES_MAX: u32 = 3;

impl Reasons for Pentago {
    const CODES: &'static [ReasonCode] = &[
        code_with_points("wins_now", "the move ends the game with a win"),
        code_with_points("loses_now", "the move ends the game with a loss"),
        code_with_points("draws_now", "the move ends the game with a draw"),
        code_with_points("loses_to", "the reply named wins at once, or the report has proven the loss"),
        code_without_points("book", "the opening is solved, and this is what the move is worth"),
        code_with_points("double_threat", "whatever the reply, a win at once follows"),
        code_with_points(
            "forced_win",
            "the report has proven the win, or no reply to a five by turning can save the game",
        ),
        code_with_points("allows_draw", "the reply named answers a five by turning with another"),
        code_with_points("blocks", "the opponent could win at once if nothing was done, and no longer can"),
        code_with_points("only_move", "every other move loses at once, or the report has proven that it loses"),
        code_with_points("threatens", "if nothing is done, the side that moved wins at once"),
        code_with_points("builds_line", "the marble lies on a line that the opponent has no marble on, with others"),
        code_with_points("takes_centre", "the marble is in the middle of a block"),
        code_without_points("improves", "none of these; what the search expects of it, compared with the other moves"),
    ];

    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let context = MoveContext::new(self, position, line.moves[0]);
        let mut reasons: Vec<Reason> = context.ending().into_iter().collect();
        if reasons.is_empty() {
            let outcome = line.evaluation.outcome;
            let reply = line.moves.get(1).copied();
            reasons.extend(from_book(&line.evaluation));
            reasons.extend(context.loses_to(outcome, reply));
            reasons.extend(context.double_threat());
            if line.evaluation.source != Source::Book {
                reasons.extend(
                    context.answerable_five().or_else(|| context.forced_win(outcome, line.evaluation.plies_to_end)),
                );
            }
            reasons.extend(context.blocks());
            reasons.extend(context.threatens(&reasons));
        }
        if may_be_only_move(line.evaluation.outcome) {
            reasons.extend(context.only_move(report));
        }
        if !reasons.iter().any(|reason| reason.code.ends_with("_now") || reason.code == "loses_to") {
            reasons.extend(context.builds_line());
            reasons.extend(context.takes_centre());
        }
        if reasons.is_empty() {
            let text = |mv: &Move| mv.text().to_owned();
            reasons.push(explain_ranking(report, line_idx, position.side as usize, text));
        }
        reasons
    }
}

/// Returns the value that the book gives to the move.
fn from_book(evaluation: &Evaluation) -> Option<Reason> {
    if evaluation.source != Source::Book {
        return None;
    }
    let message = match evaluation.outcome? {
        Wdl::Win => i18n::book_win(),
        Wdl::Draw => i18n::book_draw(),
        Wdl::Loss => i18n::book_loss(),
    };
    Some(reason(message, Cells::NONE))
}

/// A move and the positions before and after it.
struct MoveContext<'a> {
    rules: &'a Pentago,
    before: &'a Position,
    mv: Move,
    after: Position,
    mover: Colour,
    /// The immediate win of the other side after the move.
    refutation: Option<Move>,
}

impl<'a> MoveContext<'a> {
    fn new(rules: &'a Pentago, before: &'a Position, mv: Move) -> Self {
        let after = rules.play_unchecked(before, mv);
        let refutation = if rules.game_result(&after).is_some() { None } else { rules.winning_move(&after) };
        MoveContext { rules, before, mv, after, mover: before.side, refutation }
    }

    fn opponent(&self) -> Colour {
        self.mover.other()
    }

    fn ending(&self) -> Option<Reason> {
        let result = self.rules.game_result(&self.after)?;
        let winner = result.winner();
        let cells = winner.map_or(Cells::NONE, |winner| cells_of_fives(self.after.marbles(winner)));
        Some(match winner {
            Some(winner) if winner == self.mover => reason(i18n::wins_now(), cells),
            Some(winner) => reason(i18n::loses_now(winner), cells),
            None if self.after.marbles[0].has_five() => {
                let both = cells_of_fives(self.after.marbles[0]).union(cells_of_fives(self.after.marbles[1]));
                reason(i18n::draws_by_two_fives(), both)
            }
            None => reason(i18n::draws_by_full_board(), cells),
        })
    }

    fn loses_to(&self, outcome: Option<Wdl>, reply: Option<Move>) -> Option<Reason> {
        if let Some(refutation) = self.refutation {
            let message = i18n::loses_at_once_to(refutation.text());
            return Some(reason(message, self.five_after(&self.after, refutation)));
        }
        if outcome != Some(Wdl::Loss) {
            return None;
        }
        let message = reply.map_or_else(i18n::loses_by_force, |reply| i18n::loses_by_force_to(reply.text()));
        Some(reason(message, reply.and_then(Move::cell).into_iter().collect()))
    }

    /// Tries every reply.
    fn double_threat(&self) -> Option<Reason> {
        let threat = self.threat()?;
        let wins_after = |reply: &Move| {
            let next = self.rules.play_unchecked(&self.after, *reply);
            match self.rules.game_result(&next) {
                Some(result) => result.winner() == Some(self.mover),
                None => self.rules.winning_move(&next).is_some(),
            }
        };
        let mut replies = Vec::new();
        self.rules.distinct_moves(&self.after, &mut replies);
        replies
            .iter()
            .all(wins_after)
            .then(|| reason(i18n::double_threat(threat.text()), self.five_after(&self.after_null_move(), threat)))
    }

    /// Explains a five by turning in the Czech edition, which may be answered.
    fn answerable_five(&self) -> Option<Reason> {
        if !self.after.reply {
            return None;
        }
        let five = cells_of_fives(self.after.marbles(self.mover));
        let answer = completing_cells(self.after.own(), self.after.empty()).iter().next();
        Some(match answer {
            None => reason(i18n::five_without_answer(), five),
            Some(cell) => reason(i18n::allows_draw(cell.to_string()), five.with(cell)),
        })
    }

    fn forced_win(&self, outcome: Option<Wdl>, plies: Option<u32>) -> Option<Reason> {
        let message = match (outcome?, plies) {
            (Wdl::Win, Some(plies)) => i18n::forced_win_in(plies),
            (Wdl::Win, None) => i18n::forced_win(),
            _ => return None,
        };
        Some(reason(message, Cells::NONE))
    }

    fn blocks(&self) -> Option<Reason> {
        if self.before.reply || self.refutation.is_some() {
            return None;
        }
        let idle = Position { side: self.opponent(), ..*self.before };
        let stopped = self.rules.winning_move(&idle)?;
        let message = i18n::blocks(self.opponent(), stopped.text());
        Some(reason(message, self.five_after(&idle, stopped)))
    }

    fn threatens(&self, given: &[Reason]) -> Option<Reason> {
        if given.iter().any(|reason| matches!(reason.code, "double_threat" | "loses_to")) {
            return None;
        }
        let threat = self.threat()?;
        Some(reason(i18n::threatens(threat.text()), self.five_after(&self.after_null_move(), threat)))
    }

    fn only_move(&self, report: &Report<Move>) -> Option<Reason> {
        let proven_lost: Vec<Position> = report
            .lines
            .iter()
            .filter(|line| line.evaluation.outcome == Some(Wdl::Loss))
            .map(|line| self.rules.play_unchecked(self.before, line.moves[0]))
            .collect();
        let loses = |next: &Position| match self.rules.game_result(next) {
            Some(result) => result.winner() == Some(self.opponent()),
            None => self.rules.winning_move(next).is_some() || proven_lost.contains(next),
        };
        if loses(&self.after) {
            return None;
        }
        let mut has_others = false;
        // Usually one of the first few is another safe move.
        let others = self.rules.legal_moves(self.before, |mv| {
            let next = self.rules.play_unchecked(self.before, mv);
            if next == self.after {
                return ControlFlow::Continue(());
            }
            has_others = true;
            if loses(&next) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let is_alone = has_others && others.is_continue();
        is_alone.then(|| reason(i18n::only_move(), self.mv.cell().into_iter().collect()))
    }

    fn builds_line(&self) -> Option<Reason> {
        let placed = self.placed()?;
        let (own, opposing) = (self.after.marbles(self.mover), self.after.marbles(self.opponent()));
        let line = LINES
            .iter()
            .map(|&line| Cells(line))
            .filter(|line| line.contains(placed) && line.intersection(opposing).is_empty())
            .max_by_key(|line| (line.intersection(own).count(), std::cmp::Reverse(*line)))?
            .intersection(own);
        let count = line.count();
        let is_worth_saying = matches!(count, 3 | 4) || count == 2 && own.count() <= OPENING_MARBLES_MAX;
        is_worth_saying.then(|| reason(i18n::builds_line(count), line))
    }

    fn takes_centre(&self) -> Option<Reason> {
        let cell = self.mv.cell().filter(|cell| cell.is_block_centre())?;
        Some(reason(i18n::takes_centre(cell.block() + 1), Cells::only(cell)))
    }

    /// Returns the move that would win at once if the other side passed.
    fn threat(&self) -> Option<Move> {
        if self.after.reply || self.rules.game_result(&self.after).is_some() || self.refutation.is_some() {
            return None;
        }
        self.rules.winning_move(&self.after_null_move())
    }

    /// Returns the position after the move with the mover to move again.
    fn after_null_move(&self) -> Position {
        Position { side: self.mover, ..self.after }
    }

    /// Returns the cell of the placed marble after the turn.
    fn placed(&self) -> Option<Cell> {
        let cell = self.mv.cell()?;
        let Some(turn) = self.mv.turn() else { return Some(cell) };
        Cells::only(cell).turned(turn).iter().next()
    }

    /// Returns the five that a winning move makes.
    fn five_after(&self, position: &Position, mv: Move) -> Cells {
        cells_of_fives(self.rules.play_unchecked(position, mv).marbles(position.side))
    }
}

/// Returns whether a move may be called the only one: not if it loses itself.
fn may_be_only_move(outcome: Option<Wdl>) -> bool {
    outcome != Some(Wdl::Loss)
}

fn reason(message: Message, cells: Cells) -> Reason {
    TRANSLATIONS.reason(message, cells.iter().map(|cell| cell.to_string()).collect())
}
