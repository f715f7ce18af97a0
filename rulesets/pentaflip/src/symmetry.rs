//! `impl Symmetry`: the eight symmetries of the square, and the same eight followed by
//! a swap of the colours.
//!
//! Holes are named by their distance from the middle (see
//! `tables`), so a symmetry of the square, a number below 8, exchanges the two
//! distances (bit 4) or not, and then mirrors files (1) and ranks (2) by moving
//! whole panels.

use pentad_sdk::Symmetry;

use crate::Pentaflip;
use crate::board::{Cell, Colour, Flip, Rings, Spots};
use crate::moves::{Move, MoveKind};
use crate::position::Position;

/// Number of symmetries of the square; those from here on also swap the colours.
const N_SQUARE_SYMMETRIES: usize = 8;

const MIRROR_FILES: usize = 1;
const MIRROR_RANKS: usize = 2;
const TRANSPOSE: usize = 4;

/// Exchanges the bits of `word` in `lower` with those `shift` above them.
#[inline]
fn delta_swap(word: u64, lower: u64, shift: u32) -> u64 {
    let difference = (word ^ word >> shift) & lower;
    word ^ difference ^ difference << shift
}

impl Rings {
    /// Returns the rings under one of the symmetries of the square.
    #[inline]
    #[must_use]
    pub fn mapped(self, square: usize) -> Rings {
        let mut word = self.0;
        if square & TRANSPOSE != 0 {
            word = delta_swap(word, 0x0707_0707_0707_0707, 4);
            word = delta_swap(word, 0x0000_ff00_0000_ff00, 8);
        }
        if square & MIRROR_FILES != 0 {
            word = delta_swap(word, 0x00ff_00ff_00ff_00ff, 8);
        }
        if square & MIRROR_RANKS != 0 {
            word = delta_swap(word, 0x0000_ffff_0000_ffff, 16);
        }
        Rings(word)
    }
}

impl Spots {
    /// Returns the spots under one of the symmetries of the square.
    #[inline]
    #[must_use]
    pub fn mapped(self, square: usize) -> Spots {
        let mut word = u64::from(self.0);
        if square & TRANSPOSE != 0 {
            word = delta_swap(word, 0b0010, 1);
        }
        if square & MIRROR_FILES != 0 {
            word = delta_swap(word, 0b0101, 1);
        }
        if square & MIRROR_RANKS != 0 {
            word = delta_swap(word, 0b0011, 2);
        }
        Spots(word as u8)
    }
}

impl Flip {
    /// Returns the flip of the panel or half that a symmetry of the square takes this
    /// one to.
    #[must_use]
    pub fn mapped(self, square: usize) -> Flip {
        let [bottom, left, right, top] = [4, 5, 6, 7];
        let mut flip = self.0;
        if square & TRANSPOSE != 0 {
            flip = [0, 2, 1, 3, right, top, bottom, left][usize::from(flip & 7)];
        }
        if square & MIRROR_FILES != 0 {
            flip = [1, 0, 3, 2, bottom, right, left, top][usize::from(flip & 7)];
        }
        if square & MIRROR_RANKS != 0 {
            flip = [2, 3, 0, 1, top, left, right, bottom][usize::from(flip & 7)];
        }
        Flip(flip)
    }
}

impl Cell {
    /// Returns the cell under a symmetry of the square.
    #[must_use]
    pub(crate) fn mapped(self, square: usize) -> Cell {
        let (mut row, mut column) = (self.row(), self.column());
        if square & TRANSPOSE != 0 {
            (row, column) = (column, row);
        }
        if square & MIRROR_FILES != 0 {
            column = 5 - column;
        }
        if square & MIRROR_RANKS != 0 {
            row = 5 - row;
        }
        Cell::at(row, column)
    }
}

impl Symmetry for Pentaflip {
    fn n_symmetries(&self) -> usize {
        2 * N_SQUARE_SYMMETRIES
    }

    fn inverse(&self, symmetry: usize) -> usize {
        // After a transposition the two mirrors swap roles.
        match symmetry % N_SQUARE_SYMMETRIES {
            square @ 0..4 => square,
            square => square & TRANSPOSE | (square & MIRROR_FILES) << 1 | (square & MIRROR_RANKS) >> 1,
        }
        .wrapping_add(symmetry / N_SQUARE_SYMMETRIES * N_SQUARE_SYMMETRIES)
    }

    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        let square = symmetry % N_SQUARE_SYMMETRIES;
        let [white, black] = position.rings.map(|rings| rings.mapped(square));
        let spots = position.spots.mapped(square);
        let last_flip = position.last_flip.map(|flip| flip.mapped(square));
        if symmetry < N_SQUARE_SYMMETRIES {
            Position { rings: [white, black], spots, side: position.side, last_flip }
        } else {
            Position { rings: [black, white], spots: spots.complement(), side: position.side.other(), last_flip }
        }
    }

    fn apply_move(&self, symmetry: usize, _position: &Position, mv: &Move) -> Move {
        mv.mapped(symmetry % N_SQUARE_SYMMETRIES)
    }

    fn apply_seat(&self, symmetry: usize, seat: usize) -> usize {
        if symmetry < N_SQUARE_SYMMETRIES { seat } else { 1 - seat }
    }

    /// Returns the image with white to move whose rings, spots and last flip, compared
    /// in this order, are the smallest.
    fn canonical(&self, position: &Position) -> (Position, usize) {
        let swap = if position.side == Colour::White { 0 } else { N_SQUARE_SYMMETRIES };
        let image = |square: usize| self.apply(square + swap, position);
        let order = |position: &Position| (position.rings, position.spots, position.last_flip);
        let mut best = (image(0), swap);
        for square in 1..N_SQUARE_SYMMETRIES {
            let mapped = image(square);
            if order(&mapped) < order(&best.0) {
                best = (mapped, square + swap);
            }
        }
        best
    }
}

impl Move {
    /// Returns the move under a symmetry of the square.
    #[must_use]
    pub(crate) fn mapped(self, square: usize) -> Move {
        match self.kind() {
            MoveKind::Place(cell) => Move::place(cell.mapped(square)),
            MoveKind::Flip(flip) => Move::flip(flip.mapped(square)),
        }
    }
}
