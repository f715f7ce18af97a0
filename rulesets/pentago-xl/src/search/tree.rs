//! The tree, in one block of memory.
//!
//! Nodes lie in one vector, the children of a node side by side, best first. The
//! size is bounded: a full tree stops growing and only counts visits. Widening
//! gives a node more children: all of them are then copied to the end of the vector
//! with their visits and values.

use std::mem::size_of;

use pentad_sdk::search::primitives::available;

use crate::moves::Move;
use crate::search::opponent_model::{GreedyReplies, NO_GREEDY_REPLIES};
use crate::search::proof::{SeatValues, State};

/// Value of [`Node::plies_to_end`] if the distance is not certain.
pub(crate) const UNKNOWN: u8 = u8::MAX;
/// Maximum size of a tree, whatever the memory.
const NODES_MAX: usize = 1 << 23;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The move that leads here.
    pub(crate) mv: Move,
    pub(crate) state: State,
    /// The game ends here.
    pub(crate) is_terminal: bool,
    /// All safe moves are among the children, see
    /// [`safe_moves`](crate::search::safe_moves).
    pub(crate) is_complete: bool,
    /// Moves without a child because they lose to the next one.
    pub(crate) n_unsafe: u16,
    /// Distance of a proven node; [`UNKNOWN`] if it is not certain.
    pub(crate) plies_to_end: u8,
    pub(crate) n_children: u16,
    /// Index of the first child; 0 if there are none yet.
    pub(crate) first_child: u32,
    pub(crate) visits: u32,
    pub(crate) prior: f32,
    /// Mean score by seat; the exact score of a solved node.
    pub(crate) values: SeatValues,
    /// Replies of a mover modelled as blundering.
    pub(crate) greedy_replies: GreedyReplies,
    /// Visits at which one of these was played.
    pub(crate) n_blunders: u32,
}

impl Node {
    pub(crate) fn new(mv: Move, prior: f32) -> Self {
        Node {
            mv,
            state: State::Open,
            is_terminal: false,
            is_complete: false,
            n_unsafe: 0,
            plies_to_end: UNKNOWN,
            n_children: 0,
            first_child: 0,
            visits: 0,
            prior,
            values: [0.0; 4],
            greedy_replies: NO_GREEDY_REPLIES,
            n_blunders: 0,
        }
    }

    /// Fixes the value for good; PUCT does not select the node again.
    pub(crate) fn set_solved(&mut self, state: State, values: SeatValues, plies_to_end: u8) {
        (self.state, self.values, self.plies_to_end) = (state, values, plies_to_end);
    }

    /// Solves a node at which the game is over.
    pub(crate) fn set_terminal(&mut self, values: SeatValues) {
        self.is_terminal = true;
        self.set_solved(State::Proven, values, 0);
    }
}

#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    nodes_max: usize,
}

impl Tree {
    pub(crate) const ROOT: usize = 0;

    /// Creates a tree of the root alone, in the memory of an earlier one.
    pub(crate) fn new(mut nodes: Vec<Node>, bytes: u64) -> Self {
        nodes.clear();
        let nodes_max = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Node>();
        // However little memory there is, the root must have its moves.
        let mut nodes_max = nodes_max.clamp(Move::COUNT + 1, NODES_MAX);
        if nodes.capacity() != nodes_max {
            nodes = Vec::new();
            nodes_max = available(nodes_max, Move::COUNT + 1, size_of::<Node>());
            nodes.reserve_exact(nodes_max);
        }
        nodes.push(Node::new(Move::place(crate::board::Cell(0)), 1.0));
        Tree { nodes, nodes_max }
    }

    /// Returns the memory for the next search.
    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    pub(crate) fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first_child as usize;
        first..first + usize::from(self.nodes[node].n_children)
    }

    /// Gives a node these children. Existing ones are the first of them and keep their
    /// visits and values. Returns false if there is no room.
    pub(crate) fn expand(&mut self, node: usize, children: impl ExactSizeIterator<Item = Node>) -> bool {
        let (old, n_children) = (self.children(node), children.len());
        if self.nodes.len() + n_children > self.nodes_max {
            return false;
        }
        let first = self.nodes.len();
        let n_old = old.len();
        for idx in old {
            let kept = self.nodes[idx].clone();
            self.nodes.push(kept);
        }
        for (idx, child) in children.enumerate() {
            if idx < n_old {
                self.nodes[first + idx].prior = child.prior;
            } else {
                self.nodes.push(child);
            }
        }
        self.nodes[node].first_child = first as u32;
        self.nodes[node].n_children = n_children as u16;
        true
    }

    /// Counts a visit and adds its result to the mean.
    pub(crate) fn add_visit(&mut self, node: usize, result: &SeatValues) {
        let node = &mut self.nodes[node];
        node.visits += 1;
        if node.state == State::Open {
            let share = 1.0 / node.visits as f32;
            node.values.iter_mut().zip(result).for_each(|(mean, result)| *mean += (result - *mean) * share);
        }
    }
}
