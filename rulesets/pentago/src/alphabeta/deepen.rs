//! Iterative deepening over the root.
//!
//! Before each iteration the proof search gets its share of the work; then
//! every root move is valued one ply deeper. Once the lines asked for are
//! proven, their distances are made true, if that is affordable; else they are
//! not named.

use pentad_sdk::search::primitives::{
    INFINITE, MultiPv, NodeResult, Summary, Window, all_proven, is_loss, is_win, rank,
};
use pentad_sdk::{Control, StopReason};

use crate::alphabeta::root::{RootMove, report};
use crate::alphabeta::scan::Scan;
use crate::alphabeta::state::{After, State};
use crate::alphabeta::worker::Worker;
use crate::moves::Move;

/// States that the proof search may always look at before an iteration; and
/// which part of the nodes so far. A state there costs about three nodes.
const PROOF_NODES: u64 = 4_000;
const PROOF_PART: u64 = 6;

/// One thread's search of one position.
pub(crate) struct Deepening<'a> {
    pub(crate) worker: Worker<'a>,
    pub(crate) control: &'a dyn Control<Move>,
    pub(crate) summary: Summary,
    pub(crate) moves: Vec<RootMove>,
    /// The root, if all its moves are asked about.
    pub(crate) whole: Option<State>,
    /// Whether the caller hears of improvements.
    pub(crate) speaks: bool,
}

impl Deepening<'_> {
    pub(crate) fn run(&mut self, first_depth: u32, depth_max: u32) -> StopReason {
        self.look();
        rank(&mut self.moves);
        for depth in first_depth..=depth_max {
            if let Some(reason) = self.finish() {
                return reason;
            }
            self.prove_root();
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
            let (found, exact) = match mv.after {
                After::Over(found) => (found, true),
                After::Goes(next) => worker.look(next),
            };
            mv.is_true_distance = exact;
            mv.set_exact(found, u32::from(exact), &worker.lines[1]);
        }
    }

    /// Looks for a win by threats, which names one move.
    fn prove_root(&mut self) {
        let Some(root) = self.whole else { return };
        if is_win(self.moves[0].value) {
            return;
        }
        let budget = PROOF_NODES + self.worker.limiter.nodes() / PROOF_PART;
        let Some((mv, plies)) = self.worker.prove(root, budget) else { return };
        let After::Goes(target) = self.worker.rules.after(root, mv) else { return };
        // The same state may be reached by another move of the list.
        let same = |after: &After| matches!(after, After::Goes(state) if *state == target);
        if let Some(found) = self.moves.iter_mut().find(|mv| same(&mv.after)) {
            found.set_exact(NodeResult::win(plies), self.summary.depth.max(1), &[]);
            rank(&mut self.moves);
            self.speak(&self.moves);
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
                mv.set_upper_bound(found);
                continue;
            }
            mv.set_exact(found, depth, &self.worker.lines[1]);
            if best.insert(mv.value) && idx > 0 && self.speaks {
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
        let next = match mv.after {
            After::Over(found) => return found,
            After::Goes(next) => next,
        };
        self.worker.limiter.visit();
        self.worker.root_node(next, alpha, depth as i32, idx)
    }

    /// Reports ranked moves on the way.
    fn speak(&self, moves: &[RootMove]) {
        if self.speaks {
            let summary = Summary { nodes: self.worker.limiter.nodes(), ..self.summary };
            self.control.report(&report(&self.worker, moves, &summary, None));
        }
    }
}

impl Worker<'_> {
    /// What a state after a root move is worth at first sight, for the one who
    /// moved, and whether that is a proof with its true distance.
    fn look(&mut self, state: State) -> (NodeResult, bool) {
        if let Some((reply, plies)) = self.rules.quick_win(state) {
            self.lines[1].push(reply);
            return (NodeResult::win(plies).for_parent(), true);
        }
        let scan: Scan = self.rules.scan::<false>(state);
        if !scan.any_safe() {
            return (NodeResult::loss(if scan.hopeless { 1 } else { 2 }).for_parent(), true);
        }
        if let Some(found) = self.ask_oracle(state, 1) {
            return (found.for_parent(), false);
        }
        (NodeResult::estimate(self.rules.glance(state).value).for_parent(), false)
    }

    /// Values the state after a root move: the first ones with the whole
    /// window, the others with a null window first.
    fn root_node(&mut self, next: State, alpha: i32, depth: i32, n_tried: usize) -> NodeResult {
        let window = Window { alpha, beta: INFINITE, depth };
        let mut value = |window| self.node(next, window, 1, true).for_parent();
        if alpha == -INFINITE {
            return value(window.flipped(1));
        }
        window.search_later_move(root_reduction(depth, n_tried, alpha), value)
    }
}

/// Plies less for a late move at the root.
fn root_reduction(depth: i32, n_tried: usize, alpha: i32) -> i32 {
    if depth < 3 || is_loss(alpha) {
        return 0;
    }
    i32::from(n_tried >= 10) + i32::from(n_tried >= 60 && depth >= 4)
}
