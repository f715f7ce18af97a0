//! Retrograde passes over all slices below a root, from the full board upwards.
//!
//! Two buffers alternate, one for slices with an even number of added marbles and one
//! for the odd ones, each as large as the largest of them. So nothing is allocated
//! between slices, and each page is mapped only once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use pentad_sdk::search::primitives::is_available;

use super::fives::Fives;
use super::kernel::{self, Bitbase, Buffer, LowParts, Slice, Threads, Word, WordTask};
use super::plan::{N_KEPT_SLICES, Plan, buffer_lens};
use super::solution::{KeptSlices, Solution};
use crate::Pentago;
use crate::board::Cell;
use crate::position::Position;

/// How a position is solved; the values do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// At least one; includes the calling thread.
    pub n_threads: usize,
    /// Uses AVX2 where the processor has it. Without it solving takes longer.
    pub use_simd: bool,
}

impl SolverOptions {
    /// Returns options for `n_threads` threads, with SIMD if available.
    pub fn new(n_threads: usize) -> Self {
        SolverOptions { n_threads: n_threads.max(1), use_simd: true }
    }
}

/// Solves a position by its plan. Every thread polls `stop` about every millisecond;
/// returns `None` once it is `true`, or if the system does not have the memory that the
/// plan needs. `progress` is called on the calling thread with the completed share,
/// between 0 and 1.
///
/// # Panics
///
/// If the plan is for another position.
pub fn solve(
    game: &Pentago,
    position: &Position,
    plan: &Plan,
    options: SolverOptions,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(f64),
) -> Option<Solution> {
    if !is_available(plan.memory_bytes()) {
        return None;
    }
    let start = Instant::now();
    let threads = Threads {
        n_threads: options.n_threads.max(1),
        stop,
        is_stopped: AtomicBool::new(false),
        n_done: AtomicUsize::new(0),
    };
    let root = Root::new(game, position, plan, threads);
    let mut kept = KeptSlices::new(plan.n_empty);
    let passes = Passes { root: &root, kept: &mut kept, progress };
    kernel::dispatch(passes, plan.n_passes == 1, options.use_simd);
    if root.threads.is_stopped.load(Relaxed) {
        return None;
    }
    if options.use_simd {
        plan.record_time(options.n_threads.max(1), start.elapsed());
    }
    Some(Solution::new(*game, *position, root.empty, kept))
}

/// One pass for both bitbases, or one for each.
struct Passes<'a> {
    root: &'a Root<'a>,
    kept: &'a mut KeptSlices,
    progress: &'a mut dyn FnMut(f64),
}

impl WordTask for Passes<'_> {
    fn run<W: Word>(self) {
        let plan = &self.root.plan;
        let n_total = plan.n_configurations() as f64;
        let mut progress = |n_done: usize| (self.progress)(n_done as f64 / n_total);
        let mut buffers = buffer_lens(plan.n_empty).map(Buffer::new::<W>);
        for &bitbase in &[Bitbase::Won, Bitbase::NotLost][..plan.n_passes] {
            self.root.pass::<W>(bitbase, &mut buffers, self.kept, &mut progress);
        }
    }
}

/// Data shared by all passes.
struct Root<'a> {
    plan: Plan,
    empty: Vec<Cell>,
    /// Fives of the player to move at the root, and of the other player.
    fives: [Fives; 2],
    low_parts: &'static LowParts,
    threads: Threads<'a>,
}

impl<'a> Root<'a> {
    fn new(game: &Pentago, position: &Position, plan: &Plan, threads: Threads<'a>) -> Self {
        let empty: Vec<Cell> = position.empty().iter_by_bit().collect();
        assert_eq!((plan.n_empty, plan.edition), (empty.len(), game.edition), "the plan is another position's");
        let fives = [
            Fives::new(position.own(), &empty, plan.n_empty.div_ceil(2), threads.stop),
            Fives::new(position.opposing(), &empty, plan.n_empty / 2, threads.stop),
        ];
        threads.is_stopped.store((threads.stop)(), Relaxed);
        Root { plan: *plan, low_parts: LowParts::of(empty.len()), empty, fives, threads }
    }

    /// Computes every slice of a bitbase; returns early if stopped.
    fn pass<W: Word>(
        &self,
        bitbase: Bitbase,
        buffers: &mut [Buffer; 2],
        kept: &mut KeptSlices,
        progress: &mut dyn FnMut(usize),
    ) {
        let n_empty = self.plan.n_empty;
        for n_added in (1..=n_empty).rev() {
            if self.threads.is_stopped.load(Relaxed) {
                return;
            }
            let len = Slice::shape(n_empty, n_added)[0];
            let len_below = if n_added == n_empty { 0 } else { Slice::shape(n_empty, n_added + 1)[0] };
            self.threads.touch(buffers[n_added % 2].untouched::<W>(len));
            let [even, odd] = buffers.each_mut().map(Buffer::words::<W>);
            let (out, below) = if n_added % 2 == 0 { (even, odd) } else { (odd, even) };
            let [first, second] = &self.fives;
            let slice = Slice {
                n_empty,
                n_added,
                fives: if n_added % 2 == 0 { [first, second] } else { [second, first] },
                low_parts: self.low_parts,
                edition: self.plan.edition,
                // What one player has won, the other has lost.
                bitbase: if n_added % 2 == 1 { bitbase } else { bitbase.of_opponent() },
            };
            self.threads.fill(&slice, &below[..len_below], &mut out[..len], progress);
            if n_added <= N_KEPT_SLICES {
                kept.add(n_added, slice.bitbase, &out[..len]);
            }
        }
    }
}
