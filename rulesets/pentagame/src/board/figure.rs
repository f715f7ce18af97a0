//! Figures: their players and colours.

use std::fmt;

use crate::board::stop::Stop;

/// Figures per player.
pub(crate) const N_COLOURS: usize = 5;
/// Maximum number of players.
pub(crate) const SEATS_MAX: usize = 4;
/// Figures of four players.
pub(crate) const FIGURES_MAX: usize = SEATS_MAX * N_COLOURS;

/// A player's figure of one colour, `1a` to `4e`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Figure(pub(crate) u8);

impl Figure {
    /// Returns the figure of a seat (from 0) and colour (0 to 4).
    #[inline]
    pub fn new(seat: usize, colour: usize) -> Figure {
        Figure((seat * N_COLOURS + colour) as u8)
    }

    /// Returns its number, ordered by seat, then by colour.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the seat of its player, from 0.
    #[inline]
    pub fn seat(self) -> usize {
        usize::from(self.0) / N_COLOURS
    }

    /// Returns its colour, from 0: white, blue, red, yellow, green.
    #[inline]
    pub fn colour(self) -> usize {
        usize::from(self.0) % N_COLOURS
    }

    /// Returns the crossing on which it moves out.
    #[inline]
    pub fn goal(self) -> Stop {
        Stop::crossing(self.colour())
    }

    /// Returns its colour as a letter, `a` to `e`.
    pub(crate) fn letter(self) -> char {
        char::from(b'a' + self.colour() as u8)
    }
}

/// Names of the colours `a` to `e`.
pub(crate) const COLOUR_NAMES: [&str; N_COLOURS] = ["white", "blue", "red", "yellow", "green"];

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.seat() + 1, self.letter())
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
