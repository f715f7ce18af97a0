//! All slices below a root, from the full board upwards.
//!
//! Two buffers take turns, one for slices with an even number of added marbles
//! and one for the odd ones, each as large as the largest of them. So nothing
//! is allocated on the way, and pages are touched for the first time once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use super::fives::Fives;
use super::kernel::{self, Asked, Both, Buffer, Crew, One, Runs, Slice, Word};
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
    let with_vectors = workers.use_vectors && kernel::has_avx2();
    match (plan.n_sweeps, with_vectors) {
        #[cfg(target_arch = "x86_64")]
        (1, true) => root.sweeps::<kernel::BothAvx2>(&[Asked::Won], &mut kept, progress),
        #[cfg(target_arch = "x86_64")]
        (_, true) => root.sweeps::<kernel::OneAvx2>(&[Asked::Won, Asked::NotLost], &mut kept, progress),
        (1, _) => root.sweeps::<Both>(&[Asked::Won], &mut kept, progress),
        _ => root.sweeps::<One>(&[Asked::Won, Asked::NotLost], &mut kept, progress),
    }
    if root.crew.is_stopped.load(Relaxed) {
        return None;
    }
    if workers.use_vectors {
        plan.took(workers.n_threads.max(1), start.elapsed());
    }
    Some(Solved::new(*game, *position, root.empty, kept))
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

    /// One sweep for each question about the first placement.
    fn sweeps<W: Word>(&self, questions: &[Asked], kept: &mut Kept, progress: &mut dyn FnMut(f64)) {
        let n_total = self.plan.n_configurations() as f64;
        let mut progress = |n_done: usize| progress(n_done as f64 / n_total);
        let mut buffers = buffer_lens(self.plan.n_empty).map(Buffer::new::<W>);
        for &asked in questions {
            self.sweep::<W>(asked, &mut buffers, kept, &mut progress);
        }
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
