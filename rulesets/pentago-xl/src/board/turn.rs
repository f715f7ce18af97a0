//! Quarter turns of blocks.

use std::fmt;

use crate::board::tables::TURNING;

/// A quarter turn of one block, numbered by block, then counter-clockwise before
/// clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub(crate) u8);

impl Turn {
    /// Number of turns: two for each of eight blocks.
    pub const COUNT: usize = 16;

    /// Iterates over all sixteen in the order of their texts.
    #[inline]
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..Turn::COUNT as u8).map(Turn)
    }

    /// Returns the turn of a block (from 0); `None` for the fixed centre block.
    pub(crate) fn new(block: usize, clockwise: bool) -> Option<Turn> {
        let idx = TURNING.iter().position(|&turning| usize::from(turning) == block)?;
        Some(Turn(2 * idx as u8 + u8::from(clockwise)))
    }

    /// Returns the block that is turned, from 0.
    #[inline]
    pub fn block(self) -> usize {
        usize::from(TURNING[usize::from(self.0 >> 1 & 7)])
    }

    /// Returns whether it is clockwise as the board is drawn.
    #[inline]
    pub fn is_clockwise(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns the turn that undoes this one.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Turn {
        Turn(self.0 ^ 1)
    }

    /// Returns its number, from 0 to 15.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0 & 15)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.block() + 1, if self.is_clockwise() { 'r' } else { 'l' })
    }
}
