//! The search: a tree that grows where it looks best, with proofs.
//!
//! One algorithm for all contests. Every seat chooses what is best for itself
//! (max^n; with two sides that is minimax), values are kept per seat, and what
//! is certain is kept apart from what is estimated. Three things make it fit
//! for a game of more than a thousand moves:
//!
//! - A five at hand ends a node, and moves that lose to the very next one are
//!   never searched: `scan` knows them all. So a threat leaves
//!   few replies, and following threats is cheap.
//! - Of the rest, the best few are tried first, and more of them the more
//!   often a node is visited (`candidates`).
//! - Positions with at most two empty cells are solved outright.
//!
//! **What "proven" means.** With two sides: true whatever the other side does.
//! With more: the scores if every seat plays for its own score, claimed only
//! where no seat is indifferent between outcomes that differ for others; the
//! same as in the general search. Both follow only where every legal move is
//! accounted for, or one of them cannot be bettered.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `tree`, `decide` | nodes, and what children prove |
//! | `ending` | the last two plies, solved |
//! | `planter` | one simulation after the other |
//! | `habits` | what others do when they do not look |
//! | `root` | the moves at the root, and wins in three plies |
//! | `report` | ranking and lines |
//! | `watch` | when to stop |
//!
//! One thread. The answer depends on nothing but the question where nodes are
//! limited.

mod decide;
mod ending;
mod habits;
mod planter;
mod report;
mod root;
mod tree;
mod watch;

use pentad_sdk::{Certainty, Control, Evaluation, Report, Request, Source, StopReason, Wdl};

use crate::PentagoXl;
use crate::moves::Move;
use crate::position::Position;
use planter::Planter;
use tree::{Node, Tree};
use watch::Watch;

/// Simulations before the first report on the way; then each time as many
/// again as there were.
const FIRST_REPORT: u64 = 64;

/// Runs searches one after the other in the same memory.
///
/// A search never sees what an earlier one found, so its answer does not
/// depend on those before.
#[derive(Debug, Default)]
pub struct XlSearch {
    nodes: Vec<Node>,
}

impl XlSearch {
    /// Owns no memory until its first search.
    pub fn new() -> Self {
        XlSearch::default()
    }

    /// Searches one position.
    ///
    /// A position that is over gets a report without lines, with the final
    /// scores, stopped as proven.
    pub fn search(
        &mut self,
        rules: &PentagoXl,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let begin = control.now();
        if let Some(verdict) = rules.verdict(position) {
            let evaluation = over(rules, position, &verdict);
            return Report { lines: Vec::new(), evaluation, depth: 0, nodes: 0, stop: Some(StopReason::Proven) };
        }
        let deadline = request.limits.deadline(begin);
        let watch = Watch::new(control, deadline, request.limits.nodes);
        let tree = Tree::new(std::mem::take(&mut self.nodes), request.memory_bytes);
        let mut planter = Planter::new(rules, position, tree, watch);
        planter.plant(&request.root_moves);
        let report = run(&mut planter, request, control);
        self.nodes = planter.tree.into_nodes();
        report
    }
}

/// Grows the tree until something ends it.
fn run(planter: &mut Planter<'_>, request: &Request<Move>, control: &dyn Control<Move>) -> Report<Move> {
    let n_lines = request.n_lines.max(1);
    planter.settle_root();
    let mut next_report = FIRST_REPORT;
    let mut next_look = 1;
    let mut n_simulations = 0;
    let mut settled = true;
    let stop = loop {
        if settled && planter.is_answered(n_lines) {
            break StopReason::Proven;
        }
        if let Some(stop) = planter.watch.stop() {
            break stop;
        }
        if settled && planter.is_exhausted() {
            break StopReason::Depth;
        }
        if n_simulations >= next_look {
            next_look = n_simulations + n_simulations / 8 + 1;
            let is_deep = |depth: u32| planter.report(n_lines, None).depth >= depth;
            if request.limits.depth.is_some_and(is_deep) {
                break StopReason::Depth;
            }
        }
        if n_simulations >= next_report {
            next_report *= 2;
            control.report(&planter.report(n_lines, None));
        }
        settled = planter.simulate();
        n_simulations += 1;
    };
    planter.report(n_lines, Some(stop))
}

/// The value of a game that is over.
pub(crate) fn over(rules: &PentagoXl, position: &Position, verdict: &crate::rules::Verdict) -> Evaluation {
    let scores = rules.scores(verdict);
    Evaluation {
        certainty: Certainty::Proven,
        outcome: rules.contest.is_two_sided().then(|| Wdl::of_score(scores[position.side as usize])),
        plies_to_end: Some(0),
        scores,
        source: Source::Terminal,
        depth: 0,
    }
}
