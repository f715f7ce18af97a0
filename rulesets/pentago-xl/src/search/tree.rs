//! The tree, in one block of memory.
//!
//! Nodes lie in one vector, the children of a node side by side. The room is
//! bounded: a full tree grows no further and goes on counting. A node's
//! children come best first, and a node may get more of them later: they move
//! to a new place then, with what they know.

use std::mem::size_of;

use crate::moves::Move;
use crate::search::decide::{State, Values};
use crate::search::habits::{Habits, NO_HABITS};

/// A distance that is not known.
pub(crate) const UNKNOWN: u8 = u8::MAX;
/// No tree is larger, whatever the memory.
const NODES_MAX: usize = 1 << 23;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The move that leads here.
    pub(crate) mv: Move,
    pub(crate) state: State,
    /// The game ends here.
    pub(crate) over: bool,
    /// All moves that are not known to lose are among the children.
    pub(crate) is_complete: bool,
    /// How many moves were left out because they lose to the next one.
    pub(crate) n_unsafe: u16,
    /// Plies to the end of a proven node; [`UNKNOWN`] if that is not certain.
    pub(crate) plies: u8,
    pub(crate) n_children: u16,
    /// Index of the first child; 0 where there are none yet.
    pub(crate) first: u32,
    pub(crate) visits: u32,
    pub(crate) prior: f32,
    /// Mean score by seat.
    pub(crate) values: Values,
    /// What the mover does without looking.
    pub(crate) habits: Habits,
    /// How often it was.
    pub(crate) n_careless: u32,
}

impl Node {
    pub(crate) fn new(mv: Move, prior: f32) -> Self {
        Node {
            mv,
            state: State::Open,
            over: false,
            is_complete: false,
            n_unsafe: 0,
            plies: UNKNOWN,
            n_children: 0,
            first: 0,
            visits: 0,
            prior,
            values: [0.0; 4],
            habits: NO_HABITS,
            n_careless: 0,
        }
    }

    /// Settles a node for good.
    pub(crate) fn close(&mut self, state: State, values: Values, plies: u8) {
        (self.state, self.values, self.plies) = (state, values, plies);
    }
}

#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    nodes_max: usize,
}

impl Tree {
    pub(crate) const ROOT: usize = 0;

    /// A tree of the root alone, in memory that was used before.
    pub(crate) fn new(mut nodes: Vec<Node>, bytes: u64) -> Self {
        nodes.clear();
        let nodes_max = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Node>();
        // The root must have its moves, however little memory there is.
        let nodes_max = nodes_max.clamp(Move::COUNT + 1, NODES_MAX);
        if nodes.capacity() > nodes_max {
            nodes = Vec::new();
        }
        nodes.reserve_exact(nodes_max);
        nodes.push(Node::new(Move::place(crate::board::Cell(0)), 1.0));
        Tree { nodes, nodes_max }
    }

    /// The memory, for the next search.
    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    pub(crate) fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first as usize;
        first..first + usize::from(self.nodes[node].n_children)
    }

    /// Gives a node these children; those it has are the first of them and
    /// keep what they know. False if there is no room.
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
        self.nodes[node].first = first as u32;
        self.nodes[node].n_children = n_children as u16;
        true
    }

    /// Counts a visit with this result.
    pub(crate) fn count(&mut self, node: usize, result: &Values) {
        let node = &mut self.nodes[node];
        node.visits += 1;
        if node.state == State::Open {
            let share = 1.0 / node.visits as f32;
            node.values.iter_mut().zip(result).for_each(|(mean, result)| *mean += (result - *mean) * share);
        }
    }
}
