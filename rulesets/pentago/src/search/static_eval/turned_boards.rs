//! The 37 boards that up to two turns lead to: unturned, eight after one turn,
//! four after half a turn of one block, and 24 after turns of two blocks, in
//! either order.
//!
//! The line counts of a turned board are a sum of deltas, and its lines are tabulated
//! by their cells before the turns, so no board is ever turned.

use crate::board::tables::{BLOCK_STRIDE, N_LINES};

/// Number of boards within two turns.
const N_BOARDS: usize = 37;

/// The index of the board itself.
pub(crate) const UNTURNED: usize = 0;

/// Returns the index of the board after one turn.
#[inline]
pub(crate) fn after_turn(turn: usize) -> usize {
    1 + turn
}

/// Returns the index of the board after half a turn of a block.
#[inline]
pub(crate) fn after_half_turn(block: usize) -> usize {
    9 + block
}

/// Returns the cells of a line on one of the boards, as they lie before the turns.
#[inline]
pub(crate) fn line_before(board: usize, line: usize) -> u64 {
    LINES_BEFORE[board][line & (N_LINES - 1)]
}

/// The turns of two different blocks, in the order of their boards, which
/// follow the half turns.
pub(crate) static PAIRS: [(u8, u8); 24] = pairs();
/// The first board after two turns of different blocks.
pub(crate) const FIRST_PAIR: usize = 13;

static LINES_BEFORE: [[u64; N_LINES]; N_BOARDS] = lines_before();

const fn pairs() -> [(u8, u8); 24] {
    let mut pairs = [(0, 0); 24];
    let mut n = 0;
    let mut code = 0;
    while code < 64 {
        let (first, second) = (code / 8, code % 8);
        if first / 2 < second / 2 {
            pairs[n] = (first, second);
            n += 1;
        }
        code += 1;
    }
    assert!(n == 24);
    pairs
}

/// Returns the cells as they were before a block was turned by `quarters` clockwise.
const fn turned_back(cells: u64, block: usize, quarters: usize) -> u64 {
    let content = (cells >> (block * BLOCK_STRIDE)) as usize & 0x1ff;
    let before = mapped_block((4 - quarters) % 4, content);
    cells & !(0x1ff << (block * BLOCK_STRIDE)) | before << (block * BLOCK_STRIDE)
}

const fn mapped_block(quarters: usize, content: usize) -> u64 {
    let mut out = 0;
    let mut bit = 0;
    while bit < 9 {
        if content >> bit & 1 != 0 {
            let (row, column) = crate::board::tables::map_square(quarters, 3, bit / 3, bit % 3);
            out |= 1 << (row * 3 + column);
        }
        bit += 1;
    }
    out
}

/// Returns the clockwise quarter turns of a turn by number.
const fn quarters(turn: u8) -> usize {
    if turn % 2 == 1 { 1 } else { 3 }
}

const fn lines_before() -> [[u64; N_LINES]; N_BOARDS] {
    let lines = crate::board::tables::lines();
    let pairs = pairs();
    let mut table = [[0; N_LINES]; N_BOARDS];
    let mut line = 0;
    while line < N_LINES {
        table[0][line] = lines[line];
        let mut turn = 0;
        while turn < 8 {
            table[1 + turn][line] = turned_back(lines[line], turn / 2, quarters(turn as u8));
            turn += 1;
        }
        let mut block = 0;
        while block < 4 {
            table[9 + block][line] = turned_back(lines[line], block, 2);
            block += 1;
        }
        let mut pair = 0;
        while pair < 24 {
            let (first, second) = pairs[pair];
            let half_way = turned_back(lines[line], second as usize / 2, quarters(second));
            table[13 + pair][line] = turned_back(half_way, first as usize / 2, quarters(first));
            pair += 1;
        }
        line += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::lines::LineCounts;
    use crate::board::tables::LINES;
    use crate::board::{Cells, Turn};

    /// A tabulated line becomes the line after the turns, and the counts are those of
    /// the turned board.
    #[test]
    fn boards_are_those_of_the_turns() {
        let mut rng = pentad_sdk::rng::Rng::new(3);
        for _ in 0..200 {
            let cells = Cells(rng.next_u64() & rng.next_u64() & Cells::ALL.0);
            for (idx, &(first, second)) in PAIRS.iter().enumerate() {
                let turned = cells.turned(Turn(first)).turned(Turn(second));
                let counts = LineCounts::of(cells)
                    .plus(LineCounts::turn_delta(cells, Turn(first)))
                    .plus(LineCounts::turn_delta(cells, Turn(second)));
                assert_eq!(counts, LineCounts::of(turned));
                for (line, now) in LINES.iter().enumerate() {
                    let before = line_before(FIRST_PAIR + idx, line) & cells.0;
                    assert_eq!(before.count_ones(), (turned.0 & now).count_ones());
                }
            }
            for block in 0..4 {
                let turned = cells.turned(Turn(2 * block)).turned(Turn(2 * block));
                let block = usize::from(block);
                let counts = LineCounts::of(cells).plus(LineCounts::half_turn_delta(cells, block));
                assert_eq!(counts, LineCounts::of(turned));
                let before = Cells(line_before(after_half_turn(block), 5));
                let now = before.turned(Turn(2 * block as u8)).turned(Turn(2 * block as u8));
                assert_eq!(now.0, LINES[5]);
            }
        }
    }
}
