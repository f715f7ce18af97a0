//! Iterative deepening: searches the root moves one ply deeper each time until a
//! limit is reached or everything is proven.

use std::collections::HashSet;

use pentad_sdk::search::primitives::{INFINITE, Window, is_loss, is_win};
use pentad_sdk::search::put_lines_first;
use pentad_sdk::{Control, Report, Request, StopReason};

use crate::evaluate::Race;
use crate::moves::Move;
use crate::position::Position;
use crate::search::alpha_beta::multi_pv::MultiPv;
use crate::search::alpha_beta::node::Worker;
use crate::search::alpha_beta::root::{ReportSummary, RootMove, lines, rank, report};
use crate::search::candidates::RootCandidates;
use crate::search::endgame::{EndgameValue, LossProof};

/// Maximum depth of an iteration, whatever the request allows.
const DEPTH_MAX: u32 = 60;

/// One search, from its first iteration to its report.
pub(crate) struct IterativeDeepening<'a> {
    worker: Worker<'a>,
    position: &'a Position,
    moves: Vec<RootMove>,
    n_lines: usize,
    /// No move outside `moves` matters: they are all the moves of the request, or all
    /// others are proven to be no better.
    is_complete: bool,
    /// The request names the moves to search; others are not considered.
    is_restricted: bool,
}

impl<'a> IterativeDeepening<'a> {
    pub(crate) fn new(mut worker: Worker<'a>, position: &'a Position, request: &Request<Move>) -> Self {
        let n_lines = request.n_lines.max(1);
        let mut candidates = RootCandidates::new(position, request);
        // However early it stops, each requested alternative has a move.
        put_lines_first(&mut candidates.moves, n_lines, |mv| Some(mv.alternative()));
        let mut moves = Vec::new();
        for mv in &candidates.moves {
            if !worker.visit() && !moves.is_empty() {
                break;
            }
            moves.push(RootMove::new(position, *mv));
        }
        let is_all = candidates.is_all && moves.len() == candidates.moves.len();
        // In a last turn that cannot win, nothing is better than a draw.
        let no_better = match position.probe_endgame(&Race::of(position).costs) {
            Some(EndgameValue::Draw(_)) => moves.iter().any(|mv| mv.is_draw),
            Some(EndgameValue::Loss) => true,
            Some(EndgameValue::Win(..)) | None => false,
        };
        let is_restricted = !request.root_moves.is_empty();
        IterativeDeepening { worker, position, moves, n_lines, is_complete: is_all || no_better, is_restricted }
    }

    pub(crate) fn run(mut self, request: &Request<Move>, control: &dyn Control<Move>) -> Report<Move> {
        let depth_max = request.limits.depth.unwrap_or(DEPTH_MAX).clamp(1, DEPTH_MAX);
        rank(&mut self.moves);
        let mut depth = 0;
        let stop = loop {
            if depth == depth_max {
                break StopReason::Depth;
            }
            self.iterate(depth as i32 + 1);
            if let Some(stop) = self.worker.limiter.stop() {
                break stop;
            }
            depth += 1;
            self.refute_loss();
            if self.all_proven() {
                break StopReason::Proven;
            }
            control.report(&self.report(depth, None));
        };
        self.report(depth, Some(stop))
    }

    /// Searches the root moves to a depth, best first. Once `n_lines` alternatives
    /// have exact values, the others only need to be shown to be no better, and so
    /// do further moves of the same alternative.
    fn iterate(&mut self, depth: i32) {
        let n_alternatives = self.moves.iter().map(|mv| mv.mv.alternative()).collect::<HashSet<_>>().len();
        let mut multi_pv = MultiPv::new(self.n_lines, n_alternatives);
        self.worker.path.clear();
        self.worker.path.push(self.position.key());
        let mut n_searched = 0;
        for move_idx in 0..self.moves.len() {
            let alternative = self.moves[move_idx].mv.alternative();
            if self.moves[move_idx].is_proven() && self.moves[move_idx].depth > 0 {
                multi_pv.insert(alternative, self.moves[move_idx].value);
                n_searched += 1;
                continue;
            }
            let alpha = multi_pv.alpha(alternative);
            let next = self.moves[move_idx].next;
            let reduction = if depth >= 3 { i32::from(move_idx >= 8) + i32::from(move_idx >= 40) } else { 0 };
            let window = Window { alpha, beta: INFINITE, depth };
            let value = self.worker.search_child(&next, window, (alpha > -INFINITE).then_some(reduction));
            if self.worker.limiter.stopped() {
                break;
            }
            let root_move = &mut self.moves[move_idx];
            root_move.is_exact = value > alpha;
            if root_move.is_exact || is_loss(value) {
                root_move.value = if root_move.is_draw { 0 } else { value };
                root_move.depth = depth as u32;
                multi_pv.insert(alternative, root_move.value);
            }
            n_searched += 1;
        }
        // An iteration aborted among its first moves has no values for the others:
        // they keep their ranks.
        let has_lines = multi_pv.n_alternatives() >= self.n_lines.min(n_alternatives);
        if n_searched == self.moves.len() || (n_searched > self.n_lines && has_lines) {
            self.moves[n_searched..].iter_mut().for_each(|mv| mv.is_exact = false);
            rank(&mut self.moves);
        }
    }

    /// If every root move is lost, tries all distinct moves: one that refutes the
    /// loss becomes a root move, unless the request names others; without one, the
    /// position is proven lost.
    fn refute_loss(&mut self) {
        if self.is_complete || !self.moves.iter().all(|mv| is_loss(mv.value)) {
            return;
        }
        match self.worker.prove_loss(self.position) {
            LossProof::Proven(_) => self.is_complete = true,
            LossProof::Refuted(mv) if !self.is_restricted && !self.moves.iter().any(|known| known.mv == mv) => {
                self.moves.insert(0, RootMove::new(self.position, mv));
            }
            LossProof::Refuted(_) | LossProof::Unknown => {}
        }
    }

    /// Returns whether more search could change neither the lines nor their values. The
    /// moves must be ranked.
    fn all_proven(&self) -> bool {
        let lines = lines(&self.moves, self.n_lines);
        lines.iter().all(|mv| is_win(mv.value)) || (self.is_complete && self.moves.iter().all(RootMove::is_proven))
    }

    fn report(&self, depth: u32, stop: Option<StopReason>) -> Report<Move> {
        let is_proven = self.is_complete && self.moves.iter().all(RootMove::is_proven);
        let summary = ReportSummary { n_lines: self.n_lines, depth, is_proven, stop };
        report(&self.worker, self.position, &self.moves, &summary)
    }
}
