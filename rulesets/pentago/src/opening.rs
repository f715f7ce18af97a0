//! Hints from the book: with up to five marbles every move has its exact value.

use std::cmp::Reverse;

use pentad_sdk::search::Game;
use pentad_sdk::{Line, Report, Request, Source, StopReason, Wdl};

use crate::Pentago;
use crate::book;
use crate::moves::Move;
use crate::policy::exact;
use crate::position::Position;

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

/// Ranks the moves of a position with fewer marbles than the book's last.
pub(crate) fn report(rules: &Pentago, position: &Position, request: &Request<Move>) -> Report<Move> {
    let mut choices = choices(rules, position, &request.root_moves);
    let best = choices.iter().map(|choice| choice.value).max().expect("a game of so few marbles goes on");
    // Replies of a position with all of the book's marbles are beyond it.
    if position.occupied().count() + 2 <= book::MARBLES_MAX {
        for choice in choices.iter_mut().filter(|choice| choice.value == best) {
            choice.n_saving = n_saving(rules, &rules.play_unchecked(position, choice.mv));
        }
    }
    choices.sort_by_key(|choice| (Reverse(choice.value), choice.n_saving, Reverse(choice.looks)));
    let line = |choice: &Choice| Line {
        moves: continued(rules, position, choice.mv),
        evaluation: exact(position, choice.value, None, Source::Book),
    };
    Report {
        lines: choices.iter().take(request.n_lines.max(1)).map(line).collect(),
        evaluation: exact(position, best, None, Source::Book),
        depth: 0,
        nodes: choices.len() as u64,
        stop: Some(StopReason::Proven),
    }
}

fn choices(rules: &Pentago, position: &Position, only: &[Move]) -> Vec<Choice> {
    let mut moves = only.to_vec();
    if moves.is_empty() {
        rules.distinct_moves(position, &mut moves);
    }
    let choice = |mv: Move| {
        let next = rules.play_unchecked(position, mv);
        let value = opposite(book::value(&next).expect("one marble more is in the book"));
        Choice { mv, value, n_saving: 0, looks: -rules.evaluate(&next) }
    };
    moves.into_iter().map(choice).collect()
}

/// How many different replies keep the most that the side to move can get.
/// Where that is a loss, none saves anything.
fn n_saving(rules: &Pentago, position: &Position) -> usize {
    let best = book::value(position).expect("its moves are in the book");
    if best == Wdl::Loss {
        return 0;
    }
    choices(rules, position, &[]).iter().filter(|choice| choice.value == best).count()
}

/// The move and best play after it, as far as the book tells.
fn continued(rules: &Pentago, position: &Position, mv: Move) -> Vec<Move> {
    let mut line = vec![mv];
    let mut reached = rules.play_unchecked(position, mv);
    while reached.occupied().count() < book::MARBLES_MAX {
        let choices = choices(rules, &reached, &[]);
        let Some(best) = choices.iter().max_by_key(|choice| (choice.value, choice.looks)) else { break };
        line.push(best.mv);
        reached = rules.play_unchecked(&reached, best.mv);
    }
    line
}

fn opposite(value: Wdl) -> Wdl {
    match value {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}
