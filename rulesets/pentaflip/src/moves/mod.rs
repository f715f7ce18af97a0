//! A move and its text; move generation for the search and immediate wins.
//!
//! Every text is a slice of one constant string, so that listing moves
//! allocates nothing.

pub(crate) mod movegen;
mod winning;

use std::fmt;

use crate::board::tables::N_CELLS;
use crate::board::{Cell, Flip, N_FLIPS};

/// A placement of a ring, or a flip. Ordered as in listings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A ring is placed on top of a hole.
    Place(Cell),
    /// A panel or half turns over.
    Flip(Flip),
}

impl Move {
    /// Number of moves, legal or not: a placement on each cell, spots included,
    /// and the flips.
    pub const COUNT: usize = N_CELLS + N_FLIPS;

    /// Creates a placement on top of a hole.
    #[inline]
    pub fn place(cell: Cell) -> Move {
        Move(cell.0)
    }

    /// Creates a flip of a panel or half.
    #[inline]
    pub fn flip(flip: Flip) -> Move {
        Move(N_CELLS as u8 + flip.0)
    }

    /// Returns the move of an [`index`](Move::index), if there is one.
    pub(crate) fn from_index(index: usize) -> Option<Move> {
        (index < Move::COUNT).then_some(Move(index as u8))
    }

    /// Returns whether it is a placement or a flip, with its cell or part.
    #[inline]
    pub fn kind(self) -> MoveKind {
        match self.0.checked_sub(N_CELLS as u8) {
            None => MoveKind::Place(Cell(self.0)),
            Some(flip) => MoveKind::Flip(Flip(flip)),
        }
    }

    /// Returns the cell on which a ring is placed; `None` for a flip.
    #[inline]
    pub fn as_placement(self) -> Option<Cell> {
        if let MoveKind::Place(cell) = self.kind() { Some(cell) } else { None }
    }

    /// Returns the flip; `None` for a placement.
    #[inline]
    pub fn as_flip(self) -> Option<Flip> {
        if let MoveKind::Flip(flip) = self.kind() { Some(flip) } else { None }
    }

    /// Returns its index in canonical order, below [`Move::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the canonical text, `c2` or `~L`.
    #[inline]
    pub fn text(self) -> &'static str {
        &TEXTS[self.index() * 2..][..2]
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// `a1`, `a2` and so on, then the flips, without gaps.
static TEXTS: &str = match std::str::from_utf8(&BYTES) {
    Ok(texts) => texts,
    Err(_) => panic!("only ASCII was written"),
};

static BYTES: [u8; Move::COUNT * 2] = bytes();

const fn bytes() -> [u8; Move::COUNT * 2] {
    let mut bytes = [b'~'; Move::COUNT * 2];
    let mut i = 0;
    while i < Move::COUNT {
        if i < N_CELLS {
            bytes[2 * i] = b'a' + (i / 6) as u8;
            bytes[2 * i + 1] = b'1' + (i % 6) as u8;
        } else {
            bytes[2 * i + 1] = b"1234BLRT"[i - N_CELLS];
        }
        i += 1;
    }
    bytes
}
