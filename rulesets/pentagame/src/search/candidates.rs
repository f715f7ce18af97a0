//! Selective move generation: the moves worth searching, best first.
//!
//! Nearly all of the thousands of legal moves put a block where it obstructs nobody,
//! or move a figure within a region that it can cross in one move. What matters is
//! which obstacle a figure takes, and whether a block lands on somebody's shortest
//! path. A step is therefore scored by the moves that all players need after it,
//! with the path costs of the current board, and each block by what it changes on
//! its own.

use std::collections::HashSet;
use std::ops::ControlFlow;

use pentad_sdk::Request;

use crate::board::{Figure, PathCosts, Stop, Stops, reach};
use crate::evaluate::Race;
use crate::movegen;
use crate::moves::{Alternative, Grey, Move};
use crate::position::Position;
use crate::rules::{BlockPhase, GreyPhase};
use crate::search::block_stops::{BlockStops, RatedStop, rough_value, rough_value_with};

/// A move and its score for move ordering, for the player to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) score: i32,
}

/// Limits of generation; most of the choice is where blocks go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidateLimits {
    /// Number of stops tried for each block.
    pub(crate) stops_per_block: usize,
    /// Number of grey blocks on the board that are tried if one of them has to be moved.
    pub(crate) grey_origins: usize,
    /// Whether blocks are tried on all paths, not only on narrow ones.
    pub(crate) blocks_wide_paths: bool,
    /// Maximum number of moves kept.
    pub(crate) moves_max: usize,
}

/// Limits at the root, much higher than elsewhere.
const ROOT_LIMITS: CandidateLimits =
    CandidateLimits { stops_per_block: 12, grey_origins: 5, blocks_wide_paths: true, moves_max: 250 };
/// If a request names more moves than this, only some of them are searched: most
/// differ only in where a block lies idle.
const REQUESTED_MOVES_MAX: usize = ROOT_LIMITS.moves_max;
/// Maximum number of moves tried to find a defence if no candidate is one.
const DEFENCE_TRIES_MAX: usize = 6_000;
/// Added for finishing; exceeds every other score.
const FINISH_BONUS: i32 = 10_000;
/// Number of stops tried for a figure that only clears a path by leaving its stop.
const IDLE_STOPS_MAX: usize = 2;

/// Appends the moves worth searching, best first.
pub(crate) fn candidates(position: &Position, race: &Race, limits: CandidateLimits, out: &mut Vec<Candidate>) {
    let begin = out.len();
    let mut generator = CandidateGenerator::new(position, race, limits, out);
    let must_move_out = position.must_move_out();
    for figure in position.figures_of(position.to_move()) {
        let Some(origin) = position.stop_of(figure) else { continue };
        if !must_move_out {
            generator.figure_moves(figure, origin);
        } else if origin == figure.goal() {
            generator.moving_out(Move::out(figure));
        }
    }
    out[begin..].sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    out.truncate(begin.saturating_add(limits.moves_max));
}

/// The moves to search at the root, each once.
#[derive(Clone, Debug)]
pub(crate) struct RootCandidates {
    pub(crate) moves: Vec<Move>,
    /// Whether they are exactly the moves of the request.
    pub(crate) is_all: bool,
}

impl RootCandidates {
    /// Selects the moves of the request, or else the candidates, filled up with other
    /// legal moves if more lines are requested, other alternatives first. If the request
    /// names very many, the candidates among them come first and some others are left
    /// out.
    pub(crate) fn new(position: &Position, request: &Request<Move>) -> RootCandidates {
        let mut seen = HashSet::new();
        let named: Vec<Move> = request.root_moves.iter().copied().filter(|&mv| seen.insert(mv)).collect();
        if (1..=REQUESTED_MOVES_MAX).contains(&named.len()) {
            return RootCandidates { moves: named, is_all: true };
        }
        let race = Race::of(position);
        let best = root_candidates(position, &race, request.n_lines);
        // A win comes first, whatever its score.
        let finish = position.find_winning_finish(&race.costs);
        let promising = finish.into_iter().chain(best.into_iter().map(|candidate| candidate.mv));
        let mut known = HashSet::new();
        let mut moves: Vec<Move> =
            promising.filter(|&mv| (named.is_empty() || seen.contains(&mv)) && known.insert(mv)).collect();
        if position.n_seats() > 2 && named.is_empty() && !moves.iter().any(|&mv| position.prevents_next_finish(mv)) {
            moves.extend(position.find_defence(DEFENCE_TRIES_MAX).filter(|&mv| known.insert(mv)));
        }
        add_alternatives(position, &named, request.n_lines, &mut moves);
        known.extend(&moves);
        let n_wanted = request.n_lines.max(if named.is_empty() { 1 } else { REQUESTED_MOVES_MAX });
        let mut add = |mv: Move| {
            if moves.len() >= n_wanted {
                return ControlFlow::Break(());
            }
            if known.insert(mv) {
                moves.push(mv);
            }
            ControlFlow::Continue(())
        };
        let _stopped = if named.is_empty() {
            movegen::legal_moves(position, add)
        } else {
            named.iter().try_for_each(|&mv| add(mv))
        };
        RootCandidates { moves, is_all: false }
    }
}

/// Returns the best candidates, followed by candidates of other alternatives while
/// there are fewer than `n_lines` alternatives.
fn root_candidates(position: &Position, race: &Race, n_lines: usize) -> Vec<Candidate> {
    let mut result = Vec::new();
    candidates(position, race, CandidateLimits { moves_max: usize::MAX, ..ROOT_LIMITS }, &mut result);
    let n_best = result.len().min(ROOT_LIMITS.moves_max);
    let mut alternatives: HashSet<Alternative> = result[..n_best].iter().map(|best| best.mv.alternative()).collect();
    let mut added = HashSet::new();
    let rest = result.split_off(n_best);
    result.extend(rest.into_iter().filter(|candidate| {
        let alternative = candidate.mv.alternative();
        let is_missing = alternatives.len() < n_lines && alternatives.insert(alternative);
        added.contains(&alternative) || is_missing && added.insert(alternative)
    }));
    result
}

/// Adds moves of other alternatives while there are fewer than `n_lines`: of the moves
/// in `named`, or else of all. The candidates include every step that puts a block, so
/// the legal moves added put none.
fn add_alternatives(position: &Position, named: &[Move], n_lines: usize, moves: &mut Vec<Move>) {
    let mut known: HashSet<Alternative> = moves.iter().map(|mv| mv.alternative()).collect();
    let mut missing = named.to_vec();
    if named.is_empty() {
        position.steps(&mut missing);
    }
    missing.retain(|mv| known.len() < n_lines && known.insert(mv.alternative()));
    let complete = |mv: Move| if named.is_empty() { position.with_any_blocks(mv) } else { mv };
    moves.extend(missing.into_iter().map(complete));
}

/// Generates the candidates of one position.
struct CandidateGenerator<'a> {
    position: &'a Position,
    race: &'a Race,
    player: usize,
    occupied: Stops,
    limits: CandidateLimits,
    /// The stops worth a block on the current board.
    block_stops: BlockStops,
    out: &'a mut Vec<Candidate>,
}

impl<'a> CandidateGenerator<'a> {
    fn new(position: &'a Position, race: &'a Race, limits: CandidateLimits, out: &'a mut Vec<Candidate>) -> Self {
        let (occupied, player) = (position.occupied(), position.to_move());
        let block_stops = BlockStops::new(position, race, occupied, player, limits.blocks_wide_paths);
        CandidateGenerator { position, race, player, occupied, limits, block_stops, out }
    }

    /// Generates the moves of one figure.
    fn figure_moves(&mut self, figure: Figure, origin: Stop) {
        let reach = reach(origin, self.occupied);
        let is_vacated = !origin.is_corner() || self.position.figures_at(origin).nth(1).is_none();
        let changed = is_vacated.then(|| self.block_stops_without(origin)).flatten();
        let block_stops = changed.unwrap_or_else(|| self.block_stops.clone());
        let goal = figure.goal();
        if reach.free.contains(goal) || (reach.blockers.contains(goal) && !self.position.figures.contains(goal)) {
            self.moving_out(Move::go(figure, goal));
        }
        for to in reach.blockers.iter() {
            if !self.position.figures.contains(to) {
                if to != goal {
                    let changed = [(figure, self.race.costs.moves_to_goal(to, goal))];
                    let value = rough_value_with(self.position, self.race, self.player, &changed);
                    let value = value + block_stops.value - self.block_stops.value;
                    let phase = self.position.block_phase(figure, to, None);
                    self.place_blocks(Move::go(figure, to), &phase, value, &block_stops);
                }
                continue;
            }
            for other in self.position.figures_at(to).filter(|&other| !self.position.is_ko(figure, other)) {
                self.push_swap(figure, origin, to, other);
            }
        }
        self.moves_to_free_stops(figure, reach.free.without(goal), &block_stops);
    }

    /// Returns the stops worth a block once a figure has left `origin`, if that changes
    /// the moves that any player needs.
    fn block_stops_without(&self, origin: Stop) -> Option<BlockStops> {
        let occupied = self.occupied.without(origin);
        let race = Race::with_path_costs(self.position, PathCosts::of(occupied));
        let is_same = (0..self.position.n_seats()).all(|seat| race.needs(seat) == self.race.needs(seat));
        (!is_same).then(|| BlockStops::new(self.position, &race, occupied, self.player, self.limits.blocks_wide_paths))
    }

    /// Adds a swap, with its blocks if it brings a figure out.
    fn push_swap(&mut self, figure: Figure, origin: Stop, to: Stop, other: Figure) {
        let step = Move::go(figure, to).with_swap(other);
        let other_is_out = other.seat() == figure.seat() && origin == other.goal();
        if to == figure.goal() || other_is_out {
            return self.moving_out(step);
        }
        let costs = &self.race.costs;
        let changed =
            [(figure, costs.moves_to_goal(to, figure.goal())), (other, costs.moves_to_goal(origin, other.goal()))];
        let value = rough_value_with(self.position, self.race, self.player, &changed);
        self.push(step, value);
    }

    /// Adds a step that brings figures out, scored on the board after it.
    fn moving_out(&mut self, step: Move) {
        let Some(phase) = self.position.block_phase_after(step) else { return };
        let next = self.position.play_unchecked(step);
        let (race, occupied) = (Race::of(&next), next.occupied());
        let block_stops = BlockStops::new(&next, &race, occupied, self.player, self.limits.blocks_wide_paths);
        let bonus = if next.has_finished(self.player) { FINISH_BONUS } else { 0 };
        self.place_blocks(step, &phase, block_stops.value + bonus, &block_stops);
    }

    /// Adds steps to free stops: onto a player's path, or away from one.
    fn moves_to_free_stops(&mut self, figure: Figure, free: Stops, block_stops: &BlockStops) {
        let gain_by_leaving = block_stops.value - self.block_stops.value;
        for &(stop, gain) in block_stops.all() {
            if free.contains(stop) && gain + gain_by_leaving > 0 {
                self.push(Move::go(figure, stop), block_stops.value + gain);
            }
        }
        if gain_by_leaving > 0 {
            for stop in block_stops.idle_runs(free, self.occupied).iter().take(IDLE_STOPS_MAX) {
                self.push(Move::go(figure, stop), block_stops.value);
            }
        }
    }

    /// Adds a step with its blocks on the best stops.
    fn place_blocks(&mut self, step: Move, phase: &BlockPhase, value: i32, block_stops: &BlockStops) {
        if !phase.beats_black {
            return self.place_greys(step, &phase.grey_phase(None), phase.n_out, value, block_stops);
        }
        for (stop, gain) in block_stops.best(phase.free_for_black(), self.limits.stops_per_block) {
            let greys = phase.grey_phase(Some(stop));
            self.place_greys(step.with_black(stop), &greys, phase.n_out, value + gain, block_stops);
        }
    }

    fn place_greys(&mut self, mv: Move, greys: &GreyPhase, n_left: u32, value: i32, block_stops: &BlockStops) {
        if n_left == 0 {
            return self.push(mv, value);
        }
        let best = block_stops.best(greys.free, self.limits.stops_per_block);
        if greys.any_outside() {
            for (to, gain) in best {
                let grey = Grey { from: None, to };
                self.place_greys(mv.with_grey(grey), &greys.after(grey), n_left - 1, value + gain, block_stops);
            }
            return;
        }
        for (from, loss) in self.greys_to_move(greys) {
            for &(to, gain) in &best {
                let grey = Grey { from: Some(from), to };
                self.place_greys(mv.with_grey(grey), &greys.after(grey), n_left - 1, value + gain + loss, block_stops);
            }
        }
    }

    /// Returns the grey blocks whose removal costs the player least, with the change of
    /// value.
    fn greys_to_move(&self, greys: &GreyPhase) -> Vec<RatedStop> {
        let gain_without = |stop: Stop| {
            let race = Race::with_path_costs(self.position, PathCosts::of(self.occupied.without(stop)));
            rough_value(self.position, &race, self.player) - self.block_stops.value
        };
        let mut rated: Vec<RatedStop> = greys.grey.iter().map(|stop| (stop, gain_without(stop))).collect();
        rated.sort_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        rated.truncate(self.limits.grey_origins);
        rated
    }

    fn push(&mut self, mv: Move, score: i32) {
        self.out.push(Candidate { mv, score });
    }
}
