//! Legal placements, and move generation for the search, in the order of the bits.
//! `ruleset` lists moves in canonical order.

use super::{Move, MoveKind};
use crate::Pentaflip;
use crate::board::{Flip, Holes, Rings, Spots, neighbours};
use crate::position::{Position, RelativePosition};

impl Pentaflip {
    /// Returns the holes on which the side to move may place a ring, in a game in
    /// progress.
    #[inline]
    pub fn placements(&self, position: &Position) -> Holes {
        RelativePosition::of(position).placements()
    }
}

impl RelativePosition {
    /// Returns the holes on which the side to move may place a ring, in a game in
    /// progress.
    #[inline]
    pub(crate) fn placements(self) -> Holes {
        placements(self.own, self.spots, self.empty_holes())
    }

    /// Returns the legal flips.
    #[inline]
    pub(crate) fn flips(self) -> impl Iterator<Item = Flip> {
        Flip::all().filter(move |flip| flip.0 != self.last_flip)
    }

    /// Returns the legal moves of a game that is not over: placements in the order of
    /// their bits, then flips.
    #[inline]
    pub(crate) fn moves(self) -> impl Iterator<Item = Move> {
        self.placements().iter_by_bit().map(Move::place).chain(self.flips().map(Move::flip))
    }

    /// Returns whether a move is legal, in a game that is not over.
    pub(crate) fn is_legal(self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Place(cell) => self.placements().contains(cell),
            MoveKind::Flip(flip) => flip.0 != self.last_flip,
        }
    }
}

/// Returns the holes on which a colour may place a ring: on empty holes next to its
/// rings on top and its spots, or above its rings underneath. None if no ring is left.
#[inline]
pub(crate) fn placements(rings: Rings, spots: Spots, empty: Holes) -> Holes {
    if rings.count() >= Rings::MAX {
        return Holes::NONE;
    }
    neighbours(rings.top(), spots).union(rings.under()).intersection(empty)
}
