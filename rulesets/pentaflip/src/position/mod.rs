//! A position: the rings of both colours on both sides, the spots, the side to
//! move, and the last flip, which may not be repeated at once.
//!
//! `RelativePosition` is the same from the point of view of the side to move, for
//! search and evaluation.

mod relative;

use pentad_sdk::rng::mix;

use crate::board::{Colour, Flip, Holes, N_FLIPS, Rings, Spots};
pub(crate) use relative::{NO_FLIP, RelativePosition};

/// Everything the rules need: equal positions have the same future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// White's rings, then black's.
    pub(crate) rings: [Rings; 2],
    /// White's spots; the others are black's.
    pub(crate) spots: Spots,
    pub(crate) side: Colour,
    /// The flip of the preceding turn, if it was one.
    pub(crate) last_flip: Option<Flip>,
}

impl Position {
    /// No rings, white's spots on c3 and d4, white to move.
    pub const START: Position =
        Position { rings: [Rings::NONE, Rings::NONE], spots: Spots(0b1001), side: Colour::White, last_flip: None };

    /// Returns the rings of a colour.
    #[inline]
    pub fn rings(&self, colour: Colour) -> Rings {
        self.rings[colour as usize]
    }

    /// Returns the spots of a colour.
    #[inline]
    pub fn spots(&self, colour: Colour) -> Spots {
        match colour {
            Colour::White => self.spots,
            Colour::Black => self.spots.complement(),
        }
    }

    /// Returns the side to move, even in a finished game.
    pub fn side(&self) -> Colour {
        self.side
    }

    /// Returns the flip of the preceding turn, which may not be repeated at once.
    pub fn last_flip(&self) -> Option<Flip> {
        self.last_flip
    }

    /// Returns the holes that have a ring on top.
    #[inline]
    pub fn occupied(&self) -> Holes {
        self.rings[0].top().union(self.rings[1].top())
    }

    /// Returns the number of rings that a colour has not yet placed.
    #[inline]
    pub fn in_hand(&self, colour: Colour) -> u32 {
        Rings::MAX.saturating_sub(self.rings(colour).count())
    }

    /// Returns the number of rings on the board, of both colours.
    pub fn n_rings(&self) -> u32 {
        self.rings[0].count() + self.rings[1].count()
    }

    /// Returns a hash of the whole position, computed from scratch: for two words and a
    /// few bits that costs no more than updating it. Positions that differ only in
    /// white's rings never collide; others only by chance.
    #[inline]
    pub fn key(&self) -> u64 {
        let rest = u64::from(self.spots.0) | (self.side as u64) << 4 | flip_code(self.last_flip) << 5;
        self.rings[0].0 ^ mix(self.rings[1].0 ^ mix(rest))
    }
}

/// Returns the number of a flip, or one more than the highest for none.
pub(crate) fn flip_code(flip: Option<Flip>) -> u64 {
    flip.map_or(N_FLIPS as u64, |flip| u64::from(flip.0))
}
