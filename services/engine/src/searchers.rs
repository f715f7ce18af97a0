//! The rule sets' search contexts, and the memory of their tables.
//!
//! All searches share one budget, whichever worker they run on: short and long
//! ones, and those that were given up and have not returned. A context is kept
//! after its search, since the next one saves the time to get its tables, until
//! another search needs the memory or it has been idle for a while. A search that
//! finds less than its share left gets that, and searches with smaller tables.

use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use pentad_host::{CallError, Ruleset, Searcher};

/// What a search gets at least, even if nothing is left.
const MEMORY_MIN: u64 = 1 << 20;

/// Contexts that are kept, and how much memory all contexts have.
pub(crate) struct Searchers {
    bytes_max: u64,
    bytes_per_search: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By contexts in use and kept.
    bytes_used: u64,
    kept: Vec<Kept>,
}

struct Kept {
    searcher: Searcher,
    n_threads: usize,
    since: Instant,
}

/// Memory for one search, and its context. Dropping it gives both back.
pub(crate) struct SearcherLease {
    searchers: Arc<Searchers>,
    searcher: Option<Searcher>,
    n_threads: usize,
    bytes: u64,
}

impl Searchers {
    /// Starts the thread that drops contexts that were not used for `idle_max`.
    pub(crate) fn new(bytes_max: u64, bytes_per_search: u64, idle_max: Duration) -> Arc<Self> {
        let searchers = Arc::new(Searchers { bytes_max, bytes_per_search, state: Mutex::default() });
        let weak = Arc::downgrade(&searchers);
        let interval = (idle_max / 4).clamp(Duration::from_millis(1), Duration::from_secs(1));
        let drop_idle = move || {
            while let Some(searchers) = weak.upgrade() {
                searchers.drop_idle(Instant::now(), idle_max);
                drop(searchers);
                thread::sleep(interval);
            }
        };
        let thread = thread::Builder::new().name("idle-searchers".to_owned());
        thread.spawn(drop_idle).expect("the system gives the few threads that the engine needs");
        searchers
    }

    /// Memory for a search of a variant, with the context of an earlier one if there
    /// is one that fits.
    pub(crate) fn lease(self: &Arc<Self>, ruleset: &Arc<Ruleset>, variant: usize, n_threads: usize) -> SearcherLease {
        let lease = |searcher, bytes| SearcherLease { searchers: self.clone(), searcher, n_threads, bytes };
        let fits = |kept: &Kept| {
            let Kept { searcher, n_threads: n, .. } = kept;
            Arc::ptr_eq(searcher.ruleset(), ruleset) && searcher.variant() == variant && *n == n_threads
        };
        let mut state = self.lock();
        if let Some(idx) = state.kept.iter().rposition(fits) {
            return lease(Some(state.kept.swap_remove(idx).searcher), self.bytes_per_search);
        }
        while state.bytes_used + self.bytes_per_search > self.bytes_max {
            let Some(oldest) = (0..state.kept.len()).min_by_key(|&idx| state.kept[idx].since) else { break };
            let oldest = state.kept.swap_remove(oldest);
            // A rule set's code runs without the lock.
            drop(state);
            drop(oldest.searcher);
            state = self.lock();
            state.bytes_used -= self.bytes_per_search;
        }
        let left = self.bytes_max.saturating_sub(state.bytes_used);
        let bytes = self.bytes_per_search.min(left.max(MEMORY_MIN));
        state.bytes_used += bytes;
        lease(None, bytes)
    }

    /// Memory of all contexts, in use and kept.
    pub(crate) fn bytes_used(&self) -> u64 {
        self.lock().bytes_used
    }

    /// Drops the contexts that are kept of rule sets that are not `served` any more.
    pub(crate) fn drop_retired(&self, served: impl Fn(&Arc<Ruleset>) -> bool) {
        self.drop_kept(|kept| !served(kept.searcher.ruleset()));
    }

    fn drop_idle(&self, now: Instant, idle_max: Duration) {
        self.drop_kept(|kept| now.saturating_duration_since(kept.since) >= idle_max);
    }

    fn drop_kept(&self, is_dropped: impl Fn(&Kept) -> bool) {
        let dropped: Vec<Kept> = self.lock().kept.extract_if(.., |kept| is_dropped(kept)).collect();
        let bytes = dropped.len() as u64 * self.bytes_per_search;
        drop(dropped);
        self.lock().bytes_used -= bytes;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no rule set is called while the searchers are locked")
    }
}

impl SearcherLease {
    /// What the search may use.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.bytes
    }

    /// The context, which is created if none was kept.
    pub(crate) fn searcher(&mut self, ruleset: &Arc<Ruleset>, variant: usize) -> Result<&mut Searcher, CallError> {
        if self.searcher.is_none() {
            self.searcher = Some(ruleset.searcher(variant, self.bytes, self.n_threads)?);
        }
        Ok(self.searcher.as_mut().expect("it was made just above"))
    }

    /// Keeps the context for another search. One that had less than its share is
    /// dropped: the next may get more.
    pub(crate) fn keep(mut self) {
        if self.bytes < self.searchers.bytes_per_search {
            return;
        }
        if let Some(searcher) = self.searcher.take() {
            // The memory stays counted.
            self.bytes = 0;
            let kept = Kept { searcher, n_threads: self.n_threads, since: Instant::now() };
            self.searchers.lock().kept.push(kept);
        }
    }
}

impl Drop for SearcherLease {
    fn drop(&mut self) {
        drop(self.searcher.take());
        self.searchers.lock().bytes_used -= self.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const LONG: Duration = Duration::from_mins(60);

    fn pentago() -> Arc<Ruleset> {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        Ruleset::load(&file, None).expect("the plugin loads")
    }

    fn used(searchers: &Arc<Searchers>, ruleset: &Arc<Ruleset>, variant: usize, n_threads: usize) -> SearcherLease {
        let mut lease = searchers.lease(ruleset, variant, n_threads);
        lease.searcher(ruleset, variant).expect("a context");
        lease
    }

    /// However many searches there are, and whatever is kept: the sum is the budget.
    #[test]
    fn all_searches_share_one_budget() {
        let (searchers, pentago) = (Searchers::new(40 * MIB, 16 * MIB, LONG), pentago());
        let first = used(&searchers, &pentago, 0, 1);
        used(&searchers, &pentago, 1, 1).keep();
        assert_eq!(searchers.bytes_used(), 32 * MIB);
        let second = used(&searchers, &pentago, 2, 1);
        assert_eq!((second.memory_bytes(), searchers.bytes_used()), (16 * MIB, 32 * MIB), "what was kept made room");
        let third = used(&searchers, &pentago, 2, 1);
        assert_eq!((third.memory_bytes(), searchers.bytes_used()), (8 * MIB, 40 * MIB), "what is left");
        let fourth = used(&searchers, &pentago, 2, 1);
        assert_eq!(fourth.memory_bytes(), MEMORY_MIN, "never nothing");
        third.keep();
        drop((first, fourth));
        assert_eq!(searchers.bytes_used(), 16 * MIB, "a small one is not kept");
        second.keep();
        assert_eq!(searchers.bytes_used(), 16 * MIB);
    }

    /// A context is used again for the same variant and number of threads only.
    #[test]
    fn a_context_is_used_again_where_it_fits() {
        let (searchers, pentago) = (Searchers::new(64 * MIB, MIB, LONG), pentago());
        used(&searchers, &pentago, 0, 1).keep();
        assert!(searchers.lease(&pentago, 1, 1).searcher.is_none());
        assert!(searchers.lease(&pentago, 0, 2).searcher.is_none());
        assert!(searchers.lease(&pentago, 0, 1).searcher.is_some());
    }

    /// The context of a rule set that is no longer served goes at once.
    #[test]
    fn retired_contexts_give_their_memory_back() {
        let (searchers, pentago) = (Searchers::new(64 * MIB, MIB, LONG), pentago());
        used(&searchers, &pentago, 0, 1).keep();
        searchers.drop_retired(|ruleset| Arc::ptr_eq(ruleset, &pentago));
        assert_eq!(searchers.bytes_used(), MIB);
        searchers.drop_retired(|_| false);
        assert_eq!(searchers.bytes_used(), 0);
    }

    /// A context that was not used for the time gives its memory back, others do not.
    #[test]
    fn idle_contexts_give_their_memory_back() {
        let (searchers, pentago) = (Searchers::new(64 * MIB, MIB, LONG), pentago());
        let in_use = used(&searchers, &pentago, 0, 1);
        used(&searchers, &pentago, 0, 1).keep();
        let kept_at = searchers.lock().kept[0].since;
        searchers.drop_idle(kept_at + LONG - Duration::from_nanos(1), LONG);
        assert_eq!(searchers.bytes_used(), 2 * MIB);
        searchers.drop_idle(kept_at + LONG, LONG);
        assert_eq!(searchers.bytes_used(), MIB);
        drop(in_use);
        assert_eq!(searchers.bytes_used(), 0);
    }
}
