//! The root: its moves, and what the next plies decide about them.

use std::collections::HashSet;

use crate::board::Turn;
use crate::board::lines::winning_cells;
use crate::moves::Move;
use crate::position::Position;
use crate::search::candidates::Candidate;
use crate::search::endgame::SOLVED_EMPTY_MAX;
use crate::search::expansion::{FINISH_BONUS, nodes_with_priors};
use crate::search::proof::State;
use crate::search::safe_moves::SafeMoves;
use crate::search::tree::{Node, Tree};
use crate::search::tree_search::TreeSearch;

/// Number of root moves between two polls of the limiter.
const POLL_INTERVAL: usize = 16;

impl TreeSearch<'_> {
    /// Gives the root its children: the requested moves, each once, or one per
    /// reachable position. Solves what the next two plies decide, then searches for
    /// wins in three plies.
    pub(crate) fn expand_root(&mut self, root_moves: &[Move]) {
        let decisive = self.rules.is_decisive(self.root);
        let safe_moves = self.rules.safe_moves(self.root);
        self.list_root_moves(root_moves);
        if decisive {
            // However early the search stops, moves that lose at once come last.
            let is_last = |candidate: &Candidate| candidate.score < FINISH_BONUS && !safe_moves.contains(candidate.mv);
            self.candidates.sort_by_key(is_last);
            self.rescore_safe_moves(&safe_moves);
        }
        let mut children: Vec<Node> = nodes_with_priors(&self.candidates).collect();
        let total: f32 = children.iter().map(|child| child.prior).sum();
        for child in &mut children {
            child.prior /= total;
            let next = self.rules.play_unchecked(self.root, child.mv);
            if let Some(result) = self.rules.game_result(&next) {
                child.set_terminal(self.rules.values(&result));
            } else if decisive && !safe_moves.contains(child.mv) {
                child.set_solved(State::Proven, self.rules.values_after_five(&next, next.side as usize), 1);
            }
        }
        self.tree.expand(Tree::ROOT, children.into_iter());
        let values = self.static_values(self.root);
        let root = &mut self.tree.nodes[Tree::ROOT];
        (root.is_complete, root.visits, root.values) = (true, 1, values);
        if decisive && self.root.empty().count() > SOLVED_EMPTY_MAX + 1 {
            self.solve_wins_in_three();
        }
    }

    /// Orders the safe moves, which only fives precede, by the static evaluation after
    /// them.
    fn rescore_safe_moves(&mut self, safe_moves: &SafeMoves) {
        let n_fives = self.candidates.iter().take_while(|candidate| candidate.score >= FINISH_BONUS).count();
        let others = &mut self.candidates[n_fives..];
        let n_safe = others.iter().take_while(|candidate| safe_moves.contains(candidate.mv)).count();
        let limiter = &mut self.limiter;
        self.rules.rescore_statically(self.root, n_safe, others, || {
            limiter.poll();
            limiter.stop().is_none()
        });
    }

    /// Solves the root moves after which every reply loses to the next move.
    fn solve_wins_in_three(&mut self) {
        for (idx, child) in self.tree.children(Tree::ROOT).enumerate() {
            if idx % POLL_INTERVAL == 0 {
                self.limiter.poll();
            }
            if self.tree.nodes[child].state != State::Open {
                continue;
            }
            if !self.limiter.visit() {
                return;
            }
            let next = self.rules.play_unchecked(self.root, self.tree.nodes[child].mv);
            self.solve_if_no_safe_move(child, &next);
        }
    }

    /// Lists the root's moves as candidates, best first.
    fn list_root_moves(&mut self, root_moves: &[Move]) {
        let empty = self.root.empty();
        let by_placing = winning_cells(self.root.own(), empty);
        let others = [empty.0 & !by_placing.0; Turn::COUNT];
        self.rules.candidates(self.root, &others, &mut self.candidates);
        let fives: Vec<Candidate> =
            by_placing.iter().map(|cell| Candidate { score: 2 * FINISH_BONUS, mv: Move::place(cell) }).collect();
        if !self.rules.is_decisive(self.root) {
            self.put_finishing_moves_first();
        }
        if root_moves.is_empty() {
            let mut seen: HashSet<Position> = HashSet::with_capacity(self.candidates.len());
            self.candidates.retain(|candidate| seen.insert(self.rules.play_unchecked(self.root, candidate.mv)));
            self.candidates.splice(0..0, fives);
            return;
        }
        // A requested move may be unlisted because another leads to the same
        // position.
        let listed: Vec<Candidate> = fives.into_iter().chain(self.candidates.drain(..)).collect();
        let score = |mv: &Move| {
            let next = self.rules.play_unchecked(self.root, *mv);
            let same = listed.iter().find(|candidate| candidate.mv == *mv);
            let same = same
                .or_else(|| listed.iter().find(|candidate| self.rules.play_unchecked(self.root, candidate.mv) == next));
            same.map_or(i32::MIN / 2, |candidate| candidate.score)
        };
        let mut requested: Vec<Candidate> = Vec::new();
        for mv in root_moves {
            if !requested.iter().any(|candidate| candidate.mv == *mv) {
                requested.push(Candidate { score: score(mv), mv: *mv });
            }
        }
        requested.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        self.candidates = requested;
    }

    /// Puts the moves by which the mover finishes first, where others play on.
    fn put_finishing_moves_first(&mut self) {
        self.moves.clear();
        self.rules.finishing_moves(self.root, &mut self.moves);
        let finishing = &self.moves;
        self.candidates.sort_by_key(|candidate| !finishing.contains(&candidate.mv));
        let n_finishing = self.candidates.iter().filter(|candidate| finishing.contains(&candidate.mv)).count();
        self.candidates[..n_finishing].iter_mut().for_each(|candidate| candidate.score += FINISH_BONUS);
    }

    /// Solves the root if its children decide it.
    pub(crate) fn update_root_proof(&mut self) {
        if self.tree.nodes[Tree::ROOT].state == State::Open {
            let root = *self.root;
            self.update_proof(Tree::ROOT, &root);
        }
    }
}
