//! The inner loops of the solver: one slice from the next, on all threads.
//!
//! The only module with `unsafe` code: vector instructions, and the slice that several
//! threads fill with vectors.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod buffer;
mod high_parts;
mod low_parts;
mod scatter;
mod slice;
mod tile;
mod word;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

pub(super) use buffer::Buffer;
pub(super) use low_parts::LowParts;
use scatter::Scatter;
pub(super) use slice::Slice;
pub(super) use word::{Bitbase, Word};

/// A computation that is generic over the kind of words.
pub(super) trait WordTask {
    fn run<W: Word>(self);
}

/// Runs a task with words of both bitbases or of one, in AVX2 if `use_simd` and
/// the processor has it.
pub(super) fn dispatch(task: impl WordTask, both: bool, use_simd: bool) {
    #[cfg(target_arch = "x86_64")]
    if use_simd && std::is_x86_feature_detected!("avx2") {
        // The words of `avx2` rely on this being the only place that uses them.
        return if both { task.run::<avx2::DualWord>() } else { task.run::<avx2::SingleWord>() };
    }
    let _unused_elsewhere = use_simd;
    if both { task.run::<word::DualWord>() } else { task.run::<word::SingleWord>() }
}

/// The threads of a solution, their progress, and the stop flag.
pub(super) struct Threads<'a> {
    pub(super) n_threads: usize,
    /// Polled by every thread after every tile.
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
    pub(super) is_stopped: AtomicBool,
    /// Configurations computed so far.
    pub(super) n_done: AtomicUsize,
}

/// Slices with fewer configurations are computed by one thread: starting others
/// would take longer.
const N_SHARED_MIN: usize = 20_000;

/// Memory touched between two polls of `stop`: one huge page.
const TOUCHED_BYTES: usize = 2 << 20;

impl Threads<'_> {
    /// Writes to every page, so that the system maps it now. Otherwise the first
    /// tile of a slice would fault in all pages between two polls.
    pub(super) fn touch<W: Word>(&self, words: &mut [W]) {
        let n_threads = if words.len() < N_SHARED_MIN { 1 } else { self.n_threads };
        let chunks = Mutex::new(words.chunks_mut(TOUCHED_BYTES / size_of::<W>()));
        let next = || chunks.lock().ok()?.next();
        let work = || {
            while let Some(chunk) = next().filter(|_| !self.is_stopped.load(Relaxed)) {
                chunk.iter_mut().step_by(4096 / size_of::<W>()).for_each(|word| *word = W::zero());
                self.poll_stop();
            }
        };
        std::thread::scope(|scope| {
            (1..n_threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    }

    /// Computes a slice from the one below; only in part if stopped. The calling
    /// thread takes part and reports progress.
    pub(super) fn fill<W: Word>(&self, slice: &Slice<'_>, below: &[W], out: &mut [W], progress: &mut dyn FnMut(usize)) {
        let tiles = slice.tiles();
        let next = AtomicUsize::new(0);
        let n_threads = if out.len() < N_SHARED_MIN { 1 } else { self.n_threads };
        let out = Scatter::new(out);
        let work = |progress: &mut dyn FnMut(usize)| {
            while !self.is_stopped.load(Relaxed) {
                // Each tile is processed by one thread, as `Scatter` requires.
                let Some(&tile) = tiles.get(next.fetch_add(1, Relaxed)) else { return };
                let n_new = W::fill(slice, tile, below, &out);
                progress(self.n_done.fetch_add(n_new, Relaxed) + n_new);
                self.poll_stop();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                scope.spawn(|| work(&mut |_| {}));
            }
            work(progress);
        });
    }

    fn poll_stop(&self) {
        if (self.stop)() {
            self.is_stopped.store(true, Relaxed);
        }
    }
}
