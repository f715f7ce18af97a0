//! What the rules alone say about the value of a position: the last turns of a
//! game, exactly.
//!
//! The last player of a round ends the game by finishing, or by their turn if
//! somebody else has finished. The first of two players wins by finishing where
//! the other cannot do the same in the turn that is left. And a position is lost
//! if after every move one of these is true for the opponent.

use crate::figure::Figure;
use crate::lines::LINES;
use crate::moves::{Grey, Move};
use crate::position::Position;
use crate::reach::reach;
use crate::rules::{Greys, Stage};
use crate::stop::{N_NODES, Stop};
use crate::stops::Stops;
use crate::ways::{Ways, one_per_run};

/// The value of a position for two players, for the one to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Settled {
    /// Won by this move, and over after so many plies.
    Win(Move, u32),
    /// The other one has finished, and this move does the same.
    Draw(Move),
    /// The other one has finished, and nothing does the same.
    Loss,
}

/// What a search for a way out of a loss came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rescue {
    /// There is none: lost, and over after so many plies.
    None(u32),
    /// After this move, nothing is settled.
    By(Move),
    /// It took too long.
    Unknown,
}

impl Position {
    /// Whether the player to move is the last in the round.
    pub(crate) fn is_last_turn_of_round(&self) -> bool {
        self.to_move() + 1 == self.n_seats()
    }

    /// What is certain about a game of two that goes on.
    #[inline]
    pub(crate) fn settled(&self, ways: &Ways) -> Option<Settled> {
        if self.is_last_turn_of_round() {
            let finish = self.finish_over(ways).map(|finish| self.any_blocks(finish.step));
            return match (self.has_finished(0), finish) {
                (false, None) => None,
                (false, Some(mv)) => Some(Settled::Win(mv, 1)),
                (true, Some(mv)) => Some(Settled::Draw(mv)),
                (true, None) => Some(Settled::Loss),
            };
        }
        if !self.may_finish() {
            return None;
        }
        self.finish_alone(ways).map(|mv| Settled::Win(mv, 2))
    }

    /// Completes a step with blocks put anywhere.
    pub(crate) fn any_blocks(&self, step: Move) -> Move {
        let mut completed = step;
        let _stopped = self.each_completion(step, false, &mut |mv| {
            completed = mv;
            false
        });
        completed
    }

    /// Looks for a move of a game of two after which nothing is settled against
    /// the mover. `is_due` is asked before each try whether to give up.
    ///
    /// Moves are tried up to what cannot matter for who finishes: a block at one
    /// place of a run of free stops, a figure at both ends and in the middle (it
    /// may be closed in only where there is a stop left beside it).
    pub(crate) fn rescue(&self, is_due: &mut dyn FnMut() -> bool) -> Rescue {
        let mut found = Rescue::None(if self.to_move() == 0 { 2 } else { 3 });
        self.each_kind_of_move(&mut |mv| {
            if is_due() {
                found = Rescue::Unknown;
                return false;
            }
            let next = self.play_unchecked(mv);
            let is_lost = match next.settled(&Ways::of(next.occupied())) {
                Some(Settled::Win(..)) => true,
                Some(_) | None => false,
            };
            if !is_lost {
                found = Rescue::By(mv);
            }
            is_lost
        });
        found
    }

    /// Whether a move of a game for more than two leaves the next player unable
    /// to finish, or the mover finished.
    pub(crate) fn is_stopped_by(&self, mv: Move) -> bool {
        let next = self.play_unchecked(mv);
        next.has_finished(self.to_move()) || next.is_over() || next.finish().is_none()
    }

    /// A move that keeps the next player from finishing, of all kinds of moves,
    /// as far as a number of tries allows.
    pub(crate) fn defence(&self, tries_max: usize) -> Option<Move> {
        let (mut found, mut n_tried) = (None, 0);
        self.each_kind_of_move(&mut |mv| {
            n_tried += 1;
            if self.is_stopped_by(mv) {
                found = Some(mv);
            }
            found.is_none() && n_tried < tries_max
        });
        found
    }

    /// Gives moves of every kind to `visit` until it says no.
    fn each_kind_of_move(&self, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        let occupied = self.occupied();
        let is_forced = self.is_forced();
        for figure in self.figures_of(self.to_move()) {
            let Some(origin) = self.stop_of(figure) else { continue };
            if is_forced {
                if origin == figure.goal() && !self.each_completion(Move::out(figure), true, visit) {
                    return false;
                }
                continue;
            }
            let reach = reach(origin, occupied);
            let goal = reach.free.and(Stops::NONE.with(figure.goal()));
            for to in ends_and_middles(reach.free, occupied).or(goal).or(reach.hits).iter() {
                if !self.each_arrival(figure, to, visit) {
                    return false;
                }
            }
        }
        true
    }

    fn each_arrival(&self, figure: Figure, to: Stop, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        let step = Move::go(figure, to);
        if !self.figures.contains(to) {
            return self.each_completion(step, true, visit);
        }
        self.figures_at(to)
            .filter(|&other| !self.is_ko(figure, other))
            .all(|other| self.each_completion(step.with_swap(other), true, visit))
    }

    /// Gives the step with blocks put in all kinds of places, or in any one.
    fn each_completion(&self, step: Move, all: bool, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        let Some(figure) = step.figure() else { return visit(step) };
        let stage: Stage = step.to().map_or_else(|| self.stage_out(figure), |to| self.stage(figure, to, step.swap()));
        if !stage.beats_black {
            return each_grey(step, &stage.cleared(None), stage.n_out, all, visit);
        }
        let free = stage.free_for_black();
        kinds(free, all)
            .iter()
            .all(|stop| each_grey(step.with_black(stop), &stage.cleared(Some(stop)), stage.n_out, all, visit))
    }
}

fn each_grey(mv: Move, greys: &Greys, n_left: u32, all: bool, visit: &mut dyn FnMut(Move) -> bool) -> bool {
    if n_left == 0 {
        return visit(mv);
    }
    let mut put = |grey: Grey| each_grey(mv.with_grey(grey), &greys.after(grey), n_left - 1, all, visit);
    if greys.any_outside() {
        return kinds(greys.free, all).iter().all(|to| put(Grey { from: None, to }));
    }
    greys.grey.iter().all(|from| kinds(greys.free, all).iter().all(|to| put(Grey { from: Some(from), to })))
}

/// One stop of each run of free stops, or any stop alone.
fn kinds(free: Stops, all: bool) -> Stops {
    if all { one_per_run(free, free.complement()) } else { free.first().into_iter().collect() }
}

/// Of each run of free stops both ends and one between; free nodes as well.
fn ends_and_middles(stops: Stops, occupied: Stops) -> Stops {
    let nodes = Stops((1 << N_NODES) - 1);
    let mut chosen = stops.and(nodes).or(one_per_run(stops, occupied));
    for line in &LINES {
        let free = stops.on_line(line);
        // Without a free neighbour on one side, on the line.
        let ends = free & (!(free << 1) | !(free >> 1));
        chosen.0 |= u128::from(ends) << line.base;
    }
    chosen
}
