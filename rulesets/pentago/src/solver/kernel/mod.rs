//! The inner loops of the solver: one slice from the next, on all threads.
//!
//! This is the one module with `unsafe` in it: vector instructions, and the
//! slice that several threads fill with vectors.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod buffer;
mod pair;
mod runs;
mod scatter;
mod slice;
mod tile;
mod word;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

pub(super) use buffer::Buffer;
pub(super) use runs::Runs;
use scatter::Scatter;
pub(super) use slice::Slice;
pub(super) use word::{Asked, Word};

/// Something to do with words of one kind or another.
pub(super) trait Job {
    fn run<W: Word>(self);
}

/// Does it with words that hold both answers or one, in vector instructions if
/// they are wanted and this processor has them.
pub(super) fn with_words(job: impl Job, both: bool, use_vectors: bool) {
    #[cfg(target_arch = "x86_64")]
    if use_vectors && std::is_x86_feature_detected!("avx2") {
        // The words of `avx2` rely on this being the only place that names
        // them.
        return if both { job.run::<avx2::Both>() } else { job.run::<avx2::One>() };
    }
    let _no_vectors = use_vectors;
    if both { job.run::<word::Both>() } else { job.run::<word::One>() }
}

/// Who works, how far they are, and whether they should go on.
pub(super) struct Crew<'a> {
    pub(super) n_threads: usize,
    /// Asked by every thread after every tile.
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
    pub(super) is_stopped: AtomicBool,
    /// Configurations computed so far.
    pub(super) n_done: AtomicUsize,
}

/// Slices below this many configurations are done sooner by one thread than
/// others are started.
const N_SHARED_MIN: usize = 20_000;

/// Memory that is touched between two questions whether to stop: one huge
/// page.
const TOUCHED_BYTES: usize = 2 << 20;

impl Crew<'_> {
    /// Writes to every page, so that the system provides it now. The first tile
    /// of a slice would ask for all pages at once, and that takes too long to
    /// be stopped.
    pub(super) fn touch<W: Word>(&self, words: &mut [W]) {
        let n_threads = if words.len() < N_SHARED_MIN { 1 } else { self.n_threads };
        let chunks = Mutex::new(words.chunks_mut(TOUCHED_BYTES / size_of::<W>()));
        let next = || chunks.lock().ok()?.next();
        let work = || {
            while let Some(chunk) = next().filter(|_| !self.is_stopped.load(Relaxed)) {
                chunk.iter_mut().step_by(4096 / size_of::<W>()).for_each(|word| *word = W::none());
                self.ask();
            }
        };
        std::thread::scope(|scope| {
            (1..n_threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    }

    /// Computes a slice from the one below; less than all of it if stopped.
    /// The calling thread is one of the crew, and reports progress.
    pub(super) fn fill<W: Word>(&self, slice: &Slice<'_>, below: &[W], out: &mut [W], progress: &mut dyn FnMut(usize)) {
        let tiles = slice.tiles();
        let next = AtomicUsize::new(0);
        let n_threads = if out.len() < N_SHARED_MIN { 1 } else { self.n_threads };
        let out = Scatter::new(out);
        let work = |progress: &mut dyn FnMut(usize)| {
            while !self.is_stopped.load(Relaxed) {
                // Each tile is given to one thread, as `Scatter` wants it.
                let Some(&tile) = tiles.get(next.fetch_add(1, Relaxed)) else { return };
                let n_new = W::fill(slice, tile, below, &out);
                progress(self.n_done.fetch_add(n_new, Relaxed) + n_new);
                self.ask();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                scope.spawn(|| work(&mut |_| {}));
            }
            work(progress);
        });
    }

    fn ask(&self) {
        if (self.stop)() {
            self.is_stopped.store(true, Relaxed);
        }
    }
}
