//! Confirms short proofs by the rules: every move of a few plies, and what the rule set knows without a search.
//!
//! The work is bounded by the number of calls of the rules, which is about a millisecond.

use std::ops::ControlFlow;

use pentad_host::{CallError, Position};
use pentad_model::{Evaluation, Line, Report, Scores, Wdl};

use crate::resolve::considered::Considered;
use crate::store::check::{Problem, Subject};
use crate::store::consistency::{Seating, is_proven};

/// Longest claims that are played through.
const PLIES_MAX: u32 = 3;
/// Cost of a static evaluation, in other calls.
const EVALUATION_COST: u32 = 4;
/// Cost of a successor: move, result and evaluation.
const SUCCESSOR_COST: u32 = 2 + EVALUATION_COST;

/// How much may be done to confirm a proof.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    /// Calls of the rules.
    pub(crate) calls: u32,
    /// Whether nobody waits for the result any more.
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// Returns the budget of about a millisecond. A call of an isolated rule set is a message to its process.
    pub(crate) fn of_millisecond(rules: &pentad_host::Ruleset, is_cancelled: &'a dyn Fn() -> bool) -> Self {
        Budget { calls: if rules.is_isolated() { 16 } else { 2048 }, is_cancelled }
    }

    /// Returns the budget for answers that are only replayed.
    pub(crate) fn of_replay() -> Self {
        Budget { calls: 0, is_cancelled: &|| false }
    }
}

/// Confirms claims about a position within a budget.
pub(super) struct ShortProof<'a> {
    subject: &'a Subject<'a>,
    seating: &'a Seating,
    budget: Budget<'a>,
    /// Something was left out for lack of budget.
    is_exhausted: bool,
}

impl<'a> ShortProof<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, seating: &'a Seating, budget: Budget<'a>) -> Self {
        ShortProof { subject, seating, budget, is_exhausted: false }
    }

    /// Returns whether all that a report claims to be proven is true by the rules, which may refute it.
    /// `ends` are the final scores of lines that end the game.
    pub(super) fn confirms(&mut self, report: &Report<String>, ends: &[Option<Scores>]) -> Result<bool, Problem> {
        let mut are_all_confirmed = true;
        let mut is_best_confirmed = false;
        for (idx, (line, end)) in report.lines.iter().zip(ends).enumerate() {
            if !is_proven(&line.evaluation) {
                continue;
            }
            let is_over = line.moves.len() == 1 && *end == Some(line.evaluation.scores);
            let is_confirmed = is_over || self.confirms_line(line)?;
            are_all_confirmed &= is_confirmed;
            is_best_confirmed |= idx == 0 && is_confirmed;
        }
        let value = &report.evaluation;
        if !is_proven(value) {
            return Ok(are_all_confirmed);
        }
        // No move is better than a win.
        let is_win = is_best_confirmed && value.scores[self.seating.mover] == 1.0 && same(value, report);
        Ok((is_win || self.confirms_position(value)?) && are_all_confirmed)
    }

    fn confirms_line(&mut self, line: &Line<String>) -> Result<bool, Problem> {
        let Subject { rules, variant, position, .. } = *self.subject;
        if !self.spend(1) {
            return Ok(false);
        }
        let after = rules.play_known(variant, position, &line.moves[0])?;
        let plies_left = line.evaluation.plies_to_end.map(|plies| plies.saturating_sub(1));
        self.confirms_value(&line.evaluation, &after, plies_left, None)
    }

    fn confirms_position(&mut self, value: &Evaluation) -> Result<bool, Problem> {
        let only = match self.subject.moves {
            Some(Considered::All) => None,
            Some(Considered::Only(moves)) => Some(&**moves),
            Some(Considered::Except(_)) | None => return Ok(false),
        };
        self.confirms_value(value, self.subject.position, value.plies_to_end, only)
    }

    /// Returns whether `claim`, which is for the side to move at the root, is the value of `position`.
    fn confirms_value(
        &mut self,
        claim: &Evaluation,
        position: &Position,
        plies: Option<u32>,
        only: Option<&[String]>,
    ) -> Result<bool, Problem> {
        let Some(outcome) = claim.outcome else { return Ok(false) };
        let (value, is_distance_confirmed) = match plies {
            Some(plies @ 0..=PLIES_MAX) => (self.value(position, plies, only)?, true),
            _ if only.is_some() => return Ok(false),
            _ => match self.known_value(position, u32::MAX)? {
                Some((value, distance)) => (Some(value), plies.is_none() || plies == distance),
                None => return Ok(false),
            },
        };
        match value {
            Some(value) if value != outcome => Err(Problem::Refused("a value that the rules refute")),
            Some(_) => Ok(is_distance_confirmed && is_exact(outcome, claim.scores[self.seating.mover])),
            None if outcome != Wdl::Draw && !self.is_exhausted => {
                Err(Problem::Refused("a value that takes more plies by the rules"))
            }
            None => Ok(false),
        }
    }

    /// Returns the value for the side to move at the root if it is decided within `plies`. Only these moves
    /// are tried, if there are any.
    fn value(&mut self, position: &Position, plies: u32, only: Option<&[String]>) -> Result<Option<Wdl>, CallError> {
        let Subject { rules, variant, .. } = *self.subject;
        if only.is_none() {
            match self.known_value(position, plies)? {
                Some((value, distance)) if distance.is_none_or(|distance| distance <= plies) => return Ok(Some(value)),
                _ => {}
            }
        }
        if plies == 0 || !self.spend(1) {
            return Ok(None);
        }
        let Some(moves) = self.listed(position, only)? else { return Ok(None) };
        let sides = &self.seating.sides;
        let is_own = sides[rules.to_move(variant, position)?] == sides[self.seating.mover];
        let (best, worst) = if is_own { (Wdl::Win, Wdl::Loss) } else { (Wdl::Loss, Wdl::Win) };
        let mut so_far = Some(worst);
        for mv in &moves {
            if !self.spend(1) {
                return Ok(None);
            }
            let next = rules.play_known(variant, position, mv)?;
            match self.value(&next, plies - 1, None)? {
                Some(value) if value == best => return Ok(Some(best)),
                Some(value) => so_far = so_far.map(|it| if is_own { it.max(value) } else { it.min(value) }),
                None => so_far = None,
            }
        }
        Ok(so_far)
    }

    /// Returns what the rules know about a position without a search: the result of a finished game, or a
    /// proven value and its distance. Only the former if no plies are left.
    fn known_value(&mut self, position: &Position, plies: u32) -> Result<Option<(Wdl, Option<u32>)>, CallError> {
        let Subject { rules, variant, .. } = *self.subject;
        if !self.spend(1) {
            return Ok(None);
        }
        if let Some(scores) = rules.scores(variant, position)? {
            return Ok(Some((self.seating.outcome(&scores), Some(0))));
        }
        if plies == 0 || !rules.info().capabilities.search || !self.spend(EVALUATION_COST) {
            return Ok(None);
        }
        let evaluation = rules.evaluate(variant, position)?;
        let value = (self.seating.outcome(&evaluation.scores), evaluation.plies_to_end);
        Ok(is_proven(&evaluation).then_some(value))
    }

    /// Lists the moves to try; `None` if they are too many.
    fn listed(&mut self, position: &Position, only: Option<&[String]>) -> Result<Option<Vec<String>>, CallError> {
        let Subject { rules, variant, .. } = *self.subject;
        let n_max = (self.budget.calls / SUCCESSOR_COST) as usize;
        let mut moves = Vec::new();
        match only {
            Some(only) => moves.extend(only.iter().take(n_max + 1).cloned()),
            None => {
                let _complete = rules.legal_moves(variant, position, "", &mut |mv| {
                    moves.push(mv.to_owned());
                    if moves.len() <= n_max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })?;
            }
        }
        self.is_exhausted |= moves.len() > n_max;
        Ok((moves.len() <= n_max).then_some(moves))
    }

    /// Takes calls out of the budget; false if they are too many.
    fn spend(&mut self, calls: u32) -> bool {
        match self.budget.calls.checked_sub(calls) {
            Some(left) if !(self.budget.is_cancelled)() => self.budget.calls = left,
            _ => self.is_exhausted = true,
        }
        !self.is_exhausted
    }
}

/// Whether a position has the scores and plies of its best line.
fn same(value: &Evaluation, report: &Report<String>) -> bool {
    let best = &report.lines[0].evaluation;
    (value.scores, value.plies_to_end) == (best.scores, best.plies_to_end)
}

/// Whether a score of the side to move is exactly that of the outcome.
fn is_exact(outcome: Wdl, score: f64) -> bool {
    let exact = match outcome {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    };
    score == exact
}
