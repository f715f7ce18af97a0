//! What is proven about a position, independent of its value.

/// What is proven about a position, for the side to move there.
///
/// The number 0 does not distinguish a draw from an even estimate, so proofs are kept
/// separately. They follow from ends of the game and from each other alone, so they
/// hold whatever window, depth or reduction found them. A drawn position has the value
/// 0.
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

    /// Returns whether the side to move need not lose.
    #[inline]
    pub fn is_not_lost(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns whether the side to move cannot win.
    #[inline]
    pub fn is_not_won(self) -> bool {
        self.0 & 2 != 0
    }

    /// Returns what is proven by either.
    #[inline]
    #[must_use]
    pub fn union(self, other: Proven) -> Proven {
        Proven(self.0 | other.0)
    }

    /// Returns what is proven by both.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: Proven) -> Proven {
        Proven(self.0 & other.0)
    }

    /// Returns the same for the other side.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Proven {
        Proven(self.0 >> 1 | (self.0 & 1) << 1)
    }

    /// Clamps a value to what is proven.
    #[inline]
    pub fn clamp(self, value: i32) -> i32 {
        let value = if self.is_not_lost() { value.max(0) } else { value };
        if self.is_not_won() { value.min(0) } else { value }
    }

    /// Returns the two bits.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Creates it from two bits; others are ignored.
    #[inline]
    pub fn from_bits(bits: u8) -> Proven {
        Proven(bits & 3)
    }
}
