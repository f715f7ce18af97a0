//! The board: colours, cells, rings and spots, lines of five, and the flips.
//!
//! Everything is a bitboard. The order of the bits, which makes flips cheap, is
//! described in `tables`.

mod cells;
mod flip;
pub(crate) mod lines;
mod rings;
pub(crate) mod tables;

pub use cells::{Cell, Holes};
pub use flip::Flip;
pub(crate) use flip::N_FLIPS;
pub(crate) use rings::neighbours;
pub use rings::{Rings, Spots};

/// One of the two players, numbered as their seats are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// `w`, seat 0.
    White = 0,
    /// `b`, seat 1.
    Black = 1,
}

impl Colour {
    /// White, then black: the order of the seats.
    pub const ALL: [Colour; 2] = [Colour::White, Colour::Black];

    /// The opponent's colour.
    #[inline]
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// The English name, capitalised.
    pub fn name(self) -> &'static str {
        ["White", "Black"][self as usize]
    }

    /// The letter of this colour in positions: `w` or `b`.
    pub fn letter(self) -> char {
        ['w', 'b'][self as usize]
    }
}
