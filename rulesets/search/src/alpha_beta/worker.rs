//! The state of one search thread, and one step of play.

use std::time::Instant;

use crate::alpha_beta::ordering::{BONUS, MoveList};
use crate::game::Game;
use crate::limiter::Limiter;
use crate::primitives::{History, NodeResult, TranspositionTable, one_ply_further, one_ply_nearer, update_pv};
use pentad_model::{Control, Wdl};

/// The longest path in steps: a bound on the stack, far beyond what a search reaches.
/// Positions there are evaluated statically.
pub(crate) const STEPS_MAX: usize = 400;

/// One search thread; nothing is shared.
pub(crate) struct Worker<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) table: &'a mut TranspositionTable,
    pub(crate) limiter: Limiter<'a, G::Move>,
    pub(crate) history: History<G::Move>,
    /// Move buffers by step.
    pub(crate) lists: Vec<MoveList<G::Move>>,
    /// Principal variation from each step on.
    pub(crate) lines: Vec<Vec<G::Move>>,
    /// Keys from the root to the current node, if play can cycle.
    pub(crate) path: Vec<u64>,
    pub(crate) can_cycle: bool,
    /// Whether late moves are reduced.
    pub(crate) reduce: bool,
    /// Set once a reduced move failed low.
    pub(crate) reduced: bool,
    /// Separates table entries without reductions from those with.
    pub(crate) salt: u64,
}

/// A position after one step, and its relation to the previous one.
pub(crate) struct Step<P> {
    pub(crate) position: P,
    pub(crate) turn: bool,
    pub(crate) same: bool,
    /// The end of the game, for the side that made the step.
    pub(crate) over: Option<NodeResult>,
}

impl<'a, G: Game> Worker<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        table: &'a mut TranspositionTable,
        control: &'a dyn Control<G::Move>,
        deadline: Option<Instant>,
        reduce: bool,
    ) -> Self {
        Worker {
            game,
            table,
            limiter: Limiter::new(control, deadline),
            history: History::new(STEPS_MAX + 2, game.n_slots(), BONUS),
            lists: std::iter::repeat_with(MoveList::default).take(STEPS_MAX + 2).collect(),
            lines: vec![Vec::new(); STEPS_MAX + 2],
            path: Vec::new(),
            can_cycle: game.can_cycle(),
            reduce,
            reduced: false,
            salt: 0,
        }
    }

    pub(crate) fn side(&self, position: &G::Position) -> usize {
        self.game.side_of(self.game.to_move(position))
    }

    /// Plays one move and counts the node. The last step of a game always ends its
    /// turn.
    pub(crate) fn step(&mut self, before: &G::Position, mv: &G::Move) -> Step<G::Position> {
        self.limiter.visit();
        let position = self.game.play(before, mv);
        if let Some(scores) = self.game.outcome(&position) {
            let over = Some(NodeResult::terminal(Wdl::of_score(scores[self.game.to_move(before)])));
            return Step { position, turn: true, same: false, over };
        }
        let turn = self.game.ends_turn(before, &position);
        let same = self.side(before) == self.side(&position);
        Step { position, turn, same, over: None }
    }

    /// Searches the position after a step, with the mover's window and a depth counted
    /// from the previous position; the result is for the mover.
    pub(crate) fn follow(
        &mut self,
        step: &Step<G::Position>,
        alpha: i32,
        beta: i32,
        depth: i32,
        step_idx: usize,
    ) -> NodeResult {
        if let Some(result) = step.over {
            self.lines[step_idx + 1].clear();
            return result;
        }
        let (alpha, beta) = step.window(alpha, beta);
        let depth = depth - i32::from(step.turn);
        step.seen_before(self.search_node(&step.position, alpha, beta, depth, step_idx + 1))
    }

    /// Sets the principal variation at a step to `mv` and its continuation.
    pub(crate) fn update_pv(&mut self, step_idx: usize, mv: &G::Move) {
        update_pv(&mut self.lines[step_idx..], mv);
    }
}

impl<P> Step<P> {
    /// Returns the mover's window as the next node sees it.
    pub(crate) fn window(&self, alpha: i32, beta: i32) -> (i32, i32) {
        let (alpha, beta) = if self.turn { (one_ply_nearer(alpha), one_ply_nearer(beta)) } else { (alpha, beta) };
        if self.same { (alpha, beta) } else { (-beta, -alpha) }
    }

    /// Returns the next node's result for the mover.
    pub(crate) fn seen_before(&self, result: NodeResult) -> NodeResult {
        let value = if self.turn { one_ply_further(result.value) } else { result.value };
        if self.same {
            NodeResult { value, ..result }
        } else {
            NodeResult { value: -value, proven: result.proven.flipped(), ..result }
        }
    }
}
