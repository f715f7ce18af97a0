//! How full all lines are on every board that one or two turns lead to.
//!
//! There are 37 such boards: as it lies, eight after one turn, four after half
//! a turn of one block, and 24 after turns of two blocks, in whichever order.
//! Counts of a turned board are a sum of differences, and a line of a turned
//! board is looked up as the cells it has before the turns, so that no board
//! is ever turned.

use crate::board::{Cells, Turn};
use crate::tables::{FILLED, MAPPED, N_LINES, STRIDE, TURN_CHANGE};

/// The lowest bit of every counter.
pub(crate) const ONES: u64 = 0x1111_1111_1111_1111;
/// Boards within two turns.
pub(crate) const N_BOARDS: usize = 37;

/// Four bits a line, sixteen lines a word; also differences of such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts(pub(crate) [u64; 2]);

impl Counts {
    #[inline]
    pub(crate) fn of(cells: Cells) -> Counts {
        let mut sum = Counts([0; 2]);
        for (block, table) in FILLED.iter().enumerate() {
            sum = sum.plus(Counts(table[cells.block(block)]));
        }
        sum
    }

    #[inline]
    pub(crate) fn plus(self, other: Counts) -> Counts {
        Counts([self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])])
    }

    /// What a turn adds to the counts of `cells`.
    #[inline]
    pub(crate) fn change(cells: Cells, turn: Turn) -> Counts {
        let old = cells.block(turn.block());
        let new = old ^ usize::from(TURN_CHANGE[usize::from(turn.is_clockwise())][old]);
        Counts::difference(turn.block(), old, new & 0x1ff)
    }

    /// What half a turn of a block adds to the counts of `cells`.
    #[inline]
    pub(crate) fn half_change(cells: Cells, block: usize) -> Counts {
        let old = cells.block(block);
        Counts::difference(block, old, usize::from(MAPPED[2][old]) & 0x1ff)
    }

    #[inline]
    fn difference(block: usize, old: usize, new: usize) -> Counts {
        let (old, new) = (FILLED[block][old], FILLED[block][new]);
        Counts([new[0].wrapping_sub(old[0]), new[1].wrapping_sub(old[1])])
    }

    /// Whether some line has four or five.
    #[inline]
    pub(crate) fn any_four(self) -> bool {
        (self.0[0] | self.0[1]) & (ONES << 2) != 0
    }

    /// Lines of four or five.
    #[inline]
    pub(crate) fn fours(self) -> [u64; 2] {
        self.0.map(|word| word >> 2 & ONES)
    }

    /// Lines of five.
    #[inline]
    pub(crate) fn fives(self) -> [u64; 2] {
        self.0.map(|word| word >> 2 & word & ONES)
    }

    /// Lines of three.
    #[inline]
    pub(crate) fn threes(self) -> [u64; 2] {
        self.0.map(|word| word & word >> 1 & ONES)
    }

    /// Lines without any.
    #[inline]
    pub(crate) fn nones(self) -> [u64; 2] {
        self.0.map(|word| !(word | word >> 1 | word >> 2) & ONES)
    }
}

#[inline]
pub(crate) fn both(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] & b[0], a[1] & b[1]]
}

#[inline]
pub(crate) fn any(lines: [u64; 2]) -> bool {
    lines[0] | lines[1] != 0
}

/// Calls `f` with the number of each line.
#[inline]
pub(crate) fn each_line(lines: [u64; 2], mut f: impl FnMut(usize)) {
    for (word, mut bits) in lines.into_iter().enumerate() {
        while bits != 0 {
            f(word * 16 + bits.trailing_zeros() as usize / 4);
            bits &= bits - 1;
        }
    }
}

/// The board as it lies.
pub(crate) const AS_IT_LIES: usize = 0;

/// The board after one turn.
#[inline]
pub(crate) fn after_turn(turn: usize) -> usize {
    1 + turn
}

/// The board after half a turn of a block.
#[inline]
pub(crate) fn after_half_turn(block: usize) -> usize {
    9 + block
}

/// The cells of a line on one of the boards, as they lie before the turns.
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

/// A set of cells before a block was turned by so many quarters clockwise.
const fn unturned(cells: u64, block: usize, quarters: usize) -> u64 {
    let content = (cells >> (block * STRIDE)) as usize & 0x1ff;
    let before = mapped_block((4 - quarters) % 4, content);
    cells & !(0x1ff << (block * STRIDE)) | before << (block * STRIDE)
}

const fn mapped_block(quarters: usize, content: usize) -> u64 {
    let mut out = 0;
    let mut bit = 0;
    while bit < 9 {
        if content >> bit & 1 != 0 {
            let (row, column) = crate::tables::map_square(quarters, 3, bit / 3, bit % 3);
            out |= 1 << (row * 3 + column);
        }
        bit += 1;
    }
    out
}

/// Quarters clockwise of a turn by number.
const fn quarters(turn: u8) -> usize {
    if turn % 2 == 1 { 1 } else { 3 }
}

const fn lines_before() -> [[u64; N_LINES]; N_BOARDS] {
    let lines = crate::tables::lines();
    let pairs = pairs();
    let mut table = [[0; N_LINES]; N_BOARDS];
    let mut line = 0;
    while line < N_LINES {
        table[0][line] = lines[line];
        let mut turn = 0;
        while turn < 8 {
            table[1 + turn][line] = unturned(lines[line], turn / 2, quarters(turn as u8));
            turn += 1;
        }
        let mut block = 0;
        while block < 4 {
            table[9 + block][line] = unturned(lines[line], block, 2);
            block += 1;
        }
        let mut pair = 0;
        while pair < 24 {
            let (first, second) = pairs[pair];
            let half_way = unturned(lines[line], second as usize / 2, quarters(second));
            table[13 + pair][line] = unturned(half_way, first as usize / 2, quarters(first));
            pair += 1;
        }
        line += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::LINES;

    /// A line looked up before the turns is the line once they are made, and
    /// the counts are those of the turned board.
    #[test]
    fn boards_are_those_of_the_turns() {
        let mut rng = pentad_sdk::search::rng::Rng::new(3);
        for _ in 0..200 {
            let cells = Cells(rng.next_u64() & rng.next_u64() & Cells::ALL.0);
            for (idx, &(first, second)) in PAIRS.iter().enumerate() {
                let turned = cells.turned(Turn(first)).turned(Turn(second));
                let counts = Counts::of(cells)
                    .plus(Counts::change(cells, Turn(first)))
                    .plus(Counts::change(cells, Turn(second)));
                assert_eq!(counts, Counts::of(turned));
                for (line, now) in LINES.iter().enumerate() {
                    let before = line_before(FIRST_PAIR + idx, line) & cells.0;
                    assert_eq!(before.count_ones(), (turned.0 & now).count_ones());
                }
            }
            for block in 0..4 {
                let turned = cells.turned(Turn(2 * block)).turned(Turn(2 * block));
                let block = usize::from(block);
                let counts = Counts::of(cells).plus(Counts::half_change(cells, block));
                assert_eq!(counts, Counts::of(turned));
                let before = Cells(line_before(after_half_turn(block), 5));
                let now = before.turned(Turn(2 * block as u8)).turned(Turn(2 * block as u8));
                assert_eq!(now.0, LINES[5]);
            }
        }
    }
}
