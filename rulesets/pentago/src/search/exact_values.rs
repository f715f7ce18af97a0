//! Reports from exact values: moves ranked by value, and equal ones by how hard they
//! are to answer.

use std::cmp::Reverse;

use pentad_sdk::search::Game;
use pentad_sdk::{Certainty, Evaluation, Line, Report, Request, Source, StopReason, Wdl};

use crate::Pentago;
use crate::board::Cell;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::GameResult;
use crate::search::game::scores;

/// Number of best moves that are compared by the replies they leave.
const COMPARED_MAX: usize = 24;
/// Up to this many marbles, the middle of a block ranks first among equals: it is the
/// natural opening.
const NATURAL_MARBLES_MAX: u32 = 2;
/// Moves of a reported line, at most.
const PV_LEN_MAX: usize = 8;

/// A table of exact values: the book, or a solved position.
pub(crate) trait ExactValues {
    /// Returns the value for the side to move; `None` if it is not known.
    fn value(&self, position: &Position) -> Option<Wdl>;
    /// Returns the source named in reports.
    fn source(&self) -> Source;
}

/// A move with its value and its ranking among equals.
struct ValuedMove {
    mv: Move,
    /// Value for the side that makes it.
    value: Wdl,
    /// The number of the opponent's best replies; the fewer, the easier to miss.
    n_best_replies: usize,
    /// The static evaluation after it, for the side that made it.
    static_value: i32,
}

/// Ranks the requested moves by exact values; `None` if one is not known. Equal moves
/// are ranked by the number of best replies, then natural openings first, then by the
/// static evaluation.
pub(crate) fn report(
    rules: &Pentago,
    position: &Position,
    request: &Request<Move>,
    values: &dyn ExactValues,
) -> Option<Report<Move>> {
    let mut moves = valued_moves(rules, position, &request.root_moves, values)?;
    let is_opening = values.source() == Source::Book && position.occupied().count() <= NATURAL_MARBLES_MAX;
    let is_natural = |mv: &ValuedMove| is_opening && mv.mv.cell().is_some_and(Cell::is_block_centre);
    moves.sort_by_key(|mv| (Reverse(mv.value), !is_natural(mv), Reverse(mv.static_value)));
    let best = moves.first()?.value;
    let n_compared = moves.iter().take(COMPARED_MAX).take_while(|mv| mv.value == best).count();
    for mv in &mut moves[..n_compared] {
        mv.n_best_replies = n_best_replies(rules, &rules.play_unchecked(position, mv.mv), values);
    }
    moves[..n_compared].sort_by_key(|mv| mv.n_best_replies);
    let line = |mv: &ValuedMove| Line {
        moves: principal_variation(rules, position, mv.mv, values),
        evaluation: move_evaluation(rules, position, mv, values.source()),
    };
    let lines: Vec<Line<Move>> = moves.iter().take(request.n_lines.max(1)).map(line).collect();
    Some(Report {
        evaluation: lines[0].evaluation,
        lines,
        depth: 0,
        nodes: moves.len() as u64,
        stop: Some(StopReason::Proven),
    })
}

/// Returns the evaluation of a proven value.
pub(crate) fn proven_evaluation(position: &Position, value: Wdl, plies: Option<u32>, source: Source) -> Evaluation {
    let result = match value {
        Wdl::Win => GameResult::Five(position.side),
        Wdl::Draw => GameResult::BothFive,
        Wdl::Loss => GameResult::Five(position.side.other()),
    };
    Evaluation {
        certainty: Certainty::Proven,
        outcome: Some(value),
        plies_to_end: plies,
        scores: scores(result),
        source,
        depth: plies.unwrap_or(0),
    }
}

fn move_evaluation(rules: &Pentago, position: &Position, mv: &ValuedMove, source: Source) -> Evaluation {
    let ends = rules.game_result(&rules.play_unchecked(position, mv.mv)).is_some();
    proven_evaluation(position, mv.value, ends.then_some(1), source)
}

fn valued_moves(
    rules: &Pentago,
    position: &Position,
    only: &[Move],
    values: &dyn ExactValues,
) -> Option<Vec<ValuedMove>> {
    let mut moves = only.to_vec();
    if moves.is_empty() {
        rules.distinct_moves(position, &mut moves);
    }
    let valued = |mv: Move| {
        let next = rules.play_unchecked(position, mv);
        let (value, static_value) = match rules.game_result(&next) {
            Some(result) => (result.wdl(position.side), i32::MAX),
            None => (values.value(&next)?.opposite(), -rules.evaluate(&next)),
        };
        Some(ValuedMove { mv, value, n_best_replies: 0, static_value })
    };
    moves.into_iter().map(valued).collect()
}

/// Returns the number of distinct moves that keep the value of the position; 0 if it is
/// lost or the values are not known.
fn n_best_replies(rules: &Pentago, position: &Position, values: &dyn ExactValues) -> usize {
    if rules.game_result(position).is_some() {
        return 0;
    }
    let Some(moves) = valued_moves(rules, position, &[], values) else { return 0 };
    match moves.iter().map(|mv| mv.value).max() {
        None | Some(Wdl::Loss) => 0,
        Some(best) => moves.iter().filter(|mv| mv.value == best).count(),
    }
}

/// Returns the move and best play after it, as far as the values are known.
fn principal_variation(rules: &Pentago, position: &Position, mv: Move, values: &dyn ExactValues) -> Vec<Move> {
    let mut line = vec![mv];
    let mut reached = rules.play_unchecked(position, mv);
    while line.len() < PV_LEN_MAX && rules.game_result(&reached).is_none() {
        let Some(moves) = valued_moves(rules, &reached, &[], values) else { break };
        let Some(best) = moves.iter().max_by_key(|mv| (mv.value, mv.static_value)) else { break };
        line.push(best.mv);
        reached = rules.play_unchecked(&reached, best.mv);
    }
    line
}
