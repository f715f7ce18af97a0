//! The endgame: the values of the last turns of a game, exactly, from the rules
//! alone. To *finish* is to have three figures out.
//!
//! The last player of a round ends the game by finishing, or by their turn if another
//! player has finished. The first of two players wins by finishing if the other cannot
//! do the same in the remaining turn. A position is lost if after every move the
//! opponent wins in one of these ways.

mod finish;

use pentad_sdk::Scores;

use crate::board::{Figure, LINES, N_NODES, PathCosts, Stop, Stops, one_per_run, reach};
use crate::moves::{Grey, Move};
use crate::position::Position;
use crate::rules::{GreyPhase, final_scores};

/// The value of a two-player endgame for the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EndgameValue {
    /// Won by this move; the game ends after this many plies.
    Win(Move, u32),
    /// The opponent has finished, and this move does the same.
    Draw(Move),
    /// The opponent has finished, and no move does the same.
    Loss,
}

/// The result of an attempt to prove a position lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LossProof {
    /// Lost; the game ends after this many plies.
    Proven(u32),
    /// After this move, the opponent has no endgame win.
    Refuted(Move),
    /// The attempt was aborted.
    Unknown,
}

impl Position {
    /// Returns the exact value of a two-player game that is not over, if this round
    /// decides it.
    #[inline]
    pub(crate) fn probe_endgame(&self, costs: &PathCosts) -> Option<EndgameValue> {
        if self.is_last_turn_of_round() {
            let finish = self.find_finish_with(costs).map(|finish| self.with_any_blocks(finish.step));
            return match (self.has_finished(0), finish) {
                (false, None) => None,
                (false, Some(mv)) => Some(EndgameValue::Win(mv, 1)),
                (true, Some(mv)) => Some(EndgameValue::Draw(mv)),
                (true, None) => Some(EndgameValue::Loss),
            };
        }
        if !self.may_finish() {
            return None;
        }
        self.find_winning_finish(costs).map(|mv| EndgameValue::Win(mv, 2))
    }

    /// Returns the final scores of a game for three or four players, if this turn is the
    /// last of a round and decides them. They are the best for the player to
    /// move, and the same whichever of their finishing moves is played.
    pub(crate) fn probe_last_turn(&self, costs: &PathCosts) -> Option<Scores> {
        if !self.is_last_turn_of_round() {
            return None;
        }
        if let Some(finish) = self.find_finish_with(costs) {
            return Some(final_scores(&self.play_unchecked(self.with_any_blocks(finish.step))));
        }
        (0..self.n_seats()).any(|seat| self.has_finished(seat)).then(|| final_scores(self))
    }

    /// Returns a move of the last turn of a game: one that finishes, or else any.
    pub(crate) fn last_move(&self) -> Option<Move> {
        match self.find_finish() {
            Some(finish) => Some(self.with_any_blocks(finish.step)),
            None => self.any_move(),
        }
    }

    /// Returns some legal move, unless the game is over.
    pub(crate) fn any_move(&self) -> Option<Move> {
        let mut steps = Vec::new();
        self.steps(&mut steps);
        steps.first().map(|&step| self.with_any_blocks(step))
    }

    /// Completes a step with its blocks on any free stops.
    pub(crate) fn with_any_blocks(&self, step: Move) -> Move {
        let mut completed = step;
        let _stopped = self.for_each_block_placement(step, false, &mut |mv| {
            completed = mv;
            false
        });
        completed
    }

    /// Tries to prove a two-player position lost: after every move the opponent must win
    /// the endgame. Aborts when `should_stop`, called before
    /// each move, returns true.
    ///
    /// Moves that cannot differ in who finishes are tried once: a block on one
    /// stop of a run of free stops, a figure on both ends and in the middle (it
    /// can be blocked in only if a stop beside it is left).
    pub(crate) fn prove_loss(&self, should_stop: &mut dyn FnMut() -> bool) -> LossProof {
        let mut result = LossProof::Proven(if self.to_move() == 0 { 2 } else { 3 });
        self.for_each_distinct_move(&mut |mv| {
            if should_stop() {
                result = LossProof::Unknown;
                return false;
            }
            let next = self.play_unchecked(mv);
            let is_lost = matches!(next.probe_endgame(&PathCosts::of(next.occupied())), Some(EndgameValue::Win(..)));
            if !is_lost {
                result = LossProof::Refuted(mv);
            }
            is_lost
        });
        result
    }

    /// Returns whether after a move the mover has finished, or the next player cannot
    /// finish at once.
    pub(crate) fn prevents_next_finish(&self, mv: Move) -> bool {
        let next = self.play_unchecked(mv);
        next.has_finished(self.to_move()) || next.is_over() || next.find_finish().is_none()
    }

    /// Finds a move among the first `tries_max` distinct moves that keeps the next player
    /// from finishing.
    pub(crate) fn find_defence(&self, tries_max: usize) -> Option<Move> {
        let (mut result, mut n_tried) = (None, 0);
        self.for_each_distinct_move(&mut |mv| {
            n_tried += 1;
            if self.prevents_next_finish(mv) {
                result = Some(mv);
            }
            result.is_none() && n_tried < tries_max
        });
        result
    }

    /// Visits one move of each class of equivalent moves until `visit` returns false.
    /// Returns false if it did.
    fn for_each_distinct_move(&self, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        let occupied = self.occupied();
        let must_move_out = self.must_move_out();
        for figure in self.figures_of(self.to_move()) {
            let Some(origin) = self.stop_of(figure) else { continue };
            if must_move_out {
                if origin == figure.goal() && !self.for_each_block_placement(Move::out(figure), true, visit) {
                    return false;
                }
                continue;
            }
            let reach = reach(origin, occupied);
            let goal = reach.free.intersection(Stops::only(figure.goal()));
            for to in ends_and_middles(reach.free, occupied).union(goal).union(reach.blockers).iter() {
                if !self.for_each_arrival(figure, to, visit) {
                    return false;
                }
            }
        }
        true
    }

    fn for_each_arrival(&self, figure: Figure, to: Stop, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        let step = Move::go(figure, to);
        if !self.figures.contains(to) {
            return self.for_each_block_placement(step, true, visit);
        }
        self.figures_at(to)
            .filter(|&other| !self.is_ko(figure, other))
            .all(|other| self.for_each_block_placement(step.with_swap(other), true, visit))
    }

    /// Visits the step with its blocks on all representative stops or, unless `all`, on
    /// any free stops.
    fn for_each_block_placement(&self, step: Move, all: bool, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        let Some(phase) = self.block_phase_after(step) else { return visit(step) };
        if !phase.beats_black {
            return for_each_grey_placement(step, &phase.grey_phase(None), phase.n_out, all, visit);
        }
        let free = phase.free_for_black();
        representative_stops(free, all).iter().all(|stop| {
            for_each_grey_placement(step.with_black(stop), &phase.grey_phase(Some(stop)), phase.n_out, all, visit)
        })
    }
}

fn for_each_grey_placement(
    mv: Move,
    greys: &GreyPhase,
    n_left: u32,
    all: bool,
    visit: &mut dyn FnMut(Move) -> bool,
) -> bool {
    if n_left == 0 {
        return visit(mv);
    }
    let mut put = |grey: Grey| for_each_grey_placement(mv.with_grey(grey), &greys.after(grey), n_left - 1, all, visit);
    if greys.any_outside() {
        return representative_stops(greys.free, all).iter().all(|to| put(Grey { from: None, to }));
    }
    greys
        .grey
        .iter()
        .all(|from| representative_stops(greys.free, all).iter().all(|to| put(Grey { from: Some(from), to })))
}

/// Returns one stop of each run of free stops or, unless `all`, any one stop.
fn representative_stops(free: Stops, all: bool) -> Stops {
    if all { one_per_run(free, free.complement()) } else { free.first().into_iter().collect() }
}

/// Returns both ends and the middle of each run of free stops, and all free nodes.
fn ends_and_middles(stops: Stops, occupied: Stops) -> Stops {
    let nodes = Stops((1 << N_NODES) - 1);
    let mut chosen = stops.intersection(nodes).union(one_per_run(stops, occupied));
    for line in &LINES {
        let free = stops.on_line(line);
        // Stops that lack a free neighbour on the line on at least one side.
        let ends = free & (!(free << 1) | !(free >> 1));
        chosen.0 |= u128::from(ends) << line.base;
    }
    chosen
}
