//! Play, legality and the end of a game, as in `RULES.md`. The legal moves are
//! listed in `ruleset`.
//!
//! Where the first five ends the game, the outcome follows from the marbles: only
//! the last move can have made the fives on the board. In the `places` variants it
//! follows from the places, which [`PentagoXl::play_unchecked`] assigns.

use pentad_sdk::Scores;

use crate::PentagoXl;
use crate::board::{Cell, Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Objective;

/// A set of seats, one bit each.
pub(crate) type Seats = u8;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Place by colour: 1 is best, 0 is for colours that do not play.
    pub places: [u8; 4],
    /// Why the game is over.
    pub end_reason: EndReason,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// At least one player has five.
    Five,
    /// No cell is left.
    BoardFull,
    /// At most one player has not finished.
    AllPlaced,
}

/// Why a well-formed move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IllegalMove {
    GameOver,
    Occupied(Cell),
    TurnAfterFive(Cell),
    TurnMissing(Cell),
}

impl PentagoXl {
    /// Returns how the game ended; `None` while it goes on.
    #[inline]
    pub fn game_result(&self, position: &Position) -> Option<GameResult> {
        let n_seats = self.variant.n_seats();
        if self.variant.objective() == Objective::Places {
            let n_finished = position.n_finished();
            let end_reason = if n_finished + 1 >= n_seats {
                EndReason::AllPlaced
            } else if position.occupied() == Cells::ALL {
                EndReason::BoardFull
            } else {
                return None;
            };
            let mut places = position.places;
            places[..n_seats].iter_mut().filter(|place| **place == 0).for_each(|place| *place = n_finished as u8 + 1);
            return Some(GameResult { places, end_reason });
        }
        let fives = self.fives(position);
        if fives != [false; 4] {
            return Some(self.result_of_fives(fives));
        }
        (position.occupied() == Cells::ALL)
            .then(|| GameResult { places: self.all_first(), end_reason: EndReason::BoardFull })
    }

    /// Returns for each colour whether it has five in a row.
    #[inline]
    pub(crate) fn fives(&self, position: &Position) -> [bool; 4] {
        position.marbles.map(Cells::has_five)
    }

    /// Returns the result of these fives in a variant where a five ends the game.
    pub(crate) fn result_of_fives(&self, mut fives: [bool; 4]) -> GameResult {
        if self.variant.objective() == Objective::Team {
            let [red, yellow, green, blue] = fives;
            let (first, second) = (red || green, yellow || blue);
            fives = [first, second, first, second];
        }
        let n_winners = fives.iter().filter(|&&five| five).count() as u8;
        let mut places = self.all_first();
        for (place, _) in places.iter_mut().zip(fives).filter(|(place, five)| **place != 0 && !five) {
            *place = n_winners + 1;
        }
        GameResult { places, end_reason: EndReason::Five }
    }

    /// Returns first place for every player.
    fn all_first(&self) -> [u8; 4] {
        let mut places = [0; 4];
        places[..self.variant.n_seats()].fill(1);
        places
    }

    /// Returns the score of each seat. Seats that share places share their points
    /// evenly.
    pub fn scores(&self, result: &GameResult) -> Scores {
        let n_seats = self.variant.n_seats();
        let places = &result.places[..n_seats];
        let mut scores = [0.0; 4];
        for (score, place) in scores.iter_mut().zip(places) {
            let n_sharing = places.iter().filter(|other| *other == place).count() as f64;
            *score = match self.variant.objective() {
                Objective::FirstFive if *place == 1 => 1.0 / n_sharing,
                Objective::FirstFive => 0.0,
                Objective::Team if n_sharing == 4.0 => 0.5,
                Objective::Team => f64::from(u8::from(*place == 1)),
                Objective::Places => {
                    let mean_place = f64::from(*place) + (n_sharing - 1.0) / 2.0;
                    (n_seats as f64 - mean_place) / (n_seats as f64 - 1.0)
                }
            };
        }
        Scores::new(&scores[..n_seats])
    }

    /// Checks that a move is legal.
    pub(crate) fn check_move(&self, position: &Position, mv: Move) -> Result<(), IllegalMove> {
        if self.game_result(position).is_some() {
            return Err(IllegalMove::GameOver);
        }
        let cell = mv.cell();
        if position.occupied().contains(cell) {
            return Err(IllegalMove::Occupied(cell));
        }
        match (mv.turn(), position.own().with(cell).has_five()) {
            (None, false) => Err(IllegalMove::TurnMissing(cell)),
            (Some(_), true) => Err(IllegalMove::TurnAfterFive(cell)),
            _ => Ok(()),
        }
    }

    /// Returns the position after a move, which must be legal.
    #[inline]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        let mover = position.side as usize;
        next.marbles[mover] = next.marbles[mover].with(mv.cell());
        if let Some(turn) = mv.turn() {
            next.marbles = next.marbles.map(|cells| cells.turned(turn));
        }
        if self.variant.objective() == Objective::Places {
            let place = position.n_finished() as u8 + 1;
            for (marbles, own) in next.marbles.iter().zip(&mut next.places) {
                if *own == 0 && marbles.count() >= 5 && marbles.has_five() {
                    *own = place;
                }
            }
        }
        next.side = self.next_to_move(position.side, &next.places);
        next
    }

    /// Returns the next player in playing order who has not finished, or the next
    /// colour if all have.
    #[inline]
    pub(crate) fn next_to_move(&self, side: Colour, places: &[u8; 4]) -> Colour {
        let n_seats = self.variant.n_seats();
        let following = |step: usize| (side as usize + step) % n_seats;
        let next = (1..=n_seats).map(following).find(|&seat| places[seat] == 0);
        Colour::ALL[next.unwrap_or(following(1))]
    }

    /// Returns a seat and its partner, if it has one; their fives count the same.
    #[inline]
    pub(crate) fn team(&self, seat: usize) -> Seats {
        if self.variant.objective() == Objective::Team { 0b0101 << (seat % 2) } else { 1 << seat }
    }

    /// Returns the seats of other teams that have not finished.
    #[inline]
    pub(crate) fn opponents(&self, position: &Position, seat: usize) -> Seats {
        let playing = (0..self.variant.n_seats()).filter(|&other| position.places[other] == 0);
        playing.fold(0, |seats, other| seats | 1 << other) & !self.team(seat)
    }

    /// Returns whether the next five ends the game: always, unless more than two
    /// players are left to play for places.
    #[inline]
    pub(crate) fn is_decisive(&self, position: &Position) -> bool {
        self.variant.objective() != Objective::Places || position.n_finished() + 2 >= self.variant.n_seats()
    }
}
