//! A position: the marbles of all colours, the side to move, and the places of
//! players who have finished.
//!
//! Only the `places` variants have players who have finished. Elsewhere the first
//! five ends the game, and the result follows from the marbles.

use crate::board::tables::BASE_FIVE;
use crate::board::{Cells, Colour};
use crate::variant::{Objective, Variant};

/// Everything the rules need to go on with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Marbles by colour; none for colours that do not play.
    pub(crate) marbles: [Cells; 4],
    pub(crate) side: Colour,
    /// Place by colour, from 1; 0 for players who have not finished.
    pub(crate) places: [u8; 4],
}

/// Why a position is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionError {
    /// The numbers of marbles fit no player's turn.
    Counts,
    /// The numbers of marbles fit if this player is to move.
    Side(Colour),
    /// The side to move has finished, and others have not.
    SideFinished,
    /// A player who has finished has too few marbles for five in a row.
    FinishedWithFew(Colour),
    /// A player who has finished has at least two marbles more than every player who
    /// has not.
    FinishedWithMany(Colour),
    /// A player has five in a row and no place.
    UnfinishedFive(Colour),
    /// This player cannot have the place named.
    Place(Colour),
}

impl Position {
    /// The empty board, red to move.
    pub const START: Position = Position { marbles: [Cells::NONE; 4], side: Colour::Red, places: [0; 4] };

    /// Returns the marbles of a colour.
    #[inline]
    pub fn marbles(&self, colour: Colour) -> Cells {
        self.marbles[colour as usize]
    }

    /// Returns the side to move; once the game is over, the side that would move.
    #[inline]
    pub fn side(&self) -> Colour {
        self.side
    }

    /// Returns the place of a player who has finished; only in `places` variants.
    #[inline]
    pub fn place(&self, colour: Colour) -> Option<u8> {
        Some(self.places[colour as usize]).filter(|&place| place != 0)
    }

    /// Returns the marbles of the side to move.
    #[inline]
    pub fn own(&self) -> Cells {
        self.marbles[self.side as usize]
    }

    /// Returns the cells that hold a marble.
    #[inline]
    pub fn occupied(&self) -> Cells {
        let [a, b, c, d] = self.marbles;
        a.union(b).union(c).union(d)
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self) -> Cells {
        self.occupied().complement()
    }

    /// Returns the number of players who have finished.
    #[inline]
    pub(crate) fn n_finished(&self) -> usize {
        self.places.iter().filter(|&&place| place != 0).count()
    }

    /// Packs the position into four words, injectively. A cell is a base-five digit,
    /// and 27 of them fit into a word.
    #[inline]
    pub(crate) fn packed_words(&self) -> [u64; 4] {
        let file = |column: usize| {
            let digits = |idx: usize| (idx as u64 + 1) * u64::from(BASE_FIVE[self.marbles[idx].file(column)]);
            digits(0) + digits(1) + digits(2) + digits(3)
        };
        let word = |i: usize| file(3 * i) + (file(3 * i + 1) + file(3 * i + 2) * FILE_VALUES) * FILE_VALUES;
        let places = self.places.iter().rev().fold(0, |all, &place| all << 3 | u64::from(place));
        [word(0), word(1), word(2), places << 2 | self.side as u64]
    }

    /// Checks that a variant allows the position. The caller ensures that no cell
    /// has two colours and that only colours that play have marbles.
    ///
    /// Beyond the numbers of marbles, reachability is not checked. A board with fives
    /// of several players is accepted and has the outcome that the rules give it.
    pub(crate) fn check(&self, variant: Variant) -> Result<(), PositionError> {
        self.check_places(variant)?;
        let n_unfinished = variant.n_seats() - self.n_finished();
        if n_unfinished > 0 && self.place(self.side).is_some() {
            return Err(PositionError::SideFinished);
        }
        if n_unfinished > 0 && !self.fits_turn_of(variant, self.side) {
            let turn = variant.colours().find(|&colour| self.fits_turn_of(variant, colour));
            return Err(turn.map_or(PositionError::Counts, PositionError::Side));
        }
        if variant.objective() != Objective::Places {
            return Ok(());
        }
        let unfinished = variant.colours().filter(|&colour| self.place(colour).is_none());
        let most_unfinished = unfinished.map(|colour| self.marbles(colour).count()).max();
        for colour in variant.colours() {
            let marbles = self.marbles(colour);
            if self.place(colour).is_some() && marbles.count() < 5 {
                return Err(PositionError::FinishedWithFew(colour));
            }
            if self.place(colour).is_some() && most_unfinished.is_some_and(|most| marbles.count() > most + 1) {
                return Err(PositionError::FinishedWithMany(colour));
            }
            if self.place(colour).is_none() && marbles.has_five() {
                return Err(PositionError::UnfinishedFive(colour));
            }
        }
        Ok(())
    }

    /// Checks as [`check`](Position::check) does, without the numbers of marbles. They
    /// do not fit in a position that gives another player the turn.
    pub(crate) fn check_off_turn(&self, variant: Variant) -> Result<(), PositionError> {
        self.check_places(variant)?;
        if variant.n_seats() > self.n_finished() && self.place(self.side).is_some() {
            return Err(PositionError::SideFinished);
        }
        let is_places = variant.objective() == Objective::Places;
        for colour in variant.colours().filter(|_| is_places) {
            match self.place(colour) {
                Some(_) if self.marbles(colour).count() < 5 => return Err(PositionError::FinishedWithFew(colour)),
                None if self.marbles(colour).has_five() => return Err(PositionError::UnfinishedFive(colour)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns whether the numbers of marbles fit this player's turn: the unfinished
    /// players before it have one marble more than the others.
    fn fits_turn_of(&self, variant: Variant, side: Colour) -> bool {
        let n_own = self.marbles(side).count();
        let mut unfinished = variant.colours().filter(|&colour| self.place(colour).is_none());
        self.place(side).is_none()
            && unfinished.all(|colour| self.marbles(colour).count() == n_own + u32::from(colour < side))
    }

    /// Checks the places: each is one more than the number of players with better
    /// ones. The last place is never assigned to a single player, since it needs no
    /// five.
    fn check_places(&self, variant: Variant) -> Result<(), PositionError> {
        let finished = || variant.colours().filter_map(|colour| self.place(colour).map(|place| (colour, place)));
        for (colour, place) in finished() {
            let n_better = finished().filter(|&(_, other)| other < place).count();
            let is_last_alone = n_better + 1 == variant.n_seats();
            if usize::from(place) != n_better + 1 || is_last_alone {
                return Err(PositionError::Place(colour));
            }
        }
        Ok(())
    }
}

/// 5^9, the number of values of a file.
const FILE_VALUES: u64 = 1_953_125;
