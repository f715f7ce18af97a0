//! The board of Connect Four, as two sets of bits.

pub(super) const FILES: usize = 7;
pub(super) const RANKS: usize = 6;
/// Bits per file: one more than ranks, so that no line of four continues in the next file.
pub(super) const STRIDE: usize = RANKS + 1;
pub(super) const NAMES: [&str; FILES] = ["a", "b", "c", "d", "e", "f", "g"];
/// Distances between neighbouring bits: up, across, and the two diagonals.
pub(super) const DIRECTIONS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// The discs of both players, a bit for each cell, from the bottom of the first file on.
/// Whose turn it is follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) discs: [u64; 2],
}

impl Position {
    pub(super) fn occupied(self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    pub(super) fn seat(self) -> usize {
        (self.occupied().count_ones() % 2) as usize
    }

    /// Number of discs in a file.
    pub(super) fn height(self, file: usize) -> usize {
        (self.occupied() >> (file * STRIDE) & 0x7f).count_ones() as usize
    }

    pub(super) fn open_files(self) -> impl Iterator<Item = usize> {
        (0..FILES).filter(move |&file| self.height(file) < RANKS)
    }

    pub(super) fn drop_disc(self, file: usize) -> Position {
        let mut next = self;
        next.discs[self.seat()] |= bit(file, self.height(file));
        next
    }

    /// Checks what no game can contradict: discs lie on each other, and take turns.
    pub(super) fn is_possible(self) -> bool {
        let counts = self.discs.map(u64::count_ones);
        let mut cells = 0;
        for file in 0..FILES {
            cells |= ((1 << self.height(file).min(RANKS)) - 1) << (file * STRIDE);
        }
        self.discs[0] & self.discs[1] == 0 && self.occupied() == cells && counts[0].wrapping_sub(counts[1]) <= 1
    }
}

pub(super) fn bit(file: usize, rank: usize) -> u64 {
    1 << (file * STRIDE + rank)
}

/// Returns the discs that are part of four in a row.
pub(super) fn fours(discs: u64) -> u64 {
    let mut found = 0;
    for step in DIRECTIONS {
        let pairs = discs & discs >> step;
        let first = pairs & pairs >> (2 * step);
        found |= first | first << step | first << (2 * step) | first << (3 * step);
    }
    found
}

/// Returns the names of the cells in a set, such as `d1`.
pub(super) fn cell_names(cells: u64) -> Vec<String> {
    let has = |&(file, rank): &(usize, usize)| cells & bit(file, rank) != 0;
    all_cells().filter(has).map(|(file, rank)| format!("{}{}", NAMES[file], rank + 1)).collect()
}

/// Returns the file and rank of every cell, in the order of the points of the board.
pub(super) fn all_cells() -> impl Iterator<Item = (usize, usize)> {
    (0..FILES).flat_map(|file| (0..RANKS).map(move |rank| (file, rank)))
}
