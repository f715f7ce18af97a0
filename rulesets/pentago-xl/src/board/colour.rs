//! The players' colours.

/// A player, numbered by seat in playing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// `r`, seat 0.
    Red = 0,
    /// `y`, seat 1.
    Yellow = 1,
    /// `g`, seat 2.
    Green = 2,
    /// `b`, seat 3.
    Blue = 3,
}

impl Colour {
    /// All colours in playing order.
    pub const ALL: [Colour; 4] = [Colour::Red, Colour::Yellow, Colour::Green, Colour::Blue];

    /// Returns the English name.
    pub fn name(self) -> &'static str {
        ["Red", "Yellow", "Green", "Blue"][self as usize]
    }

    /// Returns the letter used in positions.
    pub fn letter(self) -> char {
        ['r', 'y', 'g', 'b'][self as usize]
    }
}
