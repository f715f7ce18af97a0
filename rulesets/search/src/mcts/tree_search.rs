//! Simulations: selection, leaf evaluation and backup.

use crate::alternatives::select_lines;
use crate::game::Game;
use crate::limiter::Limiter;
use crate::mcts::MctsOptions;
use crate::mcts::merge::ranking_score;
use crate::mcts::tree::{State, Tree, is_clear_win};
use pentad_model::Scores;
use pentad_model::rng::Rng;

/// The longest path in the tree, and the longest playout, in steps.
const STEPS_MAX: usize = 400;
const PLAYOUT_STEPS_MAX: usize = 2_000;
/// Value of an unvisited child below its parent's.
const UNVISITED: f64 = 0.1;
/// Simulations between two updates of the leading root moves.
const LEADERS_INTERVAL: u64 = 64;

/// One search thread: its tree and state.
pub(crate) struct TreeSearch<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) root: &'a G::Position,
    pub(crate) tree: Tree<G::Move>,
    pub(crate) limiter: Limiter<'a, G::Move>,
    pub(crate) options: MctsOptions,
    pub(crate) rng: Rng,
    pub(crate) n_simulations: u64,
    can_cycle: bool,
    n_lines: usize,
    /// The root moves that would be reported as lines, as of the last update.
    leaders: Vec<usize>,
    path: Vec<(usize, usize)>,
    keys: Vec<u64>,
    moves: Vec<G::Move>,
}

impl<'a, G: Game> TreeSearch<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        root: &'a G::Position,
        tree: Tree<G::Move>,
        limiter: Limiter<'a, G::Move>,
        options: MctsOptions,
        rng: Rng,
        n_lines: usize,
    ) -> Self {
        TreeSearch {
            game,
            root,
            tree,
            limiter,
            options,
            rng,
            n_simulations: 0,
            can_cycle: game.can_cycle(),
            n_lines,
            leaders: Vec::new(),
            path: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Runs `n_max` simulations, or fewer if the limiter stops it or no root move is
    /// open.
    pub(crate) fn run(&mut self, n_max: u64) {
        for _ in 0..n_max {
            let open = |child: usize| self.tree.nodes[child].state == State::Open;
            if self.limiter.stopped() || !self.tree.children(Tree::<G::Move>::ROOT).any(open) {
                return;
            }
            self.simulate();
        }
    }

    /// Gives a root move its exact value, so that it is visited no more.
    pub(crate) fn prove(&mut self, move_idx: usize, scores: &Scores) {
        let child = self.tree.children(Tree::<G::Move>::ROOT).start + move_idx;
        if self.tree.nodes[child].state != State::Proven {
            self.tree.prove(child, scores);
            self.tree.settle(self.game, Tree::<G::Move>::ROOT, self.game.to_move(self.root));
        }
    }

    fn simulate(&mut self) {
        self.path.clear();
        self.keys.clear();
        let Some(mut result) = self.descend() else { return };
        self.n_simulations += 1;
        let mut done = false;
        while let Some((node, seat)) = self.path.pop() {
            if done && self.tree.nodes[node].state == State::Open {
                self.tree.settle(self.game, node, seat);
            }
            done = self.tree.nodes[node].state != State::Open;
            // The mover has at least its best solved move.
            let best_solved = self.tree.nodes[node].best_solved as usize;
            if done {
                result = Scores::new(self.tree.value(node));
            } else if best_solved != 0 && self.tree.value(best_solved)[seat] > result[seat] {
                result = Scores::new(self.tree.value(best_solved));
            }
            self.tree.count(node, result.as_slice());
        }
    }

    /// Descends to a leaf and evaluates it; `None` if stopped. The path holds the nodes
    /// with the seat to move in each.
    fn descend(&mut self) -> Option<Scores> {
        let mut position = self.root.clone();
        let mut node = Tree::<G::Move>::ROOT;
        loop {
            let seat = self.game.to_move(&position);
            self.path.push((node, seat));
            if node != Tree::<G::Move>::ROOT {
                if self.tree.nodes[node].visits == 0
                    && let Some(scores) = self.game.outcome(&position)
                {
                    self.tree.finish(node, &scores);
                }
                if self.tree.nodes[node].state != State::Open {
                    return Some(Scores::new(self.tree.value(node)));
                }
            }
            let repeated = self.can_cycle && self.is_repeated(&position);
            let unvisited = node != Tree::<G::Move>::ROOT && self.tree.nodes[node].visits == 0;
            if unvisited || repeated || self.path.len() > STEPS_MAX || !self.grow(node, &position, seat) {
                return self.leaf_value(position);
            }
            let neglected = if node == Tree::<G::Move>::ROOT { self.neglected_leader(seat) } else { None };
            let child = neglected.or_else(|| self.choose(node, seat))?;
            self.limiter.visit();
            if self.limiter.stopped() {
                return None;
            }
            position = self.game.play(&position, self.tree.move_to(child));
            node = child;
        }
    }

    fn is_repeated(&mut self, position: &G::Position) -> bool {
        let key = self.game.key(position);
        let repeated = self.keys.contains(&key);
        self.keys.push(key);
        repeated
    }

    /// Expands a node if it has no children; returns false if it cannot have any.
    fn grow(&mut self, node: usize, position: &G::Position, seat: usize) -> bool {
        if self.tree.nodes[node].n_children > 0 {
            return true;
        }
        self.moves.clear();
        if let Some(mv) = self.game.winning_move(position) {
            let end = self.game.outcome(&self.game.play(position, &mv));
            if end.is_some_and(|scores| is_clear_win(self.game, seat, scores.as_slice())) {
                // No other move can be better.
                self.moves.push(mv);
            }
        }
        if self.moves.is_empty() {
            self.game.moves(position, &mut self.moves);
        }
        let priors = priors(self.game, position, &self.moves, &self.options);
        !self.moves.is_empty() && self.tree.expand(node, &self.moves, &priors)
    }

    /// Returns the leading root move with the fewest visits, in every other simulation
    /// and if several lines are requested.
    fn neglected_leader(&mut self, seat: usize) -> Option<usize> {
        if self.n_lines == 1 || self.n_simulations.is_multiple_of(2) {
            return None;
        }
        if self.n_simulations % LEADERS_INTERVAL == 1 {
            let children = self.tree.children(Tree::<G::Move>::ROOT);
            let visits = |child: usize| f64::from(self.tree.nodes[child].visits);
            let visits_max = children.clone().map(visits).fold(0.0, f64::max);
            let root = self.tree.value(Tree::<G::Move>::ROOT)[seat];
            let rank = |&child: &usize| ranking_score(self.tree.value(child)[seat], visits(child), visits_max, root);
            let mut open: Vec<usize> = children.filter(|&child| self.tree.nodes[child].state == State::Open).collect();
            open.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
            let alternatives = open.iter().map(|&child| self.game.alternative(self.tree.move_to(child)));
            self.leaders = select_lines(alternatives, self.n_lines).into_iter().map(|idx| open[idx]).collect();
        }
        let open = self.leaders.iter().copied().filter(|&child| self.tree.nodes[child].state == State::Open);
        open.min_by_key(|&child| self.tree.nodes[child].visits)
    }

    /// Returns the open child to visit next. Ties go to the first; in plain UCT,
    /// unvisited children are chosen at random.
    fn choose(&mut self, node: usize, seat: usize) -> Option<usize> {
        let parent = &self.tree.nodes[node];
        let visits = f64::from(parent.visits.max(1));
        let base = self.tree.value(node)[seat] - UNVISITED;
        let mut best = None;
        let mut best_score = f64::NEG_INFINITY;
        let mut n_fresh = 0;
        for child in self.tree.children(node) {
            let Some(entry) = self.tree.nodes.get(child).filter(|entry| entry.state == State::Open) else { continue };
            let own = f64::from(entry.visits);
            let mean = if entry.visits > 0 { self.tree.value(child)[seat] } else { base };
            let score = if self.options.use_order {
                mean + self.options.exploration * f64::from(entry.prior) * visits.sqrt() / (1.0 + own)
            } else if entry.visits > 0 {
                mean + self.options.exploration * (visits.ln() / own).sqrt()
            } else {
                n_fresh += 1;
                if self.rng.below(n_fresh) == 0 { f64::INFINITY } else { f64::NEG_INFINITY }
            };
            if score > best_score || (score == f64::INFINITY && best_score == score) {
                (best, best_score) = (Some(child), score);
            }
        }
        best
    }

    fn leaf_value(&mut self, mut position: G::Position) -> Option<Scores> {
        if self.options.playouts {
            for _ in 0..PLAYOUT_STEPS_MAX {
                if let Some(scores) = self.game.outcome(&position) {
                    return Some(scores);
                }
                self.moves.clear();
                self.game.moves(&position, &mut self.moves);
                self.limiter.visit();
                if self.limiter.stopped() {
                    return None;
                }
                let Some(mv) = self.moves.get(self.rng.below(self.moves.len())) else { break };
                position = self.game.play(&position, mv);
            }
        }
        Some(self.game.evaluate_seats(&position))
    }
}

/// Returns the priors of the moves, by their rank in [`Game::order`], whose scale is
/// the game's own.
pub(crate) fn priors<G: Game>(game: &G, position: &G::Position, moves: &[G::Move], options: &MctsOptions) -> Vec<f32> {
    if !options.use_order {
        return vec![1.0 / moves.len().max(1) as f32; moves.len()];
    }
    let orders: Vec<i32> = moves.iter().map(|mv| game.order(position, mv)).collect();
    let mut sorted = orders.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let weight = |order: &i32| 1.0 / (1.0 + sorted.partition_point(|better| better > order) as f32).sqrt();
    let total: f32 = orders.iter().map(weight).sum();
    orders.iter().map(|order| weight(order) / total).collect()
}
