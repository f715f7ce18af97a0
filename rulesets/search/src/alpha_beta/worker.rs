//! One thread's share of an alpha-beta search: its state, and one step of play.

use std::time::Instant;

use crate::alpha_beta::ordering::{BONUS, MoveList};
use crate::game::Game;
use crate::limiter::Limiter;
use crate::primitives::{History, NodeResult, TranspositionTable, one_ply_further, one_ply_nearer, update_pv};
use pentad_model::{Control, Wdl};

/// The longest path in steps: a bound on the stack, far beyond what a search
/// reaches. Positions there are evaluated as they stand.
pub(crate) const STEPS_MAX: usize = 400;

/// Everything one thread needs; nothing in it is shared.
pub(crate) struct Worker<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) table: &'a mut TranspositionTable,
    pub(crate) limiter: Limiter<'a, G::Move>,
    pub(crate) history: History<G::Move>,
    /// Move buffers by step.
    pub(crate) lists: Vec<MoveList<G::Move>>,
    /// Expected play from each step on.
    pub(crate) lines: Vec<Vec<G::Move>>,
    /// Keys from the root to the current node, where play can cycle.
    pub(crate) path: Vec<u64>,
    pub(crate) can_cycle: bool,
    /// Whether late moves are searched less deep.
    pub(crate) reduce: bool,
    /// Set once a late move was given up after such a search.
    pub(crate) reduced: bool,
    /// Keeps entries found without reductions apart from those with.
    pub(crate) salt: u64,
}

/// A position after one step, and how it relates to the one before.
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

    /// Plays one move and counts the node. The last step of a game ends its
    /// turn, whatever the game says.
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

    /// Searches on after a step, within a window of the mover and to a depth
    /// counted from the position before; the result is the mover's.
    pub(crate) fn follow(
        &mut self,
        step: &Step<G::Position>,
        alpha: i32,
        beta: i32,
        depth: i32,
        step_idx: usize,
    ) -> NodeResult {
        if let Some(found) = step.over {
            self.lines[step_idx + 1].clear();
            return found;
        }
        let (alpha, beta) = step.window(alpha, beta);
        let depth = depth - i32::from(step.turn);
        step.seen_before(self.node(&step.position, alpha, beta, depth, step_idx + 1))
    }

    /// Makes `mv` and what follows it the expected play at a step.
    pub(crate) fn update_pv(&mut self, step_idx: usize, mv: &G::Move) {
        update_pv(&mut self.lines[step_idx..], mv);
    }
}

impl<P> Step<P> {
    /// The mover's window as the next node sees it.
    pub(crate) fn window(&self, alpha: i32, beta: i32) -> (i32, i32) {
        let (alpha, beta) = if self.turn { (one_ply_nearer(alpha), one_ply_nearer(beta)) } else { (alpha, beta) };
        if self.same { (alpha, beta) } else { (-beta, -alpha) }
    }

    /// What the next node found, as the mover sees it.
    pub(crate) fn seen_before(&self, found: NodeResult) -> NodeResult {
        let value = if self.turn { one_ply_further(found.value) } else { found.value };
        if self.same {
            NodeResult { value, ..found }
        } else {
            NodeResult { value: -value, proven: found.proven.flipped(), ..found }
        }
    }
}
