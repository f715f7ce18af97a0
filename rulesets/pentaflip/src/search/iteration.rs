//! Iterative deepening over the root.
//!
//! Every root move is valued one ply deeper at a time. Once the lines asked for
//! are proven, their distances are made true, if that is affordable; else they
//! are not named.

use pentad_sdk::search::primitives::{
    INFINITE, MultiPv, NodeResult, Summary, Window, all_proven, is_loss, is_win, plies, rank,
};
use pentad_sdk::{Control, StopReason};

use crate::moves::Move;
use crate::search::node::{estimate, hopeless};
use crate::search::root::{RootMove, report};
use crate::search::value::over;
use crate::search::worker::Worker;
use crate::state::State;

/// Nodes that the search for distances may always use; and how many times the
/// nodes spent so far.
const MATES_NODES: u64 = 100_000;
const MATES_FACTOR: u64 = 2;

/// One search of one position.
pub(crate) struct Deepening<'a> {
    pub(crate) worker: Worker<'a>,
    pub(crate) control: &'a dyn Control<Move>,
    pub(crate) summary: Summary,
    pub(crate) moves: Vec<RootMove>,
}

impl Deepening<'_> {
    pub(crate) fn run(&mut self, depth_max: u32) -> StopReason {
        self.look();
        rank(&mut self.moves);
        for depth in 1..=depth_max {
            if let Some(reason) = self.finish() {
                return reason;
            }
            let complete = self.iterate(depth);
            rank(&mut self.moves);
            if complete {
                self.summary.depth = depth;
                self.speak(&self.moves);
            }
        }
        self.finish().unwrap_or(StopReason::Depth)
    }

    /// Whether the search is over, and why.
    fn finish(&mut self) -> Option<StopReason> {
        if all_proven(&self.moves, self.summary.n_lines) {
            self.confirm();
            return Some(StopReason::Proven);
        }
        self.worker.limiter.stop()
    }

    /// Values each move by the state it leads to. What the next two plies
    /// decide is seen here.
    fn look(&mut self) {
        let worker = &mut self.worker;
        for mv in &mut self.moves {
            if worker.limiter.stopped() {
                // Not looked at: behind the moves that were.
                mv.value = -1;
                continue;
            }
            worker.limiter.visit();
            worker.lines[1].clear();
            let (found, exact) = match mv.after.end() {
                Some(end) => (over(end), true),
                None => worker.look(mv.after),
            };
            mv.is_true_distance = exact;
            mv.set_exact(found, u32::from(exact), &worker.lines[1]);
        }
    }

    /// Values ranked moves to a depth; whether it came to the end.
    fn iterate(&mut self, depth: u32) -> bool {
        self.worker.plies_max = 2 * depth as usize;
        let mut best = MultiPv::new(self.summary.n_lines);
        for idx in 0..self.moves.len() {
            if self.worker.limiter.stopped() {
                return false;
            }
            let alpha = best.alpha();
            if is_win(alpha) {
                break;
            }
            let found = self.root_move(idx, alpha, depth);
            if self.worker.limiter.stopped() {
                return false;
            }
            let mv = &mut self.moves[idx];
            if found.value <= alpha {
                if mv.set_upper_bound(found) {
                    mv.update_pv(&self.worker.lines[1]);
                }
                continue;
            }
            mv.set_exact(found, depth, &self.worker.lines[1]);
            if best.insert(mv.value) && idx > 0 {
                let mut moves = self.moves.clone();
                rank(&mut moves);
                self.speak(&moves);
            }
        }
        true
    }

    fn root_move(&mut self, idx: usize, alpha: i32, depth: u32) -> NodeResult {
        let mv = &self.moves[idx];
        if mv.is_decided() {
            return NodeResult::new(mv.value, mv.proven);
        }
        self.worker.lines[1].clear();
        if let Some(end) = mv.after.end() {
            return over(end);
        }
        self.worker.limiter.visit();
        self.worker.root_node(mv.after, alpha, depth as i32, idx)
    }

    /// Reports ranked moves on the way.
    fn speak(&self, moves: &[RootMove]) {
        let summary = Summary { nodes: self.worker.limiter.nodes(), ..self.summary };
        self.control.report(&report(&self.worker, moves, &summary, None));
    }

    /// Makes the distances of the lines true, and with them that of the
    /// position: no win may be nearer, no loss further away. The moves are
    /// ranked and the lines proven.
    fn confirm(&mut self) {
        let worker = &mut self.worker;
        worker.mates_end = worker.limiter.nodes() * (1 + MATES_FACTOR) + MATES_NODES;
        if is_win(self.moves[0].value) {
            self.confirm_win();
        } else if is_loss(self.moves[0].value) {
            // Every move loses; the longest way is best.
            let n_true = self.moves.iter_mut().map(|mv| confirm_move(worker, mv)).filter(|&is_true| is_true).count();
            self.summary.is_true_distance = n_true == self.moves.len();
        }
        rank(&mut self.moves);
        let n_lines = self.summary.n_lines;
        for mv in self.moves.iter_mut().take(n_lines).filter(|mv| mv.is_decided()) {
            confirm_move(&mut self.worker, mv);
        }
        let depth = self.moves.iter().take(1).filter(|mv| mv.is_true_distance).map(|mv| plies(mv.value)).max();
        self.summary.depth = self.summary.depth.max(depth.unwrap_or(0));
    }

    fn confirm_win(&mut self) {
        let worker = &mut self.worker;
        if !confirm_move(worker, &mut self.moves[0]) {
            return;
        }
        let nearest = plies(self.moves[0].value);
        for fewer in 1..nearest {
            for mv in self.moves.iter_mut().skip(1).filter(|mv| mv.after.end().is_none() && !is_loss(mv.value)) {
                match worker.loses(mv.after, fewer - 1) {
                    Some(false) => {}
                    Some(true) => {
                        let found = NodeResult::win(fewer);
                        (mv.value, mv.is_true_distance) = (found.value, true);
                        mv.proven = mv.proven.union(found.proven);
                        mv.update_pv(&[]);
                        self.summary.is_true_distance = true;
                        return;
                    }
                    None => return,
                }
            }
        }
        self.summary.is_true_distance = true;
    }
}

/// Makes the distance of a proven win or loss true; whether that was done.
fn confirm_move(worker: &mut Worker<'_>, mv: &mut RootMove) -> bool {
    if mv.is_true_distance || mv.after.end().is_some() {
        mv.is_true_distance = true;
        return true;
    }
    let wins = is_win(mv.value);
    let Some(rest) = worker.distance(mv.after, !wins, plies(mv.value) - 1) else { return false };
    if rest + 1 != plies(mv.value) {
        // The line was that of the longer way.
        mv.update_pv(&[]);
    }
    mv.value = if wins { NodeResult::win(rest + 1).value } else { NodeResult::loss(rest + 1).value };
    mv.is_true_distance = true;
    true
}

impl Worker<'_> {
    /// What a state after a root move is worth at first sight, for the one who
    /// moved, and whether that is a proof with its true distance.
    fn look(&mut self, state: State) -> (NodeResult, bool) {
        if let Some(reply) = state.win_in_one() {
            self.lines[1].push(reply);
            return (NodeResult::win(1).for_parent(), true);
        }
        match hopeless(state) {
            Some(found) => (found.for_parent(), true),
            None => (NodeResult::estimate(estimate(state, 1)).for_parent(), false),
        }
    }

    /// Values the state after a root move: the first ones with the whole
    /// window, the others with a null window first.
    fn root_node(&mut self, next: State, alpha: i32, depth: i32, n_tried: usize) -> NodeResult {
        let window = Window { alpha, beta: INFINITE, depth };
        let mut value = |window| self.node(next, window, 1, true).for_parent();
        if alpha == -INFINITE {
            return value(window.flipped(1));
        }
        window.search_later_move(i32::from(depth >= 4 && n_tried >= 6 && !is_loss(alpha)), value)
    }
}
