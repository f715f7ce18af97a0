//! Iterative deepening over the root.
//!
//! Every root move is valued one ply deeper at a time. Once the lines asked for
//! are proven, their distances are made true, if that is affordable; else they
//! are not named.

use pentad_sdk::{Control, StopReason};

use crate::moves::Move;
use crate::search::node::{Aim, estimate, hopeless};
use crate::search::root::{RootMove, Summary, all_proven, rank, report};
use crate::search::value::{Found, INFINITE, WIN, is_loss, is_win, plies};
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
        self.worker.watch.stop()
    }

    /// Values each move by the state it leads to. What the next two plies
    /// decide is seen here.
    fn look(&mut self) {
        let worker = &mut self.worker;
        for mv in &mut self.moves {
            if worker.watch.stopped() {
                // Not looked at: behind the moves that were.
                mv.value = -1;
                continue;
            }
            worker.watch.visit();
            worker.lines[1].clear();
            let (found, exact) = match mv.end {
                Some(end) => (Found::over(end), true),
                None => worker.look(mv.next),
            };
            mv.is_true_distance = exact;
            mv.value(found, u32::from(exact), &worker.lines[1]);
        }
    }

    /// Values ranked moves to a depth; whether it came to the end.
    fn iterate(&mut self, depth: u32) -> bool {
        let n_lines = self.summary.n_lines;
        self.worker.plies_max = 2 * depth as usize;
        let mut best: Vec<i32> = Vec::with_capacity(n_lines + 1);
        for idx in 0..self.moves.len() {
            if self.worker.watch.stopped() {
                return false;
            }
            let alpha = if best.len() < n_lines { -INFINITE } else { best[n_lines - 1] };
            if is_win(alpha) {
                break;
            }
            let found = self.root_move(idx, alpha, depth);
            if self.worker.watch.stopped() {
                return false;
            }
            let mv = &mut self.moves[idx];
            if found.value <= alpha {
                mv.pass(found, &self.worker.lines[1]);
                continue;
            }
            mv.value(found, depth, &self.worker.lines[1]);
            let value = mv.value;
            let place = best.partition_point(|&better| better >= value);
            best.insert(place, value);
            best.truncate(n_lines);
            if place == 0 && idx > 0 {
                let mut moves = self.moves.clone();
                rank(&mut moves);
                self.speak(&moves);
            }
        }
        true
    }

    fn root_move(&mut self, idx: usize, alpha: i32, depth: u32) -> Found {
        let mv = &self.moves[idx];
        self.worker.lines[1].clear();
        if mv.is_decided() {
            self.worker.lines[1].extend_from_slice(&mv.line[1..]);
            return Found { facts: mv.facts, ..Found::estimate(mv.value) };
        }
        if let Some(end) = mv.end {
            return Found::over(end);
        }
        self.worker.watch.visit();
        self.worker.root_node(mv.next, alpha, depth as i32, idx)
    }

    /// Reports ranked moves on the way.
    fn speak(&self, moves: &[RootMove]) {
        let summary = Summary { nodes: self.worker.watch.nodes(), ..self.summary };
        self.control.report(&report(&self.worker, moves, &summary, None));
    }

    /// Makes the distances of the lines true, and with them that of the
    /// position: no win may be nearer, no loss further away. The moves are
    /// ranked and the lines proven.
    fn confirm(&mut self) {
        let worker = &mut self.worker;
        worker.mates_end = worker.watch.nodes() * (1 + MATES_FACTOR) + MATES_NODES;
        if is_win(self.moves[0].value) {
            self.confirm_win();
        } else if is_loss(self.moves[0].value) {
            // Every move loses; the longest way is best.
            let n_true = self.moves.iter_mut().map(|mv| mv.confirm(worker)).filter(|&is_true| is_true).count();
            self.summary.is_true_distance = n_true == self.moves.len();
        }
        rank(&mut self.moves);
        let n_lines = self.summary.n_lines;
        for mv in self.moves.iter_mut().take(n_lines).filter(|mv| mv.is_decided()) {
            mv.confirm(&mut self.worker);
        }
        let depth = self.moves.iter().take(1).filter(|mv| mv.is_true_distance).map(|mv| plies(mv.value)).max();
        self.summary.depth = self.summary.depth.max(depth.unwrap_or(0));
    }

    fn confirm_win(&mut self) {
        let worker = &mut self.worker;
        if !self.moves[0].confirm(worker) {
            return;
        }
        let nearest = plies(self.moves[0].value);
        for fewer in 1..nearest {
            for mv in self.moves.iter_mut().skip(1).filter(|mv| mv.end.is_none() && !is_loss(mv.value)) {
                match worker.loses(mv.next, fewer - 1) {
                    Some(false) => {}
                    Some(true) => {
                        (mv.value, mv.is_true_distance) = (WIN - fewer as i32, true);
                        mv.facts = mv.facts.and(Found::win(fewer).facts);
                        mv.line.truncate(1);
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

impl RootMove {
    /// Makes the distance of a proven win or loss true; whether that was done.
    fn confirm(&mut self, worker: &mut Worker<'_>) -> bool {
        if self.is_true_distance || self.end.is_some() {
            self.is_true_distance = true;
            return true;
        }
        let wins = is_win(self.value);
        let Some(rest) = worker.distance(self.next, !wins, plies(self.value) - 1) else { return false };
        let value = WIN - (rest + 1) as i32;
        if rest + 1 != plies(self.value) {
            // The line was that of the longer way.
            self.line.truncate(1);
        }
        self.value = if wins { value } else { -value };
        self.is_true_distance = true;
        true
    }
}

impl Worker<'_> {
    /// What a state after a root move is worth at first sight, for the one who
    /// moved, and whether that is a proof with its true distance.
    fn look(&mut self, state: State) -> (Found, bool) {
        if let Some(reply) = state.win_in_one() {
            self.lines[1].push(reply);
            return (Found::win(1).seen_from_parent(), true);
        }
        match hopeless(state) {
            Some(found) => (found.seen_from_parent(), true),
            None => (Found::estimate(estimate(state, 1)).seen_from_parent(), false),
        }
    }

    /// Values the state after a root move: the first ones with the whole
    /// window, the others with a null window first.
    fn root_node(&mut self, next: State, alpha: i32, depth: i32, n_tried: usize) -> Found {
        let whole = Aim { alpha: -INFINITE, beta: -alpha, depth: depth - 1 };
        if alpha > -INFINITE {
            let null = Aim { alpha: -alpha - 1, beta: -alpha, depth: depth - 1 };
            let less = i32::from(depth >= 4 && n_tried >= 6 && !is_loss(alpha));
            let reduced = Aim { depth: null.depth - less, ..null };
            let mut found = self.node(next, reduced, 1, true).seen_from_parent();
            if less > 0 && found.value > alpha && !found.is_decided() {
                found = self.node(next, null, 1, true).seen_from_parent();
            }
            if found.value <= alpha || found.is_decided() || self.watch.stopped() {
                return found;
            }
        }
        self.node(next, whole, 1, true).seen_from_parent()
    }
}
