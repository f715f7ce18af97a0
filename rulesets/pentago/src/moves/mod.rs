//! A move and its text; distinct moves and immediate wins.
//!
//! Every text is a slice of one constant string, so that listing moves
//! allocates nothing.

mod distinct;
mod winning;

use std::fmt;

use crate::board::tables::N_CELLS;
use crate::board::{Cell, Turn};

/// A placement with or without a turn, or a pass instead of the reply.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    cell: u8,
    turn: u8,
}

/// `cell` of a pass.
const NO_CELL: u8 = 255;
/// `turn` of a placement alone.
const NO_TURN: u8 = 8;

impl Move {
    /// The reply that places nothing.
    pub const PASS: Move = Move { cell: NO_CELL, turn: NO_TURN };
    /// Number of moves of all variants together.
    pub const COUNT: usize = N_CELLS * 9 + 1;

    /// Creates a placement without a turn.
    #[inline]
    pub fn place(cell: Cell) -> Move {
        Move { cell: cell.0, turn: NO_TURN }
    }

    /// Creates a placement and a turn.
    #[inline]
    pub fn place_and_turn(cell: Cell, turn: Turn) -> Move {
        Move { cell: cell.0, turn: turn.0 }
    }

    /// Returns where a marble is placed; `None` for the pass.
    #[inline]
    pub fn cell(self) -> Option<Cell> {
        (self.cell != NO_CELL).then_some(Cell(self.cell))
    }

    /// Returns the turn after the placement; `None` for the cell alone and the pass.
    #[inline]
    pub fn turn(self) -> Option<Turn> {
        (self.turn != NO_TURN).then_some(Turn(self.turn))
    }

    /// Returns its index in canonical order, below [`Move::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        if self.cell == NO_CELL {
            return Move::COUNT - 1;
        }
        // The cell alone comes before its turns.
        usize::from(self.cell) * 9 + if self.turn == NO_TURN { 0 } else { usize::from(self.turn) + 1 }
    }

    /// Returns the canonical text. Texts in ASCII order are in the order of moves.
    #[inline]
    pub fn text(self) -> &'static str {
        if self.cell == NO_CELL {
            return "pass";
        }
        let cell = usize::from(self.cell) * CELL_TEXT;
        if self.turn == NO_TURN {
            return &TEXTS[cell..cell + 2];
        }
        let start = cell + usize::from(self.turn) * TEXT;
        &TEXTS[start..start + TEXT]
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Length of `c3-2r`.
const TEXT: usize = 5;
/// Length of the eight such texts of a cell.
const CELL_TEXT: usize = 8 * TEXT;

/// `a1-1l`, `a1-1r` and so on without gaps.
static TEXTS: &str = match std::str::from_utf8(&BYTES) {
    Ok(texts) => texts,
    Err(_) => panic!("only ASCII was written"),
};

static BYTES: [u8; N_CELLS * CELL_TEXT] = bytes();

const fn bytes() -> [u8; N_CELLS * CELL_TEXT] {
    let mut bytes = [b'-'; N_CELLS * CELL_TEXT];
    let mut i = 0;
    while i < N_CELLS * 8 {
        let (cell, turn) = ((i / 8) as u8, (i % 8) as u8);
        bytes[i * TEXT] = b'a' + cell / 6;
        bytes[i * TEXT + 1] = b'1' + cell % 6;
        bytes[i * TEXT + 3] = b'1' + turn / 2;
        bytes[i * TEXT + 4] = if turn % 2 == 1 { b'r' } else { b'l' };
        i += 1;
    }
    bytes
}
