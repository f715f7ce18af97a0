//! Root moves of the generic search, and the report made from them.
//!
//! Proofs are compared here: a later iteration may find a nearer win or a nearer loss,
//! and the last one finds the true distances. Searches that games write themselves keep
//! the first proof and find its true distance by other means, so they update values
//! differently.

use std::cmp::Reverse;

use crate::alpha_beta::worker::{STEPS_MAX, Worker};
use crate::game::Game;
use crate::primitives::{self, NodeResult, Proven, RootBound, evaluation, is_loss, is_win, lines_and_value, plies};
use pentad_model::{Evaluation, Line, Report, Scores, StopReason};

/// A root move, its index in the request, and what is known about it.
pub(crate) type RootMove<M> = primitives::RootMove<M, usize>;

impl<M: Clone> RootMove<M> {
    pub(crate) fn mv(&self) -> &M {
        &self.pv[0]
    }

    /// Sets an exact value. Proofs are kept even if a later iteration does not find
    /// them again because the table has overwritten them.
    pub(crate) fn update_exact(&mut self, result: NodeResult, depth: u32, rest: &[M]) {
        self.proven = self.proven.union(result.proven);
        let value = self.proven.clamp(result.value);
        self.value = match self.value {
            old if is_win(old) => old.max(value),
            old if is_loss(old) => old.min(value),
            _ => value,
        };
        self.depth = depth;
        self.bound = RootBound::Exact;
        self.update_pv(rest);
    }

    /// Records that the move is worth `result` at most.
    pub(crate) fn update_upper_bound(&mut self, result: NodeResult) {
        self.proven = self.proven.union(result.proven);
        self.bound = RootBound::Upper;
        if is_loss(result.value) {
            self.value = result.value;
        }
    }
}

/// Contents of a report other than the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) n_lines: usize,
    /// Plies completed.
    pub(crate) depth: u32,
    /// Distances to the end up to this many plies are true.
    pub(crate) plies_known: u32,
    pub(crate) nodes: u64,
}

/// Sorts the moves: proven wins first, losses last, between them the best value; of
/// equals the proven draw. Other equals keep their order.
pub(crate) fn rank<M: Clone>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|mv| Reverse((mv.class(), mv.bound == RootBound::Exact, mv.value, mv.proven == Proven::DRAW)));
}

/// Returns the longest distance to an end among the lines. The moves are ranked.
pub(crate) fn plies_max<M: Clone>(moves: &[RootMove<M>], n_lines: usize) -> u32 {
    moves.iter().take(n_lines).filter(|mv| mv.is_decided()).map(|mv| plies(mv.value)).max().unwrap_or(0)
}

/// Returns a report on ranked moves.
pub(crate) fn report<G: Game>(
    worker: &Worker<'_, G>,
    root: &G::Position,
    moves: &[RootMove<G::Move>],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<G::Move> {
    let value = |mv: &RootMove<G::Move>| value_of(worker.game, root, mv, summary);
    let (lines, best) = lines_and_value(moves, summary.n_lines, value, |mv| extended(worker, root, mv));
    Report { lines, evaluation: best, depth: summary.depth, nodes: summary.nodes, stop }
}

/// Returns the line of one move.
pub(crate) fn line<G: Game>(
    worker: &Worker<'_, G>,
    root: &G::Position,
    mv: &RootMove<G::Move>,
    summary: &Summary,
) -> Line<G::Move> {
    Line { moves: extended(worker, root, mv), evaluation: value_of(worker.game, root, mv, summary) }
}

fn value_of<G: Game>(game: &G, root: &G::Position, mv: &RootMove<G::Move>, summary: &Summary) -> Evaluation {
    let side = game.side_of(game.to_move(root));
    let scores = |score: f64| {
        let mut scores = Scores::even(game.n_seats());
        for (seat, out) in scores.as_mut_slice().iter_mut().enumerate() {
            *out = if game.side_of(seat) == side { score } else { 1.0 - score };
        }
        scores
    };
    // A longer distance than is known might not be the best.
    let is_known = |plies: &u32| *plies <= summary.plies_known.max(1);
    let plies = Some(plies(mv.value)).filter(|plies| mv.is_decided() && is_known(plies));
    evaluation(mv.value, mv.proven, plies, mv.depth, scores)
}

/// Returns the principal variation, extended by moves of the table: the search cuts its
/// lines short at positions with a stored proof.
fn extended<G: Game>(worker: &Worker<'_, G>, root: &G::Position, mv: &RootMove<G::Move>) -> Vec<G::Move> {
    let game = worker.game;
    let mut line = mv.pv.clone();
    let mut seen = vec![game.key(root)];
    let mut position = root.clone();
    for mv in &line {
        position = game.play(&position, mv);
        seen.push(game.key(&position));
    }
    let plies = if mv.is_decided() { plies(mv.value) } else { 0 };
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
