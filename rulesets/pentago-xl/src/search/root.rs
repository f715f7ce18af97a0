//! The root: all its moves, and what the next plies decide about them.

use std::collections::HashSet;

use crate::board::Turn;
use crate::candidates::Candidate;
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::scan::Scan;
use crate::search::decide::State;
use crate::search::ending::EMPTY_MAX;
use crate::search::planter::{FINISHES, Planter, with_priors};
use crate::search::tree::{Node, Tree};

/// Moves looked at between two questions whether to stop.
const STRIDE: usize = 16;

impl Planter<'_> {
    /// Makes the children of the root: the moves asked about, each once, or
    /// one for each position that can be reached. What the next two plies
    /// decide is seen at once; then each is asked whether its reply can be
    /// helped, which finds every win in three plies.
    pub(crate) fn plant(&mut self, root_moves: &[Move]) {
        let decisive = self.rules.is_decisive(self.root);
        let scan = self.rules.scan(self.root);
        self.list_root(root_moves);
        if decisive {
            // Whatever the time allows, moves that lose at once come last.
            self.candidates.sort_by_key(|candidate| candidate.score < FINISHES && !scan.is_safe(candidate.mv));
            self.refine_root(&scan);
        }
        let mut children: Vec<Node> = with_priors(&self.candidates).collect();
        let total: f32 = children.iter().map(|child| child.prior).sum();
        for child in &mut children {
            child.prior /= total;
            let next = self.rules.play_unchecked(self.root, child.mv);
            if let Some(verdict) = self.rules.verdict(&next) {
                child.over = true;
                child.close(State::Proven, self.rules.values(&verdict), 0);
            } else if decisive && !scan.is_safe(child.mv) {
                child.close(State::Proven, self.rules.values_of_five(&next, next.side as usize), 1);
            }
        }
        self.tree.expand(Tree::ROOT, children.into_iter());
        let root = &mut self.tree.nodes[Tree::ROOT];
        (root.is_complete, root.visits) = (true, 1);
        let scores = self.rules.static_scores(self.root);
        root.values.iter_mut().zip(scores.as_slice()).for_each(|(value, score)| *value = *score as f32);
        let nodes: Vec<usize> = self.tree.children(Tree::ROOT).collect();
        if decisive && self.root.empty().count() > EMPTY_MAX + 1 {
            self.look_for_helpless_replies(&nodes);
        }
    }

    /// Looks more closely at the safe moves, which come first but for fives.
    fn refine_root(&mut self, scan: &Scan) {
        let is_five = |candidate: &Candidate| candidate.score >= FINISHES;
        let n_fives = self.candidates.iter().take_while(|candidate| is_five(candidate)).count();
        let safe = &mut self.candidates[n_fives..];
        let n_safe = safe.iter().take_while(|candidate| scan.is_safe(candidate.mv)).count();
        let watch = &mut self.watch;
        self.rules.refine(self.root, n_safe, safe, || {
            watch.poll();
            watch.stop().is_none()
        });
    }

    /// Closes moves after which every reply loses to the next move.
    fn look_for_helpless_replies(&mut self, nodes: &[usize]) {
        for (idx, &node) in nodes.iter().enumerate() {
            if idx % STRIDE == 0 {
                self.watch.poll();
            }
            if self.tree.nodes[node].state != State::Open {
                continue;
            }
            if !self.watch.visit() {
                return;
            }
            let next = self.rules.play_unchecked(self.root, self.tree.nodes[node].mv);
            self.is_helpless(node, &next);
        }
    }

    /// Lists the root's moves, best first.
    fn list_root(&mut self, root_moves: &[Move]) {
        let empty = self.root.empty();
        let final_cells = completing(self.root.own(), empty);
        let all = [empty.0 & !final_cells.0; Turn::COUNT];
        self.rules.candidates(self.root, &all, &mut self.candidates);
        let fives: Vec<Candidate> =
            final_cells.iter().map(|cell| Candidate { score: 2 * FINISHES, mv: Move::place(cell) }).collect();
        if !self.rules.is_decisive(self.root) {
            self.prefer_finishing();
        }
        if root_moves.is_empty() {
            let mut seen: HashSet<Position> = HashSet::with_capacity(self.candidates.len());
            self.candidates.retain(|candidate| seen.insert(self.rules.play_unchecked(self.root, candidate.mv)));
            self.candidates.splice(0..0, fives);
            return;
        }
        // A move that was asked about may be one of those that are not listed
        // because another leads to the same position.
        let listed: Vec<Candidate> = fives.into_iter().chain(self.candidates.drain(..)).collect();
        let score = |mv: &Move| {
            let next = self.rules.play_unchecked(self.root, *mv);
            let same = listed.iter().find(|candidate| candidate.mv == *mv);
            let same = same
                .or_else(|| listed.iter().find(|candidate| self.rules.play_unchecked(self.root, candidate.mv) == next));
            same.map_or(i32::MIN / 2, |candidate| candidate.score)
        };
        let mut asked: Vec<Candidate> = Vec::new();
        for mv in root_moves {
            if !asked.iter().any(|candidate| candidate.mv == *mv) {
                asked.push(Candidate { score: score(mv), mv: *mv });
            }
        }
        asked.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        self.candidates = asked;
    }

    /// Where a five is no end, to finish comes first.
    fn prefer_finishing(&mut self) {
        self.moves.clear();
        self.rules.all_fives(self.root, &mut self.moves);
        let fives = &self.moves;
        self.candidates.sort_by_key(|candidate| !fives.contains(&candidate.mv));
        let n_fives = self.candidates.iter().filter(|candidate| fives.contains(&candidate.mv)).count();
        self.candidates[..n_fives].iter_mut().for_each(|candidate| candidate.score += FINISHES);
    }

    /// Looks what the moves prove about the root.
    pub(crate) fn settle_root(&mut self) {
        if self.tree.nodes[Tree::ROOT].state == State::Open {
            let root = *self.root;
            self.settle(Tree::ROOT, &root);
        }
    }
}
