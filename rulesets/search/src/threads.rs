//! Runs one job per thread.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Enough for the deepest path of a game with large positions.
const STACK_BYTES: usize = 8 << 20;

/// Runs the jobs and returns their results in order. The first job runs on the calling
/// thread, as does every job for which the system refuses a thread: slower, with the
/// same result. A panic in a job continues in the caller.
pub(crate) fn in_parallel<T: Send, R: Send>(jobs: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    let jobs: Vec<Mutex<Option<T>>> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    let work = |idx: usize| jobs[idx].lock().unwrap_or_else(PoisonError::into_inner).take().map(&run);
    let work = &work;
    scope(|scope| {
        let handles: Vec<_> = (1..jobs.len())
            .map(|idx| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || work(idx)))
            .collect();
        let mut results: Vec<Option<R>> = (0..jobs.len().min(1)).map(work).collect();
        for (idx, handle) in handles.into_iter().enumerate() {
            results.push(match handle {
                Ok(handle) => handle.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_no_thread) => work(idx + 1),
            });
        }
        results.into_iter().flatten().collect()
    })
}
