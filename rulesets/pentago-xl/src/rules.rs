//! What may be played and how a game ends: the page `pentago-xl.md`, clause by
//! clause.
//!
//! Where the first five ends the game, the outcome is read from the marbles:
//! only the last move can have made the fives that there are. In the `places`
//! variants it is read from the places, which [`PentagoXl::play_unchecked`]
//! gives out.

use std::ops::ControlFlow;

use pentad_sdk::Scores;

use crate::PentagoXl;
use crate::board::{Cell, Cells, Colour, Turn};
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Aim;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// By colour, 1 is best; 0 for colours that do not play.
    pub places: [u8; 4],
    /// What ended it.
    pub ending: Ending,
}

/// What ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody has five.
    Five,
    /// No cell is left.
    BoardFull,
    /// At most one player has not finished.
    AllPlaced,
}

/// Why a move that is written well may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    GameOver,
    Occupied(Cell),
    TurnAfterFive(Cell),
    TurnMissing(Cell),
}

impl PentagoXl {
    /// How the game ended; `None` while it goes on.
    #[inline]
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let n_seats = self.contest.n_seats();
        if self.contest.aim() == Aim::Places {
            let n_finished = position.n_finished();
            let ending = if n_finished + 1 >= n_seats {
                Ending::AllPlaced
            } else if position.occupied() == Cells::ALL {
                Ending::BoardFull
            } else {
                return None;
            };
            let mut places = position.places;
            places[..n_seats].iter_mut().filter(|place| **place == 0).for_each(|place| *place = n_finished as u8 + 1);
            return Some(Verdict { places, ending });
        }
        let fives = self.fives(position);
        if fives != [false; 4] {
            return Some(self.after_fives(fives));
        }
        (position.occupied() == Cells::ALL).then(|| Verdict { places: self.all_first(), ending: Ending::BoardFull })
    }

    /// Who has five in a row.
    #[inline]
    pub(crate) fn fives(&self, position: &Position) -> [bool; 4] {
        position.marbles.map(Cells::has_five)
    }

    /// The end by the fives of some, where the first one ends the game.
    pub(crate) fn after_fives(&self, mut fives: [bool; 4]) -> Verdict {
        if self.contest.aim() == Aim::Team {
            let [red, yellow, green, blue] = fives;
            let (first, second) = (red || green, yellow || blue);
            fives = [first, second, first, second];
        }
        let n_winners = fives.iter().filter(|&&five| five).count() as u8;
        let mut places = self.all_first();
        for (place, _) in places.iter_mut().zip(fives).filter(|(place, five)| **place != 0 && !five) {
            *place = n_winners + 1;
        }
        Verdict { places, ending: Ending::Five }
    }

    /// Everybody on the first place.
    fn all_first(&self) -> [u8; 4] {
        let mut places = [0; 4];
        places[..self.contest.n_seats()].fill(1);
        places
    }

    /// What an end is worth to each seat: the points of the places that they
    /// share, evenly.
    pub fn scores(&self, verdict: &Verdict) -> Scores {
        let n_seats = self.contest.n_seats();
        let places = &verdict.places[..n_seats];
        let mut scores = [0.0; 4];
        for (score, place) in scores.iter_mut().zip(places) {
            let n_sharing = places.iter().filter(|other| *other == place).count() as f64;
            *score = match self.contest.aim() {
                Aim::First if *place == 1 => 1.0 / n_sharing,
                Aim::First => 0.0,
                Aim::Team if n_sharing == 4.0 => 0.5,
                Aim::Team => f64::from(u8::from(*place == 1)),
                Aim::Places => {
                    let mean_place = f64::from(*place) + (n_sharing - 1.0) / 2.0;
                    (n_seats as f64 - mean_place) / (n_seats as f64 - 1.0)
                }
            };
        }
        Scores::new(&scores[..n_seats])
    }

    /// Gives the legal moves to `visit`, in canonical order, until it breaks.
    /// The order is that of their texts in ASCII.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.each_move_at(position, position.empty(), &mut visit)
    }

    /// The legal moves that place on one of `cells`, which are empty, in a
    /// game that is not over.
    #[inline]
    pub(crate) fn each_move_at(
        &self,
        position: &Position,
        cells: Cells,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let final_cells = completing(position.own(), cells);
        for cell in cells.iter() {
            if final_cells.contains(cell) {
                visit(Move::place(cell))?;
                continue;
            }
            for turn in Turn::all() {
                visit(Move::place_and_turn(cell, turn))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many legal moves there are.
    pub(crate) fn count_all(&self, position: &Position) -> u64 {
        if self.verdict(position).is_some() {
            return 0;
        }
        let empty = position.empty();
        let n_final = u64::from(completing(position.own(), empty).count());
        (u64::from(empty.count()) - n_final) * Turn::COUNT as u64 + n_final
    }

    /// Says why a move may not be played.
    pub(crate) fn check_move(&self, position: &Position, mv: Move) -> Result<(), Illegal> {
        if self.verdict(position).is_some() {
            return Err(Illegal::GameOver);
        }
        let cell = mv.cell();
        if position.occupied().contains(cell) {
            return Err(Illegal::Occupied(cell));
        }
        match (mv.turn(), position.own().with(cell).has_five()) {
            (None, false) => Err(Illegal::TurnMissing(cell)),
            (Some(_), true) => Err(Illegal::TurnAfterFive(cell)),
            _ => Ok(()),
        }
    }

    /// The position after a legal move. Whether it is legal is not checked.
    #[inline]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        let mover = position.side as usize;
        next.marbles[mover] = next.marbles[mover].with(mv.cell());
        if let Some(turn) = mv.turn() {
            next.marbles = next.marbles.map(|cells| cells.turned(turn));
        }
        if self.contest.aim() == Aim::Places {
            let place = position.n_finished() as u8 + 1;
            for (marbles, own) in next.marbles.iter().zip(&mut next.places) {
                if *own == 0 && marbles.count() >= 5 && marbles.has_five() {
                    *own = place;
                }
            }
        }
        next.side = self.after(position.side, &next.places);
        next
    }

    /// The next player who has not finished or, if there is none, the next.
    #[inline]
    pub(crate) fn after(&self, side: Colour, places: &[u8; 4]) -> Colour {
        let n_seats = self.contest.n_seats();
        let following = |step: usize| (side as usize + step) % n_seats;
        let next = (1..=n_seats).map(following).find(|&seat| places[seat] == 0);
        Colour::ALL[next.unwrap_or(following(1))]
    }
}
