//! A position: the marbles of all colours, who is to move, and who has
//! finished on which place.
//!
//! Only the `places` variants have players who have finished. Elsewhere the
//! first five ends the game, and how it ended is read from the marbles.

use crate::board::{Cells, Colour};
use crate::tables::FIFTHS;
use crate::variant::{Aim, Contest};

/// Everything the rules need to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By colour; none of colours that do not play.
    pub(crate) marbles: [Cells; 4],
    pub(crate) side: Colour,
    /// By colour, from 1; 0 for who has not finished.
    pub(crate) places: [u8; 4],
}

/// Why the rules cannot hold a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The numbers of marbles fit nobody's turn.
    Counts,
    /// The numbers of marbles fit if this player is to move.
    Side(Colour),
    /// The side to move has finished, and others have not.
    SideFinished,
    /// A player who has finished has too few marbles for five in a row.
    FinishedWithFew(Colour),
    /// A player has five in a row and no place.
    UnfinishedFive(Colour),
    /// This player cannot have the place named.
    Place(Colour),
}

impl Position {
    /// The empty board, red to move.
    pub const START: Position = Position { marbles: [Cells::NONE; 4], side: Colour::Red, places: [0; 4] };

    /// The marbles of a colour.
    #[inline]
    pub fn marbles(&self, colour: Colour) -> Cells {
        self.marbles[colour as usize]
    }

    /// Whose turn it is, or would be.
    #[inline]
    pub fn side(&self) -> Colour {
        self.side
    }

    /// The place on which a player has finished, in the variants that have
    /// places.
    #[inline]
    pub fn place(&self, colour: Colour) -> Option<u8> {
        Some(self.places[colour as usize]).filter(|&place| place != 0)
    }

    /// The marbles of the side to move.
    #[inline]
    pub fn own(&self) -> Cells {
        self.marbles[self.side as usize]
    }

    /// Every cell that holds a marble.
    #[inline]
    pub fn occupied(&self) -> Cells {
        let [a, b, c, d] = self.marbles;
        a.or(b).or(c).or(d)
    }

    /// Every cell that holds none.
    #[inline]
    pub fn empty(&self) -> Cells {
        self.occupied().complement()
    }

    /// Players of a contest who have finished.
    #[inline]
    pub(crate) fn n_finished(&self) -> usize {
        self.places.iter().filter(|&&place| place != 0).count()
    }

    /// The position as four numbers; no two positions share them. A cell is a
    /// digit of base five, and 27 of them fit into a word.
    #[inline]
    pub(crate) fn code(&self) -> [u64; 4] {
        let file = |column: usize| {
            let digits = |idx: usize| (idx as u64 + 1) * u64::from(FIFTHS[self.marbles[idx].file(column)]);
            digits(0) + digits(1) + digits(2) + digits(3)
        };
        let word = |i: usize| file(3 * i) + (file(3 * i + 1) + file(3 * i + 2) * FILE) * FILE;
        let places = self.places.iter().rev().fold(0, |all, &place| all << 3 | u64::from(place));
        [word(0), word(1), word(2), places << 2 | self.side as u64]
    }

    /// Refuses what a contest cannot hold. The cells of all colours are known
    /// to be different ones, and only those who play have any.
    ///
    /// How the marbles came to lie so is not asked, nor how many a player had
    /// when finishing, as long as five in a row are possible. A board with
    /// fives of several players is held, and has the outcome that the rules
    /// give to it.
    pub(crate) fn check(&self, contest: Contest) -> Result<(), Fault> {
        self.check_places(contest)?;
        let n_unfinished = contest.n_seats() - self.n_finished();
        if n_unfinished > 0 && self.place(self.side).is_some() {
            return Err(Fault::SideFinished);
        }
        if n_unfinished > 0 && !self.fits_turn_of(contest, self.side) {
            let turn = contest.colours().find(|&colour| self.fits_turn_of(contest, colour));
            return Err(turn.map_or(Fault::Counts, Fault::Side));
        }
        if contest.aim() != Aim::Places {
            return Ok(());
        }
        for colour in contest.colours() {
            let marbles = self.marbles(colour);
            if self.place(colour).is_some() && marbles.count() < 5 {
                return Err(Fault::FinishedWithFew(colour));
            }
            if self.place(colour).is_none() && marbles.has_five() {
                return Err(Fault::UnfinishedFive(colour));
            }
        }
        Ok(())
    }

    /// Whether the numbers of marbles are those of this player's turn: the
    /// unfinished players before have one marble more than the others.
    fn fits_turn_of(&self, contest: Contest, side: Colour) -> bool {
        let n_own = self.marbles(side).count();
        let mut unfinished = contest.colours().filter(|&colour| self.place(colour).is_none());
        self.place(side).is_none()
            && unfinished.all(|colour| self.marbles(colour).count() == n_own + u32::from(colour < side))
    }

    /// A place is one more than the number of players with better ones. A
    /// single player is never left to finish alone: the last place needs no
    /// five.
    fn check_places(&self, contest: Contest) -> Result<(), Fault> {
        let finished = || contest.colours().filter_map(|colour| self.place(colour).map(|place| (colour, place)));
        for (colour, place) in finished() {
            let n_better = finished().filter(|&(_, other)| other < place).count();
            let is_last_alone = n_better + 1 == contest.n_seats();
            if usize::from(place) != n_better + 1 || is_last_alone {
                return Err(Fault::Place(colour));
            }
        }
        Ok(())
    }
}

/// Bytes of an encoded position.
pub(crate) const SIZE: usize = 26;
/// 5^9, the values of a file.
const FILE: u64 = 1_953_125;

/// The words of [`Position::code`], the last one in two bytes.
pub(crate) fn encode(position: &Position) -> [u8; SIZE] {
    let [a, b, c, rest] = position.code();
    let mut bytes = [0; SIZE];
    for (chunk, word) in bytes.chunks_mut(8).zip([a, b, c]) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    bytes[24..].copy_from_slice(&(rest as u16).to_le_bytes());
    bytes
}

/// Reads what [`encode`] wrote, and nothing else.
pub(crate) fn decode(bytes: &[u8], contest: Contest) -> Option<Position> {
    let bytes: &[u8; SIZE] = bytes.try_into().ok()?;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut marbles = [Cells::NONE; 4];
    for (i, word) in words.iter().enumerate() {
        let mut word = u64::from_le_bytes(*word);
        for cell in 0..27 {
            let digit = (word % 5) as usize;
            word /= 5;
            if digit > contest.n_seats() {
                return None;
            }
            if digit > 0 {
                marbles[digit - 1].0 |= 1 << ((3 * i + cell / 9) * 10 + cell % 9);
            }
        }
        if word != 0 {
            return None;
        }
    }
    let rest = u16::from_le_bytes(rest.try_into().ok()?);
    let side = Colour::ALL[usize::from(rest & 3)];
    let places = [0, 1, 2, 3].map(|i| (rest >> (2 + 3 * i)) as u8 & 7);
    let none_beyond = places[contest.n_seats()..].iter().all(|&place| place == 0);
    let allowed = contest.aim() == Aim::Places || places == [0; 4];
    if rest >> 14 != 0 || side as usize >= contest.n_seats() || !none_beyond || !allowed {
        return None;
    }
    let position = Position { marbles, side, places };
    position.check(contest).ok().map(|()| position)
}
