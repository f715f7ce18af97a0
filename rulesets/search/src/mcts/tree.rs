//! The tree of a Monte-Carlo search, in one block of memory.
//!
//! Nodes lie in one vector, the children of a node side by side; moves and values in
//! two more. Their capacity is fixed at the start: a full tree stops growing and
//! continues to count visits. A *done* node needs no more visits: its value is proven,
//! or (with three or more sides) everything below it is known but the mover is
//! indifferent between outcomes that matter to others.

use std::mem::{size_of, size_of_val};

use crate::game::Game;
use crate::primitives::available;
use pentad_model::Scores;

/// Scores closer than this are equal.
const SAME: f64 = 1e-9;

/// How final a node's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    /// Everything below is known, but the value depends on a choice between equals.
    Ambiguous,
    Proven,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Index of the first child; 0 if there are none yet.
    pub(crate) first: u32,
    pub(crate) n_children: u32,
    pub(crate) visits: u32,
    pub(crate) prior: f32,
    /// The best done child for the mover; 0 for none.
    pub(crate) best_solved: u32,
    pub(crate) state: State,
    /// The game ends here.
    pub(crate) over: bool,
}

#[derive(Debug)]
pub(crate) struct Tree<M> {
    pub(crate) nodes: Vec<Node>,
    /// The move that leads to node `idx + 1`.
    moves: Vec<M>,
    /// Mean score per seat, node by node.
    values: Vec<f64>,
    n_seats: usize,
    nodes_max: usize,
    /// Set once a node got no children for lack of memory.
    pub(crate) is_full: bool,
}

impl<M: Clone> Tree<M> {
    pub(crate) const ROOT: usize = 0;

    /// Creates a tree of the root and one child for each of `moves` with its prior.
    pub(crate) fn new(root_value: &Scores, moves: &[M], priors: &[f32], bytes: u64) -> Self {
        let n_seats = root_value.as_slice().len();
        let node_bytes = size_of::<Node>() + size_of::<M>() + size_of_val(root_value.as_slice());
        let nodes_max = usize::try_from(bytes).unwrap_or(usize::MAX) / node_bytes;
        let nodes_max = nodes_max.clamp(moves.len() + 1, u32::MAX as usize);
        let nodes_max = available(nodes_max, moves.len() + 1, node_bytes);
        let mut tree = Tree {
            nodes: Vec::with_capacity(nodes_max),
            moves: Vec::with_capacity(nodes_max),
            values: Vec::with_capacity(nodes_max * n_seats),
            n_seats,
            nodes_max,
            is_full: false,
        };
        tree.push(1.0);
        tree.set_value(Self::ROOT, root_value.as_slice());
        tree.expand(Self::ROOT, moves, priors);
        tree
    }

    /// Adds the children of a node; returns false if there is no room for them.
    pub(crate) fn expand(&mut self, node: usize, moves: &[M], priors: &[f32]) -> bool {
        if self.nodes.len() + moves.len() > self.nodes_max {
            self.is_full = true;
            return false;
        }
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].n_children = moves.len() as u32;
        for (mv, &prior) in moves.iter().zip(priors) {
            self.moves.push(mv.clone());
            self.push(prior);
        }
        true
    }

    pub(crate) fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first as usize;
        first..first + self.nodes[node].n_children as usize
    }

    /// Returns the move that leads to a node other than the root.
    pub(crate) fn move_to(&self, node: usize) -> &M {
        &self.moves[node - 1]
    }

    pub(crate) fn value(&self, node: usize) -> &[f64] {
        &self.values[node * self.n_seats..][..self.n_seats]
    }

    pub(crate) fn set_value(&mut self, node: usize, value: &[f64]) {
        self.values[node * self.n_seats..][..self.n_seats].copy_from_slice(value);
    }

    /// Counts a visit with this result.
    pub(crate) fn count(&mut self, node: usize, result: &[f64]) {
        self.nodes[node].visits += 1;
        if self.nodes[node].state == State::Open {
            let share = 1.0 / f64::from(self.nodes[node].visits);
            let values = &mut self.values[node * self.n_seats..][..self.n_seats];
            for (mean, result) in values.iter_mut().zip(result) {
                *mean += (result - *mean) * share;
            }
        }
    }

    /// Ends a node: the game is over there.
    pub(crate) fn finish(&mut self, node: usize, scores: &Scores) {
        self.nodes[node].over = true;
        self.prove(node, scores);
    }

    /// Gives a node its exact value.
    pub(crate) fn prove(&mut self, node: usize, scores: &Scores) {
        self.nodes[node].state = State::Proven;
        self.set_value(node, scores.as_slice());
    }

    /// Updates the state of a node from its children; `seat` is to move.
    pub(crate) fn settle<G: Game>(&mut self, game: &G, node: usize, seat: usize) {
        let children = self.children(node).map(|child| (self.nodes[child].state, self.value(child)));
        if let Some((state, value)) = decide(game, seat, children) {
            self.nodes[node].state = state;
            self.set_value(node, value.as_slice());
            return;
        }
        let done = self.children(node).filter(|&child| self.nodes[child].state != State::Open);
        let best = done.max_by(|&a, &b| self.value(a)[seat].total_cmp(&self.value(b)[seat]));
        self.nodes[node].best_solved = best.unwrap_or(0) as u32;
    }

    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.moves.capacity() * size_of::<M>() + self.values.capacity() * 8
    }

    fn push(&mut self, prior: f32) {
        self.nodes.push(Node {
            first: 0,
            n_children: 0,
            visits: 0,
            prior,
            best_solved: 0,
            state: State::Open,
            over: false,
        });
        self.values.resize(self.values.len() + self.n_seats, 0.0);
    }
}

/// Returns the state and value of a position by its children, once they decide it.
///
/// A win of the mover decides at once; otherwise all children must be done, and the
/// mover takes the best. If several are best but differ for the others, the value is
/// their mean and not proven.
pub(crate) fn decide<'v, G: Game>(
    game: &G,
    seat: usize,
    children: impl Iterator<Item = (State, &'v [f64])> + Clone,
) -> Option<(State, Scores)> {
    let won = |&(state, value): &(State, &[f64])| state == State::Proven && is_clear_win(game, seat, value);
    if let Some((_, value)) = children.clone().find(won) {
        return Some((State::Proven, Scores::new(value)));
    }
    let mut best = f64::NEG_INFINITY;
    let mut state = State::Proven;
    for (child, value) in children.clone() {
        match child {
            State::Open => return None,
            // It may be better than its mean, so it proves nothing.
            State::Ambiguous => state = State::Ambiguous,
            State::Proven => {}
        }
        best = best.max(value[seat]);
    }
    let mut equals = children.filter(|(_, value)| value[seat] >= best - SAME).map(|(_, value)| value);
    let first = equals.next()?;
    let mut sum = Scores::new(first);
    let mut n_equals = 1.0;
    for value in equals {
        if first.iter().zip(value).any(|(a, b)| (a - b).abs() >= SAME) {
            state = State::Ambiguous;
        }
        sum.as_mut_slice().iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
        n_equals += 1.0;
    }
    if state == State::Proven {
        return Some((state, Scores::new(first)));
    }
    sum.as_mut_slice().iter_mut().for_each(|sum| *sum /= n_equals);
    Some((state, sum))
}

/// Returns whether the side of `seat` gets everything and the others nothing: no
/// outcome is better, and all such outcomes are equal.
pub(crate) fn is_clear_win<G: Game>(game: &G, seat: usize, value: &[f64]) -> bool {
    let side = game.side_of(seat);
    value.iter().enumerate().all(|(other, &score)| score == f64::from(u8::from(game.side_of(other) == side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree stays within its memory and reports when it is full.
    #[test]
    fn keeps_to_its_memory() {
        let moves = [0u16; 10];
        let priors = [0.1; 10];
        for bytes in [4_096, 100_000] {
            let mut tree = Tree::new(&Scores::even(3), &moves, &priors, bytes);
            let mut node = 1;
            while tree.expand(node, &moves, &priors) {
                node += 1;
            }
            assert!(tree.bytes() <= bytes as usize, "{} of {bytes}", tree.bytes());
            assert!(tree.nodes.len() + 10 > tree.nodes_max);
        }
    }
}
