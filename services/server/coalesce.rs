//! Coalesces concurrent requests for the same work.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

/// Runs work one at a time. Callers that arrive during a run share the next one: a
/// thousand callers at once cost two runs.
#[derive(Debug)]
pub(crate) struct Coalescer<T> {
    /// Locked during a run. Number and result of the last one.
    last: Mutex<Option<(u64, T)>>,
    n_started: AtomicU64,
}

impl<T> Default for Coalescer<T> {
    fn default() -> Self {
        Coalescer { last: Mutex::default(), n_started: AtomicU64::new(0) }
    }
}

impl<T: Clone> Coalescer<T> {
    /// Returns the result of a run that starts after this call. Dropping this future
    /// cancels a run that it started, so spawn work that must complete.
    pub(crate) async fn run(&self, work: impl AsyncFnOnce() -> T) -> T {
        let n_before = self.n_started.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if let Some((number, result)) = &*last
            && *number > n_before
        {
            return result.clone();
        }
        let number = self.n_started.fetch_add(1, Ordering::SeqCst) + 1;
        let result = work().await;
        *last = Some((number, result.clone()));
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;

    use super::*;

    /// Callers that arrive during a run do not get its result, since it may have missed
    /// their change, but share the next run.
    #[tokio::test]
    async fn callers_share_the_next_run() {
        let (runs, n_runs, may_end) = (Arc::new(Coalescer::default()), Arc::new(AtomicU64::new(0)), Semaphore::new(0));
        let may_end = Arc::new(may_end);
        let ask = || {
            let (runs, n_runs, may_end) = (Arc::clone(&runs), Arc::clone(&n_runs), Arc::clone(&may_end));
            tokio::spawn(async move {
                let work = async || {
                    let n = n_runs.fetch_add(1, Ordering::SeqCst) + 1;
                    may_end.acquire().await.expect("the semaphore is never closed").forget();
                    n
                };
                runs.run(work).await
            })
        };
        let first = ask();
        while n_runs.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        let others: Vec<_> = (0..1000).map(|_| ask()).collect();
        // Lets each of them reach its wait.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        may_end.add_permits(2);
        assert_eq!(first.await.expect("no panic"), 1);
        for other in others {
            assert_eq!(other.await.expect("no panic"), 2);
        }
        may_end.add_permits(1);
        assert_eq!(ask().await.expect("no panic"), 3, "later callers have a run of their own");
    }
}
