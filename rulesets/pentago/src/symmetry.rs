//! `impl Symmetry`: equivalent positions.
//!
//! The eight symmetries of the square, numbered as in `board::tables`, then the same
//! eight with the colours swapped. A mirror swaps the directions of turns, so the
//! clockwise edition only has the four rotations.

use pentad_sdk::Symmetry;

use crate::Pentago;
use crate::board::tables::{BLOCK_STRIDE, MAPPED_BLOCK, MAPPED_PATTERN, map_square};
use crate::board::{Cell, Cells, Colour, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

impl Cells {
    /// Returns the cells under one of the eight symmetries of the square.
    #[inline]
    #[must_use]
    pub fn mapped(self, square: usize) -> Cells {
        let (table, blocks) = (&MAPPED_PATTERN[square], &MAPPED_BLOCK[square]);
        let block = |i: usize| u64::from(table[self.block(i)]) << (usize::from(blocks[i]) * BLOCK_STRIDE);
        Cells(block(0) | block(1) | block(2) | block(3))
    }
}

impl Symmetry for Pentago {
    fn n_symmetries(&self) -> usize {
        2 * self.n_squares()
    }

    fn inverse(&self, symmetry: usize) -> usize {
        let (square, swap) = self.split(symmetry);
        // A mirror undoes itself, whatever quarter turns follow it.
        let square = if square < 4 { (4 - square) % 4 } else { square };
        square + if swap { self.n_squares() } else { 0 }
    }

    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        let (square, swap) = self.split(symmetry);
        let [white, black] = position.marbles.map(|cells| cells.mapped(square));
        if swap {
            Position { marbles: [black, white], side: position.side.other(), ..*position }
        } else {
            Position { marbles: [white, black], ..*position }
        }
    }

    fn apply_move(&self, symmetry: usize, _position: &Position, mv: &Move) -> Move {
        let (square, _) = self.split(symmetry);
        let Some(cell) = mv.cell() else { return *mv };
        let (row, column) = map_square(square, 6, cell.row(), cell.column());
        let cell = Cell::at(row, column);
        let Some(turn) = mv.turn() else { return Move::place(cell) };
        let block = usize::from(MAPPED_BLOCK[square][turn.block()]);
        Move::place_and_turn(cell, Turn::new(block, turn.is_clockwise() != (square >= 4)))
    }

    fn apply_seat(&self, symmetry: usize, seat: usize) -> usize {
        if self.split(symmetry).1 { 1 - seat } else { seat }
    }

    /// Returns the equivalent position with white to move whose words, those of the
    /// side to move first, are the smallest.
    fn canonical(&self, position: &Position) -> (Position, usize) {
        let (own, opposing) = (position.own(), position.opposing());
        let mut best = (own, opposing, 0);
        for square in 1..self.n_squares() {
            let mapped = own.mapped(square);
            if mapped > best.0 {
                continue;
            }
            let other = opposing.mapped(square);
            if (mapped, other) < (best.0, best.1) {
                best = (mapped, other, square);
            }
        }
        let (white, black, square) = best;
        let swap = if position.side == Colour::Black { self.n_squares() } else { 0 };
        (Position { marbles: [white, black], side: Colour::White, reply: position.reply }, square + swap)
    }
}

impl Pentago {
    /// Returns the number of symmetries of the square that preserve the rules.
    fn n_squares(&self) -> usize {
        if self.edition == Edition::Clockwise { 4 } else { 8 }
    }

    /// Splits a symmetry into that of the square and whether colours are swapped.
    fn split(&self, symmetry: usize) -> (usize, bool) {
        (symmetry % self.n_squares(), symmetry >= self.n_squares())
    }
}
