//! One iteration over the root moves, by one thread or several.
//!
//! The first moves, one per requested line, get a full window; the others have to beat
//! the worst of the lines. With several threads the others are dealt out in turn. A
//! thread that runs out of nodes stops the search even if another has some left:
//! redistributing them would take a second round over half-searched moves.

use crate::alpha_beta::node::static_value;
use crate::alpha_beta::root::RootMove;
use crate::alpha_beta::worker::Worker;
use crate::game::Game;
use crate::primitives::{INFINITE, MultiPv, NodeResult, RootBound, WIN, is_loss, is_win};
use crate::threads::in_parallel;
use pentad_model::StopReason;

/// Nodes of the previous iteration from which threads pay off.
const PARALLEL_NODES: u64 = 10_000;
/// Separates results without reductions in the tables.
const SALT: u64 = 0x6a09_e667_f3bc_c908;

pub(crate) enum Outcome {
    Complete,
    Stopped(StopReason),
}

/// Called on a new best move within an iteration, with the worker, all moves and the
/// nodes so far.
pub(crate) type Improved<'f, G> = &'f dyn Fn(&Worker<'_, G>, &[RootMove<<G as Game>::Move>], u64);

/// All threads of a search.
pub(crate) struct Threads<'a, G: Game> {
    workers: Vec<Worker<'a, G>>,
    nodes_max: u64,
    /// Nodes of the previous iteration.
    last_nodes: u64,
}

impl<'a, G: Game> Threads<'a, G> {
    pub(crate) fn new(workers: Vec<Worker<'a, G>>) -> Self {
        Threads { workers, nodes_max: u64::MAX, last_nodes: 0 }
    }

    /// Sets the limit of all nodes, those visited before included.
    pub(crate) fn set_nodes_max(&mut self, nodes_max: u64) {
        self.nodes_max = nodes_max;
    }

    pub(crate) fn first(&self) -> &Worker<'a, G> {
        &self.workers[0]
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.workers.iter().map(|worker| worker.limiter.nodes()).sum()
    }

    /// Returns whether any result so far depends on a reduction.
    pub(crate) fn reduced(&self) -> bool {
        self.workers.iter().any(|worker| worker.reduced)
    }

    /// Searches everything to its full depth from now on.
    pub(crate) fn stop_reducing(&mut self) {
        let salt = if self.reduced() { SALT } else { 0 };
        for worker in &mut self.workers {
            (worker.reduce, worker.salt) = (false, salt);
        }
    }

    /// Evaluates the moves statically. If stopped, it rates the rest like the worst
    /// evaluated move.
    pub(crate) fn evaluate_root_moves(&mut self, root: &G::Position, moves: &mut [RootMove<G::Move>]) -> Outcome {
        let worker = &mut self.workers[0];
        worker.limiter.allow(self.nodes_max);
        let mut order = Vec::with_capacity(moves.len());
        for idx in 0..moves.len() {
            if let Some(reason) = worker.limiter.stop() {
                let seen = moves[..idx].iter().map(|mv| mv.value).filter(|&value| !is_win(value) && !is_loss(value));
                let floor = seen.min().unwrap_or(0);
                moves[idx..].iter_mut().for_each(|mv| mv.value = floor);
                return Outcome::Stopped(reason);
            }
            let mv = &mut moves[idx];
            let next = worker.step(root, mv.mv());
            let result = next
                .over
                .unwrap_or_else(|| next.seen_before(NodeResult::estimate(static_value(worker.game, &next.position))));
            mv.update_exact(result, u32::from(next.over.is_some()), &[]);
            order.push((std::cmp::Reverse(worker.game.order(root, mv.mv())), idx));
        }
        // Ranking is stable, so this decides between equal values.
        order.sort_unstable();
        let by_order: Vec<_> = order.iter().map(|&(_, idx)| moves[idx].clone()).collect();
        moves.clone_from_slice(&by_order);
        Outcome::Complete
    }

    /// Searches ranked root moves to a depth, within `nodes_max` more nodes.
    pub(crate) fn search_root_moves(
        &mut self,
        root: &G::Position,
        moves: &mut Vec<RootMove<G::Move>>,
        n_lines: usize,
        depth: u32,
        nodes_max: u64,
        improved: Improved<'_, G>,
    ) -> Outcome {
        let before = self.nodes();
        let left = (self.nodes_max - before.min(self.nodes_max)).min(nodes_max);
        self.workers[0].limiter.allow(left);
        let n_threads = self.workers.len().min(moves.len().saturating_sub(n_lines));
        let mut best = MultiPv::new(n_lines);
        let outcome = if n_threads < 2 || self.last_nodes < PARALLEL_NODES {
            let rest: u64 = self.workers[1..].iter().map(|worker| worker.limiter.nodes()).sum();
            let worker = &mut self.workers[0];
            worker.search_root_moves(root, moves, depth, &mut best, Some((improved, rest)))
        } else {
            match self.workers[0].search_root_moves(root, &mut moves[..n_lines], depth, &mut best, None) {
                Outcome::Complete => {
                    let left = left - (self.nodes() - before).min(left);
                    self.split(root, moves, n_lines, depth, left, n_threads, &best)
                }
                stopped => stopped,
            }
        };
        self.last_nodes = self.nodes() - before;
        outcome
    }

    /// Distributes the moves after the first `n_lines` over the threads and collects
    /// them.
    #[allow(clippy::too_many_arguments)]
    fn split(
        &mut self,
        root: &G::Position,
        moves: &mut Vec<RootMove<G::Move>>,
        n_lines: usize,
        depth: u32,
        left: u64,
        n_threads: usize,
        best: &MultiPv,
    ) -> Outcome {
        let mut shares: Vec<Vec<RootMove<G::Move>>> = vec![Vec::new(); n_threads];
        for (idx, mv) in moves.drain(n_lines..).enumerate() {
            shares[idx % n_threads].push(mv);
        }
        let jobs: Vec<_> = self.workers.iter_mut().zip(&mut shares).collect();
        let outcomes = in_parallel(jobs, |(worker, share)| {
            worker.limiter.allow(left / n_threads as u64);
            worker.search_root_moves(root, share, depth, &mut best.clone(), None)
        });
        for idx in 0..shares.iter().map(Vec::len).max().unwrap_or(0) {
            moves.extend(shares.iter().filter_map(|share| share.get(idx)).cloned());
        }
        outcomes.into_iter().max_by_key(severity).unwrap_or(Outcome::Complete)
    }
}

impl<G: Game> Worker<'_, G> {
    /// Searches moves in their order.
    fn search_root_moves(
        &mut self,
        root: &G::Position,
        moves: &mut [RootMove<G::Move>],
        depth: u32,
        best: &mut MultiPv,
        improved: Option<(Improved<'_, G>, u64)>,
    ) -> Outcome {
        self.path.clear();
        self.path.push(self.game.key(root));
        for idx in 0..moves.len() {
            if let Some(reason) = self.limiter.stop() {
                return Outcome::Stopped(reason);
            }
            let alpha = best.alpha();
            if alpha == WIN - 1 {
                moves[idx].bound = RootBound::Upper;
                continue;
            }
            let result = self.root_move(root, moves[idx].mv(), alpha, depth as i32);
            if let Some(reason) = self.limiter.stop() {
                return Outcome::Stopped(reason);
            }
            if result.value <= alpha {
                moves[idx].update_upper_bound(result);
                continue;
            }
            moves[idx].update_exact(result, depth, &self.lines[1]);
            if best.insert(moves[idx].value)
                && idx > 0
                && let Some((improved, nodes_elsewhere)) = improved
            {
                improved(self, moves, nodes_elsewhere + self.limiter.nodes());
            }
        }
        Outcome::Complete
    }

    fn root_move(&mut self, root: &G::Position, mv: &G::Move, alpha: i32, depth: i32) -> NodeResult {
        let next = self.step(root, mv);
        if alpha > -INFINITE {
            let result = self.follow(&next, alpha, alpha + 1, depth, 0);
            if result.value <= alpha {
                return result;
            }
        }
        self.follow(&next, alpha, INFINITE, depth, 0)
    }
}

/// Returns the precedence of an outcome if threads stop for different reasons.
fn severity(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Complete => 0,
        Outcome::Stopped(StopReason::Nodes) => 1,
        Outcome::Stopped(StopReason::Time) => 2,
        Outcome::Stopped(_) => 3,
    }
}
