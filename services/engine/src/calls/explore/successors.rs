//! Lists the different moves of a position and where they lead.

use std::collections::HashMap;

use pentad_host::{CallError, Position, Ruleset};
use pentad_model::{Certainty, Evaluation, Scores, Wdl};

use super::{ExploreQuestion, SHORT_LEN_MAX, Successor, Successors};
use crate::error::EngineError;
use crate::field::Field;
use crate::question::HintQuestion;
use crate::resolve::SearchRoot;
use crate::resolve::position_key::PositionKey;
use crate::rules::job::{AboutPosition, CallContext};
use crate::rules::page_token::PageToken;

/// Most moves of a position that is explored: all of them are in memory at once.
const LEN_MAX: u64 = 1_000_000;
/// Most moves for which equivalent ones are listed.
const EQUIVALENTS_LEN_MAX: u64 = 2000;
/// Moves that are played together: an isolated rule set gets them in one message.
const BATCH_LEN: usize = 250;

/// The moves, or the work left if that takes long.
pub(crate) enum SuccessorsOrLongList {
    Complete(Box<Successors>),
    Long(Box<LongList>),
}

/// A position with many moves.
pub(crate) struct LongList {
    root: SearchRoot,
    token: PageToken,
    n_moves: u64,
}

impl AboutPosition for LongList {
    fn position(&self) -> String {
        self.root.text.clone()
    }
}

/// Lists the moves of a question's position, unless that takes long.
pub(crate) fn list(context: &CallContext<'_>, question: &ExploreQuestion) -> Result<SuccessorsOrLongList, EngineError> {
    let CallContext { game, variant, config, .. } = *context;
    let fault = |error| EngineError::from_call(&game.id, error);
    let root = SearchRoot::resolve(context, &HintQuestion::new(question.spec.clone()))?;
    let listed = ("explorer", &*game.id, variant, root.position.as_bytes());
    let token = PageToken::read(&question.page_token, listed, question.page_size, config)?;
    if root.outcome.is_some() {
        return Ok(SuccessorsOrLongList::Complete(Box::new(Successors { root, token, moves: Vec::new() })));
    }
    let n_moves = game.ruleset.count_moves(variant, &root.position, "").map_err(fault)?;
    if n_moves > LEN_MAX {
        let message = format!("{n_moves} legal moves, positions of at most {LEN_MAX} are explored");
        return Err(EngineError::too_large(Field::Position, message));
    }
    let list = LongList { root, token, n_moves };
    match n_moves <= SHORT_LEN_MAX as u64 {
        true => Ok(SuccessorsOrLongList::Complete(Box::new(long_list(context, &list)?))),
        false => Ok(SuccessorsOrLongList::Long(Box::new(list))),
    }
}

/// Lists the moves, however long that takes.
pub(crate) fn long_list(context: &CallContext<'_>, list: &LongList) -> Result<Successors, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let LongList { root, token, n_moves } = list;
    let fault = |error| EngineError::from_call(&game.id, error);
    let rules = &game.ruleset;
    let mut moves: Vec<String> = Vec::new();
    let flow = rules.legal_moves(variant, &root.position, "", &mut |mv| {
        moves.push(mv.to_owned());
        context.check_cancelled()
    });
    // Nobody reads the answer of a cancelled call.
    let _complete = flow.map_err(fault)?;
    let mut groups: Vec<Successor> = Vec::new();
    let mut group_of: HashMap<Position, usize> = HashMap::new();
    let lists_equivalents = *n_moves <= EQUIVALENTS_LEN_MAX;
    for batch in moves.chunks(BATCH_LEN) {
        if context.is_cancelled() {
            break;
        }
        let successors = rules.canonical_successors(variant, &root.position, batch).map_err(fault)?;
        for (mv, canonical) in batch.iter().zip(successors) {
            // The value of a position may take as long as playing a hundred moves.
            if context.is_cancelled() {
                break;
            }
            match group_of.get(&canonical) {
                Some(&idx) if lists_equivalents => groups[idx].equivalents.push(mv.clone()),
                Some(_) => {}
                None => {
                    group_of.insert(canonical.clone(), groups.len());
                    groups.push(first_of_group(rules, variant, root, mv, canonical).map_err(fault)?);
                }
            }
        }
    }
    let to_move = root.to_move;
    groups.sort_by(|a, b| b.evaluation.scores[to_move].total_cmp(&a.evaluation.scores[to_move]));
    Ok(Successors { root: root.clone(), token: token.clone(), moves: groups })
}

fn first_of_group(
    rules: &Ruleset,
    variant: usize,
    root: &SearchRoot,
    mv: &str,
    canonical: Position,
) -> Result<Successor, CallError> {
    let position = rules.play_known(variant, &root.position, mv)?;
    let (_, to_canonical) = rules.canonical(variant, &position)?;
    let evaluation = static_value(rules, variant, &position)?;
    Ok(Successor {
        mv: mv.to_owned(),
        equivalents: Vec::new(),
        key: PositionKey::new(rules, variant, &canonical),
        canonical,
        to_caller: rules.inverse_symmetry(variant, to_canonical)?,
        evaluation: one_ply_before(rules, variant, evaluation, root.to_move),
    })
}

/// Returns what the rules know without a search: the result of a finished game, a book value or a static
/// value.
fn static_value(rules: &Ruleset, variant: usize, position: &Position) -> Result<Evaluation, CallError> {
    if let Some(scores) = rules.scores(variant, position)? {
        return Ok(Evaluation::terminal(scores, None));
    }
    match rules.evaluate(variant, position) {
        Err(CallError::Unsupported) => {
            Ok(Evaluation::static_estimate(Scores::even(rules.variants()[variant].seats.len())))
        }
        evaluation => evaluation,
    }
}

/// Returns the value of a move, from that of the position it leads to.
pub(super) fn one_ply_before(rules: &Ruleset, variant: usize, evaluation: Evaluation, to_move: usize) -> Evaluation {
    let has_two_sides = rules.variants()[variant].n_sides == 2;
    let is_proven = evaluation.certainty == Certainty::Proven;
    Evaluation {
        outcome: (has_two_sides && is_proven).then(|| Wdl::of_score(evaluation.scores[to_move])),
        plies_to_end: evaluation.plies_to_end.map(|plies| plies.saturating_add(1)),
        ..evaluation
    }
}
