//! The moves worth a look, best first.
//!
//! Of the thousands of legal moves nearly all put a block where it is in
//! nobody's way, or move a figure about in a region it could cross at one
//! stroke anyhow. What matters is which obstacle a figure takes, and whether a
//! block comes to lie on somebody's shortest way. So a move is judged by the
//! moves that everyone needs after its step, as the ways are now, and each
//! block by what it changes by itself.

use std::collections::HashSet;
use std::ops::ControlFlow;

use pentad_sdk::Request;

use crate::figure::Figure;
use crate::moves::{Grey, Move};
use crate::places::{Place, Places, rough_value, rough_value_with};
use crate::position::Position;
use crate::race::Race;
use crate::reach::reach;
use crate::rules::{Greys, Stage};
use crate::sinks;
use crate::stop::Stop;
use crate::stops::Stops;
use crate::ways::Ways;

/// A move, and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) score: i32,
}

/// How far to go into the many places for blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width {
    /// Places tried for each block.
    pub(crate) blocks: usize,
    /// Grey blocks on the board that are tried for moving, where one has to be.
    pub(crate) greys: usize,
    /// Blocks are tried on all ways, not only on those that look narrow.
    pub(crate) is_thorough: bool,
    /// Moves kept in all.
    pub(crate) moves: usize,
}

/// At the root, many more than anywhere else.
const ROOT_WIDTH: Width = Width { blocks: 12, greys: 5, is_thorough: true, moves: 250 };
/// More moves than this that a request names are not all looked at.
const NAMED_MAX: usize = 1_000;
/// Moves tried against a loss that no candidate stops.
const DEFENCES_MAX: usize = 6_000;
/// Three figures out come before everything else.
const FINISHED: i32 = 10_000;
/// Stops tried for a figure that only has to get out of the way.
const PARKINGS: usize = 2;

/// Appends the moves worth a look, best first.
pub(crate) fn candidates(position: &Position, race: &Race, width: Width, out: &mut Vec<Candidate>) {
    let begin = out.len();
    let mut judge = Judge::new(position, race, width, out);
    let is_forced = position.is_forced();
    for figure in position.figures_of(position.to_move()) {
        let Some(origin) = position.stop_of(figure) else { continue };
        if !is_forced {
            judge.figure(figure, origin);
        } else if origin == figure.goal() {
            judge.out(Move::out(figure));
        }
    }
    out[begin..].sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    out.truncate(begin + width.moves);
}

/// The moves to consider at the root, each once.
#[derive(Clone, Debug)]
pub(crate) struct Considered {
    pub(crate) moves: Vec<Move>,
    /// They are all that the request names.
    pub(crate) is_all: bool,
}

impl Considered {
    /// Those that the request names, or else the candidates, and others behind
    /// them if more lines are wanted. Of very many named ones, the candidates
    /// come first and some of the others are left out.
    pub(crate) fn of(position: &Position, request: &Request<Move>) -> Considered {
        let mut seen = HashSet::new();
        let named: Vec<Move> = request.root_moves.iter().copied().filter(|&mv| seen.insert(mv)).collect();
        if (1..=NAMED_MAX).contains(&named.len()) {
            return Considered { moves: named, is_all: true };
        }
        let race = Race::of(position);
        let mut found = Vec::new();
        candidates(position, &race, ROOT_WIDTH, &mut found);
        // A win comes first, whatever it looks like.
        let finish = position.finish_alone(&race.ways);
        let promising = finish.into_iter().chain(found.into_iter().map(|found| found.mv));
        let mut known = HashSet::new();
        let mut moves: Vec<Move> =
            promising.filter(|&mv| (named.is_empty() || seen.contains(&mv)) && known.insert(mv)).collect();
        if position.n_seats() > 2 && named.is_empty() && !moves.iter().any(|&mv| position.is_stopped_by(mv)) {
            moves.extend(position.defence(DEFENCES_MAX).filter(|&mv| known.insert(mv)));
        }
        let n_wanted = request.n_lines.max(if named.is_empty() { 1 } else { NAMED_MAX });
        let mut add = |mv: Move| {
            if moves.len() >= n_wanted {
                return ControlFlow::Break(());
            }
            if known.insert(mv) {
                moves.push(mv);
            }
            ControlFlow::Continue(())
        };
        let _stopped =
            if named.is_empty() { sinks::each_move(position, add) } else { named.iter().try_for_each(|&mv| add(mv)) };
        Considered { moves, is_all: false }
    }
}

/// Judges moves of one position.
struct Judge<'a> {
    position: &'a Position,
    race: &'a Race,
    player: usize,
    occupied: Stops,
    width: Width,
    /// The places for blocks as the board is.
    places: Places,
    out: &'a mut Vec<Candidate>,
}

impl<'a> Judge<'a> {
    fn new(position: &'a Position, race: &'a Race, width: Width, out: &'a mut Vec<Candidate>) -> Self {
        let (occupied, player) = (position.occupied(), position.to_move());
        let places = Places::of(position, race, occupied, player, width.is_thorough);
        Judge { position, race, player, occupied, width, places, out }
    }

    /// All moves of one figure.
    fn figure(&mut self, figure: Figure, origin: Stop) {
        let reach = reach(origin, self.occupied);
        let is_left = !origin.is_corner() || self.position.figures_at(origin).nth(1).is_none();
        let left = is_left.then(|| self.places_without(origin)).flatten();
        let places = left.unwrap_or_else(|| self.places.clone());
        let goal = figure.goal();
        if reach.free.contains(goal) || (reach.hits.contains(goal) && !self.position.figures.contains(goal)) {
            self.out(Move::go(figure, goal));
        }
        for to in reach.hits.iter() {
            if !self.position.figures.contains(to) {
                if to != goal {
                    let value = rough_value_with(
                        self.position,
                        self.race,
                        self.player,
                        &[(figure, self.race.ways.moves(to, goal))],
                    );
                    let value = value + places.value - self.places.value;
                    self.blocks(Move::go(figure, to), &self.position.stage(figure, to, None), value, &places);
                }
                continue;
            }
            for other in self.position.figures_at(to).filter(|&other| !self.position.is_ko(figure, other)) {
                self.swap(figure, origin, to, other);
            }
        }
        self.walk(figure, reach.free.without(goal), &places);
    }

    /// The places for blocks once a figure has left its stop, if that changes
    /// what anyone needs.
    fn places_without(&self, origin: Stop) -> Option<Places> {
        let occupied = self.occupied.without(origin);
        let race = Race::over(self.position, Ways::of(occupied));
        let is_same = (0..self.position.n_seats()).all(|seat| race.needs(seat) == self.race.needs(seat));
        (!is_same).then(|| Places::of(self.position, &race, occupied, self.player, self.width.is_thorough))
    }

    fn swap(&mut self, figure: Figure, origin: Stop, to: Stop, other: Figure) {
        let step = Move::go(figure, to).with_swap(other);
        let other_is_out = other.seat() == figure.seat() && origin == other.goal();
        if to == figure.goal() || other_is_out {
            return self.out(step);
        }
        let ways = &self.race.ways;
        let changed = [(figure, ways.moves(to, figure.goal())), (other, ways.moves(origin, other.goal()))];
        let value = rough_value_with(self.position, self.race, self.player, &changed);
        self.push(step, value);
    }

    /// A step that brings figures out, judged on the board after it.
    fn out(&mut self, step: Move) {
        let Some(figure) = step.figure() else { return };
        let position = self.position;
        let stage = step.to().map_or_else(|| position.stage_out(figure), |to| position.stage(figure, to, step.swap()));
        let next = position.play_unchecked(step);
        let places = Places::of(&next, &Race::of(&next), next.occupied(), self.player, self.width.is_thorough);
        let finished = if next.has_finished(self.player) { FINISHED } else { 0 };
        self.blocks(step, &stage, places.value + finished, &places);
    }

    /// Going to a free stop: into somebody's way, or out of one.
    fn walk(&mut self, figure: Figure, free: Stops, places: &Places) {
        let room = places.value - self.places.value;
        for &(stop, gain) in places.all() {
            if free.contains(stop) && gain + room > 0 {
                self.push(Move::go(figure, stop), places.value + gain);
            }
        }
        if room > 0 {
            for stop in places.idle_runs(free, self.occupied).iter().take(PARKINGS) {
                self.push(Move::go(figure, stop), places.value);
            }
        }
    }

    /// A step with its blocks in the best places.
    fn blocks(&mut self, step: Move, stage: &Stage, value: i32, places: &Places) {
        if !stage.beats_black {
            return self.greys(step, &stage.cleared(None), stage.n_out, value, places);
        }
        for (stop, gain) in places.best(stage.free_for_black(), self.width.blocks) {
            self.greys(step.with_black(stop), &stage.cleared(Some(stop)), stage.n_out, value + gain, places);
        }
    }

    fn greys(&mut self, mv: Move, greys: &Greys, n_left: u32, value: i32, places: &Places) {
        if n_left == 0 {
            return self.push(mv, value);
        }
        let best = places.best(greys.free, self.width.blocks);
        if greys.any_outside() {
            for (to, gain) in best {
                let grey = Grey { from: None, to };
                self.greys(mv.with_grey(grey), &greys.after(grey), n_left - 1, value + gain, places);
            }
            return;
        }
        for (from, loss) in self.greys_to_move(greys) {
            for &(to, gain) in &best {
                let grey = Grey { from: Some(from), to };
                self.greys(mv.with_grey(grey), &greys.after(grey), n_left - 1, value + gain + loss, places);
            }
        }
    }

    /// The grey blocks that are missed least where they lie.
    fn greys_to_move(&self, greys: &Greys) -> Vec<Place> {
        let gain_without = |stop: Stop| {
            let race = Race::over(self.position, Ways::of(self.occupied.without(stop)));
            rough_value(self.position, &race, self.player) - self.places.value
        };
        let mut found: Vec<Place> = greys.grey.iter().map(|stop| (stop, gain_without(stop))).collect();
        found.sort_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        found.truncate(self.width.greys);
        found
    }

    fn push(&mut self, mv: Move, score: i32) {
        self.out.push(Candidate { mv, score });
    }
}
