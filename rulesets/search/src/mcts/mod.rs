//! Monte-Carlo tree search, for any number of sides.
//!
//! Every seat maximises its own score; values are kept per seat. A leaf gets the game's
//! estimate or, optionally, the result of a random playout. Proofs are kept apart from
//! samples: a node decided by its children is proven and not visited again.
//!
//! **What "proven" means with three or more sides:** the value if every seat
//! plays for its own score (max^n), claimed only where no seat is indifferent
//! between outcomes that differ for others. Two-sided proofs need no such
//! model.
//!
//! If several lines are requested, every other simulation goes to one of the leading
//! root moves, equally often to each, so that their values can be compared.
//!
//! Each thread grows a tree with its own seed, in rounds of fixed numbers of nodes; the
//! trees are merged between rounds.

pub(crate) mod merge;
pub(crate) mod tree;
mod tree_search;

use std::time::Instant;

use crate::game::Game;
use crate::limiter::Limiter;
use crate::root::{finished, root_moves};
use crate::threads::in_parallel;
use pentad_model::rng::{Rng, mix};
use pentad_model::{Control, Report, Request, Scores, StopReason};

pub(crate) use merge::MergedReport;
use merge::merge_trees;
use tree::Tree;
use tree_search::{TreeSearch, priors};

/// Nodes per thread in a round: at first, and at most.
const ROUND_FIRST: u64 = 512;
const ROUND_MAX: u64 = 1 << 16;

/// Options of a Monte-Carlo search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// Whether leaves are valued by random playouts instead of the game's estimate.
    pub playouts: bool,
    /// Whether [`Game::order`] gives the priors (PUCT); otherwise every move is visited
    /// once before any is visited twice (UCT).
    pub use_order: bool,
    /// Weight of exploration.
    pub exploration: f64,
    /// Limit of simulations over all threads; the stop reason is that of the node
    /// limit.
    pub simulations: Option<u64>,
}

impl Default for MctsOptions {
    fn default() -> Self {
        MctsOptions { playouts: false, use_order: true, exploration: 1.5, simulations: None }
    }
}

impl MctsOptions {
    /// Returns the options of plain UCT with random playouts, which uses only the
    /// rules: a baseline for other searches.
    pub fn plain(simulations: u64) -> Self {
        MctsOptions { playouts: true, use_order: false, exploration: 1.0, simulations: Some(simulations) }
    }
}

/// Runs a search.
pub(crate) fn run<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    options: &MctsOptions,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    let begin = control.now();
    let root = root_moves(game, position, request);
    if game.outcome(position).is_some() || root.is_empty() {
        return finished(game, position);
    }
    let mut forest = Forest::new(game, position, &root, request, options, control, request.limits.deadline(begin));
    let mut round = ROUND_FIRST;
    let mut shown: Option<Report<G::Move>> = None;
    loop {
        let MergedReport { mut report, proven, exhausted } = forest.merged();
        let stop = if proven {
            Some(StopReason::Proven)
        } else if exhausted || request.limits.depth.is_some_and(|depth| report.depth >= depth || forest.is_full()) {
            Some(StopReason::Depth)
        } else {
            let nodes_left = request.limits.nodes.map_or(u64::MAX, |max| max.saturating_sub(forest.nodes()));
            forest.play_round(round, nodes_left)
        };
        if let Some(stop) = stop {
            if !matches!(stop, StopReason::Proven | StopReason::Depth) {
                report = forest.merged().report;
            }
            report.stop = Some(stop);
            return report;
        }
        if shown.as_ref().is_none_or(|last| last.lines != report.lines) && report.nodes > 0 {
            control.report(&report);
            shown = Some(report);
        }
        round = (2 * round).min(ROUND_MAX);
    }
}

/// The trees of a search, one per thread.
pub(crate) struct Forest<'a, G: Game> {
    trees: Vec<TreeSearch<'a, G>>,
    simulations_max: u64,
    n_lines: usize,
    /// Length of the longest best line so far, in plies.
    depth: u32,
}

impl<'a, G: Game> Forest<'a, G> {
    /// Plants one tree per thread, with a child for each of `root`.
    pub(crate) fn new(
        game: &'a G,
        position: &'a G::Position,
        root: &[G::Move],
        request: &Request<G::Move>,
        options: &MctsOptions,
        control: &'a dyn Control<G::Move>,
        deadline: Option<Instant>,
    ) -> Self {
        let threads = request.threads.max(1) as u64;
        let n_lines = request.n_lines.max(1);
        let root_value = game.evaluate_seats(position);
        let root_priors = priors(game, position, root, options);
        let new_tree = |idx| {
            let tree = Tree::new(&root_value, root, &root_priors, request.memory_bytes / threads);
            let rng = Rng::new(request.seed ^ mix(idx));
            TreeSearch::new(game, position, tree, Limiter::new(control, deadline), *options, rng, n_lines)
        };
        let trees = (0..threads).map(new_tree).collect();
        Forest { trees, simulations_max: options.simulations.unwrap_or(u64::MAX), n_lines, depth: 0 }
    }

    /// Returns the number of positions visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.trees.iter().map(|tree_search| tree_search.limiter.nodes()).sum()
    }

    fn is_full(&self) -> bool {
        self.trees.iter().all(|tree_search| tree_search.tree.is_full)
    }

    /// Returns the merged result of the trees. Its depth never falls, although a new best
    /// line may be shorter than the last one.
    pub(crate) fn merged(&mut self) -> MergedReport<G::Move> {
        let mut merged = merge_trees(&self.trees, self.n_lines);
        self.depth = self.depth.max(merged.report.depth);
        merged.report.set_depth(self.depth);
        merged
    }

    /// Grows every tree by up to `round` nodes, all of them together by `nodes_left`;
    /// returns the reason if the search has to stop.
    pub(crate) fn play_round(&mut self, round: u64, nodes_left: u64) -> Option<StopReason> {
        let n_trees = self.trees.len() as u64;
        let n_simulations: u64 = self.trees.iter().map(|tree_search| tree_search.n_simulations).sum();
        let simulations_left = self.simulations_max.saturating_sub(n_simulations).div_ceil(n_trees);
        let nodes_left = nodes_left / n_trees;
        if nodes_left == 0 || simulations_left == 0 {
            return Some(StopReason::Nodes);
        }
        let grow = |tree_search: &mut TreeSearch<'_, G>| {
            tree_search.limiter.allow(round.min(nodes_left));
            tree_search.run(simulations_left);
            tree_search.limiter.stop()
        };
        let stops = in_parallel(self.trees.iter_mut().collect(), grow);
        [StopReason::Cancelled, StopReason::Time].into_iter().find(|&reason| stops.contains(&Some(reason)))
    }

    /// Gives a root move its exact value, by its index among them.
    pub(crate) fn prove(&mut self, move_idx: usize, scores: &Scores) {
        for tree_search in &mut self.trees {
            tree_search.prove(move_idx, scores);
        }
    }
}
