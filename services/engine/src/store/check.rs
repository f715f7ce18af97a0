//! Checks stored answers against the rules before they are used.
//!
//! | step | refused if |
//! | --- | --- |
//! | consistency | scores, outcome, plies and lines contradict each other or the bounds of the game |
//! | replay | a move is illegal or not considered; a proven line ends the game otherwise than it says |
//! | short proof | the rules refute a claim within a bounded number of calls |
//!
//! What remains is believed if the store vouches for the answer or the short proof confirms all of its claims;
//! otherwise its proofs become estimates.

use std::sync::Arc;

use pentad_host::{CallError, Position, Ruleset};
use pentad_model::{Evaluation, Line, Report, Scores};

use crate::answer::StopReason;
use crate::resolve::considered::Considered;
use crate::resolve::position_key::PositionKey;
use crate::search::cache::Snapshot;
use crate::search::root_moves::RootMoves;
use crate::store::answer_store::{StoreKey, StoreScope, StoredAnswer};
use crate::store::consistency::{Reason, Seating, is_proven};
use crate::store::fingerprint;
use crate::store::short_proof::{Budget, ShortProof};

/// What a stored answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerVerdict {
    /// Everything it says is believed.
    Believed,
    /// Its moves are legal, but nothing vouches for its proof: its values are estimates.
    Estimate,
    /// It contradicts the rules or itself, for this reason.
    Refused(&'static str),
}

/// What an answer is about.
pub(crate) struct Subject<'a> {
    pub(crate) rules: &'a Ruleset,
    pub(crate) variant: usize,
    pub(crate) position: &'a Position,
    /// The moves that the answer chose from, if that is known.
    pub(crate) moves: Option<&'a Considered>,
}

/// Why an answer was not checked to the end.
pub(super) enum Problem {
    Refused(Reason),
    /// The rule set failed.
    Failed(CallError),
}

impl From<Reason> for Problem {
    fn from(reason: Reason) -> Self {
        Problem::Refused(reason)
    }
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Fault(_) | CallError::Unavailable { .. } => Problem::Failed(error),
            _ => Problem::Refused("a move that the rules refuse"),
        }
    }
}

/// Checks an answer. `is_trusted` says whether its store vouches for it.
pub(crate) fn check(
    subject: &Subject<'_>,
    snapshot: &Snapshot,
    is_trusted: bool,
    budget: Budget<'_>,
) -> Result<AnswerVerdict, CallError> {
    match examine(subject, snapshot, budget) {
        Ok(is_confirmed) if is_confirmed || is_trusted => Ok(AnswerVerdict::Believed),
        Ok(_) => Ok(AnswerVerdict::Estimate),
        Err(Problem::Refused(reason)) => Ok(AnswerVerdict::Refused(reason)),
        Err(Problem::Failed(error)) => Err(error),
    }
}

/// Returns whether the rules confirm everything that an answer claims to be proven.
fn examine(subject: &Subject<'_>, snapshot: &Snapshot, budget: Budget<'_>) -> Result<bool, Problem> {
    let Snapshot { report, root, stop, .. } = snapshot;
    let seating = Seating::of(subject)?;
    seating.check_report(report, *stop)?;
    let mut ends = Vec::with_capacity(report.lines.len());
    for line in &report.lines {
        subject.check_first_moves(line, root)?;
        ends.push(subject.replay(line, &seating)?);
    }
    let has_proof = report.lines.iter().map(|line| &line.evaluation).chain([&report.evaluation]).any(is_proven);
    if !has_proof {
        return Ok(true);
    }
    ShortProof::new(subject, &seating, budget).confirms(report, &ends)
}

impl Subject<'_> {
    /// Checks that the move of a line and its equivalents are legal and considered.
    fn check_first_moves(&self, line: &Line<String>, root: &RootMoves) -> Result<(), Problem> {
        let first = line.moves.first().ok_or("a line without moves")?;
        let equivalents: Vec<String> = root.equivalents(first).cloned().collect();
        let is_considered = |mv: &String| self.moves.is_none_or(|moves| moves.contains(mv));
        if !is_considered(first) || !equivalents.iter().all(is_considered) {
            return Err("a move that was not to be considered".into());
        }
        if !equivalents.is_empty() {
            self.rules.successors(self.variant, self.position, &equivalents)?;
        }
        Ok(())
    }

    /// Plays a line. If its value is proven, checks it and returns the final scores where it ends the game.
    fn replay(&self, line: &Line<String>, seating: &Seating) -> Result<Option<Scores>, Problem> {
        let played = self.rules.play_moves(self.variant, self.position, &line.moves);
        let last = played.map_err(|failed| failed.error)?;
        if !is_proven(&line.evaluation) {
            return Ok(None);
        }
        let ended = self.rules.scores(self.variant, &last)?;
        seating.check_end(line, ended.as_ref())?;
        Ok(ended)
    }
}

/// Cuts proven lines to their first move if their later moves, which a search may take from its tables, end the
/// game otherwise than it proved.
pub(crate) fn cut_contradictory_lines(subject: &Subject<'_>, lines: &mut [Line<String>]) -> Result<(), CallError> {
    let seating = Seating::of(subject)?;
    for line in lines.iter_mut().filter(|line| line.moves.len() > 1) {
        match subject.replay(line, &seating) {
            Ok(_) => {}
            Err(Problem::Refused(_)) => line.moves.truncate(1),
            Err(Problem::Failed(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Returns an answer without its claims to be proven.
pub(crate) fn as_estimate(snapshot: &Snapshot) -> Snapshot {
    let demoted = |evaluation: &Evaluation| match is_proven(evaluation) {
        true => evaluation.as_estimate(),
        false => *evaluation,
    };
    let line = |line: &Line<String>| Line { moves: line.moves.clone(), evaluation: demoted(&line.evaluation) };
    let report = Report {
        lines: snapshot.report.lines.iter().map(line).collect(),
        evaluation: demoted(&snapshot.report.evaluation),
        stop: snapshot.report.stop.map(|stop| match stop {
            pentad_model::StopReason::Proven => pentad_model::StopReason::Time,
            stop => stop,
        }),
        ..snapshot.report
    };
    let stop = snapshot.stop.map(|stop| if stop == StopReason::Proven { StopReason::Time } else { stop });
    Snapshot { report, stop, ..snapshot.clone() }
}

/// Checks the answers of a store that no engine has open, as an engine does before it uses them.
#[derive(Debug)]
pub struct AnswerChecker {
    ruleset: Arc<Ruleset>,
    scopes: Vec<Arc<StoreScope>>,
}

impl AnswerChecker {
    /// Creates a checker of the answers found under these rules.
    pub fn new(ruleset: Arc<Ruleset>) -> Result<Self, CallError> {
        let scopes = fingerprint::scopes_of(&ruleset)?;
        Ok(AnswerChecker { ruleset, scopes })
    }

    /// Checks an answer; `None` if it belongs to other rules, or has no text of its position.
    pub fn check(&self, key: &StoreKey, answer: &StoredAnswer) -> Result<Option<AnswerVerdict>, CallError> {
        let Some(variant) = self.scopes.iter().position(|scope| *scope == key.scope) else { return Ok(None) };
        let rules = &*self.ruleset;
        if answer.position.is_empty() {
            return Ok(None);
        }
        let position = match rules.parse(variant, &answer.position) {
            Ok(position) => position,
            Err(error @ (CallError::Fault(_) | CallError::Unavailable { .. })) => return Err(error),
            Err(_) => return Ok(Some(AnswerVerdict::Refused("a position that the rules refuse"))),
        };
        // The digest of an answer about some moves is that of these moves, too.
        let is_about_all = PositionKey::new(rules, variant, &position) == key.digest;
        let moves = is_about_all.then_some(&Considered::All);
        let subject = Subject { rules, variant, position: &position, moves };
        let budget = Budget::of_millisecond(rules, &|| false);
        check(&subject, &answer.clone().into_snapshot(), answer.is_trusted, budget).map(Some)
    }
}
