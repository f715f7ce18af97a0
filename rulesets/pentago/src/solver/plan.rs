//! What solving a position will take, known before it starts.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::fives::Fives;
use super::kernel::{Buffer, Runs, Slice};
use crate::Pentago;
use crate::position::Position;
use crate::variant::Edition;

/// More empty cells than this are refused: 16 marbles take about 4 GiB, 15
/// would take 13.
pub const N_EMPTY_MAX: usize = 20;
/// Slices next to the root that a [`Solved`](super::Solved) keeps: positions
/// up to this many plies on are answered from it.
pub(super) const N_KEPT: usize = 4;

/// How a position will be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) edition: Edition,
    pub(super) n_empty: usize,
    /// One sweep answers both questions, whether a configuration is won and
    /// whether it is not lost, in twice the memory of two sweeps.
    pub(super) n_sweeps: usize,
    pub(super) memory_bytes: usize,
}

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolvable {
    /// There is nothing to solve.
    GameOver,
    /// The reply of the Czech edition ends the game: look at its moves.
    Reply,
    /// While a block is empty, the Finnish edition lets the turn be skipped,
    /// and the solver counts on one turn a move.
    TurnMayBeSkipped,
    /// More than [`N_EMPTY_MAX`] cells are empty.
    TooManyEmpty {
        /// So many.
        n_empty: usize,
    },
    /// The memory given is too small even for two sweeps.
    Memory {
        /// What they would take.
        needed_bytes: usize,
    },
}

/// Chooses the fewest sweeps that the memory allows.
pub fn plan(game: &Pentago, position: &Position, memory_bytes_max: usize) -> Result<Plan, Unsolvable> {
    if game.verdict(position).is_some() {
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
        |n_sweeps| Plan { edition: game.edition, n_empty, n_sweeps, memory_bytes: memory_bytes(n_empty, n_sweeps) };
    let needed_bytes = with(2).memory_bytes;
    [with(1), with(2)]
        .into_iter()
        .find(|plan| plan.memory_bytes <= memory_bytes_max)
        .ok_or(Unsolvable::Memory { needed_bytes })
}

impl Plan {
    /// What the solver allocates at most. No more than this is held at any
    /// time, and nearly all of it at some time.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// How often all configurations are gone through.
    pub fn n_sweeps(&self) -> usize {
        self.n_sweeps
    }

    /// Configurations to compute, in all sweeps.
    pub fn n_configurations(&self) -> usize {
        self.n_sweeps * (1..=self.n_empty).map(|n| Slice::shape(self.n_empty, n)[0]).sum::<usize>()
    }

    /// About how long it takes: from the speed of the solves before in this
    /// process, or else of the machine it was written on.
    pub fn expected(&self, n_threads: usize) -> Duration {
        MEASURED.expected(self, n_threads)
    }

    /// Remembers how long it took. Small solves say little and are left out.
    pub(super) fn took(&self, n_threads: usize, time: Duration) {
        MEASURED.record(self, n_threads, time);
    }
}

/// The speed of the solves in this process.
static MEASURED: Speed = Speed::unmeasured();

/// Picoseconds of one thread for a configuration, with one sweep and with two.
struct Speed([AtomicU64; 2]);

impl Speed {
    /// Of the machine it was written on.
    const fn unmeasured() -> Self {
        Speed([AtomicU64::new(25_000), AtomicU64::new(25_000)])
    }

    fn expected(&self, plan: &Plan, n_threads: usize) -> Duration {
        let picoseconds = self.0[plan.n_sweeps - 1].load(Relaxed) * plan.n_configurations() as u64;
        Duration::from_nanos(picoseconds / 1000 / n_threads.max(1) as u64) + Duration::from_micros(500)
    }

    fn record(&self, plan: &Plan, n_threads: usize, time: Duration) {
        let n_configurations = plan.n_configurations() as u64;
        if n_configurations > 1_000_000 {
            let picoseconds = time.as_nanos() as u64 * 1000 * n_threads as u64 / n_configurations;
            self.0[plan.n_sweeps - 1].store(picoseconds, Relaxed);
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

/// The largest slices of even and of odd size, which lie next to each other.
pub(super) fn buffer_lens(n_empty: usize) -> [usize; 2] {
    [0, 1]
        .map(|parity| (1..=n_empty).filter(|n| n % 2 == parity).map(|n| Slice::shape(n_empty, n)[0]).max().unwrap_or(0))
}

/// Everything on the heap, but for a few hundred bytes a thread.
fn memory_bytes(n_empty: usize, n_sweeps: usize) -> usize {
    let word = if n_sweeps == 1 { 32 } else { 16 };
    let buffers: usize = buffer_lens(n_empty).iter().map(|len| Buffer::bytes(len * word)).sum();
    let kept: usize = (1..=N_KEPT.min(n_empty)).map(|n| Slice::shape(n_empty, n)[0] * 32).sum();
    let fives: usize = [n_empty.div_ceil(2), n_empty / 2].map(|n_max| Fives::bytes(n_empty, n_max)).iter().sum();
    // The moves, and whatever is too small to be counted.
    let small = 16 << 10;
    buffers + kept + fives + Runs::bytes(n_empty) + Slice::bytes_max(n_empty) + small
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is expected follows from what the last large solve took, by thread and
    /// by number of sweeps; small solves change nothing.
    #[test]
    fn expectations_follow_measurements() {
        let plan = |n_empty, n_sweeps| Plan { edition: Edition::Standard, n_empty, n_sweeps, memory_bytes: 0 };
        let (small, middle, large, two_sweeps) = (plan(8, 1), plan(14, 1), plan(16, 1), plan(16, 2));
        let speed = Speed::unmeasured();
        let is_about = |plan: &Plan, n_threads: usize, wanted_s: f64| {
            (speed.expected(plan, n_threads).as_secs_f64() / wanted_s - 1.0).abs() < 0.01
        };
        let two_before = speed.expected(&two_sweeps, 1);
        speed.record(&large, 2, Duration::from_secs(3));
        speed.record(&small, 1, Duration::from_secs(3600));
        assert!(is_about(&large, 2, 3.0) && is_about(&large, 1, 6.0), "{:?}", speed.expected(&large, 1));
        let share = middle.n_configurations() as f64 / large.n_configurations() as f64;
        assert!(is_about(&middle, 1, 6.0 * share), "{:?}", speed.expected(&middle, 1));
        assert_eq!(speed.expected(&two_sweeps, 1), two_before);
    }
}
