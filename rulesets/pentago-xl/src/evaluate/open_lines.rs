//! Open lines: a line of five cells is open to a player while nobody else has
//! a marble on it.
//!
//! All lines of a direction are counted at once, see
//! [`lines`](crate::board::lines). The number of players is a const parameter, so
//! that absent players cost nothing.

use crate::board::Cells;
use crate::board::lines::{LineCounts, lines_on_board};
use crate::board::tables::STEPS;

/// Open lines of each seat with one, two, three, and four or five marbles.
pub(crate) type OpenLineCounts = [[u32; 4]; 4];

/// Lines of one direction that are open to each seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenLines {
    /// By seat, then with one, two, three, and four or five marbles.
    pub(crate) by_seat: [[u128; 4]; 4],
    /// Lines without any marble.
    pub(crate) untouched: u128,
}

/// Lines of one direction with the marbles of each seat.
struct LinesBySeat<const N: usize> {
    by_seat: [LineCounts; N],
    /// Lines on the board with marbles of at most one player.
    open: u128,
    /// Lines with marbles of any player.
    touched: u128,
}

impl<const N: usize> LinesBySeat<N> {
    #[inline(always)]
    fn new(marbles: &[Cells; 4], step: u32) -> Self {
        let by_seat: [LineCounts; N] = std::array::from_fn(|seat| LineCounts::count(marbles[seat], step));
        let (mut touched, mut shared) = (0, 0);
        for lines in &by_seat {
            let own = lines.any();
            shared |= touched & own;
            touched |= own;
        }
        LinesBySeat { by_seat, open: lines_on_board(step) & !shared, touched }
    }
}

/// Returns the open lines of a direction by seat and number of marbles.
#[inline]
pub(crate) fn open_lines_by_seat(marbles: &[Cells; 4], step: u32) -> OpenLines {
    let LinesBySeat { by_seat, open, touched } = LinesBySeat::<4>::new(marbles, step);
    let by_seat =
        by_seat.map(|lines| [lines.one() & open, lines.two() & open, lines.three() & open, lines.four() & open]);
    OpenLines { by_seat, untouched: open & !touched }
}

/// Counts the open lines of every seat.
#[inline]
pub(crate) fn count_open_lines<const N: usize>(marbles: &[Cells; 4]) -> OpenLineCounts {
    let mut counts = [[0; 4]; 4];
    for step in STEPS {
        let LinesBySeat { by_seat, open, .. } = LinesBySeat::<N>::new(marbles, step);
        for (counts, lines) in counts.iter_mut().zip(by_seat) {
            counts[0] += (lines.one() & open).count_ones();
            counts[1] += (lines.two() & open).count_ones();
            counts[2] += (lines.three() & open).count_ones();
            counts[3] += (lines.four() & open).count_ones();
        }
    }
    counts
}

/// Adds to `counts` every seat's open lines with three, and with four or five marbles.
#[inline]
pub(crate) fn count_threes_and_fours<const N: usize>(marbles: &[Cells; 4], counts: &mut [[u32; 2]; 4]) {
    for step in STEPS {
        let LinesBySeat { by_seat, open, .. } = LinesBySeat::<N>::new(marbles, step);
        for (counts, lines) in counts.iter_mut().zip(by_seat) {
            counts[0] += (lines.three() & open).count_ones();
            counts[1] += (lines.four() & open).count_ones();
        }
    }
}
