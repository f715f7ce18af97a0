//! Moves and their texts.
//!
//! Every text is a slice of one constant string, so that listing moves
//! allocates nothing.

use std::fmt;

use crate::board::tables::{N_CELLS, TURNING};
use crate::board::{Cell, Turn};

/// A placement, and a turn unless the placement made five.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    cell: u8,
    turn: u8,
}

/// Value of `turn` in a move without a turn.
const NO_TURN: u8 = 16;

impl Move {
    /// Number of moves, legal or not: 17 for each cell.
    pub const COUNT: usize = N_CELLS * 17;

    /// Creates a move that places a marble and turns nothing.
    #[inline]
    pub fn place(cell: Cell) -> Move {
        Move { cell: cell.0, turn: NO_TURN }
    }

    /// Creates a move that places a marble, then turns a block.
    #[inline]
    pub fn place_and_turn(cell: Cell, turn: Turn) -> Move {
        Move { cell: cell.0, turn: turn.0 }
    }

    /// Returns the cell where the marble is placed.
    #[inline]
    pub fn cell(self) -> Cell {
        Cell(self.cell)
    }

    /// Returns the turn after the placement, if there is one.
    #[inline]
    pub fn turn(self) -> Option<Turn> {
        (self.turn != NO_TURN).then_some(Turn(self.turn))
    }

    /// Returns its index in canonical order, below [`Move::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        // The cell alone comes before its turns.
        usize::from(self.cell) * 17 + if self.turn == NO_TURN { 0 } else { usize::from(self.turn) + 1 }
    }

    /// Returns the canonical text. Moves are ordered like their texts in ASCII.
    #[inline]
    pub fn text(self) -> &'static str {
        let cell = usize::from(self.cell) * CELL_TEXTS_BYTES;
        if self.turn == NO_TURN {
            return &TEXTS[cell..cell + 2];
        }
        let start = cell + usize::from(self.turn) * TEXT_BYTES;
        &TEXTS[start..start + TEXT_BYTES]
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Bytes of `c3-2r`.
const TEXT_BYTES: usize = 5;
/// Bytes of the sixteen texts with a turn of one cell.
const CELL_TEXTS_BYTES: usize = Turn::COUNT * TEXT_BYTES;

/// `a1-1l`, `a1-1r` and so on, concatenated.
static TEXTS: &str = match std::str::from_utf8(&BYTES) {
    Ok(texts) => texts,
    Err(_) => panic!("only ASCII was written"),
};

static BYTES: [u8; N_CELLS * CELL_TEXTS_BYTES] = bytes();

const fn bytes() -> [u8; N_CELLS * CELL_TEXTS_BYTES] {
    let mut bytes = [b'-'; N_CELLS * CELL_TEXTS_BYTES];
    let mut i = 0;
    while i < N_CELLS * Turn::COUNT {
        let (cell, turn) = (i / Turn::COUNT, i % Turn::COUNT);
        bytes[i * TEXT_BYTES] = b'a' + (cell / 9) as u8;
        bytes[i * TEXT_BYTES + 1] = b'1' + (cell % 9) as u8;
        bytes[i * TEXT_BYTES + 3] = b'1' + TURNING[turn / 2];
        bytes[i * TEXT_BYTES + 4] = if turn % 2 == 1 { b'r' } else { b'l' };
        i += 1;
    }
    bytes
}
