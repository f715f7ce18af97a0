//! Wakes tasks from a thread outside their runtime, many at a time.
//!
//! Waking a task of an idle runtime takes a system call and, where cores are scarce, a change of threads; and
//! what the task does next, such as writing a response, is cheaper for several tasks at once. So a thread
//! that answers many short calls collects their wakers and spawns one task that wakes them all: within the
//! runtime that costs next to nothing.

use std::task::Waker;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

/// Most tasks that are woken at once.
const LEN_MAX: usize = 32;
/// How long the first task waits for others, unless the thread is in a long call.
const WAIT_MAX: Duration = Duration::from_micros(200);

/// Tasks of one runtime to wake. Dropping the batch wakes them one by one.
#[derive(Debug, Default)]
pub(crate) struct WakeBatch {
    wakers: Vec<Waker>,
    runtime: Option<Handle>,
    since: Option<Instant>,
}

impl WakeBatch {
    /// Adds a task of this runtime; a task of another runtime is returned, for the caller to wake.
    #[must_use]
    pub(crate) fn push(&mut self, waker: Waker, runtime: &Handle, now: Instant) -> Option<Waker> {
        if self.runtime.get_or_insert_with(|| runtime.clone()).id() != runtime.id() {
            return Some(waker);
        }
        self.since.get_or_insert(now);
        self.wakers.push(waker);
        None
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wakers.is_empty()
    }

    /// Whether the batch is full, or its first task has waited long enough.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.wakers.len() >= LEN_MAX || self.since.is_some_and(|since| now.saturating_duration_since(since) >= WAIT_MAX)
    }

    /// Wakes all tasks, within their runtime. If that has ended, the spawned task is dropped and wakes them.
    pub(crate) fn wake(mut self) {
        if let Some(runtime) = self.runtime.take().filter(|_| self.wakers.len() > 1) {
            drop(runtime.spawn(async move { drop(self) }));
        }
    }
}

impl Drop for WakeBatch {
    fn drop(&mut self) {
        self.wakers.drain(..).for_each(Waker::wake);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use tokio::runtime::Runtime;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn runtime() -> Runtime {
        tokio::runtime::Builder::new_current_thread().build().expect("a runtime")
    }

    fn batch(len: usize, count: &Arc<Count>, runtime: &Handle) -> WakeBatch {
        let mut batch = WakeBatch::default();
        for _ in 0..len {
            assert!(batch.push(Waker::from(count.clone()), runtime, Instant::now()).is_none());
        }
        batch
    }

    /// All tasks are woken once, by a running runtime and by one that has ended.
    #[test]
    fn all_are_woken_once() {
        let (count, runtime) = (Arc::<Count>::default(), runtime());
        let woken = || count.0.swap(0, Ordering::SeqCst);
        let handle = runtime.handle().clone();
        batch(1, &count, &handle).wake();
        assert_eq!(woken(), 1, "one needs no task");
        batch(3, &count, &handle).wake();
        assert_eq!(woken(), 0, "the runtime does not run yet");
        runtime.block_on(tokio::task::yield_now());
        assert_eq!(woken(), 3);
        drop(runtime);
        batch(3, &count, &handle).wake();
        assert_eq!(woken(), 3);
    }

    /// No task waits for a runtime other than its own.
    #[test]
    fn runtimes_do_not_mix() {
        let (count, first, second) = (Arc::default(), runtime(), runtime());
        let mut batch = batch(2, &count, first.handle());
        assert!(batch.push(Waker::from(count.clone()), second.handle(), Instant::now()).is_some());
        assert_eq!(batch.wakers.len(), 2);
    }

    /// A batch is due when it is full, or its first task has waited.
    #[test]
    fn nobody_waits_long() {
        let (count, runtime) = (Arc::default(), runtime());
        assert!(!WakeBatch::default().is_due(Instant::now() + Duration::from_hours(1)));
        let few = batch(2, &count, runtime.handle());
        let begin = few.since.expect("there are some");
        assert!(!few.is_due(begin));
        assert!(few.is_due(begin + WAIT_MAX));
        assert!(batch(LEN_MAX, &count, runtime.handle()).is_due(begin));
    }
}
