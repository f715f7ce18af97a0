//! Tables over one block, computed by the compiler.
//!
//! A board is four blocks of nine bits each, at a stride of sixteen, so that every
//! property of a block is one lookup among 512. A bit of a block is `3 * row + column`,
//! from the top left. The types that use these tables are in [`board`](crate::board).

use pentad_sdk::board::in_base;
pub(crate) use pentad_sdk::board::map_square;

/// Cells of the whole board.
pub(crate) const N_CELLS: usize = 36;
/// Lines of five: 12 in ranks, 12 in files, 8 diagonal.
pub(crate) const N_LINES: usize = 32;
/// Possible contents of one block for one colour.
pub(crate) const N_PATTERNS: usize = 512;
/// Distance of two blocks in a word, in bits.
pub(crate) const BLOCK_STRIDE: usize = 16;
/// The 36 bits that are cells.
pub(crate) const ALL: u64 = 0x01ff_01ff_01ff_01ff;

/// One bit per cell, cells in the order of their names: a1, a2 .. f6.
pub(crate) static CELL_BIT: [u64; N_CELLS] = cell_bits();
/// The cell of each bit, in the same order; 255 between the blocks.
pub(crate) static CELL_AT: [u8; 64] = cells_at();
/// The five cells of each line.
pub(crate) static LINES: [u64; N_LINES] = lines();
/// For a block and its content: the lines, one bit each, whose part in this
/// block is full. A line that does not touch the block counts as full, so the
/// `&` over the four blocks gives the fives.
pub(crate) static FULL_LINES: [[u32; N_PATTERNS]; 4] = full();
/// For a block and its content: the filled cells of each line, four bits per line and
/// sixteen lines per word. The sum over the blocks never carries.
pub(crate) static LINE_COUNTS: [[[u64; 2]; N_PATTERNS]; 4] = filled();
/// The XOR of a block with its content after a quarter turn, counter-clockwise
/// and clockwise.
pub(crate) static TURN_CHANGE: [[u16; N_PATTERNS]; 2] = turn_change();
/// A block under each of the eight symmetries of the square, numbered as
/// [`map_square`] does.
pub(crate) static MAPPED_PATTERN: [[u16; N_PATTERNS]; 8] = mapped();
/// The image of each block under each of the eight symmetries.
pub(crate) static MAPPED_BLOCK: [[u8; 4]; 8] = mapped_blocks();
/// The n-th set bit of a block, for n below their number.
pub(crate) static NTH_BIT: [[u8; 16]; N_PATTERNS] = nth_bits();
/// A block's content as a base-three number with digits 0 and 1.
pub(crate) static TERNARY: [u16; N_PATTERNS] = ternary();

/// Returns the bit of the cell in a row and a column, both from 0 at the top left.
pub(crate) const fn bit_at(row: usize, column: usize) -> usize {
    let block = row / 3 * 2 + column / 3;
    block * BLOCK_STRIDE + row % 3 * 3 + column % 3
}

const fn cell_bits() -> [u64; N_CELLS] {
    let mut bits = [0; N_CELLS];
    let mut cell = 0;
    while cell < N_CELLS {
        bits[cell] = 1 << bit_at(cell % 6, cell / 6);
        cell += 1;
    }
    bits
}

const fn cells_at() -> [u8; 64] {
    let mut cells = [255; 64];
    let mut cell = 0;
    while cell < N_CELLS {
        cells[bit_at(cell % 6, cell / 6)] = cell as u8;
        cell += 1;
    }
    cells
}

pub(crate) const fn lines() -> [u64; N_LINES] {
    const STEPS: [(usize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut lines = [0; N_LINES];
    let mut n_lines = 0;
    let mut start = 0;
    while start < 4 * N_CELLS {
        let (step, row, column) = (STEPS[start / N_CELLS], start % N_CELLS / 6, start % 6);
        let end_column = column as isize + 4 * step.1;
        if row + 4 * step.0 < 6 && 0 <= end_column && end_column < 6 {
            let mut i = 0;
            while i < 5 {
                lines[n_lines] |= 1 << bit_at(row + i * step.0, (column as isize + i as isize * step.1) as usize);
                i += 1;
            }
            n_lines += 1;
        }
        start += 1;
    }
    assert!(n_lines == N_LINES);
    lines
}

const fn full() -> [[u32; N_PATTERNS]; 4] {
    let lines = lines();
    let mut table = [[0; N_PATTERNS]; 4];
    let mut entry = 0;
    while entry < 4 * N_PATTERNS {
        let (block, pattern) = (entry / N_PATTERNS, entry % N_PATTERNS);
        let mut line = 0;
        while line < N_LINES {
            let part = lines[line] >> (block * BLOCK_STRIDE) & 0x1ff;
            if part & !(pattern as u64) == 0 {
                table[block][pattern] |= 1 << line;
            }
            line += 1;
        }
        entry += 1;
    }
    table
}

const fn filled() -> [[[u64; 2]; N_PATTERNS]; 4] {
    let lines = lines();
    let mut table = [[[0; 2]; N_PATTERNS]; 4];
    let mut entry = 0;
    while entry < 4 * N_PATTERNS {
        let (block, pattern) = (entry / N_PATTERNS, entry % N_PATTERNS);
        let mut line = 0;
        while line < N_LINES {
            let part = (lines[line] >> (block * BLOCK_STRIDE)) & pattern as u64;
            table[block][pattern][line / 16] |= (part.count_ones() as u64) << (line % 16 * 4);
            line += 1;
        }
        entry += 1;
    }
    table
}

const fn mapped() -> [[u16; N_PATTERNS]; 8] {
    let mut table = [[0; N_PATTERNS]; 8];
    let mut entry = 0;
    while entry < 8 * N_PATTERNS {
        let (symmetry, pattern) = (entry / N_PATTERNS, entry % N_PATTERNS);
        let mut bit = 0;
        while bit < 9 {
            if pattern >> bit & 1 != 0 {
                let (row, column) = map_square(symmetry, 3, bit / 3, bit % 3);
                table[symmetry][pattern] |= 1 << (row * 3 + column);
            }
            bit += 1;
        }
        entry += 1;
    }
    table
}

const fn mapped_blocks() -> [[u8; 4]; 8] {
    let mut table = [[0; 4]; 8];
    let mut entry = 0;
    while entry < 8 * 4 {
        let (row, column) = map_square(entry / 4, 2, entry % 4 / 2, entry % 2);
        table[entry / 4][entry % 4] = (row * 2 + column) as u8;
        entry += 1;
    }
    table
}

const fn turn_change() -> [[u16; N_PATTERNS]; 2] {
    let mapped = mapped();
    let mut table = [[0; N_PATTERNS]; 2];
    let mut pattern = 0;
    while pattern < N_PATTERNS {
        table[0][pattern] = pattern as u16 ^ mapped[3][pattern];
        table[1][pattern] = pattern as u16 ^ mapped[1][pattern];
        pattern += 1;
    }
    table
}

const fn nth_bits() -> [[u8; 16]; N_PATTERNS] {
    let mut table = [[0; 16]; N_PATTERNS];
    let mut pattern = 0;
    while pattern < N_PATTERNS {
        let (mut bit, mut n) = (0, 0);
        while bit < 9 {
            if pattern >> bit & 1 != 0 {
                table[pattern][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        pattern += 1;
    }
    table
}

const fn ternary() -> [u16; N_PATTERNS] {
    let mut table = [0; N_PATTERNS];
    let mut pattern = 0;
    while pattern < N_PATTERNS {
        table[pattern] = in_base(3, pattern) as u16;
        pattern += 1;
    }
    table
}
