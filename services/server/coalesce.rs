//! Work that is asked for more often than it need be done.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

/// Runs one at a time. Whoever asks while one is under way shares the next with all
/// others who do: a thousand callers at once cost two runs.
#[derive(Debug)]
pub(crate) struct Coalescer<T> {
    /// Held during a run. The number of the last one and its result.
    last: Mutex<Option<(u64, T)>>,
    n_started: AtomicU64,
}

impl<T> Default for Coalescer<T> {
    fn default() -> Self {
        Coalescer { last: Mutex::default(), n_started: AtomicU64::new(0) }
    }
}

impl<T: Clone> Coalescer<T> {
    /// The result of a run that starts from now on. A caller who stops waiting ends a
    /// run of its own, so what must not be ended is to be spawned.
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

    /// Those who ask during a run do not get its result, since it may have missed what
    /// they ask for, but share the one after it.
    #[tokio::test]
    async fn callers_share_the_next_run() {
        let (runs, n_runs, may_end) = (Arc::new(Coalescer::default()), Arc::new(AtomicU64::new(0)), Semaphore::new(0));
        let may_end = Arc::new(may_end);
        let ask = || {
            let (runs, n_runs, may_end) = (Arc::clone(&runs), Arc::clone(&n_runs), Arc::clone(&may_end));
            tokio::spawn(async move {
                let work = async || {
                    let n = n_runs.fetch_add(1, Ordering::SeqCst) + 1;
                    may_end.acquire().await.expect("it is not closed").forget();
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
        // Each of them gets to where it waits.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        may_end.add_permits(2);
        assert_eq!(first.await.expect("no panic"), 1);
        for other in others {
            assert_eq!(other.await.expect("no panic"), 2);
        }
        may_end.add_permits(1);
        assert_eq!(ask().await.expect("no panic"), 3, "later ones have a run of their own");
    }
}
