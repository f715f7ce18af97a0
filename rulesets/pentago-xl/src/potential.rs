//! How far everybody is on the lines that are still open to them.
//!
//! A window of five cells is open to a player while nobody else has a marble
//! in it. All windows of a direction are counted at once, see
//! [`lines`](crate::lines). The number of players is known to the compiler, so
//! that nothing is counted for those who do not play.

use crate::board::Cells;
use crate::lines::{Windows, open_windows};
use crate::tables::STEPS;

/// Open windows of each seat with one, two, three, and four or five marbles.
pub(crate) type Counts = [[u32; 4]; 4];

/// The windows of one direction that are open to each seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    /// By seat, then with one to four marbles, by lowest cell.
    pub(crate) by_seat: [[u128; 4]; 4],
    /// Nobody has a marble in them.
    pub(crate) untouched: u128,
}

/// The windows of one direction.
struct Sorted<const N: usize> {
    counted: [Windows; N],
    /// On the board, and with marbles of one player at most.
    open: u128,
    touched: u128,
}

impl<const N: usize> Sorted<N> {
    #[inline(always)]
    fn new(marbles: &[Cells; 4], step: u32) -> Self {
        let counted: [Windows; N] = std::array::from_fn(|seat| Windows::count(marbles[seat], step));
        let (mut touched, mut shared) = (0, 0);
        for windows in &counted {
            let own = windows.any();
            shared |= touched & own;
            touched |= own;
        }
        Sorted { counted, open: open_windows(Cells::NONE, step) & !shared, touched }
    }
}

/// Sorts the windows of a direction by who they are open to.
#[inline]
pub(crate) fn open_to(marbles: &[Cells; 4], step: u32) -> Open {
    let Sorted { counted, open, touched } = Sorted::<4>::new(marbles, step);
    let by_seat = counted
        .map(|windows| [windows.one() & open, windows.two() & open, windows.three() & open, windows.four() & open]);
    Open { by_seat, untouched: open & !touched }
}

/// Counts the open windows of everybody.
#[inline]
pub(crate) fn count<const N: usize>(marbles: &[Cells; 4]) -> Counts {
    let mut counts = [[0; 4]; 4];
    for step in STEPS {
        let Sorted { counted, open, .. } = Sorted::<N>::new(marbles, step);
        for (counts, windows) in counts.iter_mut().zip(counted) {
            counts[0] += (windows.one() & open).count_ones();
            counts[1] += (windows.two() & open).count_ones();
            counts[2] += (windows.three() & open).count_ones();
            counts[3] += (windows.four() & open).count_ones();
        }
    }
    counts
}

/// Adds the open windows of three, and of four and more, to those of everybody.
#[inline]
pub(crate) fn count_high<const N: usize>(marbles: &[Cells; 4], counts: &mut [[u32; 2]; 4]) {
    for step in STEPS {
        let Sorted { counted, open, .. } = Sorted::<N>::new(marbles, step);
        for (counts, windows) in counts.iter_mut().zip(counted) {
            counts[0] += (windows.three() & open).count_ones();
            counts[1] += (windows.four() & open).count_ones();
        }
    }
}
