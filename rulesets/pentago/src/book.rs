//! The opening book: exact values of every position with up to six marbles, under
//! the standard rules.
//!
//! The table is part of the plugin; `data/README.md` describes its origin and format. A
//! lookup takes no search and no memory beyond the table itself.

use std::sync::LazyLock;

use pentad_sdk::Wdl;

use crate::board::Cell;
use crate::board::tables::map_square;
use crate::position::Position;

/// Most marbles of a position in the book.
pub const MARBLES_MAX: u32 = 6;

static DATA: &[u8] = include_bytes!("../data/openings-0-6.bin");
static BOOK: LazyLock<Book> = LazyLock::new(|| Book::read(DATA));

/// Returns the exact value of a position for the side to move, if it is in the book.
///
/// The position must follow the standard rules.
pub fn value(position: &Position) -> Option<Wdl> {
    (position.occupied().count() <= MARBLES_MAX).then(|| BOOK.value(position))
}

struct Book {
    /// By number of marbles.
    tables: Vec<&'static [u8]>,
    /// The canonical masks of the first player's marbles, by their number, ascending.
    classes: Vec<Vec<u64>>,
    /// The image of each cell under each symmetry.
    maps: [[u8; 36]; 8],
}

impl Book {
    fn read(data: &'static [u8]) -> Self {
        let (magic, rest) = data.split_at(8);
        assert_eq!(magic, b"PENTAOP1", "the book is part of the program");
        let (counts, mut rest) = rest.split_at(4 * (MARBLES_MAX as usize + 1));
        let mut tables = Vec::new();
        for count in counts.chunks_exact(4) {
            let count = u32::from_le_bytes(count.try_into().expect("four bytes")) as usize;
            let (table, next) = rest.split_at(count.div_ceil(4));
            tables.push(table);
            rest = next;
        }
        assert!(rest.is_empty(), "the book ends with its last table");
        let mut book = Book { tables, classes: vec![vec![0]], maps: maps() };
        for n_marbles in 0..MARBLES_MAX as usize / 2 {
            let grown = book.classes[n_marbles].iter().flat_map(|&mask| (0..36).map(move |cell| mask | 1 << cell));
            let mut masks: Vec<u64> = grown
                .filter(|mask| mask.count_ones() as usize == n_marbles + 1)
                .map(|mask| book.canonical(mask).0)
                .collect();
            masks.sort_unstable();
            masks.dedup();
            book.classes.push(masks);
        }
        book
    }

    fn value(&self, position: &Position) -> Wdl {
        let n_marbles = position.occupied().count();
        let (own, opposing) = (mask(position.own().iter()), mask(position.opposing().iter()));
        // The first player has one more marble when the other is to move.
        let (first_player, other) = if n_marbles.is_multiple_of(2) { (own, opposing) } else { (opposing, own) };
        let (canonical, symmetry) = self.canonical(first_player);
        let n_first_player = u64::from(first_player.count_ones());
        let class = self.classes[n_first_player as usize]
            .binary_search(&canonical)
            .expect("every set of up to three cells has its smallest image in the list");
        let mut others = self.mapped(symmetry, other);
        let n_others = u64::from(others.count_ones());
        let mut rank = 0;
        for place in 1..=n_others {
            let cell = others.trailing_zeros();
            let free_below = u64::from(cell) - u64::from((canonical & ((1 << cell) - 1)).count_ones());
            rank += choose(free_below, place);
            others &= others - 1;
        }
        let entry = (class as u64 * choose(36 - n_first_player, n_others) + rank) as usize;
        match self.tables[n_marbles as usize][entry / 4] >> (2 * (entry % 4)) & 3 {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            _ => Wdl::Win,
        }
    }

    /// Returns the smallest image of a set of cells, and a symmetry that maps to it.
    fn canonical(&self, mask: u64) -> (u64, usize) {
        (0..8).map(|symmetry| (self.mapped(symmetry, mask), symmetry)).min().expect("there are eight")
    }

    fn mapped(&self, symmetry: usize, mut mask: u64) -> u64 {
        let mut image = 0;
        while mask != 0 {
            image |= 1 << self.maps[symmetry][mask.trailing_zeros() as usize];
            mask &= mask - 1;
        }
        image
    }
}

fn maps() -> [[u8; 36]; 8] {
    std::array::from_fn(|symmetry| {
        std::array::from_fn(|cell| {
            let (row, column) = map_square(symmetry, 6, cell / 6, cell % 6);
            (6 * row + column) as u8
        })
    })
}

fn mask(cells: impl Iterator<Item = Cell>) -> u64 {
    cells.map(|cell| 1 << (6 * cell.row() + cell.column())).sum()
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, factor| product * n.saturating_sub(factor) / (factor + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, Colour};

    /// The root and the first placements agree with the published solution: white wins,
    /// but a marble that ends in a corner, or on the border beside the middle of the
    /// board, only draws.
    #[test]
    fn first_moves_are_as_published() {
        assert_eq!(value(&Position::START), Some(Wdl::Win));
        let drawn = "x.xx.x/....../x....x/x....x/....../x.xx.x";
        for (row, line) in drawn.split('/').enumerate() {
            for (column, drawn) in line.chars().enumerate() {
                let marbles = [Cells::only(Cell::at(row, column)), Cells::NONE];
                let position = Position { marbles, side: Colour::Black, reply: false };
                let wanted = if drawn == 'x' { Wdl::Draw } else { Wdl::Loss };
                assert_eq!(value(&position), Some(wanted), "{}", Cell::at(row, column));
            }
        }
    }

    /// The numbers of canonical masks are the known ones.
    #[test]
    fn classes_are_complete() {
        let sizes: Vec<usize> = BOOK.classes.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 6, 93, 920]);
    }
}
