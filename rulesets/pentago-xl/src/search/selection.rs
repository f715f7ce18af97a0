//! Selection: descends from the root to a leaf by PUCT and, where another player
//! moves, sometimes by the opponent model.

use crate::search::opponent_model::MISSES_THREAT;
use crate::search::proof::{SeatValues, State};
use crate::search::tree::Tree;
use crate::search::tree_search::{PathNode, TreeSearch};

/// The exploration constant of PUCT.
const EXPLORATION: f32 = 1.1;
/// First-play urgency: how much worse than its parent an unvisited child is assumed
/// to be.
const FPU_REDUCTION: f32 = 0.06;

/// Simulations between two updates of the leading root moves.
const LEADERS_INTERVAL: u64 = 64;

impl TreeSearch<'_> {
    /// Descends to a leaf, records the path and returns the leaf's value; `None` if
    /// the limiter stops it.
    pub(crate) fn select_leaf(&mut self) -> Option<SeatValues> {
        let mut position = *self.root;
        let mut node = Tree::ROOT;
        loop {
            self.path.push(PathNode { node, position, is_blunder: false });
            if node != Tree::ROOT {
                // PUCT visits open nodes only, a greedy reply any node.
                if self.tree.nodes[node].state != State::Open {
                    return Some(self.tree.nodes[node].values);
                }
                if self.tree.nodes[node].visits == 0 {
                    return Some(self.evaluate_leaf(node, &position));
                }
                self.widen(node, &position);
                if self.tree.nodes[node].state != State::Open {
                    return Some(self.tree.nodes[node].values);
                }
            }
            let greedy_reply = self.greedy_reply(node);
            if let Some(last) = self.path.last_mut() {
                last.is_blunder = greedy_reply.is_some();
            }
            let child = match greedy_reply {
                Some(MISSES_THREAT) => {
                    let next = self.rules.next_to_move(position.side, &position.places);
                    return Some(self.rules.values_after_five(&position, next as usize));
                }
                Some(child_idx) => Some(self.tree.children(node).start + usize::from(child_idx)),
                None if node == Tree::ROOT => {
                    self.neglected_leader().or_else(|| self.select_child(node, position.side as usize))
                }
                None => self.select_child(node, position.side as usize),
            };
            let Some(child) = child else { return Some(self.static_values(&position)) };
            if !self.limiter.visit() {
                return None;
            }
            position = self.rules.play_unchecked(&position, self.tree.nodes[child].mv);
            node = child;
        }
    }

    /// If several lines are requested, returns in every other simulation the leading
    /// root move with the fewest visits, so that the values of all lines can be compared.
    fn neglected_leader(&mut self) -> Option<usize> {
        let n_simulations = u64::from(self.tree.nodes[Tree::ROOT].visits);
        if self.n_lines == 1 || n_simulations.is_multiple_of(2) {
            return None;
        }
        if n_simulations % LEADERS_INTERVAL == 1 {
            let children = self.tree.children(Tree::ROOT);
            let visits_max = self.tree.nodes[children.clone()].iter().map(|child| child.visits).max().unwrap_or(0);
            let mut open: Vec<usize> = children.filter(|&child| self.tree.nodes[child].state == State::Open).collect();
            let score = |&child: &usize| self.ranking_score(child, visits_max);
            open.sort_by(|a, b| score(b).total_cmp(&score(a)));
            open.truncate(self.n_lines);
            self.leaders = open;
        }
        let open = self.leaders.iter().copied().filter(|&child| self.tree.nodes[child].state == State::Open);
        open.min_by_key(|&child| self.tree.nodes[child].visits)
    }

    /// Returns the open child with the highest PUCT score for a seat; ties go to the
    /// first.
    fn select_child(&self, node: usize, seat: usize) -> Option<usize> {
        let parent = &self.tree.nodes[node];
        let exploration = EXPLORATION * (parent.visits.max(1) as f32).sqrt();
        let first_play_urgency = parent.values[seat] - FPU_REDUCTION;
        let mut best = None;
        let mut best_score = f32::NEG_INFINITY;
        for child_idx in self.tree.children(node) {
            let child = &self.tree.nodes[child_idx];
            if child.state != State::Open {
                continue;
            }
            let mean = if child.visits > 0 { child.values[seat] } else { first_play_urgency };
            let score = mean + exploration * child.prior / (1.0 + child.visits as f32);
            if score > best_score {
                (best, best_score) = (Some(child_idx), score);
            }
        }
        best
    }
}
