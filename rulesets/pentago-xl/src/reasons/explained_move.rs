//! Facts about a move and the positions before and after it, for the reasons.

use std::ops::ControlFlow;

use pentad_sdk::Ruleset;

use crate::PentagoXl;
use crate::board::tables::STEPS;
use crate::board::{Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Objective;

/// The move to explain, and the positions before and after it.
pub(crate) struct ExplainedMove<'a> {
    pub(crate) rules: &'a PentagoXl,
    pub(crate) before: &'a Position,
    pub(crate) mv: Move,
    pub(crate) after: Position,
    pub(crate) mover: Colour,
    /// The next player's win in one after the move.
    pub(crate) refutation: Option<Move>,
}

impl<'a> ExplainedMove<'a> {
    pub(crate) fn new(rules: &'a PentagoXl, before: &'a Position, mv: Move) -> Self {
        let after = rules.play_unchecked(before, mv);
        let refutation = if rules.game_result(&after).is_some() { None } else { rules.winning_move(&after) };
        ExplainedMove { rules, before, mv, after, mover: before.side, refutation }
    }

    /// Returns the players who get five by this move, in playing order.
    pub(crate) fn newly_five(&self) -> Vec<Colour> {
        let variant = self.rules.variant;
        let is_new = |colour: &Colour| {
            self.after.marbles(*colour).has_five()
                && (variant.objective() != Objective::Places || self.before.place(*colour).is_none())
        };
        variant.colours().filter(is_new).collect()
    }

    /// Returns the cells of these players' fives after the move.
    pub(crate) fn five_cells(&self, colours: &[Colour]) -> Cells {
        colours.iter().fold(Cells::NONE, |cells, &colour| cells.union(self.after.marbles(colour).fives()))
    }

    /// Returns the cells of the fives of a player and the partner after the player's
    /// move.
    pub(crate) fn five_after(&self, position: &Position, seat: Colour, mv: Move) -> Cells {
        let next = self.rules.play_unchecked(&Position { side: seat, ..*position }, mv);
        let team = self.rules.team(seat as usize);
        let mine = Colour::ALL.into_iter().filter(|&colour| team >> (colour as usize) & 1 != 0);
        mine.fold(Cells::NONE, |cells, colour| cells.union(next.marbles(colour).fives()))
    }

    /// Returns the mover's opponents who would have a win in one on their turn, in
    /// playing order, each with that move.
    pub(crate) fn opponent_threats(&self, position: &Position) -> Vec<(Colour, Move)> {
        let opponents = self.rules.opponents(position, self.mover as usize);
        let n_seats = self.rules.variant.n_seats();
        (1..n_seats)
            .map(|step| (self.mover as usize + step) % n_seats)
            .filter(|&seat| opponents >> seat & 1 != 0)
            .filter_map(|seat| Some((Colour::ALL[seat], self.rules.winning_move_for(position, seat)?)))
            .collect()
    }

    /// Returns the first player after the mover, and before `seat`, who opposes `seat`.
    pub(crate) fn defender_against(&self, seat: Colour) -> Option<Colour> {
        let n_seats = self.rules.variant.n_seats();
        let opponents = self.rules.opponents(&self.after, seat as usize);
        (1..n_seats)
            .map(|step| (self.mover as usize + step) % n_seats)
            .take_while(|&other| other != seat as usize)
            .find(|&other| opponents >> other & 1 != 0)
            .map(|other| Colour::ALL[other])
    }

    /// Returns the win in one that the partner or the mover threatens. `None` if the
    /// next player wins first.
    pub(crate) fn threat(&self) -> Option<(Colour, Move)> {
        if self.refutation.is_some() || self.rules.game_result(&self.after).is_some() {
            return None;
        }
        let team = self.rules.team(self.mover as usize);
        let n_seats = self.rules.variant.n_seats();
        (1..=n_seats)
            .map(|step| (self.mover as usize + step) % n_seats)
            .filter(|&seat| team >> seat & 1 != 0 && self.after.places[seat] == 0)
            .find_map(|seat| Some((Colour::ALL[seat], self.rules.winning_move_for(&self.after, seat)?)))
    }

    /// Returns whether after every reply the mover's side has won or has a win in one.
    /// Tries all replies; for variants with two sides.
    pub(crate) fn wins_against_every_reply(&self) -> bool {
        let wins = |reply: Move| {
            let next = self.rules.play_unchecked(&self.after, reply);
            match self.rules.game_result(&next) {
                Some(result) => self.rules.scores(&result)[self.mover as usize] == 1.0,
                None => self.rules.winning_move(&next).is_some(),
            }
        };
        let visited = self.rules.legal_moves(&self.after, |reply| {
            if wins(reply) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        visited.is_continue()
    }

    /// Returns whether there are other moves and all of them, unlike this one, lose at
    /// once or lead to one of the `lost` positions.
    pub(crate) fn is_only_move(&self, lost: &[Position]) -> bool {
        if !self.rules.is_decisive(self.before) {
            return false;
        }
        let loses = |next: &Position| match self.rules.game_result(next) {
            Some(result) => self.rules.scores(&result)[self.mover as usize] == 0.0,
            None => self.rules.winning_move(next).is_some() || lost.contains(next),
        };
        if loses(&self.after) {
            return false;
        }
        let mut any_other = false;
        let visited = self.rules.legal_moves(self.before, |mv| {
            let next = self.rules.play_unchecked(self.before, mv);
            if next == self.after {
                return ControlFlow::Continue(());
            }
            any_other = true;
            if loses(&next) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        any_other && visited.is_continue()
    }

    /// Returns the mover's marbles on the open line through the marble placed that
    /// has most of them.
    pub(crate) fn longest_open_line(&self) -> Option<Cells> {
        let placed = Cells::only(self.mv.cell());
        let placed = self.mv.turn().map_or(placed, |turn| placed.turned(turn));
        let own = self.after.marbles(self.mover);
        let others = Cells(self.after.occupied().0 & !own.0);
        let mut best: Option<Cells> = None;
        for step in STEPS {
            for back in 0..5 {
                let cell =
                    |i: u32| if i < back { placed.0 >> ((back - i) * step) } else { placed.0 << ((i - back) * step) };
                let line = Cells((0..5).fold(0, |line, i| line | cell(i))).intersection(Cells::ALL);
                if line.count() == 5 && line.intersection(others).is_empty() {
                    let found = line.intersection(own);
                    best = best.filter(|best| best.count() >= found.count()).or(Some(found));
                }
            }
        }
        best
    }
}
