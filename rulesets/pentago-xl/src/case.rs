//! A move and the positions around it: the facts that
//! [`reasons`](crate::reasons) puts into words.

use std::ops::ControlFlow;

use crate::PentagoXl;
use crate::board::{Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::tables::STEPS;
use crate::variant::Aim;

/// A move and the positions around it.
pub(crate) struct Case<'a> {
    pub(crate) rules: &'a PentagoXl,
    pub(crate) before: &'a Position,
    pub(crate) mv: Move,
    pub(crate) after: Position,
    pub(crate) mover: Colour,
    /// The five that the next player has at hand afterwards.
    pub(crate) refutation: Option<Move>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(rules: &'a PentagoXl, before: &'a Position, mv: Move) -> Self {
        let after = rules.play_unchecked(before, mv);
        let refutation = if rules.verdict(&after).is_some() { None } else { rules.win_in_one(&after) };
        Case { rules, before, mv, after, mover: before.side, refutation }
    }

    /// Who has five by this move, in playing order.
    pub(crate) fn newly_five(&self) -> Vec<Colour> {
        let contest = self.rules.contest;
        let is_new = |colour: &Colour| {
            self.after.marbles(*colour).has_five()
                && (contest.aim() != Aim::Places || self.before.place(*colour).is_none())
        };
        contest.colours().filter(is_new).collect()
    }

    /// All cells of the fives of some players after the move.
    pub(crate) fn five_cells(&self, colours: &[Colour]) -> Cells {
        colours.iter().fold(Cells::NONE, |cells, &colour| cells.or(self.after.marbles(colour).fives()))
    }

    /// The cells of the five that a move at hand makes for a player or mate.
    pub(crate) fn five_after(&self, position: &Position, seat: Colour, mv: Move) -> Cells {
        let next = self.rules.play_unchecked(&Position { side: seat, ..*position }, mv);
        let mates = self.rules.mates(seat as usize);
        let mine = Colour::ALL.into_iter().filter(|&colour| mates >> (colour as usize) & 1 != 0);
        mine.fold(Cells::NONE, |cells, colour| cells.or(next.marbles(colour).fives()))
    }

    /// The rivals of the mover who would have a five at hand if it were their
    /// turn, the next one first, with that move.
    pub(crate) fn rival_threats(&self, position: &Position) -> Vec<(Colour, Move)> {
        let rivals = self.rules.rivals(position, self.mover as usize);
        let n_seats = self.rules.contest.n_seats();
        (1..n_seats)
            .map(|step| (self.mover as usize + step) % n_seats)
            .filter(|&seat| rivals >> seat & 1 != 0)
            .filter_map(|seat| Some((Colour::ALL[seat], self.rules.five_at_hand(position, seat)?)))
            .collect()
    }

    /// What the partner, or the mover, would have at hand if nothing was done.
    /// `None` if the next player wins first.
    pub(crate) fn threat(&self) -> Option<(Colour, Move)> {
        if self.refutation.is_some() || self.rules.verdict(&self.after).is_some() {
            return None;
        }
        let mates = self.rules.mates(self.mover as usize);
        let n_seats = self.rules.contest.n_seats();
        (1..=n_seats)
            .map(|step| (self.mover as usize + step) % n_seats)
            .filter(|&seat| mates >> seat & 1 != 0 && self.after.places[seat] == 0)
            .find_map(|seat| Some((Colour::ALL[seat], self.rules.five_at_hand(&self.after, seat)?)))
    }

    /// Whether after every reply, each of which is tried, the mover's side has
    /// won or wins at once. Of a game with two sides.
    pub(crate) fn wins_whatever_comes(&self) -> bool {
        let wins = |reply: Move| {
            let next = self.rules.play_unchecked(&self.after, reply);
            match self.rules.verdict(&next) {
                Some(verdict) => self.rules.scores(&verdict)[self.mover as usize] == 1.0,
                None => self.rules.win_in_one(&next).is_some(),
            }
        };
        let visited = self.rules.each_move(&self.after, |reply| {
            if wins(reply) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        visited.is_continue()
    }

    /// Whether every other move, of which there is one, loses at once or is
    /// among those known to be lost, and this one is not.
    pub(crate) fn is_only_move(&self, lost: &[Position]) -> bool {
        if !self.rules.is_decisive(self.before) {
            return false;
        }
        let loses = |next: &Position| match self.rules.verdict(next) {
            Some(verdict) => self.rules.scores(&verdict)[self.mover as usize] == 0.0,
            None => self.rules.win_in_one(next).is_some() || lost.contains(next),
        };
        if loses(&self.after) {
            return false;
        }
        let mut any_other = false;
        let visited = self.rules.each_move(self.before, |mv| {
            let next = self.rules.play_unchecked(self.before, mv);
            if next == self.after {
                return ControlFlow::Continue(());
            }
            any_other = true;
            if loses(&next) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        any_other && visited.is_continue()
    }

    /// The marbles on the fullest line of five through the one placed that
    /// nobody else has a marble on.
    pub(crate) fn best_line(&self) -> Option<Cells> {
        let placed = Cells::only(self.mv.cell());
        let placed = self.mv.turn().map_or(placed, |turn| placed.turned(turn));
        let own = self.after.marbles(self.mover);
        let others = Cells(self.after.occupied().0 & !own.0);
        let mut best: Option<Cells> = None;
        for step in STEPS {
            for back in 0..5 {
                let cell =
                    |i: u32| if i < back { placed.0 >> ((back - i) * step) } else { placed.0 << ((i - back) * step) };
                let window = Cells((0..5).fold(0, |window, i| window | cell(i))).and(Cells::ALL);
                if window.count() == 5 && window.and(others).is_empty() {
                    let found = window.and(own);
                    best = best.filter(|best| best.count() >= found.count()).or(Some(found));
                }
            }
        }
        best
    }
}
