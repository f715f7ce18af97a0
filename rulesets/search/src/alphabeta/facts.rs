//! What is proven about a position, beside what it is worth.

/// What is proven about a position, for the side to move there.
///
/// A drawn value cannot be told from an even estimate by its number, hence
/// these. They follow from ends of the game and from each other alone, and so
/// hold whatever window, depth or reduction found them. For searches that games
/// write themselves, with values that are 0 where the game is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(u8);

impl Facts {
    /// Nothing.
    pub const NONE: Facts = Facts(0);
    /// The side to move need not lose.
    pub const HOLDS: Facts = Facts(1);
    /// The side to move cannot win.
    pub const HELD: Facts = Facts(2);
    /// Both.
    pub const DRAW: Facts = Facts(3);

    /// Whether the side to move need not lose.
    #[inline]
    pub fn holds(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the side to move cannot win.
    #[inline]
    pub fn held(self) -> bool {
        self.0 & 2 != 0
    }

    /// What is known if both are.
    #[inline]
    #[must_use]
    pub fn and(self, other: Facts) -> Facts {
        Facts(self.0 | other.0)
    }

    /// What both have in common.
    #[inline]
    #[must_use]
    pub fn common(self, other: Facts) -> Facts {
        Facts(self.0 & other.0)
    }

    /// As the other side sees it.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Facts {
        Facts(self.0 >> 1 | (self.0 & 1) << 1)
    }

    /// Moves a value to where the facts allow it to be.
    #[inline]
    pub fn confine(self, value: i32) -> i32 {
        let value = if self.holds() { value.max(0) } else { value };
        if self.held() { value.min(0) } else { value }
    }

    /// Two bits.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// From two bits; others are ignored.
    #[inline]
    pub fn from_bits(bits: u8) -> Facts {
        Facts(bits & 3)
    }
}
