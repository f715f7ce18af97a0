//! Wins with the next move.

use crate::Pentaflip;
use crate::board::{Holes, fives};
use crate::flip::Flip;
use crate::lines::{Filled, completing, fives_by_flips};
use crate::moves::Move;
use crate::position::Position;
use crate::state::State;

impl Pentaflip {
    /// A move that wins at once, if there is one.
    #[inline]
    pub fn win_in_one(&self, position: &Position) -> Option<Move> {
        State::of(position).win_in_one()
    }
}

impl State {
    /// A move that wins at once, if there is one.
    #[inline]
    pub(crate) fn win_in_one(self) -> Option<Move> {
        let places = self.winning_places();
        if let Some(cell) = places.bits().next() {
            return Some(Move::place(cell));
        }
        let flips = self.winning_flips();
        (flips != 0).then(|| Move::flip(Flip(flips.trailing_zeros() as u8)))
    }

    #[inline]
    pub(crate) fn can_win(self) -> bool {
        !self.winning_places().is_empty() || self.winning_flips() != 0
    }

    /// Where a ring completes five.
    #[inline]
    pub(crate) fn winning_places(self) -> Holes {
        let own = Filled::of(self.own.top(), self.spots);
        if !own.any_four() {
            return Holes::NONE;
        }
        let opposing = Filled::of(self.opposing.top(), self.spots.others());
        let fours = own.fours().and(opposing.none());
        if fours.is_empty() {
            return Holes::NONE;
        }
        completing(fours, self.own.top()).and(self.places())
    }

    /// The flips, a bit each, that bring up five and none for the other side.
    #[inline]
    pub(crate) fn winning_flips(self) -> u32 {
        let mut flips = fives_by_flips(self.own, self.spots) & !(1 << self.last);
        let mut rest = flips;
        while rest != 0 {
            let flip = Flip(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            if fives(self.opposing.flipped(flip).top(), self.spots.others().flipped(flip)) != 0 {
                flips ^= 1 << flip.0;
            }
        }
        flips
    }
}
