//! Simulations: selection, expansion, leaf value and backup.
//!
//! The longer steps are in `selection`, `expansion` and `leaf`; what children prove
//! about their parent is determined here, during backup.

use crate::PentagoXl;
use crate::moves::Move;
use crate::position::Position;
use crate::search::candidates::Candidate;
use crate::search::limiter::Limiter;
use crate::search::opponent_model::{GreedyReplies, NO_GREEDY_REPLIES};
use crate::search::proof::{MaxN, SeatValues, State};
use crate::search::tree::{Node, Tree, UNKNOWN};

/// A node on the path from the root to a leaf.
pub(crate) struct PathNode {
    pub(crate) node: usize,
    pub(crate) position: Position,
    /// The opponent model chose the move here, see
    /// [`opponent_model`](crate::search::opponent_model).
    pub(crate) is_blunder: bool,
}

/// A search tree and the state needed to grow it.
pub(crate) struct TreeSearch<'a> {
    pub(crate) rules: &'a PentagoXl,
    pub(crate) root: &'a Position,
    pub(crate) tree: Tree,
    pub(crate) limiter: Limiter<'a>,
    /// Path of the current simulation.
    pub(crate) path: Vec<PathNode>,
    /// Number of requested lines.
    pub(crate) n_lines: usize,
    /// Root moves that would be reported, as of the last update.
    pub(crate) leaders: Vec<usize>,
    /// Whether opponents are modelled as sometimes blundering.
    pub(crate) models_blunders: bool,
    /// Scratch of `expansion`: what was listed for the node expanded last.
    pub(crate) greedy_replies: GreedyReplies,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) moves: Vec<Move>,
}

impl<'a> TreeSearch<'a> {
    pub(crate) fn new(
        rules: &'a PentagoXl,
        root: &'a Position,
        tree: Tree,
        limiter: Limiter<'a>,
        n_lines: usize,
    ) -> Self {
        TreeSearch {
            rules,
            root,
            tree,
            limiter,
            path: Vec::new(),
            n_lines,
            leaders: Vec::new(),
            models_blunders: rules.has_several_opponents(root),
            greedy_replies: NO_GREEDY_REPLIES,
            candidates: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Runs one simulation and returns whether it solved a root move. A simulation
    /// that the limiter stops is discarded.
    pub(crate) fn simulate(&mut self) -> bool {
        self.limiter.poll();
        self.path.clear();
        match self.select_leaf() {
            Some(result) => self.backup(result),
            None => false,
        }
    }

    /// Counts a visit with `result` for every node of the path, from the leaf
    /// up, and solves those that their children decide.
    fn backup(&mut self, mut result: SeatValues) -> bool {
        let mut is_solved = false;
        let mut solved_root_move = false;
        while let Some(PathNode { node, position, is_blunder }) = self.path.pop() {
            let seat = position.side as usize;
            if is_solved && self.tree.nodes[node].state == State::Open {
                self.update_proof(node, &position);
            }
            is_solved = self.tree.nodes[node].state != State::Open;
            solved_root_move |= is_solved && self.path.len() == 1;
            if is_solved {
                result = self.tree.nodes[node].values;
            } else if !is_blunder
                && let Some(best_proven) = self.best_proven(node, seat)
                && best_proven[seat] > result[seat]
            {
                // The mover would not go below what is already certain.
                result = best_proven;
            }
            self.tree.add_visit(node, &result);
        }
        solved_root_move
    }

    /// Returns the best value for a seat among the solved children.
    fn best_proven(&self, node: usize, seat: usize) -> Option<SeatValues> {
        let children = self.tree.children(node).map(|child| &self.tree.nodes[child]);
        children
            .filter(|child| child.state != State::Open)
            .map(|child| child.values)
            .max_by(|a, b| a[seat].total_cmp(&b[seat]))
    }

    /// Solves a node if its children decide it: one of them is the best
    /// possible, or all moves are accounted for.
    pub(crate) fn update_proof(&mut self, node: usize, position: &Position) {
        let rules = self.rules;
        let seat = position.side as usize;
        let children = &self.tree.nodes[self.tree.children(node)];
        let won = |child: &&Node| child.state == State::Proven && rules.is_best_possible(position, seat, &child.values);
        if let Some(child) = children.iter().filter(won).min_by_key(|child| child.plies_to_end) {
            // For longer wins it is not certain that there is no shorter one.
            let plies = if child.plies_to_end <= 2 { child.plies_to_end + 1 } else { UNKNOWN };
            let values = child.values;
            self.tree.nodes[node].set_solved(State::Proven, values, plies);
            return;
        }
        if !self.tree.nodes[node].is_complete {
            return;
        }
        let mut max_n = MaxN::new(seat);
        children.iter().for_each(|child| max_n.add(child.state, &child.values));
        let all_terminal = children.iter().all(|child| child.is_terminal);
        let n_unsafe = u32::from(self.tree.nodes[node].n_unsafe);
        if n_unsafe > 0 {
            let next = rules.next_to_move(position.side, &position.places);
            max_n.add_n(n_unsafe, State::Proven, &rules.values_after_five(position, next as usize));
        }
        if let Some((state, values)) = max_n.result() {
            let plies = if all_terminal && n_unsafe == 0 { 1 } else { UNKNOWN };
            self.tree.nodes[node].set_solved(state, values, plies);
        }
    }
}
