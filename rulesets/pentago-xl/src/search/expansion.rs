//! Expansion: gives a node children with priors, more of them as its visits grow
//! (progressive widening).

use crate::board::Turn;
use crate::board::lines::winning_cells;
use crate::moves::Move;
use crate::position::Position;
use crate::search::candidates::Candidate;
use crate::search::opponent_model::N_GREEDY_REPLIES;
use crate::search::proof::State;
use crate::search::safe_moves::game_ending_moves;
use crate::search::tree::Node;
use crate::search::tree_search::TreeSearch;

/// Children of a node when it is first expanded.
pub(crate) const FIRST_WIDTH: usize = 20;
/// Number of children by number of visits: (from this many visits, children).
const PROGRESSIVE_WIDENING: [(u32, usize); 4] = [(0, FIRST_WIDTH), (150, 60), (1_000, 240), (6_000, usize::MAX)];
/// Difference of two candidates' scores at which their priors differ `e`-fold.
const PRIOR_TEMPERATURE: f32 = 700.0;
/// Part of a prior that depends on the rank alone: for the first candidate, in units
/// of its part by score.
const PRIOR_BY_RANK: f32 = 0.12;
/// Number of candidates ordered by the static evaluation after them.
const N_RESCORED: usize = 32;
/// Added to the score of a move by which the mover finishes while others play on.
pub(crate) const FINISH_BONUS: i32 = 1_000_000;
/// Subtracted from the score of a move that lets the next player finish while others
/// play on.
const LETS_FINISH_PENALTY: i32 = 20_000;

impl TreeSearch<'_> {
    /// Gives a node the number of children that its visits allow.
    pub(crate) fn widen(&mut self, node: usize, position: &Position) {
        let parent = &self.tree.nodes[node];
        let any_open = self.tree.children(node).any(|child| self.tree.nodes[child].state == State::Open);
        let n_children = usize::from(parent.n_children);
        let due = PROGRESSIVE_WIDENING.iter().rfind(|(visits, _)| *visits <= parent.visits);
        let mut width = due.map_or(usize::MAX, |&(_, width)| width);
        if !any_open {
            width = width.max(4 * n_children);
        }
        if parent.is_complete || (any_open && n_children >= width) {
            return;
        }
        let n_unsafe = self.list_moves(position);
        if self.moves.len() + self.candidates.len() == 0 {
            self.solve_if_no_safe_move(node, position);
            return;
        }
        let n_candidates = self.candidates.len().min(width);
        let children = self.make_children(position, n_candidates);
        if !self.tree.expand(node, children.into_iter()) {
            return;
        }
        self.tree.nodes[node].is_complete = n_candidates == self.candidates.len();
        self.tree.nodes[node].n_unsafe = n_unsafe as u16;
        self.tree.nodes[node].greedy_replies = self.greedy_replies;
        self.update_proof(node, position);
    }

    /// Lists the moves of a node: in `moves` representatives of those that end the
    /// game, in `candidates` the others, best first. Returns how many moves are left
    /// out because they lose to the next one.
    fn list_moves(&mut self, position: &Position) -> u32 {
        let rules = self.rules;
        self.moves.clear();
        let safe_moves = rules.safe_moves(position);
        let n_greedy = if self.models_blunders && position.side != self.root.side { N_GREEDY_REPLIES } else { 0 };
        let first_moves = |candidates: &[Candidate]| -> Vec<Move> {
            candidates.iter().take(n_greedy).map(|candidate| candidate.mv).collect()
        };
        if rules.is_decisive(position) {
            game_ending_moves(position, &safe_moves, &mut self.moves);
            let not_ending = safe_moves.ends_game.map(|ends| if ends { 0 } else { position.empty().0 });
            rules.candidates(position, &not_ending, &mut self.candidates);
            let greedy = first_moves(&self.candidates);
            self.candidates.retain(|candidate| safe_moves.contains(candidate.mv));
            rules.rescore_statically(position, N_RESCORED, &mut self.candidates, || true);
            self.keep_greedy_replies(&greedy);
            return safe_moves.n_unsafe;
        }
        // With three or more players left, another player's five does not end the game.
        let by_placing = winning_cells(position.own(), position.empty());
        let all = [position.empty().0 & !by_placing.0; Turn::COUNT];
        rules.candidates(position, &all, &mut self.candidates);
        let mut greedy = first_moves(&self.candidates);
        rules.finishing_moves(position, &mut self.moves);
        for candidate in &mut self.candidates {
            if self.moves.contains(&candidate.mv) {
                candidate.score += FINISH_BONUS;
            } else if !safe_moves.contains(candidate.mv) {
                candidate.score -= LETS_FINISH_PENALTY;
            }
        }
        self.candidates.extend(by_placing.iter().map(|cell| Candidate { score: FINISH_BONUS, mv: Move::place(cell) }));
        self.candidates.sort_unstable_by_key(|candidate| (-candidate.score, candidate.mv));
        if !self.moves.is_empty() {
            greedy = first_moves(&self.candidates[..1]);
        }
        self.moves.clear();
        self.keep_greedy_replies(&greedy);
        0
    }

    /// Creates nodes for the moves that end the game, already solved, and for the
    /// first candidates; the priors add up to 1.
    fn make_children(&self, position: &Position, n_candidates: usize) -> Vec<Node> {
        let mut children: Vec<Node> = self.moves.iter().map(|&mv| Node::new(mv, 0.0)).collect();
        for child in &mut children {
            let next = self.rules.play_unchecked(position, child.mv);
            if let Some(result) = self.rules.game_result(&next) {
                child.set_terminal(self.rules.values(&result));
            }
        }
        children.extend(nodes_with_priors(&self.candidates[..n_candidates]));
        let total: f32 = children.iter().map(|child| child.prior).sum();
        children.iter_mut().for_each(|child| child.prior /= total.max(f32::MIN_POSITIVE));
        children
    }
}

/// Converts candidates to nodes with priors that are not yet normalised.
pub(crate) fn nodes_with_priors(candidates: &[Candidate]) -> impl Iterator<Item = Node> {
    let best = candidates.first().map_or(0, |candidate| candidate.score);
    candidates.iter().enumerate().map(move |(rank, candidate)| {
        let by_score = ((candidate.score - best) as f32 / PRIOR_TEMPERATURE).max(-20.0).exp();
        Node::new(candidate.mv, by_score + PRIOR_BY_RANK / (1.0 + rank as f32))
    })
}
