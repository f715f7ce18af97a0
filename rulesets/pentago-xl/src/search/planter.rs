//! One simulation after the other: down the tree, a value for the leaf, and
//! back up.

use crate::PentagoXl;
use crate::board::Turn;
use crate::candidates::Candidate;
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::scan::endings;
use crate::search::decide::{Decision, State, Values};
use crate::search::ending::EMPTY_MAX;
use crate::search::habits::{Habits, N_HABITS, NO_HABITS, OVERLOOKS};
use crate::search::tree::{Node, Tree, UNKNOWN};
use crate::search::watch::Watch;

/// Children of a node at first.
pub(crate) const FIRST_WIDTH: usize = 20;
/// Children of a node at first, and from so many visits on.
const WIDTHS: [(u32, usize); 4] = [(0, FIRST_WIDTH), (150, 60), (1_000, 240), (6_000, usize::MAX)];
/// Weight of trying the less tried.
const EXPLORATION: f32 = 1.1;
/// How much worse than its parent an unvisited child is taken to be.
const UNVISITED: f32 = 0.06;
/// Scores of candidates that differ by so much differ `e`-fold in attention.
const TEMPERATURE: f32 = 700.0;
/// Candidates that are looked at closely before they are ranked.
const REFINED: usize = 32;
/// Where a five is no end: to finish comes first, and to let the next player
/// finish last.
pub(crate) const FINISHES: i32 = 1_000_000;
const LETS_FINISH: i32 = 20_000;
/// Attention that goes by rank alone.
const BY_RANK: f32 = 0.12;

/// A node on the way down.
struct Step {
    node: usize,
    position: Position,
    /// Its mover followed habit this time.
    careless: bool,
}

/// A tree and what it takes to grow it.
pub(crate) struct Planter<'a> {
    pub(crate) rules: &'a PentagoXl,
    pub(crate) root: &'a Position,
    pub(crate) tree: Tree,
    pub(crate) watch: Watch<'a>,
    path: Vec<Step>,
    /// Whether others are taken to follow habits at times.
    doubts: bool,
    /// Those in the position listed last.
    pub(crate) habits: Habits,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) moves: Vec<Move>,
}

impl<'a> Planter<'a> {
    pub(crate) fn new(rules: &'a PentagoXl, root: &'a Position, tree: Tree, watch: Watch<'a>) -> Self {
        let doubts = rules.has_several(root);
        let (path, candidates, moves) = (Vec::new(), Vec::new(), Vec::new());
        Planter { rules, root, tree, watch, path, doubts, habits: NO_HABITS, candidates, moves }
    }

    /// One way down and back up; nothing is counted if it was stopped. Whether
    /// a move at the root was settled thereby.
    pub(crate) fn simulate(&mut self) -> bool {
        self.watch.poll();
        self.path.clear();
        let Some(mut result) = self.descend() else { return false };
        let mut closed = false;
        let mut settled = false;
        while let Some(Step { node, position, careless }) = self.path.pop() {
            if closed && self.tree.nodes[node].state == State::Open {
                self.settle(node, &position);
            }
            closed = self.tree.nodes[node].state != State::Open;
            settled |= closed && self.path.len() == 1;
            if closed {
                result = self.tree.nodes[node].values;
            } else if !careless
                && let Some(refuge) = self.refuge(node, position.side as usize)
                && refuge[position.side as usize] > result[position.side as usize]
            {
                // The mover would not go below what is already certain.
                result = refuge;
            }
            self.tree.count(node, &result);
        }
        settled
    }

    /// The best certain value among the children.
    fn refuge(&self, node: usize, seat: usize) -> Option<Values> {
        let closed = self.tree.children(node).map(|child| &self.tree.nodes[child]);
        closed
            .filter(|child| child.state != State::Open)
            .map(|child| child.values)
            .max_by(|a, b| a[seat].total_cmp(&b[seat]))
    }

    /// Goes down to a leaf and values it; `None` if stopped on the way.
    fn descend(&mut self) -> Option<Values> {
        let mut position = *self.root;
        let mut node = Tree::ROOT;
        loop {
            self.path.push(Step { node, position, careless: false });
            if node != Tree::ROOT {
                // A habit may be to play what is settled.
                if self.tree.nodes[node].state != State::Open {
                    return Some(self.tree.nodes[node].values);
                }
                if self.tree.nodes[node].visits == 0 {
                    return Some(self.look(node, &position));
                }
                self.grow(node, &position);
                if self.tree.nodes[node].state != State::Open {
                    return Some(self.tree.nodes[node].values);
                }
            }
            let habit = self.habit(node);
            if let Some(step) = self.path.last_mut() {
                step.careless = habit.is_some();
            }
            let child = match habit {
                Some(OVERLOOKS) => {
                    let next = self.rules.after(position.side, &position.places);
                    return Some(self.rules.values_of_five(&position, next as usize));
                }
                Some(habit) => Some(self.tree.children(node).start + usize::from(habit)),
                None => self.choose(node, position.side as usize),
            };
            let Some(child) = child else { return Some(self.estimate(&position)) };
            if !self.watch.visit() {
                return None;
            }
            position = self.rules.play_unchecked(&position, self.tree.nodes[child].mv);
            node = child;
        }
    }

    /// The first visit: closes the node if its value is at hand, else values
    /// it as it stands.
    fn look(&mut self, node: usize, position: &Position) -> Values {
        let rules = self.rules;
        let seat = position.side as usize;
        if let Some(verdict) = rules.verdict(position) {
            let values = rules.values(&verdict);
            self.tree.nodes[node].over = true;
            self.tree.nodes[node].close(State::Proven, values, 0);
            return values;
        }
        if position.empty().count() <= EMPTY_MAX {
            let (state, values) = rules.solve(position);
            self.tree.nodes[node].close(state, values, UNKNOWN);
            return values;
        }
        if rules.is_decisive(position) {
            if rules.win_in_one(position).is_some() {
                let values = rules.values_of_five(position, seat);
                self.tree.nodes[node].close(State::Proven, values, 1);
                return values;
            }
            if rules.is_threatened(position) && self.is_helpless(node, position) {
                return self.tree.nodes[node].values;
            }
        } else if let Some(mv) = rules.win_in_one(position) {
            // Whoever can finish does.
            return self.estimate(&rules.play_unchecked(position, mv));
        }
        self.estimate(position)
    }

    fn estimate(&self, position: &Position) -> Values {
        let scores = self.rules.static_scores(position);
        let mut values = [0.0; 4];
        values.iter_mut().zip(scores.as_slice()).for_each(|(value, score)| *value = *score as f32);
        values
    }

    /// Closes a decisive node without a five at hand if no move goes on that
    /// does not lose to the next one.
    pub(crate) fn is_helpless(&mut self, node: usize, position: &Position) -> bool {
        let scan = self.rules.scan(position);
        if scan.any_safe() {
            return false;
        }
        let mut decision = Decision::new(position.side as usize);
        if scan.n_unsafe > 0 {
            let next = self.rules.after(position.side, &position.places);
            decision.add_many(scan.n_unsafe, State::Proven, &self.rules.values_of_five(position, next as usize));
        }
        self.moves.clear();
        endings(position, &scan, &mut self.moves);
        for &mv in &self.moves {
            if let Some(verdict) = self.rules.verdict(&self.rules.play_unchecked(position, mv)) {
                decision.add(State::Proven, &self.rules.values(&verdict));
            }
        }
        let Some((state, values)) = decision.result() else { return false };
        // Who loses anyway takes the longer way.
        let is_loss = state == State::Proven && values[position.side as usize] == 0.0;
        let plies = if is_loss { 1 + u8::from(scan.n_unsafe > 0) } else { UNKNOWN };
        self.tree.nodes[node].close(state, values, plies);
        true
    }

    /// Gives a node as many children as its visits are worth.
    fn grow(&mut self, node: usize, position: &Position) {
        let here = &self.tree.nodes[node];
        let any_open = self.tree.children(node).any(|child| self.tree.nodes[child].state == State::Open);
        let n_now = usize::from(here.n_children);
        let mut width =
            WIDTHS.iter().rfind(|(visits, _)| *visits <= here.visits).map_or(usize::MAX, |&(_, width)| width);
        if !any_open {
            width = width.max(4 * n_now);
        }
        if here.is_complete || (any_open && n_now >= width) {
            return;
        }
        let n_unsafe = self.list(position);
        if self.moves.len() + self.candidates.len() == 0 {
            self.is_helpless(node, position);
            return;
        }
        let n_candidates = self.candidates.len().min(width);
        let children = self.nodes_of_list(position, n_candidates);
        if !self.tree.expand(node, children.into_iter()) {
            return;
        }
        self.tree.nodes[node].is_complete = n_candidates == self.candidates.len();
        self.tree.nodes[node].n_unsafe = n_unsafe as u16;
        self.tree.nodes[node].habits = self.habits;
        self.settle(node, position);
    }

    /// Lists the moves of a node: in `moves` those that stand for all that end
    /// the game, then the candidates. How many moves were left out because they
    /// lose to the next one.
    fn list(&mut self, position: &Position) -> u32 {
        let rules = self.rules;
        self.moves.clear();
        let scan = rules.scan(position);
        let n_habits = if self.doubts && position.side != self.root.side { N_HABITS } else { 0 };
        let first_moves = |candidates: &[Candidate]| -> Vec<Move> {
            candidates.iter().take(n_habits).map(|candidate| candidate.mv).collect()
        };
        if rules.is_decisive(position) {
            endings(position, &scan, &mut self.moves);
            let goes_on = scan.ending.map(|ends| if ends { 0 } else { position.empty().0 });
            rules.candidates(position, &goes_on, &mut self.candidates);
            let habits = first_moves(&self.candidates);
            self.candidates.retain(|candidate| scan.is_safe(candidate.mv));
            rules.refine(position, REFINED, &mut self.candidates, || true);
            self.keep_habits(&habits);
            return scan.n_unsafe;
        }
        // With three or more left to play, a five of another is no end.
        let by_placing = completing(position.own(), position.empty());
        let all = [position.empty().0 & !by_placing.0; Turn::COUNT];
        rules.candidates(position, &all, &mut self.candidates);
        let mut habits = first_moves(&self.candidates);
        rules.all_fives(position, &mut self.moves);
        for candidate in &mut self.candidates {
            if self.moves.contains(&candidate.mv) {
                candidate.score += FINISHES;
            } else if !scan.is_safe(candidate.mv) {
                candidate.score -= LETS_FINISH;
            }
        }
        self.candidates.extend(by_placing.iter().map(|cell| Candidate { score: FINISHES, mv: Move::place(cell) }));
        self.candidates.sort_unstable_by_key(|candidate| (-candidate.score, candidate.mv));
        if !self.moves.is_empty() {
            habits = first_moves(&self.candidates[..1]);
        }
        self.moves.clear();
        self.keep_habits(&habits);
        0
    }

    /// The ends and the first so many candidates as nodes with their priors.
    /// Ends are closed at once.
    fn nodes_of_list(&self, position: &Position, n_candidates: usize) -> Vec<Node> {
        let mut children: Vec<Node> = self.moves.iter().map(|&mv| Node::new(mv, 0.0)).collect();
        for child in &mut children {
            let next = self.rules.play_unchecked(position, child.mv);
            if let Some(verdict) = self.rules.verdict(&next) {
                child.over = true;
                child.close(State::Proven, self.rules.values(&verdict), 0);
            }
        }
        children.extend(with_priors(&self.candidates[..n_candidates]));
        let total: f32 = children.iter().map(|child| child.prior).sum();
        children.iter_mut().for_each(|child| child.prior /= total.max(f32::MIN_POSITIVE));
        children
    }

    /// The open child to visit next; ties go to the first.
    fn choose(&self, node: usize, seat: usize) -> Option<usize> {
        let parent = &self.tree.nodes[node];
        let spread = EXPLORATION * (parent.visits.max(1) as f32).sqrt();
        let base = parent.values[seat] - UNVISITED;
        let mut best = None;
        let mut best_score = f32::NEG_INFINITY;
        for child in self.tree.children(node) {
            let entry = &self.tree.nodes[child];
            if entry.state != State::Open {
                continue;
            }
            let mean = if entry.visits > 0 { entry.values[seat] } else { base };
            let score = mean + spread * entry.prior / (1.0 + entry.visits as f32);
            if score > best_score {
                (best, best_score) = (Some(child), score);
            }
        }
        best
    }

    /// Looks whether the children decide a node.
    pub(crate) fn settle(&mut self, node: usize, position: &Position) {
        let rules = self.rules;
        let seat = position.side as usize;
        let children = &self.tree.nodes[self.tree.children(node)];
        let won = |child: &&Node| child.state == State::Proven && rules.is_best_possible(position, seat, &child.values);
        if let Some(child) = children.iter().filter(won).min_by_key(|child| child.plies) {
            // Of longer ways it is not certain that there is no shorter one.
            let plies = if child.plies <= 2 { child.plies + 1 } else { UNKNOWN };
            let values = child.values;
            self.tree.nodes[node].close(State::Proven, values, plies);
            return;
        }
        if !self.tree.nodes[node].is_complete {
            return;
        }
        let mut decision = Decision::new(seat);
        children.iter().for_each(|child| decision.add(child.state, &child.values));
        let all_over = children.iter().all(|child| child.over);
        let n_unsafe = u32::from(self.tree.nodes[node].n_unsafe);
        if n_unsafe > 0 {
            let next = rules.after(position.side, &position.places);
            decision.add_many(n_unsafe, State::Proven, &rules.values_of_five(position, next as usize));
        }
        if let Some((state, values)) = decision.result() {
            let plies = if all_over && n_unsafe == 0 { 1 } else { UNKNOWN };
            self.tree.nodes[node].close(state, values, plies);
        }
    }
}

/// Candidates as nodes, with the share of attention that each gets at first,
/// before it is normalised.
pub(crate) fn with_priors(candidates: &[Candidate]) -> impl Iterator<Item = Node> {
    let best = candidates.first().map_or(0, |candidate| candidate.score);
    candidates.iter().enumerate().map(move |(rank, candidate)| {
        let by_score = ((candidate.score - best) as f32 / TEMPERATURE).max(-20.0).exp();
        Node::new(candidate.mv, by_score + BY_RANK / (1.0 + rank as f32))
    })
}
