//! A position without colours: what the side to move has, and what the other.
//!
//! Search, evaluation and playouts work on these; swapping the colours of
//! everything changes nothing here.

use pentad_sdk::search::rng::mix;

use crate::board::{Holes, Rings, Spots, fives, next_to};
use crate::flip::{Flip, N_FLIPS};
use crate::moves::Move;
use crate::position::Position;

/// What the side to move sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) own: Rings,
    pub(crate) opposing: Rings,
    /// One's own.
    pub(crate) spots: Spots,
    /// The number of the flip that may not be made, or [`NO_FLIP`].
    pub(crate) last: u8,
}

/// No flip was made.
pub(crate) const NO_FLIP: u8 = N_FLIPS as u8;

/// How a game that has just ended is for the side that made the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Won,
    Drawn,
    Lost,
}

impl State {
    pub(crate) fn of(position: &Position) -> State {
        let side = position.side;
        State {
            own: position.rings(side),
            opposing: position.rings(side.other()),
            spots: position.spots(side),
            last: position.last.map_or(NO_FLIP, |flip| flip.0),
        }
    }

    /// As if the side to move had done nothing.
    #[inline]
    pub(crate) fn passed(self) -> State {
        State { own: self.opposing, opposing: self.own, spots: self.spots.others(), last: NO_FLIP }
    }

    #[inline]
    pub(crate) fn placed(self, hole: Holes) -> State {
        State { opposing: self.own.with(hole), ..self.passed() }
    }

    #[inline]
    pub(crate) fn flipped(self, flip: Flip) -> State {
        State {
            own: self.opposing.flipped(flip),
            opposing: self.own.flipped(flip),
            spots: self.spots.flipped(flip).others(),
            last: flip.0,
        }
    }

    /// After a legal move.
    #[inline]
    pub(crate) fn played(self, mv: Move) -> State {
        match (mv.cell(), mv.flipped()) {
            (Some(cell), _) => self.placed(cell.hole()),
            (None, Some(flip)) => self.flipped(flip),
            (None, None) => self.passed(),
        }
    }

    /// Whether the side to move has five.
    #[inline]
    pub(crate) fn own_five(self) -> bool {
        fives(self.own.top(), self.spots) != 0
    }

    /// Whether the other side has five.
    #[inline]
    pub(crate) fn opposing_five(self) -> bool {
        fives(self.opposing.top(), self.spots.others()) != 0
    }

    /// How the game has ended, for the side that moved last.
    #[inline]
    pub(crate) fn end(self) -> Option<End> {
        match (self.opposing_five(), self.own_five()) {
            (true, false) => Some(End::Won),
            (false, true) => Some(End::Lost),
            (true, true) => Some(End::Drawn),
            (false, false) => self.all_placed().then_some(End::Drawn),
        }
    }

    #[inline]
    pub(crate) fn all_placed(self) -> bool {
        self.own.count() + self.opposing.count() == 2 * Rings::MAX
    }

    /// Holes without a ring on top.
    #[inline]
    pub(crate) fn empty(self) -> Holes {
        self.own.top().or(self.opposing.top()).complement()
    }

    /// Where the side to move may put a ring.
    #[inline]
    pub(crate) fn places(self) -> Holes {
        if self.own.count() >= Rings::MAX {
            return Holes::NONE;
        }
        next_to(self.own.top(), self.spots).or(self.own.under()).and(self.empty())
    }

    /// Flips that may be made.
    #[inline]
    pub(crate) fn flips(self) -> impl Iterator<Item = Flip> {
        Flip::all().filter(move |flip| flip.0 != self.last)
    }

    /// Moves that may be made, in a game that is not over.
    #[inline]
    pub(crate) fn moves(self) -> impl Iterator<Item = Move> {
        self.places().bits().map(Move::place).chain(self.flips().map(Move::flip))
    }

    /// Whether a move may be made, in a game that is not over.
    pub(crate) fn allows(self, mv: Move) -> bool {
        match (mv.cell(), mv.flipped()) {
            (Some(cell), _) => self.places().contains(cell),
            (None, Some(flip)) => flip.0 != self.last,
            (None, None) => false,
        }
    }

    /// A hash of everything; see [`Position::key`].
    #[inline]
    pub(crate) fn key(self) -> u64 {
        self.own.0 ^ mix(self.opposing.0 ^ mix(u64::from(self.spots.0) | u64::from(self.last) << 4))
    }
}
