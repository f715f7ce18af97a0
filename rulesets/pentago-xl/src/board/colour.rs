//! The players' colours.

/// One of the players, numbered as their seats are, in playing order.
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
    /// In playing order.
    pub const ALL: [Colour; 4] = [Colour::Red, Colour::Yellow, Colour::Green, Colour::Blue];

    /// The name in texts for people.
    pub fn name(self) -> &'static str {
        ["Red", "Yellow", "Green", "Blue"][self as usize]
    }

    /// The letter in positions.
    pub fn letter(self) -> char {
        ['r', 'y', 'g', 'b'][self as usize]
    }
}
