//! `impl Threats`: every player's third figures that can move out with one move.
//!
//! A threat is a set of figures that leave: one, or two of the player's own that a
//! swap brings to their goals together. Where the blocks go is a detail; the move
//! named puts them so that nobody can share the win, if that is possible.
//!
//! With three figures out a player has won, alone or with others who do the same in
//! the same round. The score of a threat is the certain share: a whole point if
//! nobody left in the round can follow.

use std::ops::ControlFlow;

use pentad_sdk::{GiveStoppingMove, Scores, StoppingMove, Threat, ThreatKey, ThreatKind, Threats, threat_kind};

use crate::board::{Figure, PathCosts, Stop, Stops};
use crate::moves::Move;
use crate::position::{N_OUT_TO_WIN, Position};
use crate::rules::final_scores;
use crate::{Pentagame, movegen};

/// Maximum number of moves tried between two calls to the host.
const SILENT_MOVES_MAX: u32 = 500;

impl Threats for Pentagame {
    const KINDS: &'static [ThreatKind] =
        &[threat_kind("moving_out", "the third figure moves out, or the second and third together")];

    fn turn_of(&self, position: &Position, seat: usize) -> Option<Position> {
        if position.is_over() || position.has_finished(seat) {
            return None;
        }
        let mut turn = *position;
        if seat != position.to_move() {
            turn.to_move = seat as u8;
            turn.set_ko(None);
        }
        (turn.check().is_ok() && !turn.is_over()).then_some(turn)
    }

    fn threats(&self, position: &Position) -> Vec<Threat<Move>> {
        finishes(position)
            .into_iter()
            .map(|KeyedFinish { key, step, path }| {
                let alone = position.finish_alone(step);
                let mv = alone.unwrap_or_else(|| position.with_any_blocks(step));
                let score = if alone.is_some() { 1.0 } else { 1.0 / position.n_winners_max() as f64 };
                let ends = [step.figure().and_then(|figure| position.stop_of(figure)), step.to()];
                let stops = ends.into_iter().flatten().fold(path, Stops::with);
                Threat { kind: 0, key, score, mv, points: stops.iter().map(Stop::index).collect() }
            })
            .collect()
    }

    /// Does what the default does, but evaluates the board again only where a block may
    /// have changed something: there are up to a million moves, most of them differ only
    /// in where grey blocks lie, and blocks only ever close paths.
    fn stops(
        &self,
        _sides: &[u32],
        position: &Position,
        threats: &[ThreatKey],
        give: &mut GiveStoppingMove<'_, Move>,
    ) -> ControlFlow<()> {
        let mut latest: Option<(Move, AfterStep)> = None;
        let mut n_silent = 0;
        movegen::legal_moves(position, |mv| {
            let step = mv.without_greys();
            if latest.as_ref().is_none_or(|(of, _)| *of != step) {
                latest = Some((step, AfterStep::new(self, position, step)));
            }
            let Some((_, after)) = &latest else { return ControlFlow::Break(()) };
            let (stopped, stops_all) = after.stopped_by(self, position, mv, threats);
            if stopped != 0 {
                n_silent = 0;
                return give(Some(StoppingMove { mv: &mv, stopped, stops_all }));
            }
            n_silent += 1;
            if n_silent < SILENT_MOVES_MAX {
                return ControlFlow::Continue(());
            }
            n_silent = 0;
            give(None)
        })
    }
}

/// A finishing step and the figures it brings out.
struct KeyedFinish {
    /// Figures that leave, one bit per colour.
    key: u64,
    step: Move,
    /// Free stops that the step passes.
    path: Stops,
}

/// Returns the finishing steps of the player to move, one for each set of figures.
fn finishes(position: &Position) -> Vec<KeyedFinish> {
    let mut result: Vec<KeyedFinish> = Vec::new();
    if position.is_over() || !position.may_finish() {
        return result;
    }
    position.for_each_finish(&PathCosts::of(position.occupied()), |finish| {
        let key = leaving(position, finish.step);
        if result.iter().all(|other| other.key != key) {
            result.push(KeyedFinish { key, step: finish.step, path: finish.path });
        }
        true
    });
    result
}

/// Returns the figures that leave by a finishing step, one bit per colour.
fn leaving(position: &Position, step: Move) -> u64 {
    let Some(figure) = step.figure() else { return 0 };
    let origin = position.stop_of(figure);
    let follows = |other: &Figure| other.seat() == figure.seat() && Some(other.goal()) == origin;
    let other = step.swapped_figure().filter(follows);
    1 << figure.colour() | other.map_or(0, |other| 1 << other.colour())
}

impl Position {
    /// Returns a finishing step with its blocks put so that nobody left in the round can
    /// do the same, if such blocks certainly exist.
    fn finish_alone(&self, step: Move) -> Option<Move> {
        if (0..self.n_seats()).any(|seat| self.has_finished(seat)) {
            return None;
        }
        match self.n_seats() - 1 - self.to_move() {
            0 => Some(self.with_any_blocks(step)),
            1 => self.place_blocks_against_finish(step),
            _ => None,
        }
    }

    /// Returns how many players, including the one to move, can have three figures out
    /// when the round is over.
    fn n_winners_max(&self) -> usize {
        let may_follow = |seat: usize| seat > self.to_move() && self.n_out(seat) + 2 >= N_OUT_TO_WIN;
        let others = (0..self.n_seats()).filter(|&seat| seat != self.to_move());
        1 + others.filter(|&seat| self.has_finished(seat) || may_follow(seat)).count()
    }
}

/// The board after a step, before grey blocks are put.
enum AfterStep {
    /// Scores of a finished game.
    Over(Scores),
    /// Keys and paths of each seat's finishing steps; none for the mover.
    Open(Vec<Vec<(u64, Stops)>>),
}

impl AfterStep {
    fn new(rules: &Pentagame, position: &Position, step: Move) -> AfterStep {
        let next = position.play_unchecked(step);
        if next.is_over() {
            return AfterStep::Over(final_scores(&next));
        }
        AfterStep::Open(by_seat(rules, position.to_move(), &next))
    }

    /// Returns which of `threats` a move with this step stops, and whether it stops all.
    fn stopped_by(&self, rules: &Pentagame, position: &Position, mv: Move, threats: &[ThreatKey]) -> (u64, bool) {
        let mover = position.to_move();
        let bits = |is_stopped: &dyn Fn(&ThreatKey) -> bool| {
            threats.iter().enumerate().fold(0, |bits, (idx, threat)| bits | u64::from(is_stopped(threat)) << idx)
        };
        let open = match self {
            AfterStep::Over(scores) => {
                let is_lost = |threat: &ThreatKey| scores[threat.seat] < threat.score;
                let is_best = (0..rules.n_seats()).all(|seat| scores[seat] <= scores[mover]);
                return (bits(&is_lost), is_best);
            }
            AfterStep::Open(open) => open,
        };
        let put: Stops = mv.greys().map(|grey| grey.to).collect();
        let is_moved = mv.greys().any(|grey| grey.from.is_some());
        let is_touched = |(_, path): &(u64, Stops)| !path.intersection(put).is_empty();
        let now = if is_moved || open.iter().flatten().any(is_touched) {
            &by_seat(rules, mover, &position.play_unchecked(mv))
        } else {
            open
        };
        let is_gone = |threat: &ThreatKey| now[threat.seat].iter().all(|(key, _)| *key != threat.key);
        (bits(&is_gone), now.iter().all(Vec::is_empty))
    }
}

/// Returns the finishing steps of each player but the mover, if it were their turn.
fn by_seat(rules: &Pentagame, mover: usize, next: &Position) -> Vec<Vec<(u64, Stops)>> {
    let of_seat = |seat: usize| {
        let turn = rules.turn_of(next, seat).filter(|_| seat != mover);
        let finishes = turn.map(|turn| finishes(&turn)).unwrap_or_default();
        finishes.into_iter().map(|finish| (finish.key, finish.path)).collect()
    };
    (0..rules.n_seats()).map(of_seat).collect()
}
