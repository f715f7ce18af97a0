//! Combines all that is known about the moves of a position.

use std::collections::HashMap;
use std::sync::Arc;

use pentad_host::{CallError, Ruleset};
use pentad_model::{Certainty, Evaluation, Source};

use super::successors::one_ply_before;
use super::{Evidence, ExploredMove, Successor};
use crate::error::EngineError;
use crate::resolve::position_key::PositionKey;
use crate::rules::job::CallContext;
use crate::search::cache::Snapshot;
use crate::store::answer_store::StoredAnswer;
use crate::store::game_store::GameTally;

/// Values that an answer, cached or stored, has for the moves of a position.
struct Lines<'a> {
    /// First moves, in the canonical orientation, with their values.
    firsts: Vec<(&'a String, &'a Evaluation)>,
    /// Number of different moves.
    n_choices: usize,
    /// Value of the position itself.
    evaluation: &'a Evaluation,
    depth: u32,
}

impl<'a> Lines<'a> {
    fn new(snapshot: &'a Snapshot) -> Self {
        Lines {
            firsts: snapshot.report.lines.iter().map(|line| (&line.moves[0], &line.evaluation)).collect(),
            n_choices: snapshot.root.len(),
            evaluation: &snapshot.report.evaluation,
            depth: snapshot.report.depth,
        }
    }

    fn proven_share(&self) -> f64 {
        let n_proven = self.firsts.iter().filter(|(_, it)| it.certainty == Certainty::Proven).count();
        if self.n_choices == 0 { 0.0 } else { (n_proven as f64 / self.n_choices as f64).min(1.0) }
    }
}

/// Returns what is known about each move, in the order of the list.
pub(super) fn known_moves(context: &CallContext<'_>, evidence: &Evidence) -> Result<Vec<ExploredMove>, EngineError> {
    let game = context.game;
    let stored = StoredEvidence::check(context, evidence)?;
    put_together(context, evidence, &stored).map_err(|error| EngineError::from_call(&game.id, error))
}

/// What is believed of the stored answers.
struct StoredEvidence {
    /// About the position.
    answer: Option<Arc<Snapshot>>,
    /// About the positions that were looked up.
    after: Vec<Option<Arc<Snapshot>>>,
}

impl StoredEvidence {
    fn check(context: &CallContext<'_>, evidence: &Evidence) -> Result<Self, EngineError> {
        let Evidence { successors, explored, stored, .. } = evidence;
        let believed = |position, answer: &Option<StoredAnswer>| match (stored, answer) {
            (Some(stored), Some(answer)) => stored.explored_answer(context, position, answer),
            _ => Ok(None),
        };
        let root = &successors.root;
        let after = successors.looked_up().zip(&explored.answers_after);
        Ok(StoredEvidence {
            answer: believed((&root.canonical, root.key), &explored.answer)?,
            after: after.map(|(position, answer)| believed(position, answer)).collect::<Result<_, _>>()?,
        })
    }
}

fn put_together(
    context: &CallContext<'_>,
    evidence: &Evidence,
    stored: &StoredEvidence,
) -> Result<Vec<ExploredMove>, CallError> {
    let (rules, variant) = (&context.game.ruleset, context.variant);
    let Evidence { successors, explored, cached, cached_after, .. } = evidence;
    let n_seats = rules.variants()[variant].seats.len();
    let played: HashMap<PositionKey, GameTally> = explored.played.iter().copied().collect();
    let of_position = cached.iter().chain(&stored.answer).map(|it| Lines::new(it));
    let mut by_key: HashMap<PositionKey, Evaluation> = HashMap::new();
    for lines in of_position {
        for (key, evaluation) in searched_moves(rules, variant, evidence, &lines)? {
            let best = by_key.entry(key).or_insert(evaluation);
            *best = better(*best, evaluation);
        }
    }
    let mut moves = Vec::with_capacity(successors.moves.len());
    for (idx, successor) in successors.moves.iter().enumerate() {
        // Nobody reads the answer of a cancelled call.
        if context.is_cancelled() {
            break;
        }
        let [cached, stored] = [cached_after, &stored.after].map(|known| known.get(idx).and_then(Option::as_ref));
        let mut evaluation = successor.evaluation;
        let mut proven_share = 0.0f64;
        for lines in cached.into_iter().chain(stored).map(|it| Lines::new(it)) {
            let value = successor.to_caller(rules, variant, lines.evaluation)?;
            let value = one_ply_before(rules, variant, value, successors.root.to_move);
            evaluation = better(evaluation, Evaluation { depth: lines.depth.saturating_add(1), ..value });
            proven_share = proven_share.max(lines.proven_share());
        }
        if let Some(&searched) = by_key.get(&successor.key) {
            evaluation = better(evaluation, searched);
        }
        if evaluation.certainty == Certainty::Proven {
            proven_share = 1.0;
        }
        let tally = played.get(&successor.key).copied().unwrap_or_default();
        let scores =
            tally.mean(n_seats).map(|scores| rules.apply_symmetry_to_scores(variant, successor.to_caller, &scores));
        moves.push(ExploredMove {
            mv: successor.mv.clone(),
            equivalents: successor.equivalents.clone(),
            games: tally.games,
            scores: scores.transpose()?,
            evaluation,
            proven_share,
        });
    }
    Ok(moves)
}

/// Returns the values that a search of the position itself gave its moves, by the position they lead to.
fn searched_moves(
    rules: &Ruleset,
    variant: usize,
    evidence: &Evidence,
    lines: &Lines<'_>,
) -> Result<Vec<(PositionKey, Evaluation)>, CallError> {
    let root = &evidence.successors.root;
    let mut moves = Vec::with_capacity(lines.firsts.len());
    for &(mv, evaluation) in &lines.firsts {
        let after = match rules.canonical_successors(variant, &root.canonical, std::slice::from_ref(mv)) {
            Ok(after) => after,
            Err(error @ (CallError::Fault(_) | CallError::Unavailable { .. })) => return Err(error),
            Err(_) => continue,
        };
        let scores = rules.apply_symmetry_to_scores(variant, root.to_caller, &evaluation.scores)?;
        let evaluation = Evaluation { scores, ..*evaluation };
        moves.extend(after.iter().map(|after| (PositionKey::new(rules, variant, after), evaluation)));
    }
    Ok(moves)
}

impl Successor {
    fn to_caller(&self, rules: &Ruleset, variant: usize, evaluation: &Evaluation) -> Result<Evaluation, CallError> {
        let scores = rules.apply_symmetry_to_scores(variant, self.to_caller, &evaluation.scores)?;
        Ok(Evaluation { scores, ..*evaluation })
    }
}

/// Returns the better known value: a proof, one with its distance, a deeper search.
fn better(a: Evaluation, b: Evaluation) -> Evaluation {
    let rank = |it: &Evaluation| {
        let is_proven = it.certainty == Certainty::Proven;
        (is_proven, is_proven && it.plies_to_end.is_some(), it.source != Source::Static, it.depth)
    };
    if rank(&b) > rank(&a) { b } else { a }
}
