//! A position from the point of view of the side to move: its own rings and
//! spots, and the opponent's, without colours.
//!
//! Search, evaluation and playouts use these. Positions with swapped colours are equal.

use pentad_sdk::Wdl;
use pentad_sdk::rng::mix;

use super::Position;
use crate::board::lines::completed_lines;
use crate::board::{Flip, Holes, N_FLIPS, Rings, Spots};
use crate::moves::{Move, MoveKind};

/// The position as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RelativePosition {
    pub(crate) own: Rings,
    pub(crate) opponent: Rings,
    /// The spots of the side to move.
    pub(crate) spots: Spots,
    /// The number of the flip that may not be made, or [`NO_FLIP`].
    pub(crate) last_flip: u8,
}

/// The preceding turn was not a flip.
pub(crate) const NO_FLIP: u8 = N_FLIPS as u8;

impl RelativePosition {
    #[inline]
    pub(crate) fn of(position: &Position) -> RelativePosition {
        let side = position.side;
        RelativePosition {
            own: position.rings(side),
            opponent: position.rings(side.other()),
            spots: position.spots(side),
            last_flip: position.last_flip.map_or(NO_FLIP, |flip| flip.0),
        }
    }

    /// Returns the position after the side to move passes, which the rules do not
    /// allow.
    #[inline]
    pub(crate) fn null_move(self) -> RelativePosition {
        RelativePosition { own: self.opponent, opponent: self.own, spots: self.spots.complement(), last_flip: NO_FLIP }
    }

    /// Returns the position after a ring is placed on a hole.
    #[inline]
    pub(crate) fn place(self, hole: Holes) -> RelativePosition {
        RelativePosition { opponent: self.own.with_top(hole), ..self.null_move() }
    }

    /// Returns the position after a flip.
    #[inline]
    pub(crate) fn flip(self, flip: Flip) -> RelativePosition {
        RelativePosition {
            own: self.opponent.flipped(flip),
            opponent: self.own.flipped(flip),
            spots: self.spots.flipped(flip).complement(),
            last_flip: flip.0,
        }
    }

    /// Returns the position after a legal move. Whether it is legal is not checked.
    #[inline]
    pub(crate) fn play_unchecked(self, mv: Move) -> RelativePosition {
        match mv.kind() {
            MoveKind::Place(cell) => self.place(Holes::only(cell)),
            MoveKind::Flip(flip) => self.flip(flip),
        }
    }

    /// Returns the result of a game that is over, for the side that made the last move;
    /// `None` while it is in progress.
    #[inline]
    pub(crate) fn outcome_for_last_mover(self) -> Option<Wdl> {
        match (self.opponent_has_five(), self.has_five()) {
            (true, false) => Some(Wdl::Win),
            (false, true) => Some(Wdl::Loss),
            (true, true) => Some(Wdl::Draw),
            (false, false) => self.all_rings_placed().then_some(Wdl::Draw),
        }
    }

    #[inline]
    fn has_five(self) -> bool {
        completed_lines(self.own.top(), self.spots) != 0
    }

    #[inline]
    fn opponent_has_five(self) -> bool {
        completed_lines(self.opponent.top(), self.spots.complement()) != 0
    }

    #[inline]
    pub(crate) fn all_rings_placed(self) -> bool {
        self.own.count() + self.opponent.count() == 2 * Rings::MAX
    }

    /// Returns the holes without a ring on top.
    #[inline]
    pub(crate) fn empty_holes(self) -> Holes {
        self.own.top().union(self.opponent.top()).complement()
    }

    /// Returns a hash of the whole position; see [`Position::key`].
    #[inline]
    pub(crate) fn key(self) -> u64 {
        self.own.0 ^ mix(self.opponent.0 ^ mix(u64::from(self.spots.0) | u64::from(self.last_flip) << 4))
    }
}
