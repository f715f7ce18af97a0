//! `impl Symmetry`: the eight symmetries of the square. They permute blocks, and a
//! reflection swaps the directions of turns. Colours stay: red begins, so no
//! exchange of players gives a position of the same variant.

use pentad_sdk::Symmetry;

use crate::PentagoXl;
use crate::board::tables::{MAPPED, MAPPED_BLOCK};
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::position::Position;

impl Cells {
    /// Returns the image under one of the eight symmetries of the square.
    #[must_use]
    pub fn mapped(self, symmetry: usize) -> Cells {
        let table = &MAPPED[symmetry];
        self.iter().map(|cell| Cell(table[cell.index()])).collect()
    }
}

impl Symmetry for PentagoXl {
    fn n_symmetries(&self) -> usize {
        8
    }

    fn inverse(&self, symmetry: usize) -> usize {
        // A reflection, with any rotation after it, is its own inverse.
        if symmetry < 4 { (4 - symmetry) % 4 } else { symmetry }
    }

    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        Position { marbles: position.marbles.map(|cells| cells.mapped(symmetry)), ..*position }
    }

    fn apply_move(&self, symmetry: usize, _position: &Position, mv: &Move) -> Move {
        let cell = Cell(MAPPED[symmetry][mv.cell().index()]);
        let Some(turn) = mv.turn() else { return Move::place(cell) };
        let block = usize::from(MAPPED_BLOCK[symmetry][turn.block()]);
        let turn = Turn::new(block, turn.is_clockwise() != (symmetry >= 4));
        turn.map_or(Move::place(cell), |turn| Move::place_and_turn(cell, turn))
    }

    /// Returns the symmetric position whose words, in playing order, are smallest.
    fn canonical(&self, position: &Position) -> (Position, usize) {
        let mut best = (*position, 0);
        for symmetry in 1..8 {
            let first = position.marbles[0].mapped(symmetry);
            if first > best.0.marbles[0] {
                continue;
            }
            let mapped = self.apply(symmetry, position);
            if mapped.marbles < best.0.marbles {
                best = (mapped, symmetry);
            }
        }
        best
    }
}
