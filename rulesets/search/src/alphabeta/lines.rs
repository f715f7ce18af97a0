//! The moves at the root, their ranking, and the report made of them.

use std::cmp::Reverse;

use crate::alphabeta::worker::{STEPS_MAX, Worker};
use crate::facts::Facts;
use crate::game::Game;
use crate::report::{Certainty, Evaluation, Line, Report, StopReason};
use crate::value::{Found, WIN, estimated, evaluation, is_loss, is_win};

/// How much the latest iteration says about a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its value is exact, in this iteration or the last.
    Valued,
    /// It was found to be no better than the lines reported.
    Passed,
}

/// One move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) mv: M,
    /// Exact for its depth, or where `Passed` the last exact one. In the range
    /// of wins and losses always proven.
    pub(crate) value: i32,
    pub(crate) facts: Facts,
    pub(crate) depth: u32,
    pub(crate) standing: Standing,
    /// The move and the expected play after it.
    pub(crate) line: Vec<M>,
}

impl<M: Clone> RootMove<M> {
    pub(crate) fn new(mv: M) -> Self {
        let line = vec![mv.clone()];
        RootMove { mv, value: 0, facts: Facts::NONE, depth: 0, standing: Standing::Passed, line }
    }

    /// Takes an exact value over. What was proven stays so, also where a later
    /// iteration does not see it again for want of room in the table.
    pub(crate) fn value(&mut self, found: Found, depth: u32, rest: &[M]) {
        self.facts = self.facts.and(found.facts);
        let value = self.facts.confine(found.value);
        self.value = match self.value {
            old if is_win(old) => old.max(value),
            old if is_loss(old) => old.min(value),
            _ => value,
        };
        self.depth = depth;
        self.standing = Standing::Valued;
        self.line.truncate(1);
        self.line.extend_from_slice(rest);
    }

    /// Takes over that the move is worth `found` at most.
    pub(crate) fn pass(&mut self, found: Found) {
        self.facts = self.facts.and(found.facts);
        self.standing = Standing::Passed;
        if is_loss(found.value) {
            self.value = found.value;
        }
    }

    fn is_proven(&self) -> bool {
        is_win(self.value) || is_loss(self.value) || self.facts == Facts::DRAW
    }

    /// Proven wins first, losses last, between them the best value; of equals
    /// the proven draw.
    fn rank(&self) -> impl Ord + use<M> {
        let class = i32::from(is_win(self.value)) - i32::from(is_loss(self.value));
        Reverse((class, self.standing == Standing::Valued, self.value, self.facts == Facts::DRAW))
    }
}

/// What a report says besides the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) n_lines: usize,
    /// Plies completed.
    pub(crate) depth: u32,
    /// Up to here the distance to the end is the true one.
    pub(crate) plies_known: u32,
    pub(crate) nodes: u64,
}

/// Sorts the moves best first; equals stay as they are.
pub(crate) fn rank<M: Clone>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(RootMove::rank);
}

/// Whether more search could change neither the lines nor their values.
/// The moves are ranked.
pub(crate) fn all_proven<M: Clone>(moves: &[RootMove<M>], n_lines: usize) -> bool {
    let n_lines = n_lines.min(moves.len());
    if !moves[..n_lines].iter().all(RootMove::is_proven) {
        return false;
    }
    let last = moves[n_lines - 1].value;
    // Behind a draw nothing may win; behind a loss there are only losses.
    is_win(last) || moves[n_lines..].iter().all(|mv| if is_loss(last) { is_loss(mv.value) } else { mv.facts.held() })
}

/// The longest distance to an end among the lines. The moves are ranked.
pub(crate) fn plies_max<M: Clone>(moves: &[RootMove<M>], n_lines: usize) -> u32 {
    let decided = moves.iter().take(n_lines).filter(|mv| is_win(mv.value) || is_loss(mv.value));
    decided.map(|mv| (WIN - mv.value.abs()) as u32).max().unwrap_or(0)
}

/// A report on ranked moves.
pub(crate) fn report<G: Game>(
    worker: &Worker<'_, G>,
    root: &G::Position,
    moves: &[RootMove<G::Move>],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<G::Move> {
    let seat = worker.game.to_move(root);
    let value =
        |mv: &RootMove<G::Move>| evaluation(worker.game, seat, mv.value, mv.facts, mv.depth, summary.plies_known);
    let lines = moves
        .iter()
        .take(summary.n_lines)
        .map(|mv| Line { moves: extended(worker, root, mv), evaluation: value(mv) })
        .collect();
    let mut best = value(&moves[0]);
    let all_held = moves.iter().all(|mv| mv.facts.held());
    if !is_win(moves[0].value) && !all_held {
        best = doubted(best);
    }
    Report { lines, evaluation: best, depth: summary.depth, nodes: summary.nodes, stop }
}

/// The value of the best move where a better one may exist.
fn doubted(best: Evaluation) -> Evaluation {
    let mut scores = best.scores;
    scores.as_mut_slice().iter_mut().for_each(|score| *score = estimated(*score));
    Evaluation { certainty: Certainty::Estimate, outcome: None, plies_to_end: None, scores, ..best }
}

/// The expected play, continued by what the table knows: the search cuts its
/// lines short where it meets a position it has a proof for.
fn extended<G: Game>(worker: &Worker<'_, G>, root: &G::Position, mv: &RootMove<G::Move>) -> Vec<G::Move> {
    let game = worker.game;
    let mut line = mv.line.clone();
    let mut seen = vec![game.key(root)];
    let mut position = root.clone();
    for mv in &line {
        position = game.play(&position, mv);
        seen.push(game.key(&position));
    }
    let plies = if is_win(mv.value) || is_loss(mv.value) { WIN - mv.value.abs() } else { 0 };
    let steps_max = (mv.depth as usize).max(plies as usize).clamp(8, STEPS_MAX);
    let mut moves = Vec::new();
    while line.len() < steps_max && game.outcome(&position).is_none() {
        let next = match game.winning_move(&position) {
            Some(mv) => mv,
            None => {
                let entry = worker.table.probe(game.key(&position) ^ worker.salt);
                moves.clear();
                game.moves(&position, &mut moves);
                let Some(mv) = moves.get(usize::from(entry.move_idx)) else { break };
                mv.clone()
            }
        };
        position = game.play(&position, &next);
        let key = game.key(&position);
        if seen.contains(&key) {
            break;
        }
        seen.push(key);
        line.push(next);
    }
    line
}
