//! Who can bring the last figure out this turn, and whether that can be
//! stopped: exact, from the rules alone.
//!
//! A figure goes out this turn if the way to its goal is free, whatever stands
//! on the goal, but for a ko. (That one's own figure on the goal swaps with it
//! from there instead leads to the same position.) Blocks only ever close ways,
//! and for that it is all the same where in a run of free stops one lies, so a
//! stop on each run of one free way is all that has to be tried.

use crate::figure::Figure;
use crate::moves::{Grey, Move};
use crate::position::{N_OUT_TO_WIN, Position};
use crate::rules::{Greys, Stage};
use crate::stops::Stops;
use crate::ways::{Ways, one_per_run};

/// How the player to move can have three figures out after this turn: the step,
/// without blocks, and the free stops that it goes over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    pub(crate) step: Move,
    pub(crate) path: Stops,
}

impl Position {
    /// A way to have three out after this turn.
    #[inline]
    pub(crate) fn finish(&self) -> Option<Finish> {
        if !self.may_finish() {
            return None;
        }
        self.finish_over(&Ways::of(self.occupied()))
    }

    /// The same, where the ways are known.
    pub(crate) fn finish_over(&self, ways: &Ways) -> Option<Finish> {
        let mut found = None;
        self.each_finish(ways, |finish| {
            found = Some(finish);
            false
        });
        found
    }

    /// Whether the player to move needs no more than one turn can bring.
    #[inline]
    pub(crate) fn may_finish(&self) -> bool {
        let n_out = self.n_out(self.to_move());
        n_out < N_OUT_TO_WIN && n_out + 2 >= N_OUT_TO_WIN
    }

    /// Gives every way to finish to `visit` until it says no.
    pub(crate) fn each_finish(&self, ways: &Ways, mut visit: impl FnMut(Finish) -> bool) {
        let seat = self.to_move();
        let n_needed = N_OUT_TO_WIN.saturating_sub(self.n_out(seat));
        if n_needed == 0 || n_needed > 2 {
            return;
        }
        let mut on_goal =
            self.figures_of(seat).filter(|&figure| self.stop_of(figure) == Some(figure.goal())).peekable();
        if on_goal.peek().is_some() {
            // Moving one out is all that this turn can be.
            let mut steps = on_goal.filter(|_| n_needed == 1);
            let _stopped = steps.all(|figure| visit(Finish { step: Move::out(figure), path: Stops::NONE }));
            return;
        }
        for figure in self.figures_of(seat) {
            let Some(stop) = self.stop_of(figure) else { continue };
            if ways.moves(stop, figure.goal()) != 1 {
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
            if !visit(Finish { step, path: ways.path(stop, figure.goal()) }) {
                return;
            }
        }
    }

    /// A move that has three out after this turn and leaves the next player
    /// without a way to do the same.
    pub(crate) fn finish_alone(&self, ways: &Ways) -> Option<Move> {
        let mut found = None;
        self.each_finish(ways, |finish| {
            found = self.block_finish(finish.step);
            found.is_none()
        });
        found
    }

    /// A step with its blocks put so that the next player cannot finish, if
    /// there is such a way to put them.
    pub(crate) fn block_finish(&self, step: Move) -> Option<Move> {
        let figure = step.figure()?;
        let stage = step.to().map_or_else(|| self.stage_out(figure), |to| self.stage(figure, to, step.swap()));
        let next = self.play_unchecked(step);
        if !stage.beats_black {
            return put_greys(&next, step, &stage.cleared(None), stage.n_out);
        }
        blacks_to_try(&next, &stage).iter().find_map(|stop| {
            let next = next.with_black(next.black.with(stop));
            put_greys(&next, step.with_black(stop), &stage.cleared(Some(stop)), stage.n_out)
        })
    }
}

/// Where the black block might go: onto the way that has to be closed. Where a
/// grey one follows, that may close the way, so anywhere.
fn blacks_to_try(next: &Position, stage: &Stage) -> Stops {
    let free = stage.free_for_black();
    match next.finish() {
        Some(finish) if stage.n_out == 0 => one_per_run(finish.path.and(free), next.occupied()),
        Some(_) => one_per_run(free, next.occupied()),
        None => free.first().into_iter().collect(),
    }
}

fn put_greys(next: &Position, mv: Move, greys: &Greys, n_left: u32) -> Option<Move> {
    let finish = next.finish();
    if n_left == 0 {
        return finish.is_none().then_some(mv);
    }
    let put = |grey: Grey| {
        let on_board = grey.from.map_or(next.grey, |from| next.grey.without(from));
        let next = next.with_grey(on_board.with(grey.to));
        put_greys(&next, mv.with_grey(grey), &greys.after(grey), n_left - 1)
    };
    if greys.any_outside() {
        let stops = match finish {
            Some(finish) => one_per_run(finish.path.and(greys.free), next.occupied()),
            None => greys.free.first().into_iter().collect(),
        };
        return stops.iter().find_map(|to| put(Grey { from: None, to }));
    }
    // Moving a block opens the way it lay on.
    greys.grey.iter().find_map(|from| {
        let lifted = next.with_grey(next.grey.without(from));
        let stops = match lifted.finish() {
            Some(finish) => one_per_run(finish.path.and(greys.free), lifted.occupied()),
            None => greys.free.first().into_iter().collect(),
        };
        stops.iter().find_map(|to| put(Grey { from: Some(from), to }))
    })
}
