//! The rotations at which a colour has five, for every set of cells it can add to the
//! root.
//!
//! Each line at each rotation needs certain cells of the frame; those that are empty at
//! the root, at most five, have to be in the set. So the 32 · 256 cases are stored at
//! the sets that match exactly, and every other set has the fives of its subsets. Among
//! any six of its cells there is one that a given five does not need, so six subsets
//! are enough.

use super::indexing::{choose, members, rank, sets};
use super::rotation::{N_ROTATIONS, turned_back, turns_at};
use crate::board::tables::LINES;
use crate::board::{Cell, Cells};

/// The fives of one colour.
#[derive(Debug)]
pub(super) struct Fives {
    /// Indexed by size of the set, parity and number of the set.
    by_size: Vec<[Vec<u128>; 2]>,
}

impl Fives {
    /// Computes the fives of `marbles` with any `n_max` or fewer of the empty cells.
    /// Incomplete if `stop` returned `true`.
    pub(super) fn new(marbles: Cells, empty: &[Cell], n_max: usize, stop: &dyn Fn() -> bool) -> Self {
        let vectors = |size| [0, 1].map(|_| vec![0; choose(empty.len(), size)]);
        let mut by_size: Vec<[Vec<u128>; 2]> = (0..=n_max).map(vectors).collect();
        add_lines(&mut by_size, marbles, empty);
        for size in 1..=n_max {
            if stop() {
                break;
            }
            let (smaller, larger) = by_size.split_at_mut(size);
            let ([smaller_even, smaller_odd], [even, odd]) = (&smaller[size - 1], &mut larger[0]);
            for ((set, even), odd) in sets(empty.len(), size).zip(even).zip(odd) {
                for part in ranks_of_subsets(set).into_iter().take(size) {
                    *even |= smaller_even[part];
                    *odd |= smaller_odd[part];
                }
            }
        }
        Fives { by_size }
    }

    /// Returns the fives of all sets of a size, by number of the set.
    pub(super) fn of(&self, size: usize, parity: usize) -> &[u128] {
        &self.by_size[size][parity & 1]
    }

    /// Returns the bytes on the heap.
    pub(super) fn bytes(n_empty: usize, n_max: usize) -> usize {
        let n_sets: usize = (0..=n_max).map(|size| choose(n_empty, size)).sum();
        n_sets * 2 * size_of::<u128>() + (n_max + 1) * size_of::<[Vec<u128>; 2]>()
    }
}

/// Stores every line at every rotation at the set it needs exactly.
fn add_lines(by_size: &mut [[Vec<u128>; 2]], marbles: Cells, empty: &[Cell]) {
    let allowed = empty.iter().fold(marbles, |all, &cell| all.with(cell));
    for (parity, bit) in (0..2 * N_ROTATIONS).map(|i| (i / N_ROTATIONS, i % N_ROTATIONS)) {
        let turns = turns_at(bit, parity);
        for line in LINES {
            let cells = turned_back(Cells(line), turns);
            if cells.intersection(allowed) != cells {
                continue;
            }
            let needed = cells.intersection(marbles.complement());
            let set =
                (0..).zip(empty).filter(|&(_, &cell)| needed.contains(cell)).fold(0u32, |set, (i, _)| set | 1 << i);
            if let Some(vectors) = by_size.get_mut(set.count_ones() as usize) {
                vectors[parity][rank(set)] |= 1 << bit;
            }
        }
    }
}

/// Returns the numbers of the sets that lack one of the six lowest cells of a set; of
/// fewer than six if it has fewer.
#[inline]
fn ranks_of_subsets(set: u32) -> [usize; 6] {
    let mut ranks = [0; 6];
    // Above the omitted cell, each cell moves one place down.
    let (mut below, mut above) = (0, members(set).enumerate().map(|(i, cell)| choose(cell, i)).sum::<usize>());
    for (i, cell) in members(set).enumerate().take(6) {
        above -= choose(cell, i);
        ranks[i] = below + above;
        below += choose(cell, i + 1);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::rotation::turned;

    /// Compares with the board itself, at every rotation.
    #[test]
    fn fives_are_those_on_the_board() {
        let marbles: Cells = Cell::all().filter(|cell| cell.index() % 7 < 2).collect();
        let empty: Vec<Cell> = Cell::all().filter(|cell| cell.index() % 7 >= 2 && cell.index() % 3 != 0).collect();
        let empty = &empty[..9];
        let fives = Fives::new(marbles, empty, 9, &|| false);
        let mut n_fives = 0;
        for (size, parity) in (0..=9).flat_map(|size| [(size, 0), (size, 1)]) {
            for (set, &found) in sets(empty.len(), size).zip(fives.of(size, parity)) {
                let cells = members(set).fold(marbles, |all, cell| all.with(empty[cell]));
                for bit in 0..N_ROTATIONS {
                    let expected = turned(cells, turns_at(bit, parity)).has_five();
                    assert_eq!(found >> bit & 1 != 0, expected, "{cells:?}");
                    n_fives += u32::from(expected);
                }
            }
        }
        assert!(n_fives > 1000, "{n_fives}");
    }
}
