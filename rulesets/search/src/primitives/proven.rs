//! What is proven about a position, beside what it is worth.

/// What is proven about a position, for the side to move there.
///
/// A drawn value cannot be told from an even estimate by its number, hence
/// these. They follow from ends of the game and from each other alone, and so
/// hold whatever window, depth or reduction found them. A drawn position has the
/// value 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proven(u8);

impl Proven {
    /// Nothing.
    pub const NONE: Proven = Proven(0);
    /// The side to move need not lose.
    pub const NOT_LOST: Proven = Proven(1);
    /// The side to move cannot win.
    pub const NOT_WON: Proven = Proven(2);
    /// Both.
    pub const DRAW: Proven = Proven(3);

    /// Whether the side to move need not lose.
    #[inline]
    pub fn is_not_lost(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the side to move cannot win.
    #[inline]
    pub fn is_not_won(self) -> bool {
        self.0 & 2 != 0
    }

    /// What follows from both.
    #[inline]
    #[must_use]
    pub fn union(self, other: Proven) -> Proven {
        Proven(self.0 | other.0)
    }

    /// What holds in both.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: Proven) -> Proven {
        Proven(self.0 & other.0)
    }

    /// For the other side.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Proven {
        Proven(self.0 >> 1 | (self.0 & 1) << 1)
    }

    /// The value, clamped to what is proven.
    #[inline]
    pub fn clamp(self, value: i32) -> i32 {
        let value = if self.is_not_lost() { value.max(0) } else { value };
        if self.is_not_won() { value.min(0) } else { value }
    }

    /// Two bits.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// From two bits; others are ignored.
    #[inline]
    pub fn from_bits(bits: u8) -> Proven {
        Proven(bits & 3)
    }
}
