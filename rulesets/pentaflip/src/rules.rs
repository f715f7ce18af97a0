//! What may be played and how a game ends: the page `pentaflip.md`, clause by
//! clause.
//!
//! The outcome is read from the position alone: whose rings and spots lie five
//! in a row on top, whoever's turn brought them there, and whether all rings
//! are on the board.

use std::ops::ControlFlow;

use crate::Pentaflip;
use crate::board::{Cell, Colour, Holes, Rings, fives, next_to};
use crate::flip::Flip;
use crate::moves::Move;
use crate::position::Position;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One colour has five.
    Five(Colour),
    /// Both have five.
    BothFive,
    /// Nobody has five and all 44 rings are on the board.
    AllPlaced,
}

impl Verdict {
    /// `None` is a draw.
    pub fn winner(self) -> Option<Colour> {
        match self {
            Verdict::Five(colour) => Some(colour),
            Verdict::BothFive | Verdict::AllPlaced => None,
        }
    }
}

/// Why a move that is written well may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    GameOver,
    Spot(Cell),
    Occupied(Cell),
    NoRings,
    OutOfReach(Cell),
    Undoes(Flip),
}

impl Pentaflip {
    /// How the game ended; `None` while it goes on.
    #[inline]
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let [white, black] = Colour::ALL.map(|colour| has_five(position, colour));
        match (white, black) {
            (false, false) => (position.n_rings() == 2 * Rings::MAX).then_some(Verdict::AllPlaced),
            (true, false) => Some(Verdict::Five(Colour::White)),
            (false, true) => Some(Verdict::Five(Colour::Black)),
            (true, true) => Some(Verdict::BothFive),
        }
    }

    /// Where the side to move may put a ring, if the game is not over.
    #[inline]
    pub fn places(&self, position: &Position) -> Holes {
        if position.in_hand(position.side) == 0 {
            return Holes::NONE;
        }
        reach(position, position.side)
    }

    /// Gives the legal moves to `visit`, in canonical order, until it breaks.
    /// The order is that of their texts in ASCII.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict(position).is_some() {
            return ControlFlow::Continue(());
        }
        for cell in self.places(position).iter() {
            visit(Move::place(cell))?;
        }
        for flip in Flip::all() {
            if position.last != Some(flip) {
                visit(Move::flip(flip))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many legal moves there are.
    pub(crate) fn count_all(&self, position: &Position) -> u64 {
        if self.verdict(position).is_some() {
            return 0;
        }
        u64::from(self.places(position).count()) + 8 - u64::from(position.last.is_some())
    }

    /// Says why a move may not be played.
    pub(crate) fn check_move(&self, position: &Position, mv: Move) -> Result<(), Illegal> {
        if self.verdict(position).is_some() {
            return Err(Illegal::GameOver);
        }
        if let Some(flip) = mv.flipped() {
            return if position.last == Some(flip) { Err(Illegal::Undoes(flip)) } else { Ok(()) };
        }
        let Some(cell) = mv.cell() else { return Ok(()) };
        if cell.is_spot() {
            return Err(Illegal::Spot(cell));
        }
        if position.occupied().contains(cell) {
            return Err(Illegal::Occupied(cell));
        }
        if position.in_hand(position.side) == 0 {
            return Err(Illegal::NoRings);
        }
        if self.places(position).contains(cell) { Ok(()) } else { Err(Illegal::OutOfReach(cell)) }
    }

    /// The position after a legal move. Whether it is legal is not checked.
    #[inline]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let mut next = Position { side: position.side.other(), last: mv.flipped(), ..*position };
        if let Some(flip) = next.last {
            next.rings = position.rings.map(|rings| rings.flipped(flip));
            next.spots = position.spots.flipped(flip);
        } else if let Some(cell) = mv.cell() {
            let side = position.side as usize;
            next.rings[side] = position.rings[side].with(cell.hole());
        }
        next
    }
}

/// Whether rings on top and spots of a colour lie five in a row.
#[inline]
pub(crate) fn has_five(position: &Position, colour: Colour) -> bool {
    fives(position.rings(colour).top(), position.spots(colour)) != 0
}

/// Where a colour may put a ring, if it has any left.
#[inline]
pub(crate) fn reach(position: &Position, colour: Colour) -> Holes {
    let rings = position.rings(colour);
    next_to(rings.top(), position.spots(colour)).or(rings.under()).and(position.occupied().complement())
}
