//! The geometry of the board, computed by the compiler.
//!
//! A cell is a bit of a 128-bit word with ten bits per file, of which the tenth
//! is never set. Bits are ordered like the names of the cells, and a step along a
//! rank, a file or a diagonal is a shift that cannot wrap around into the board.

use pentad_sdk::board::in_base;
pub(crate) use pentad_sdk::board::map_square;

/// Cells of the whole board.
pub(crate) const N_CELLS: usize = 81;
/// Cells along a side.
pub(crate) const SIDE: usize = 9;
/// Bits from one file to the next.
pub(crate) const STRIDE: usize = 10;
/// Sets of cells of one block, or of one file.
pub(crate) const PATTERNS: usize = 512;
/// The blocks that turn, from 0: all but the one in the centre.
pub(crate) const TURNING: [u8; 8] = [0, 1, 2, 3, 5, 6, 7, 8];
/// Shifts that step down a file, along a rank, and along both diagonals.
pub(crate) const STEPS: [u32; 4] = [1, 10, 11, 9];
/// The 81 bits that are cells.
pub(crate) const ALL: u128 = all();

/// Bits of a block that a quarter turn flips, counter-clockwise, then clockwise. The
/// index packs the block into nine bits (see [`packed`]); an entry has the block's
/// bits as they lie in a word, from its lowest bit.
pub(crate) static TURN_CHANGE: [[u32; PATTERNS]; 2] = turn_change();
/// Image of each cell under each of the eight symmetries, numbered as in
/// [`map_square`].
pub(crate) static MAPPED: [[u8; N_CELLS]; 8] = mapped();
/// Image of each block under each of the eight symmetries.
pub(crate) static MAPPED_BLOCK: [[u8; 9]; 8] = mapped_blocks();
/// The nine bits of a file read as the digits of a base-five number.
pub(crate) static BASE_FIVE: [u32; PATTERNS] = base_five();

/// Returns the bit of the cell in a row and a column, both from 0 at the top left.
pub(crate) const fn bit_at(row: usize, column: usize) -> u32 {
    (column * STRIDE + row) as u32
}

/// Returns the lowest bit of a block.
#[inline]
pub(crate) const fn block_bit(block: usize) -> u32 {
    bit_at(block / 3 * 3, block % 3 * 3)
}

/// Packs the nine cells of a block, whose lowest bit is bit 0 of `word`, side by
/// side: bit `3 * column + row`.
#[inline]
pub(crate) const fn packed(word: u32) -> usize {
    (word & 0o7 | word >> 7 & 0o70 | word >> 14 & 0o700) as usize
}

/// The nine cells of a block as they lie in a word, from its lowest bit.
pub(crate) const BLOCK: u128 = 0b111 | 0b111 << STRIDE | 0b111 << (2 * STRIDE);

const fn all() -> u128 {
    let mut bits = 0;
    let mut cell = 0;
    while cell < N_CELLS {
        bits |= 1 << bit_at(cell % SIDE, cell / SIDE);
        cell += 1;
    }
    bits
}

const fn turn_change() -> [[u32; PATTERNS]; 2] {
    let mut table = [[0; PATTERNS]; 2];
    let mut entry = 0;
    while entry < 2 * PATTERNS {
        let (clockwise, pattern) = (entry / PATTERNS, entry % PATTERNS);
        let turns = if clockwise == 1 { 1 } else { 3 };
        let mut bit = 0;
        while bit < 9 {
            if pattern >> bit & 1 != 0 {
                let (row, column) = map_square(turns, 3, bit % 3, bit / 3);
                table[clockwise][pattern] ^= 1 << bit_at(bit % 3, bit / 3) ^ 1 << bit_at(row, column);
            }
            bit += 1;
        }
        entry += 1;
    }
    table
}

const fn mapped() -> [[u8; N_CELLS]; 8] {
    let mut table = [[0; N_CELLS]; 8];
    let mut entry = 0;
    while entry < 8 * N_CELLS {
        let (symmetry, cell) = (entry / N_CELLS, entry % N_CELLS);
        let (row, column) = map_square(symmetry, SIDE, cell % SIDE, cell / SIDE);
        table[symmetry][cell] = (column * SIDE + row) as u8;
        entry += 1;
    }
    table
}

const fn mapped_blocks() -> [[u8; 9]; 8] {
    let mut table = [[0; 9]; 8];
    let mut entry = 0;
    while entry < 8 * 9 {
        let (symmetry, block) = (entry / 9, entry % 9);
        let (row, column) = map_square(symmetry, 3, block / 3, block % 3);
        table[symmetry][block] = (row * 3 + column) as u8;
        entry += 1;
    }
    table
}

const fn base_five() -> [u32; PATTERNS] {
    let mut table = [0; PATTERNS];
    let mut pattern = 0;
    while pattern < PATTERNS {
        table[pattern] = in_base(5, pattern);
        pattern += 1;
    }
    table
}
