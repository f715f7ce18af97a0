//! Runs simulations until a limit or a proof ends the search.

use pentad_sdk::{Control, Report, Request, StopReason};

use crate::PentagoXl;
use crate::moves::Move;
use crate::position::Position;
use crate::search::limiter::Limiter;
use crate::search::terminal_evaluation;
use crate::search::tree::{Node, Tree};
use crate::search::tree_search::TreeSearch;

/// Simulations before the first progress report; the number doubles with each
/// report.
const FIRST_REPORT: u64 = 64;

/// Runs searches one after another in the same memory.
///
/// A search never sees the results of earlier ones, so its answer does not depend
/// on them.
#[derive(Debug, Default)]
pub struct PentagoXlSearch {
    nodes: Vec<Node>,
}

impl PentagoXlSearch {
    /// Searches one position.
    ///
    /// A finished game gets a report without lines, with the final scores, stopped as
    /// proven.
    pub fn search(
        &mut self,
        rules: &PentagoXl,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let begin = control.now();
        if let Some(result) = rules.game_result(position) {
            let evaluation = terminal_evaluation(rules, position, &result);
            return Report { lines: Vec::new(), evaluation, depth: 0, nodes: 0, stop: Some(StopReason::Proven) };
        }
        let deadline = request.limits.deadline(begin);
        let limiter = Limiter::new(control, deadline, request.limits.nodes);
        let tree = Tree::new(std::mem::take(&mut self.nodes), request.memory_bytes);
        let mut tree_search = TreeSearch::new(rules, position, tree, limiter, request.n_lines.max(1));
        tree_search.expand_root(&request.root_moves);
        let report = run(&mut tree_search, request, control);
        self.nodes = tree_search.tree.into_nodes();
        report
    }
}

/// Simulates until the requested lines are proven, a limit is reached or nothing is
/// left to visit.
fn run(tree_search: &mut TreeSearch<'_>, request: &Request<Move>, control: &dyn Control<Move>) -> Report<Move> {
    let n_lines = tree_search.n_lines;
    tree_search.update_root_proof();
    let mut next_report = FIRST_REPORT;
    let mut next_depth_check = 1;
    let mut n_simulations = 0;
    let mut solved_root_move = true;
    let stop = loop {
        if solved_root_move && tree_search.is_solved(n_lines) {
            break StopReason::Proven;
        }
        if let Some(stop) = tree_search.limiter.stop() {
            break stop;
        }
        if solved_root_move && tree_search.is_exhausted() {
            break StopReason::Depth;
        }
        if n_simulations >= next_depth_check {
            next_depth_check = n_simulations + n_simulations / 8 + 1;
            let is_reached = |depth: u32| tree_search.report(n_lines, None).depth >= depth;
            if request.limits.depth.is_some_and(is_reached) {
                break StopReason::Depth;
            }
        }
        if n_simulations >= next_report {
            next_report *= 2;
            control.report(&tree_search.report(n_lines, None));
        }
        solved_root_move = tree_search.simulate();
        n_simulations += 1;
    };
    tree_search.report(n_lines, Some(stop))
}
