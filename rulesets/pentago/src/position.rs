//! A position: the marbles of both colours, the side to move, and whether its move is a
//! reply.
//!
//! The result of a finished game follows from the same data, in every edition (see
//! [`rules`](crate::rules)).

use crate::board::tables::TERNARY;
use crate::board::{Cells, Colour};
use crate::variant::Edition;

/// A legal position of an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By colour.
    pub(crate) marbles: [Cells; 2],
    pub(crate) side: Colour,
    /// Whether the side to move may answer a five made by turning (Czech edition).
    pub(crate) reply: bool,
}

/// Why a position is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionError {
    /// The colours differ by more than one marble.
    Counts,
    /// The counts fit if the other side is to move.
    Side,
    /// Only the Czech edition has a reply.
    ReplyUnknown,
    /// The other side has no five to reply to.
    ReplyToNothing,
    /// The side to move also has five: the game was drawn at once.
    ReplyAfterDraw,
    /// No cell is left, so the game ended at once.
    ReplyWithoutCell,
}

impl Position {
    /// The empty board, white to move.
    pub const START: Position = Position { marbles: [Cells::NONE, Cells::NONE], side: Colour::White, reply: false };

    /// Returns the marbles of a colour.
    pub fn marbles(&self, colour: Colour) -> Cells {
        self.marbles[colour as usize]
    }

    /// Returns the side to move, even in a finished game.
    pub fn side(&self) -> Colour {
        self.side
    }

    /// Returns whether the move is the reply of the Czech edition.
    pub fn is_reply(&self) -> bool {
        self.reply
    }

    /// Returns the marbles of the side to move.
    #[inline]
    pub fn own(&self) -> Cells {
        self.marbles[self.side as usize]
    }

    /// Returns the marbles of the other side.
    #[inline]
    pub fn opposing(&self) -> Cells {
        self.marbles[self.side.other() as usize]
    }

    /// Returns every cell that holds a marble.
    #[inline]
    pub fn occupied(&self) -> Cells {
        self.marbles[0].union(self.marbles[1])
    }

    /// Returns every cell that holds none.
    #[inline]
    pub fn empty(&self) -> Cells {
        self.occupied().complement()
    }

    /// Returns a number unique to the position. Each block is a base-three number below
    /// 2^15.
    #[inline]
    pub fn code(&self) -> u64 {
        let [white, black] = self.marbles;
        let block = |i| u64::from(TERNARY[white.block(i)] + 2 * TERNARY[black.block(i)]) << (15 * i);
        block(0) | block(1) | block(2) | block(3) | (self.side as u64) << 60 | u64::from(self.reply) << 61
    }

    /// Checks that the position is legal in an edition. The colours are known to be
    /// on different cells.
    ///
    /// Whether a game can reach it is not checked: a board beyond an earlier end
    /// of the game is accepted, with the outcome that the rules give it.
    pub(crate) fn check(&self, edition: Edition) -> Result<(), PositionError> {
        self.check_counts()?;
        self.check_reply(edition)
    }

    /// Checks that the numbers of marbles fit the side to move. They do not in a
    /// position with the other side to move, which shows what that side could do.
    pub(crate) fn check_counts(&self) -> Result<(), PositionError> {
        let (own, opposing) = (self.own().count(), self.opposing().count());
        if own.abs_diff(opposing) > 1 {
            return Err(PositionError::Counts);
        }
        if own > opposing { Err(PositionError::Side) } else { Ok(()) }
    }

    /// Checks that a pending reply is possible.
    pub(crate) fn check_reply(&self, edition: Edition) -> Result<(), PositionError> {
        if !self.reply {
            return Ok(());
        }
        if edition != Edition::Czech {
            return Err(PositionError::ReplyUnknown);
        }
        if !self.opposing().has_five() {
            return Err(PositionError::ReplyToNothing);
        }
        if self.own().has_five() {
            return Err(PositionError::ReplyAfterDraw);
        }
        if self.empty().is_empty() {
            return Err(PositionError::ReplyWithoutCell);
        }
        Ok(())
    }
}
