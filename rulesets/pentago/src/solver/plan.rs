//! The memory, work and expected time of solving a position.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::fives::Fives;
use super::kernel::{Buffer, LowParts, Slice};
use crate::Pentago;
use crate::position::Position;
use crate::variant::Edition;

/// Upper bound of empty cells: 16 marbles take about 4 GiB, 15 would take 13.
pub const N_EMPTY_MAX: usize = 20;
/// Number of slices next to the root that a [`Solution`](super::Solution) keeps: it has
/// the values of positions up to this many plies later.
pub(super) const N_KEPT_SLICES: usize = 4;

/// How a position will be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) edition: Edition,
    pub(super) n_empty: usize,
    /// One pass computes both bitbases, won and not lost, in twice the memory of
    /// two passes.
    pub(super) n_passes: usize,
    pub(super) memory_bytes: usize,
}

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolvable {
    /// There is nothing to solve.
    GameOver,
    /// The reply of the Czech edition ends the game: its moves are the values.
    Reply,
    /// While a block is empty, the Finnish edition allows skipping the turn, and the
    /// solver relies on one turn per move.
    TurnMayBeSkipped,
    /// More than [`N_EMPTY_MAX`] cells are empty.
    TooManyEmpty {
        /// The number of empty cells.
        n_empty: usize,
    },
    /// The memory limit is too small even for two passes.
    Memory {
        /// Bytes for two passes.
        needed_bytes: usize,
    },
}

/// Chooses the fewest passes that the memory allows.
pub fn plan(game: &Pentago, position: &Position, memory_bytes_max: usize) -> Result<Plan, Unsolvable> {
    if game.game_result(position).is_some() {
        return Err(Unsolvable::GameOver);
    }
    if position.is_reply() {
        return Err(Unsolvable::Reply);
    }
    let n_empty = position.empty().count() as usize;
    if n_empty > N_EMPTY_MAX {
        return Err(Unsolvable::TooManyEmpty { n_empty });
    }
    let occupied = position.occupied();
    if game.edition == Edition::Finnish && (0..4).any(|block| occupied.block(block) == 0) {
        return Err(Unsolvable::TurnMayBeSkipped);
    }
    let with =
        |n_passes| Plan { edition: game.edition, n_empty, n_passes, memory_bytes: memory_bytes(n_empty, n_passes) };
    let needed_bytes = with(2).memory_bytes;
    [with(1), with(2)]
        .into_iter()
        .find(|plan| plan.memory_bytes <= memory_bytes_max)
        .ok_or(Unsolvable::Memory { needed_bytes })
}

impl Plan {
    /// Returns an upper bound of the solver's memory at any time; nearly all of it is
    /// used.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// Returns the number of passes over all configurations: 1 or 2.
    pub fn n_passes(&self) -> usize {
        self.n_passes
    }

    /// Returns the number of configurations to compute, in all passes.
    pub fn n_configurations(&self) -> usize {
        self.n_passes * (1..=self.n_empty).map(|n| Slice::shape(self.n_empty, n)[0]).sum::<usize>()
    }

    /// Estimates the time, from the speed of earlier solutions in this process, or by a
    /// default for the first.
    pub fn expected_time(&self, n_threads: usize) -> Duration {
        MEASURED.expected_time(self, n_threads)
    }

    /// Records the time of a solution. Small ones say little and are ignored.
    pub(super) fn record_time(&self, n_threads: usize, time: Duration) {
        MEASURED.record(self, n_threads, time);
    }
}

/// The speed of the latest solutions in this process.
static MEASURED: Speed = Speed::unmeasured();

/// Picoseconds per configuration and thread, with one pass and with two.
struct Speed([AtomicU64; 2]);

impl Speed {
    /// Returns default speeds, measured on the machine where the solver was written.
    const fn unmeasured() -> Self {
        Speed([AtomicU64::new(25_000), AtomicU64::new(25_000)])
    }

    fn expected_time(&self, plan: &Plan, n_threads: usize) -> Duration {
        let picoseconds = self.0[plan.n_passes - 1].load(Relaxed) * plan.n_configurations() as u64;
        Duration::from_nanos(picoseconds / 1000 / n_threads.max(1) as u64) + Duration::from_micros(500)
    }

    fn record(&self, plan: &Plan, n_threads: usize, time: Duration) {
        let n_configurations = plan.n_configurations() as u64;
        if n_configurations > 1_000_000 {
            let picoseconds = time.as_nanos() as u64 * 1000 * n_threads as u64 / n_configurations;
            self.0[plan.n_passes - 1].store(picoseconds, Relaxed);
        }
    }
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsolvable::GameOver => f.write_str("the game is over"),
            Unsolvable::Reply => f.write_str("a reply ends the game; look at its moves"),
            Unsolvable::TurnMayBeSkipped => f.write_str("a block is empty, so the turn may be skipped"),
            Unsolvable::TooManyEmpty { n_empty } => {
                write!(f, "{n_empty} cells are empty; at most {N_EMPTY_MAX} can be solved")
            }
            Unsolvable::Memory { needed_bytes } => write!(f, "needs {} MiB", needed_bytes.div_ceil(1 << 20)),
        }
    }
}

impl std::error::Error for Unsolvable {}

/// Returns the sizes of the largest slices with even and with odd numbers of marbles.
pub(super) fn buffer_lens(n_empty: usize) -> [usize; 2] {
    [0, 1]
        .map(|parity| (1..=n_empty).filter(|n| n % 2 == parity).map(|n| Slice::shape(n_empty, n)[0]).max().unwrap_or(0))
}

/// Returns the bytes of everything on the heap, except a few hundred per thread.
fn memory_bytes(n_empty: usize, n_passes: usize) -> usize {
    let word = if n_passes == 1 { 32 } else { 16 };
    let buffers: usize = buffer_lens(n_empty).iter().map(|len| Buffer::bytes(len * word)).sum();
    let kept: usize = (1..=N_KEPT_SLICES.min(n_empty)).map(|n| Slice::shape(n_empty, n)[0] * 32).sum();
    let fives: usize = [n_empty.div_ceil(2), n_empty / 2].map(|n_max| Fives::bytes(n_empty, n_max)).iter().sum();
    // The moves, and everything too small to count.
    let small = 16 << 10;
    buffers + kept + fives + LowParts::bytes(n_empty) + Slice::bytes_max(n_empty) + small
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimate follows from the time of the last large solution, by thread and
    /// by number of passes; small solutions change nothing.
    #[test]
    fn expected_time_follows_measurements() {
        let plan = |n_empty, n_passes| Plan { edition: Edition::Standard, n_empty, n_passes, memory_bytes: 0 };
        let (small, middle, large, two_passes) = (plan(8, 1), plan(14, 1), plan(16, 1), plan(16, 2));
        let speed = Speed::unmeasured();
        let is_about = |plan: &Plan, n_threads: usize, wanted_s: f64| {
            (speed.expected_time(plan, n_threads).as_secs_f64() / wanted_s - 1.0).abs() < 0.01
        };
        let two_before = speed.expected_time(&two_passes, 1);
        speed.record(&large, 2, Duration::from_secs(3));
        speed.record(&small, 1, Duration::from_secs(3600));
        assert!(is_about(&large, 2, 3.0) && is_about(&large, 1, 6.0), "{:?}", speed.expected_time(&large, 1));
        let share = middle.n_configurations() as f64 / large.n_configurations() as f64;
        assert!(is_about(&middle, 1, 6.0 * share), "{:?}", speed.expected_time(&middle, 1));
        assert_eq!(speed.expected_time(&two_passes, 1), two_before);
    }
}
