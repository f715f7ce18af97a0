//! Renders stored answers that pass the check, and remembers which did.

use std::sync::{Arc, Mutex, MutexGuard};

use pentad_host::Position;
use pentad_model::{Evaluation, Line, Report};

use crate::error::EngineError;
use crate::keyed_hash::{Fingerprint, fingerprint};
use crate::present::RenderInput;
use crate::resolve::considered::Considered;
use crate::resolve::query::{Effort, ResolvedQuery};
use crate::rules::job::{AboutPosition, CallBody, CallContext};
use crate::search::cache::Snapshot;
use crate::store::answer_store::StoredAnswer;
use crate::store::check::{AnswerVerdict, Subject, as_estimate, check};
use crate::store::short_proof::Budget;

/// How many verified answers are remembered. A power of two.
const CHECKED_LEN: usize = 1 << 14;

/// A stored answer that would suffice for a question, if it is believed.
pub(crate) struct Lookup {
    input: RenderInput,
    effort: Effort,
    is_trusted: bool,
}

impl Lookup {
    /// Returns `None` if the answer does not suffice.
    pub(crate) fn new(query: &ResolvedQuery, answer: StoredAnswer) -> Option<Self> {
        let is_trusted = answer.is_trusted;
        let snapshot = Arc::new(answer.into_snapshot());
        let suffices = snapshot.satisfies(&query.effort);
        let input = || RenderInput { root: query.root.clone(), question: query.question.clone(), snapshot };
        suffices.then(|| Lookup { input: input(), effort: query.effort, is_trusted })
    }
}

impl AboutPosition for Lookup {
    fn position(&self) -> String {
        self.input.position()
    }
}

/// A checked answer.
pub(crate) enum Checked<T> {
    /// What is believed of it, and its rendering.
    Rendered(Arc<Snapshot>, T),
    /// What is believed of it does not suffice for the question.
    Insufficient,
    /// It contradicts the rules or itself.
    Refused(&'static str),
}

/// Fingerprints of verified answers, and whether they are only estimates. Where two share a place, the later
/// one stays.
pub(crate) struct CheckedAnswers(Box<[Mutex<(Fingerprint, bool)>]>);

impl Default for CheckedAnswers {
    fn default() -> Self {
        CheckedAnswers((0..CHECKED_LEN).map(|_| Mutex::default()).collect())
    }
}

impl CheckedAnswers {
    /// Checks a stored answer, unless that was done before, and renders what is believed of it.
    pub(crate) fn render<T>(
        &self,
        context: &CallContext<'_>,
        lookup: &Lookup,
        render: &impl CallBody<RenderInput, T>,
    ) -> Result<Checked<T>, EngineError> {
        let Lookup { input, effort, is_trusted } = lookup;
        let RenderInput { root, snapshot, question } = input;
        let CallContext { game, variant, .. } = *context;
        let moves = Some(&root.considered);
        let subject = Subject { rules: &game.ruleset, variant, position: &root.canonical, moves };
        let is_cancelled = || context.is_cancelled();
        let budget = Budget::of_millisecond(&game.ruleset, &is_cancelled);
        match self.verdict(context, &subject, snapshot, *is_trusted, budget)? {
            AnswerVerdict::Believed => Ok(Checked::Rendered(snapshot.clone(), render(context, input)?)),
            AnswerVerdict::Refused(reason) => Ok(Checked::Refused(reason)),
            AnswerVerdict::Estimate => {
                let snapshot = Arc::new(as_estimate(snapshot));
                if !snapshot.satisfies(effort) {
                    return Ok(Checked::Insufficient);
                }
                let input = RenderInput { root: root.clone(), question: question.clone(), snapshot };
                let rendered = render(context, &input)?;
                Ok(Checked::Rendered(input.snapshot, rendered))
            }
        }
    }

    /// Returns what is believed of an answer about all moves of a position, of which only the lines are
    /// replayed: explorations find very many.
    pub(crate) fn replayed(
        &self,
        context: &CallContext<'_>,
        position: &Position,
        answer: &StoredAnswer,
    ) -> Result<Checked<()>, EngineError> {
        if context.is_cancelled() {
            return Ok(Checked::Insufficient);
        }
        let CallContext { game, variant, .. } = *context;
        let subject = Subject { rules: &game.ruleset, variant, position, moves: Some(&Considered::All) };
        let snapshot = Arc::new(answer.clone().into_snapshot());
        Ok(match self.verdict(context, &subject, &snapshot, answer.is_trusted, Budget::of_replay())? {
            AnswerVerdict::Believed => Checked::Rendered(snapshot, ()),
            AnswerVerdict::Estimate => Checked::Rendered(Arc::new(as_estimate(&snapshot)), ()),
            AnswerVerdict::Refused(reason) => Checked::Refused(reason),
        })
    }

    fn verdict(
        &self,
        context: &CallContext<'_>,
        subject: &Subject<'_>,
        snapshot: &Snapshot,
        is_trusted: bool,
        budget: Budget<'_>,
    ) -> Result<AnswerVerdict, EngineError> {
        let facts = (checked_facts(subject, snapshot), context.game.revision, is_trusted, budget.calls);
        let fingerprint = fingerprint(&facts);
        if let Some(is_estimate) = self.get(fingerprint) {
            return Ok(if is_estimate { AnswerVerdict::Estimate } else { AnswerVerdict::Believed });
        }
        let verdict = check(subject, snapshot, is_trusted, budget);
        let verdict = verdict.map_err(|error| EngineError::from_call(&context.game.id, error))?;
        // A cancelled check may have ended early.
        if !matches!(verdict, AnswerVerdict::Refused(_)) && !context.is_cancelled() {
            *self.place(fingerprint) = (fingerprint, verdict == AnswerVerdict::Estimate);
        }
        Ok(verdict)
    }

    fn get(&self, fingerprint: Fingerprint) -> Option<bool> {
        let (present, is_estimate) = *self.place(fingerprint);
        (present == fingerprint).then_some(is_estimate)
    }

    fn place(&self, [low, _]: Fingerprint) -> MutexGuard<'_, (Fingerprint, bool)> {
        let place = &self.0[low as usize % CHECKED_LEN];
        place.lock().expect("nothing panics while it is locked")
    }
}

/// Returns everything that [`check`] looks at.
fn checked_facts<'a>(subject: &'a Subject<'_>, snapshot: &'a Snapshot) -> impl std::hash::Hash + 'a {
    let Report { lines, evaluation, depth, .. } = &snapshot.report;
    let value = |evaluation: &Evaluation| {
        let Evaluation { certainty, outcome, plies_to_end, scores, source: _, depth } = *evaluation;
        let mut bits = [0; pentad_model::SEATS_MAX];
        bits.iter_mut().zip(scores.as_slice()).for_each(|(bits, score)| *bits = score.to_bits());
        (certainty, outcome, plies_to_end, scores.as_slice().len(), bits, depth)
    };
    let line = |line: &'a Line<String>| {
        let equivalents = line.moves.first().into_iter().flat_map(|first| snapshot.root.equivalents(first));
        (&line.moves, equivalents.collect::<Vec<_>>(), value(&line.evaluation))
    };
    let of_position = (subject.variant, subject.position.as_bytes(), subject.moves);
    (of_position, value(evaluation), *depth, snapshot.stop, lines.iter().map(line).collect::<Vec<_>>())
}
