//! The order of the bits, and the lookup tables built on it at compile time.
//!
//! A hole is named by its panel and its distance from the middle of the board, `across`
//! and `down`, from 0 to 2: 0, 0 is the panel's spot. This keeps flips simple: turning
//! a half over takes a hole to the same place of the other panel, and turning a panel
//! over exchanges its two distances. So a panel is a byte, the bits of a byte are
//! ordered so that exchanging the distances swaps its halves (except two bits that
//! stay), and a colour is eight bytes: four panels on top, four underneath.
//!
//! | bit | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | across, down | 1, 0 | 2, 0 | 2, 1 | 1, 1 | 0, 1 | 0, 2 | 1, 2 | 2, 2 |

/// Cells of the board, spots included.
pub(crate) const N_CELLS: usize = 36;
/// Lines of five cells: twelve along ranks, twelve along files, eight diagonal.
pub(crate) const N_LINES: usize = 32;
/// Bits from here on are spots: `SPOT` plus the panel.
pub(crate) const SPOT: u8 = 32;

/// The bit of a hole in its panel, by across and down; 255 is the spot.
const BIT_IN_PANEL: [[u8; 3]; 3] = [[255, 4, 5], [0, 3, 6], [1, 2, 7]];

/// The bit of each cell on top. Cells are in the order of their names: a1, a2
/// .. f6.
pub(crate) static BIT_OF: [u8; N_CELLS] = bits();

/// The cell of each bit on top.
pub(crate) static CELL_OF: [u8; 32] = cells();

/// The cells of each panel's byte, one bit each in the order of their names.
pub(crate) static CELLS_OF_PANEL: [[u64; 256]; 4] = cells_of_panel();

/// Holes orthogonally adjacent to the holes set in each panel's byte.
pub(crate) static NEIGHBOURS: [[u32; 256]; 4] = panel_neighbours();

/// Holes orthogonally adjacent to each set of spots.
pub(crate) static SPOT_NEIGHBOURS: [u32; 16] = spot_neighbours();

/// The lines of five; other tables and bit sets use this order.
pub(crate) static LINES: [Line; N_LINES] = lines();

/// The lines, one bit each, whose holes in a panel are all in that panel's byte. The
/// lines complete on the board are the intersection over all panels and spots.
pub(crate) static COMPLETE: [[u32; 256]; 4] = complete();

/// The lines whose spots are all in a set of spots.
pub(crate) static COMPLETE_SPOTS: [u32; 16] = complete_spots();

/// Number of holes of a panel's byte on each line: 32 counters of four bits.
pub(crate) static COUNTS: [[[u64; 2]; 256]; 4] = counts();

/// Number of spots of a set on each line.
pub(crate) static COUNTS_OF_SPOTS: [[u64; 2]; 16] = counts_of_spots();

/// Five cells in a row: the holes among them, and the panels of the spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) holes: u32,
    pub(crate) spots: u8,
}

/// Returns the panel of a cell, from 0.
pub(crate) const fn panel_of(cell: usize) -> usize {
    cell % 6 / 3 * 2 + cell / 6 / 3
}

/// Returns the distance of a row or column from the middle of the board, 0 to 2.
const fn from_middle(coordinate: usize) -> usize {
    if coordinate < 3 { 2 - coordinate } else { coordinate - 3 }
}

const fn bits() -> [u8; N_CELLS] {
    let mut bits = [0; N_CELLS];
    let mut cell = 0;
    while cell < N_CELLS {
        let bit = BIT_IN_PANEL[from_middle(cell / 6)][from_middle(cell % 6)];
        bits[cell] = if bit == 255 { SPOT + panel_of(cell) as u8 } else { panel_of(cell) as u8 * 8 + bit };
        cell += 1;
    }
    bits
}

const fn cells() -> [u8; 32] {
    let bits = bits();
    let mut cells = [0; 32];
    let mut cell = 0;
    while cell < N_CELLS {
        if bits[cell] < SPOT {
            cells[bits[cell] as usize] = cell as u8;
        }
        cell += 1;
    }
    cells
}

const fn cells_of_panel() -> [[u64; 256]; 4] {
    let cells = cells();
    let mut table = [[0; 256]; 4];
    let mut at = 0;
    while at < 4 * 256 * 8 {
        let (panel, byte, bit) = (at / 2048, at / 8 % 256, at % 8);
        if byte >> bit & 1 != 0 {
            table[panel][byte] |= 1 << cells[panel * 8 + bit];
        }
        at += 1;
    }
    table
}

/// Returns the holes to the left and right of a cell, above it and below it.
const fn adjacent_holes(cell: usize) -> u32 {
    let bits = bits();
    let mut holes = 0;
    let mut other = 0;
    while other < N_CELLS {
        let beside = (cell / 6).abs_diff(other / 6) + (cell % 6).abs_diff(other % 6) == 1;
        if beside && bits[other] < SPOT {
            holes |= 1 << bits[other];
        }
        other += 1;
    }
    holes
}

const fn panel_neighbours() -> [[u32; 256]; 4] {
    let cells = cells();
    let mut table = [[0; 256]; 4];
    let mut bit = 0;
    while bit < 32 {
        let holes = adjacent_holes(cells[bit] as usize);
        let mut byte = 0;
        while byte < 256 {
            if byte >> (bit % 8) & 1 != 0 {
                table[bit / 8][byte] |= holes;
            }
            byte += 1;
        }
        bit += 1;
    }
    table
}

const fn spot_neighbours() -> [u32; 16] {
    let bits = bits();
    let mut table = [0; 16];
    let mut cell = 0;
    while cell < N_CELLS {
        if bits[cell] >= SPOT {
            let mut spots = 0;
            while spots < 16 {
                if spots >> (bits[cell] - SPOT) & 1 != 0 {
                    table[spots] |= adjacent_holes(cell);
                }
                spots += 1;
            }
        }
        cell += 1;
    }
    table
}

const fn lines() -> [Line; N_LINES] {
    // Steps as files and ranks: down, to the right, and diagonal.
    const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let bits = bits();
    let mut lines = [Line { holes: 0, spots: 0 }; N_LINES];
    let mut n = 0;
    let mut at = 0;
    while at < N_CELLS * 4 {
        let (file, rank, step) = ((at / 24) as isize, (at / 4 % 6) as isize, STEPS[at % 4]);
        let (last_file, last_rank) = (file + 4 * step.0, rank + 4 * step.1);
        if last_file < 6 && last_rank < 6 && last_rank >= 0 {
            let mut i = 0;
            while i < 5 {
                let bit = bits[((file + i * step.0) * 6 + rank + i * step.1) as usize];
                if bit < SPOT {
                    lines[n].holes |= 1 << bit;
                } else {
                    lines[n].spots |= 1 << (bit - SPOT);
                }
                i += 1;
            }
            n += 1;
        }
        at += 1;
    }
    assert!(n == N_LINES);
    lines
}

const fn complete() -> [[u32; 256]; 4] {
    let lines = lines();
    let mut table = [[0; 256]; 4];
    let mut at = 0;
    while at < 4 * 256 * N_LINES {
        let (panel, byte, line) = (at / (256 * N_LINES), at / N_LINES % 256, at % N_LINES);
        if (lines[line].holes >> (panel * 8) & 0xff) & !(byte as u32) == 0 {
            table[panel][byte] |= 1 << line;
        }
        at += 1;
    }
    table
}

const fn complete_spots() -> [u32; 16] {
    let lines = lines();
    let mut table = [0; 16];
    let mut at = 0;
    while at < 16 * N_LINES {
        if lines[at % N_LINES].spots & !((at / N_LINES) as u8) == 0 {
            table[at / N_LINES] |= 1 << (at % N_LINES);
        }
        at += 1;
    }
    table
}

const fn counts() -> [[[u64; 2]; 256]; 4] {
    let lines = lines();
    let mut table = [[[0; 2]; 256]; 4];
    let mut at = 0;
    while at < 4 * 256 * N_LINES {
        let (panel, byte, line) = (at / (256 * N_LINES), at / N_LINES % 256, at % N_LINES);
        let n = ((lines[line].holes >> (panel * 8)) & byte as u32).count_ones() as u64;
        table[panel][byte][line / 16] |= n << (line % 16 * 4);
        at += 1;
    }
    table
}

const fn counts_of_spots() -> [[u64; 2]; 16] {
    let lines = lines();
    let mut table = [[0; 2]; 16];
    let mut at = 0;
    while at < 16 * N_LINES {
        let (spots, line) = (at / N_LINES, at % N_LINES);
        let n = (lines[line].spots & spots as u8).count_ones() as u64;
        table[spots][line / 16] |= n << (line % 16 * 4);
        at += 1;
    }
    table
}
