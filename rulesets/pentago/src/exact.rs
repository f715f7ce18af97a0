//! Moves whose exact values are known, ranked among equals.

use std::cmp::Reverse;

use pentad_sdk::search::Game;
use pentad_sdk::{Certainty, Evaluation, Line, Report, Request, Source, StopReason, Wdl};

use crate::Pentago;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Verdict;
use crate::search::scores;

/// Of equally good moves, so many are compared by the replies they leave.
const COMPARED_MAX: usize = 24;
/// A line goes on for so many moves, where their values are known.
const LINE_LEN_MAX: usize = 8;

/// Knows exact values of positions.
pub(crate) trait Oracle {
    /// For the side to move; `None` if it is not known.
    fn value_of(&self, position: &Position) -> Option<Wdl>;
    /// What it is.
    fn source(&self) -> Source;
}

/// A move with what is known of it.
struct Choice {
    mv: Move,
    /// For the side that makes it.
    value: Wdl,
    /// Replies after which the opponent has as much as they can still get; the
    /// fewer, the easier they are missed.
    n_saving: usize,
    /// How the position looks after it, for the side that made it.
    looks: i32,
}

/// Ranks the moves asked for by exact values; `None` if one is not known. Equal
/// moves are ranked by how few replies save as much as can be saved, then by
/// how the position looks.
pub(crate) fn report(
    rules: &Pentago,
    position: &Position,
    request: &Request<Move>,
    oracle: &dyn Oracle,
) -> Option<Report<Move>> {
    let mut choices = choices(rules, position, &request.root_moves, oracle)?;
    choices.sort_by_key(|choice| (Reverse(choice.value), Reverse(choice.looks)));
    let best = choices.first()?.value;
    let n_compared = choices.iter().take(COMPARED_MAX).take_while(|choice| choice.value == best).count();
    for choice in &mut choices[..n_compared] {
        choice.n_saving = n_saving(rules, &rules.play_unchecked(position, choice.mv), oracle);
    }
    choices[..n_compared].sort_by_key(|choice| choice.n_saving);
    let line = |choice: &Choice| Line {
        moves: continued(rules, position, choice.mv, oracle),
        evaluation: value_of_move(rules, position, choice, oracle.source()),
    };
    let lines: Vec<Line<Move>> = choices.iter().take(request.n_lines.max(1)).map(line).collect();
    Some(Report {
        evaluation: lines[0].evaluation,
        lines,
        depth: 0,
        nodes: choices.len() as u64,
        stop: Some(StopReason::Proven),
    })
}

/// A value that is known to be true.
pub(crate) fn exact(position: &Position, value: Wdl, plies: Option<u32>, source: Source) -> Evaluation {
    let verdict = match value {
        Wdl::Win => Verdict::Five(position.side),
        Wdl::Draw => Verdict::BothFive,
        Wdl::Loss => Verdict::Five(position.side.other()),
    };
    Evaluation {
        certainty: Certainty::Proven,
        outcome: Some(value),
        plies_to_end: plies,
        scores: scores(verdict),
        source,
        depth: plies.unwrap_or(0),
    }
}

fn value_of_move(rules: &Pentago, position: &Position, choice: &Choice, source: Source) -> Evaluation {
    let ends = rules.verdict(&rules.play_unchecked(position, choice.mv)).is_some();
    exact(position, choice.value, ends.then_some(1), source)
}

fn choices(rules: &Pentago, position: &Position, only: &[Move], oracle: &dyn Oracle) -> Option<Vec<Choice>> {
    let mut moves = only.to_vec();
    if moves.is_empty() {
        rules.distinct_moves(position, &mut moves);
    }
    let choice = |mv: Move| {
        let next = rules.play_unchecked(position, mv);
        let (value, looks) = match rules.verdict(&next) {
            Some(verdict) => (ended(verdict, position), i32::MAX),
            None => (opposite(oracle.value_of(&next)?), -rules.evaluate(&next)),
        };
        Some(Choice { mv, value, n_saving: 0, looks })
    };
    moves.into_iter().map(choice).collect()
}

/// How many different replies keep the most that the side to move can get.
/// Where that is a loss, or the replies' values are not known, none counts.
fn n_saving(rules: &Pentago, position: &Position, oracle: &dyn Oracle) -> usize {
    if rules.verdict(position).is_some() {
        return 0;
    }
    let Some(choices) = choices(rules, position, &[], oracle) else { return 0 };
    match choices.iter().map(|choice| choice.value).max() {
        None | Some(Wdl::Loss) => 0,
        Some(best) => choices.iter().filter(|choice| choice.value == best).count(),
    }
}

/// The move and best play after it, as far as values are known.
fn continued(rules: &Pentago, position: &Position, mv: Move, oracle: &dyn Oracle) -> Vec<Move> {
    let mut line = vec![mv];
    let mut reached = rules.play_unchecked(position, mv);
    while line.len() < LINE_LEN_MAX && rules.verdict(&reached).is_none() {
        let Some(choices) = choices(rules, &reached, &[], oracle) else { break };
        let Some(best) = choices.iter().max_by_key(|choice| (choice.value, choice.looks)) else { break };
        line.push(best.mv);
        reached = rules.play_unchecked(&reached, best.mv);
    }
    line
}

/// What an end is worth to the side that was to move at `position`.
fn ended(verdict: Verdict, position: &Position) -> Wdl {
    match verdict.winner() {
        None => Wdl::Draw,
        Some(winner) if winner == position.side => Wdl::Win,
        Some(_) => Wdl::Loss,
    }
}

fn opposite(value: Wdl) -> Wdl {
    match value {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}
