//! All slices below a root, from the full board upwards.
//!
//! Two buffers take turns, one for slices with an even number of added marbles
//! and one for the odd ones, each as large as the largest of them. So nothing
//! is allocated on the way, and pages are touched for the first time once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use super::fives::Fives;
use super::kernel::{self, Asked, Buffer, Crew, Job, Runs, Slice, Word};
use super::plan::{N_KEPT, Plan, buffer_lens};
use super::solved::{Kept, Solved};
use crate::Pentago;
use crate::board::Cell;
use crate::position::Position;

/// Who solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// At least one; the calling thread is among them.
    pub n_threads: usize,
    /// Vector instructions where the processor has them. Without them the
    /// answer is the same, later.
    pub use_vectors: bool,
}

impl Workers {
    /// That many threads with the best instructions there are.
    pub fn new(n_threads: usize) -> Self {
        Workers { n_threads: n_threads.max(1), use_vectors: true }
    }
}

/// Solves a position by its plan. `None` if `stop`, which is asked about every
/// millisecond by every thread, said so. `progress` is given the part that is
/// done, between 0 and 1, on the calling thread.
///
/// # Panics
///
/// If the plan is another position's.
pub fn solve(
    game: &Pentago,
    position: &Position,
    plan: &Plan,
    workers: Workers,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(f64),
) -> Option<Solved> {
    let start = Instant::now();
    let crew = Crew {
        n_threads: workers.n_threads.max(1),
        stop,
        is_stopped: AtomicBool::new(false),
        n_done: AtomicUsize::new(0),
    };
    let root = Root::new(game, position, plan, crew);
    let mut kept = Kept::new(plan.n_empty);
    let sweeps = Sweeps { root: &root, kept: &mut kept, progress };
    kernel::with_words(sweeps, plan.n_sweeps == 1, workers.use_vectors);
    if root.crew.is_stopped.load(Relaxed) {
        return None;
    }
    if workers.use_vectors {
        plan.took(workers.n_threads.max(1), start.elapsed());
    }
    Some(Solved::new(*game, *position, root.empty, kept))
}

/// One sweep for both questions about the first placement, or one for each.
struct Sweeps<'a> {
    root: &'a Root<'a>,
    kept: &'a mut Kept,
    progress: &'a mut dyn FnMut(f64),
}

impl Job for Sweeps<'_> {
    fn run<W: Word>(self) {
        let plan = &self.root.plan;
        let n_total = plan.n_configurations() as f64;
        let mut progress = |n_done: usize| (self.progress)(n_done as f64 / n_total);
        let mut buffers = buffer_lens(plan.n_empty).map(Buffer::new::<W>);
        for &asked in &[Asked::Won, Asked::NotLost][..plan.n_sweeps] {
            self.root.sweep::<W>(asked, &mut buffers, self.kept, &mut progress);
        }
    }
}

/// What all sweeps share.
struct Root<'a> {
    plan: Plan,
    empty: Vec<Cell>,
    /// Of the player to move at the root, and of the other one.
    fives: [Fives; 2],
    runs: &'static Runs,
    crew: Crew<'a>,
}

impl<'a> Root<'a> {
    fn new(game: &Pentago, position: &Position, plan: &Plan, crew: Crew<'a>) -> Self {
        let empty: Vec<Cell> = position.empty().bits().collect();
        assert_eq!((plan.n_empty, plan.edition), (empty.len(), game.edition), "the plan is another position's");
        let fives = [
            Fives::new(position.own(), &empty, plan.n_empty.div_ceil(2), crew.stop),
            Fives::new(position.opposing(), &empty, plan.n_empty / 2, crew.stop),
        ];
        crew.is_stopped.store((crew.stop)(), Relaxed);
        Root { plan: *plan, runs: Runs::of(empty.len()), empty, fives, crew }
    }

    /// Computes every slice; stops early if stopped.
    fn sweep<W: Word>(
        &self,
        asked: Asked,
        buffers: &mut [Buffer; 2],
        kept: &mut Kept,
        progress: &mut dyn FnMut(usize),
    ) {
        let n_empty = self.plan.n_empty;
        for n_added in (1..=n_empty).rev() {
            if self.crew.is_stopped.load(Relaxed) {
                return;
            }
            let len = Slice::shape(n_empty, n_added)[0];
            let len_below = if n_added == n_empty { 0 } else { Slice::shape(n_empty, n_added + 1)[0] };
            self.crew.touch(buffers[n_added % 2].untouched::<W>(len));
            let [even, odd] = buffers.each_mut().map(Buffer::words::<W>);
            let (out, below) = if n_added % 2 == 0 { (even, odd) } else { (odd, even) };
            let [first, second] = &self.fives;
            let slice = Slice {
                n_empty,
                n_added,
                fives: if n_added % 2 == 0 { [first, second] } else { [second, first] },
                runs: self.runs,
                edition: self.plan.edition,
                // What one player has won, the other has lost.
                asked: if n_added % 2 == 1 { asked } else { asked.other() },
            };
            self.crew.fill(&slice, &below[..len_below], &mut out[..len], progress);
            if n_added <= N_KEPT {
                kept.add(n_added, slice.asked, &out[..len]);
            }
        }
    }
}
