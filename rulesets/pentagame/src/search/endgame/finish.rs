//! Whether the player to move can finish this turn, and whether blocks can keep the
//! next player from finishing: exact, from the rules alone.
//!
//! A figure moves out this turn if the path to its goal is free, whatever stands on
//! the goal, unless the ko forbids the swap. (If the player's own figure on the goal
//! swaps with it instead, the position is the same.) Blocks only ever close paths,
//! and which stop of a free run a block lies on makes no difference, so trying one
//! stop on each run of one free path is enough.

use crate::board::{Figure, PathCosts, Stops, one_per_run};
use crate::moves::{Grey, Move};
use crate::position::{N_OUT_TO_WIN, Position};
use crate::rules::{BlockPhase, GreyPhase};

/// A step, without blocks, after which the player to move has three figures out, and
/// the free stops it passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    pub(crate) step: Move,
    pub(crate) path: Stops,
}

impl Position {
    /// Finds a step that finishes this turn.
    #[inline]
    pub(crate) fn find_finish(&self) -> Option<Finish> {
        if !self.may_finish() {
            return None;
        }
        self.find_finish_with(&PathCosts::of(self.occupied()))
    }

    /// Finds a finishing step, given the path costs of the board.
    pub(crate) fn find_finish_with(&self, costs: &PathCosts) -> Option<Finish> {
        let mut result = None;
        self.for_each_finish(costs, |finish| {
            result = Some(finish);
            false
        });
        result
    }

    /// Returns whether the player to move lacks one or two figures, which one turn can
    /// bring out.
    #[inline]
    pub(crate) fn may_finish(&self) -> bool {
        let n_out = self.n_out(self.to_move());
        n_out < N_OUT_TO_WIN && n_out + 2 >= N_OUT_TO_WIN
    }

    /// Visits every step that finishes until `visit` returns false.
    pub(crate) fn for_each_finish(&self, costs: &PathCosts, mut visit: impl FnMut(Finish) -> bool) {
        let seat = self.to_move();
        let n_needed = N_OUT_TO_WIN.saturating_sub(self.n_out(seat));
        if n_needed == 0 || n_needed > 2 {
            return;
        }
        let mut on_goal =
            self.figures_of(seat).filter(|&figure| self.stop_of(figure) == Some(figure.goal())).peekable();
        if on_goal.peek().is_some() {
            // The turn has to move one of them out, and nothing else.
            let mut steps = on_goal.filter(|_| n_needed == 1);
            let _stopped = steps.all(|figure| visit(Finish { step: Move::out(figure), path: Stops::NONE }));
            return;
        }
        for figure in self.figures_of(seat) {
            let Some(stop) = self.stop_of(figure) else { continue };
            if costs.moves_to_goal(stop, figure.goal()) != 1 {
                continue;
            }
            let there = self.figures_at(figure.goal()).next();
            if there.is_some_and(|other| self.is_ko(figure, other)) {
                continue;
            }
            let is_double = there.is_some_and(|other: Figure| other.seat() == seat && other.goal() == stop);
            if n_needed == 2 && !is_double {
                continue;
            }
            let step = Move::go(figure, figure.goal());
            let step = there.map_or(step, |other| step.with_swap(other));
            if !visit(Finish { step, path: costs.path(stop, figure.goal()) }) {
                return;
            }
        }
    }

    /// Finds a move that finishes and leaves the next player unable to do the same.
    pub(crate) fn find_winning_finish(&self, costs: &PathCosts) -> Option<Move> {
        let mut result = None;
        self.for_each_finish(costs, |finish| {
            result = self.place_blocks_against_finish(finish.step);
            result.is_none()
        });
        result
    }

    /// Returns the step with its blocks put so that the next player cannot finish, if
    /// that is possible.
    pub(crate) fn place_blocks_against_finish(&self, step: Move) -> Option<Move> {
        let phase = self.block_phase_after(step)?;
        let next = self.play_unchecked(step);
        if !phase.beats_black {
            return place_greys_against_finish(&next, step, &phase.grey_phase(None), phase.n_out);
        }
        black_stops_to_try(&next, &phase).iter().find_map(|stop| {
            let next = next.with_black(next.black.with(stop));
            place_greys_against_finish(&next, step.with_black(stop), &phase.grey_phase(Some(stop)), phase.n_out)
        })
    }
}

/// Returns the stops to try for the black block: on the path to be closed, or any if a
/// grey block follows, since that may close the path instead.
fn black_stops_to_try(next: &Position, phase: &BlockPhase) -> Stops {
    let free = phase.free_for_black();
    match next.find_finish() {
        Some(finish) if phase.n_out == 0 => one_per_run(finish.path.intersection(free), next.occupied()),
        Some(_) => one_per_run(free, next.occupied()),
        None => free.first().into_iter().collect(),
    }
}

fn place_greys_against_finish(next: &Position, mv: Move, greys: &GreyPhase, n_left: u32) -> Option<Move> {
    let finish = next.find_finish();
    if n_left == 0 {
        return finish.is_none().then_some(mv);
    }
    let put = |grey: Grey| {
        let on_board = grey.from.map_or(next.grey, |from| next.grey.without(from));
        let next = next.with_grey(on_board.with(grey.to));
        place_greys_against_finish(&next, mv.with_grey(grey), &greys.after(grey), n_left - 1)
    };
    if greys.any_outside() {
        let stops = match finish {
            Some(finish) => one_per_run(finish.path.intersection(greys.free), next.occupied()),
            None => greys.free.first().into_iter().collect(),
        };
        return stops.iter().find_map(|to| put(Grey { from: None, to }));
    }
    // Moving a block opens the path it lay on.
    greys.grey.iter().find_map(|from| {
        let lifted = next.with_grey(next.grey.without(from));
        let stops = match lifted.find_finish() {
            Some(finish) => one_per_run(finish.path.intersection(greys.free), lifted.occupied()),
            None => greys.free.first().into_iter().collect(),
        };
        stops.iter().find_map(|to| put(Grey { from: Some(from), to }))
    })
}
