//! Immediate wins: placements and flips that make five at once.

use crate::Pentaflip;
use crate::board::lines::{LineCounts, completed_lines, completing_holes, flips_making_five};
use crate::board::{Flip, Holes};
use crate::moves::Move;
use crate::position::{Position, RelativePosition};

impl Pentaflip {
    /// Returns a move that wins at once, if there is one, in a game that is not over.
    #[inline]
    pub fn winning_move(&self, position: &Position) -> Option<Move> {
        RelativePosition::of(position).winning_move()
    }
}

impl RelativePosition {
    /// Does the same as [`Pentaflip::winning_move`].
    #[inline]
    pub(crate) fn winning_move(self) -> Option<Move> {
        let placements = self.winning_placements();
        if let Some(cell) = placements.first() {
            return Some(Move::place(cell));
        }
        let flips = self.winning_flips();
        (flips != 0).then(|| Move::flip(Flip(flips.trailing_zeros() as u8)))
    }

    #[inline]
    pub(crate) fn has_winning_move(self) -> bool {
        !self.winning_placements().is_empty() || self.winning_flips() != 0
    }

    /// Returns the placements that complete a line.
    #[inline]
    fn winning_placements(self) -> Holes {
        let own = LineCounts::of(self.own.top(), self.spots);
        if !own.has_four_or_five() {
            return Holes::NONE;
        }
        let opponent = LineCounts::of(self.opponent.top(), self.spots.complement());
        let fours = own.fours().intersection(opponent.none());
        if fours.is_empty() {
            return Holes::NONE;
        }
        completing_holes(fours, self.own.top()).intersection(self.placements())
    }

    /// Returns the flips, one bit each, that make five for the side to move and none
    /// for the opponent.
    #[inline]
    fn winning_flips(self) -> u32 {
        let mut flips = flips_making_five(self.own, self.spots) & !(1 << self.last_flip);
        let mut rest = flips;
        while rest != 0 {
            let flip = Flip(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            if completed_lines(self.opponent.flipped(flip).top(), self.spots.complement().flipped(flip)) != 0 {
                flips ^= 1 << flip.0;
            }
        }
        flips
    }
}
