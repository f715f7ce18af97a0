//! Rings and spots of one colour.

use super::Holes;
use super::tables::{NEIGHBOURS, SPOT_NEIGHBOURS};

/// The rings of one colour: those on top in the lower 32 bits, those underneath
/// in the upper 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rings(pub(crate) u64);

impl Rings {
    /// No ring on the board.
    pub const NONE: Rings = Rings(0);
    /// Number of rings of a player.
    pub const MAX: u32 = 22;

    /// Returns the holes with one of these rings on top.
    #[inline]
    pub fn top(self) -> Holes {
        Holes(self.0 as u32)
    }

    /// Returns the holes with one of these rings underneath, each named by the cell as
    /// seen from above.
    #[inline]
    pub fn under(self) -> Holes {
        Holes((self.0 >> 32) as u32)
    }

    /// Returns the number of rings on the board.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Adds a ring on top of a hole.
    #[inline]
    #[must_use]
    pub(crate) fn with_top(self, hole: Holes) -> Rings {
        Rings(self.0 | u64::from(hole.0))
    }

    /// Adds a ring underneath a hole.
    #[must_use]
    pub(crate) fn with_under(self, hole: Holes) -> Rings {
        Rings(self.0 | u64::from(hole.0) << 32)
    }
}

/// The two spots of one colour, one bit for the panel of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spots(pub(crate) u8);

impl Spots {
    /// Returns the spots of the other colour.
    #[inline]
    #[must_use]
    pub fn complement(self) -> Spots {
        Spots(self.0 ^ 15)
    }

    /// Returns whether the spot in a panel, from 0 to 3, is one of them.
    #[inline]
    pub fn contains(self, panel: usize) -> bool {
        self.0 >> panel & 1 != 0
    }
}

/// Returns the holes orthogonally next to the rings on top and the spots of one colour.
#[inline]
pub(crate) fn neighbours(top: Holes, spots: Spots) -> Holes {
    let part = |panel: usize| NEIGHBOURS[panel][top.panel(panel)];
    Holes(part(0) | part(1) | part(2) | part(3) | SPOT_NEIGHBOURS[usize::from(spots.0 & 15)])
}
