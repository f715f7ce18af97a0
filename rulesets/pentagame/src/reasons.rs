//! `impl Reasons`: why a move is good or bad, in sentences that follow from the
//! rules or from the search's report. [`Reasons::CODES`] lists the codes.
//!
//! Moves needed are one more than the fewest obstacles between a figure and its
//! goal on the board after the move.

use std::ops::ControlFlow;

use pentad_sdk::i18n::{Message, Terms};
use pentad_sdk::{Reason, ReasonCode, Reasons, Report, Wdl, code_with_points, code_without_points, explain_ranking};

use crate::Pentagame;
use crate::board::{Figure, Stop};
use crate::evaluate::Race;
use crate::i18n::{self, TRANSLATIONS};
use crate::movegen;
use crate::moves::Move;
use crate::position::{N_OUT_TO_WIN, Position};
use crate::search::endgame::EndgameValue;

/// With more legal moves than this, `only_move` is not checked.
const ONLY_MOVES_MAX: u64 = 3_000;

impl Reasons for Pentagame {
    const CODES: &'static [ReasonCode] = &[
        code_with_points("wins_now", "the move ends the game, and the mover alone has three figures out"),
        code_with_points("shares_now", "the move ends the game, and the mover shares the win"),
        code_without_points("loses_now", "the move ends the game without the mover among the winners"),
        code_with_points(
            "wins_race",
            "it is the mover's third figure out, and the one player left in the round cannot do the same",
        ),
        code_with_points("loses_to", "the reply named wins at once, or the report has proven the loss"),
        code_without_points("forced_win", "the report has proven the win"),
        code_with_points("only_move", "every other move loses by the turns that follow at once"),
        code_with_points("forced_out", "the figure was brought to its goal, so the rules demand that it moves out"),
        code_with_points("moves_out", "figures leave the board"),
        code_with_points("blocks_path", "a figure of another player needs more moves than before"),
        code_with_points("swaps_back", "the swap puts a figure of another player farther from its goal"),
        code_with_points("frees_path", "a figure of the mover's that did not move needs fewer moves than before"),
        code_with_points("advances", "a figure of the mover's that moved or was swapped needs fewer moves than before"),
        code_without_points("improves", "none of these; what the search expects of it, compared with the other moves"),
    ];

    fn explain(&self, position: &Position, report: &Report<Move>, line_idx: usize) -> Vec<Reason> {
        let line = &report.lines[line_idx];
        let explained = ExplainedMove::new(position, line.moves[0]);
        let mut reasons: Vec<Reason> = explained.ending().into_iter().collect();
        if reasons.is_empty() {
            reasons.extend(explained.wins_race());
            reasons.extend(explained.loses_to(line.evaluation.outcome, line.moves.get(1)));
            if !reasons.iter().any(|reason| reason.code == "wins_race") {
                reasons.extend(explained.forced_win(line.evaluation.outcome, line.evaluation.plies_to_end));
            }
            reasons.extend(explained.only_move(line.evaluation.outcome));
        }
        reasons.extend(explained.forced_out());
        reasons.extend(explained.moves_out());
        reasons.extend(explained.blocks_path());
        reasons.extend(explained.swaps_back());
        reasons.extend(explained.advances());
        reasons.extend(explained.frees_path());
        if reasons.is_empty() {
            reasons.push(explain_ranking(report, line_idx, position.to_move(), Move::to_string));
        }
        reasons
    }
}

/// A move with the positions before and after it.
struct ExplainedMove<'a> {
    before: &'a Position,
    mv: Move,
    after: Position,
    mover: usize,
    race_before: Race,
    race_after: Race,
}

impl<'a> ExplainedMove<'a> {
    fn new(before: &'a Position, mv: Move) -> Self {
        let after = before.play_unchecked(mv);
        let (race_before, race_after) = (Race::of(before), Race::of(&after));
        ExplainedMove { before, mv, after, mover: before.to_move(), race_before, race_after }
    }

    fn ending(&self) -> Option<Reason> {
        if !self.after.is_over() {
            return None;
        }
        let n_winners = (0..self.after.n_seats()).filter(|&seat| self.after.has_finished(seat)).count();
        Some(match (self.after.has_finished(self.mover), n_winners) {
            (true, 1) => reason(i18n::wins_now(), self.goals_left()),
            (true, _) => reason(i18n::shares_now(), self.goals_left()),
            (false, _) => reason(i18n::loses_now(), []),
        })
    }

    /// Explains a win that the last player of the round cannot share.
    fn wins_race(&self) -> Option<Reason> {
        let is_finished = self.after.has_finished(self.mover) && self.after.is_last_turn_of_round();
        let is_alone = (0..self.after.n_seats()).all(|seat| seat == self.mover || !self.after.has_finished(seat));
        if !is_finished || !is_alone || self.after.find_finish_with(&self.race_after.costs).is_some() {
            return None;
        }
        Some(reason(i18n::wins_race(seat_id(self.after.to_move())), self.goals_left()))
    }

    fn loses_to(&self, outcome: Option<Wdl>, reply: Option<&Move>) -> Option<Reason> {
        let is_unfinished = (0..self.after.n_seats()).all(|seat| !self.after.has_finished(seat));
        let finish = self.after.find_finish_with(&self.race_after.costs);
        if let Some(finish) = finish.filter(|_| self.after.is_last_turn_of_round() && is_unfinished) {
            let winning = self.after.with_any_blocks(finish.step);
            let message = i18n::loses_at_once_to(winning.to_string(), seat_id(self.after.to_move()));
            return Some(reason(message, finish.path.iter()));
        }
        if outcome != Some(Wdl::Loss) {
            return None;
        }
        let message = reply.map_or_else(i18n::loses_by_force, |reply| i18n::loses_by_force_to(reply.to_string()));
        Some(reason(message, reply.and_then(|reply| reply.to())))
    }

    fn forced_win(&self, outcome: Option<Wdl>, plies: Option<u32>) -> Option<Reason> {
        let message = match (outcome?, plies) {
            (Wdl::Win, Some(plies)) => i18n::forced_win_in(plies),
            (Wdl::Win, None) => i18n::forced_win(),
            _ => return None,
        };
        Some(reason(message, []))
    }

    /// Explains, for two players, that the opponent wins the endgame after every other
    /// move.
    fn only_move(&self, outcome: Option<Wdl>) -> Option<Reason> {
        let loses = |next: &Position| {
            !next.is_over() && matches!(next.probe_endgame(&Race::of(next).costs), Some(EndgameValue::Win(..)))
        };
        let is_candidate = self.before.n_seats() == 2 && outcome != Some(Wdl::Loss) && !loses(&self.after);
        let n_moves = movegen::count_moves(self.before, "");
        if !is_candidate || !(2..=ONLY_MOVES_MAX).contains(&n_moves) {
            return None;
        }
        let mut is_only = true;
        let _stopped = movegen::legal_moves(self.before, |mv| {
            let next = self.before.play_unchecked(mv);
            is_only = next == self.after || loses(&next);
            if is_only { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        is_only.then(|| reason(i18n::only_move(), self.mv.to()))
    }

    fn forced_out(&self) -> Option<Reason> {
        let figure = self.mv.figure().filter(|_| self.mv.to().is_none())?;
        Some(reason(i18n::forced_out(figure), [figure.goal()]))
    }

    fn moves_out(&self) -> Option<Reason> {
        let out: Vec<Figure> = self.figures_out().collect();
        if out.is_empty() {
            return None;
        }
        let figures: Terms = out.iter().map(|figure| figure.letter()).collect();
        let message = i18n::moves_out(figures, self.after.n_out(self.mover), N_OUT_TO_WIN);
        Some(reason(message, out.into_iter().map(Figure::goal)))
    }

    /// Names the most delayed figure of another player, runners first.
    fn blocks_path(&self) -> Option<Reason> {
        let is_runner = |figure: Figure| self.race_before.runners(figure.seat()).any(|runner| runner == figure);
        let delay = |figure: &Figure| {
            let (before, after) = self.moves_needed(*figure)?;
            let is_other = figure.seat() != self.mover && self.mv.swapped_figure() != Some(*figure);
            (is_other && after > before).then(|| (is_runner(*figure), after - before, std::cmp::Reverse(before)))
        };
        let figure = self.before.all_figures().filter(|figure| delay(figure).is_some()).max_by_key(delay)?;
        let (before, after) = self.moves_needed(figure)?;
        let put = self.mv.black().into_iter().chain(self.mv.greys().map(|grey| grey.to)).chain(self.mv.to());
        let stop = self.after.stop_of(figure)?;
        let path = self.race_after.costs.path(stop, figure.goal());
        let in_the_way: Vec<Stop> = put.filter(|&stop| path.contains(stop)).collect();
        let message = i18n::blocks_path(figure, seat_id(figure.seat()), after, before);
        Some(reason(message, in_the_way.into_iter().chain([stop, figure.goal()])))
    }

    fn swaps_back(&self) -> Option<Reason> {
        let other = self.mv.swapped_figure().filter(|other| other.seat() != self.mover)?;
        let (before, after) = self.moves_needed(other).filter(|(before, after)| after > before)?;
        let message = i18n::swaps_back(other, seat_id(other.seat()), after, before);
        Some(reason(message, self.after.stop_of(other)))
    }

    /// Names the figure that moved, and the mover's own figure that it swapped with.
    fn advances(&self) -> impl Iterator<Item = Reason> + '_ {
        let own = self.mv.swapped_figure().filter(|other| other.seat() == self.mover);
        self.mv.figure().into_iter().chain(own).filter_map(|figure| {
            let (before, after) = self.moves_needed(figure).filter(|(before, after)| after < before)?;
            Some(reason(i18n::advances(figure, after, before), self.after.stop_of(figure)))
        })
    }

    /// Names the figure of the mover that gains most among those that did not move.
    fn frees_path(&self) -> Option<Reason> {
        let gain = |figure: &Figure| {
            let (before, after) = self.moves_needed(*figure)?;
            let stayed = ![self.mv.figure(), self.mv.swapped_figure()].contains(&Some(*figure));
            stayed.then(|| before.saturating_sub(after)).filter(|&gain| gain > 0)
        };
        let own = self.before.figures_of(self.mover);
        let figure = own.filter(|figure| gain(figure).is_some()).max_by_key(gain)?;
        let (before, after) = self.moves_needed(figure)?;
        Some(reason(i18n::frees_path(figure, after, before), self.after.stop_of(figure)))
    }

    /// Returns the moves needed before and after by a figure that is not out.
    fn moves_needed(&self, figure: Figure) -> Option<(u8, u8)> {
        self.after.stop_of(figure)?;
        Some((self.race_before.moves(figure), self.race_after.moves(figure)))
    }

    fn figures_out(&self) -> impl Iterator<Item = Figure> + '_ {
        let own = self.before.figures_of(self.mover);
        own.filter(|&figure| self.before.stop_of(figure).is_some() && self.after.stop_of(figure).is_none())
    }

    /// Returns the goals of the figures that move out.
    fn goals_left(&self) -> Vec<Stop> {
        self.figures_out().map(Figure::goal).collect()
    }
}

fn seat_id(seat: usize) -> String {
    (seat + 1).to_string()
}

fn reason(message: Message, stops: impl IntoIterator<Item = Stop>) -> Reason {
    TRANSLATIONS.reason(message, stops.into_iter().map(|stop| stop.to_string()).collect())
}
