//! The rule sets' search contexts, and the memory of their tables.
//!
//! All searches share one budget: short and long ones, and those that were given up and have not returned. A
//! context is kept after its search, which saves the next one the time to allocate tables, until another
//! search needs the memory or the context has been idle for some time. If less than a full share is left, a
//! search gets smaller tables.
//!
//! A context keeps its rule set loaded. Contexts of rule sets that are no longer served are not kept, so that
//! a replaced rule set is unloaded after its last search.

use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};

use pentad_host::{CallError, Ruleset, Searcher};

/// Least memory of a search, even if nothing is left.
const MEMORY_MIN: u64 = 1 << 20;

/// Kept contexts, and the memory of all contexts.
pub(crate) struct SearchContexts {
    bytes_max: u64,
    bytes_per_search: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Memory of contexts in use and kept.
    bytes_used: u64,
    kept: Vec<Kept>,
    /// The rule sets whose contexts are kept.
    served: Vec<Weak<Ruleset>>,
}

impl State {
    fn serves(&self, ruleset: &Arc<Ruleset>) -> bool {
        self.served.iter().any(|served| Weak::as_ptr(served) == Arc::as_ptr(ruleset))
    }
}

struct Kept {
    searcher: Searcher,
    n_threads: usize,
    since: Instant,
}

/// Memory for one search, and its context. Dropping it releases both.
pub(crate) struct ContextLease {
    contexts: Arc<SearchContexts>,
    searcher: Option<Searcher>,
    n_threads: usize,
    bytes: u64,
}

impl SearchContexts {
    /// Starts the thread that drops contexts after `idle_max` without use.
    pub(crate) fn new(bytes_max: u64, bytes_per_search: u64, idle_max: Duration) -> Arc<Self> {
        let contexts = Arc::new(SearchContexts { bytes_max, bytes_per_search, state: Mutex::default() });
        let weak = Arc::downgrade(&contexts);
        let interval = (idle_max / 4).clamp(Duration::from_millis(1), Duration::from_secs(1));
        let drop_idle = move || {
            while let Some(contexts) = weak.upgrade() {
                contexts.drop_idle(Instant::now(), idle_max);
                drop(contexts);
                thread::sleep(interval);
            }
        };
        let thread = thread::Builder::new().name("idle-searchers".to_owned());
        thread.spawn(drop_idle).expect("the system gives the few threads that the engine needs");
        contexts
    }

    /// Leases memory for a search of a variant, with a kept context if one fits.
    pub(crate) fn lease(self: &Arc<Self>, ruleset: &Arc<Ruleset>, variant: usize, n_threads: usize) -> ContextLease {
        let lease = |searcher, bytes| ContextLease { contexts: self.clone(), searcher, n_threads, bytes };
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

    /// Returns the memory of all contexts, in use and kept.
    pub(crate) fn bytes_used(&self) -> u64 {
        self.lock().bytes_used
    }

    /// Keeps only contexts of these rule sets from now on. Other kept contexts are dropped now, and those in
    /// use at the end of their search.
    pub(crate) fn set_served<'a>(&self, rulesets: impl IntoIterator<Item = &'a Arc<Ruleset>>) {
        let served: Vec<Weak<Ruleset>> = rulesets.into_iter().map(Arc::downgrade).collect();
        self.lock().served = served;
        self.drop_kept(|kept, state| !state.serves(kept.searcher.ruleset()));
    }

    fn drop_idle(&self, now: Instant, idle_max: Duration) {
        self.drop_kept(|kept, _| now.saturating_duration_since(kept.since) >= idle_max);
    }

    fn drop_kept(&self, is_dropped: impl Fn(&Kept, &State) -> bool) {
        let mut state = self.lock();
        let kept = std::mem::take(&mut state.kept);
        let (dropped, kept): (Vec<Kept>, Vec<Kept>) = kept.into_iter().partition(|kept| is_dropped(kept, &state));
        state.kept = kept;
        drop(state);
        // A rule set's code runs without the lock.
        let bytes = dropped.len() as u64 * self.bytes_per_search;
        if !dropped.is_empty() {
            drop(dropped);
            pentad_host::release_free_memory();
        }
        self.lock().bytes_used -= bytes;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no rule set is called while the contexts are locked")
    }
}

impl ContextLease {
    /// Returns the memory that the search may use.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the context, which is created if none was kept.
    pub(crate) fn searcher(&mut self, ruleset: &Arc<Ruleset>, variant: usize) -> Result<&mut Searcher, CallError> {
        if self.searcher.is_none() {
            self.searcher = Some(ruleset.searcher(variant, self.bytes, self.n_threads)?);
        }
        Ok(self.searcher.as_mut().expect("it was made just above"))
    }

    /// Keeps the context for another search. A context with less than a full share is dropped, as the next
    /// may get more, and so is one of a rule set that is no longer served.
    pub(crate) fn keep(mut self) {
        let contexts = Arc::clone(&self.contexts);
        let mut state = contexts.lock();
        let is_kept =
            |searcher: &mut Searcher| self.bytes >= contexts.bytes_per_search && state.serves(searcher.ruleset());
        if let Some(searcher) = self.searcher.take_if(is_kept) {
            // The memory stays counted.
            self.bytes = 0;
            state.kept.push(Kept { searcher, n_threads: self.n_threads, since: Instant::now() });
        }
        // A context that is not kept is dropped with `self`, without the lock.
        drop(state);
    }
}

impl Drop for ContextLease {
    fn drop(&mut self) {
        drop(self.searcher.take());
        self.contexts.lock().bytes_used -= self.bytes;
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

    /// Returns contexts that serve this rule set.
    fn contexts(bytes_max: u64, bytes_per_search: u64, served: &Arc<Ruleset>) -> Arc<SearchContexts> {
        let contexts = SearchContexts::new(bytes_max, bytes_per_search, LONG);
        contexts.set_served([served]);
        contexts
    }

    fn used(contexts: &Arc<SearchContexts>, ruleset: &Arc<Ruleset>, variant: usize, n_threads: usize) -> ContextLease {
        let mut lease = contexts.lease(ruleset, variant, n_threads);
        lease.searcher(ruleset, variant).expect("a context");
        lease
    }

    /// The sum stays within the budget, however many searches run and contexts are kept.
    #[test]
    fn all_searches_share_one_budget() {
        let pentago = pentago();
        let contexts = contexts(40 * MIB, 16 * MIB, &pentago);
        let first = used(&contexts, &pentago, 0, 1);
        used(&contexts, &pentago, 1, 1).keep();
        assert_eq!(contexts.bytes_used(), 32 * MIB);
        let second = used(&contexts, &pentago, 2, 1);
        assert_eq!((second.memory_bytes(), contexts.bytes_used()), (16 * MIB, 32 * MIB), "what was kept made room");
        let third = used(&contexts, &pentago, 2, 1);
        assert_eq!((third.memory_bytes(), contexts.bytes_used()), (8 * MIB, 40 * MIB), "what is left");
        let fourth = used(&contexts, &pentago, 2, 1);
        assert_eq!(fourth.memory_bytes(), MEMORY_MIN, "never nothing");
        third.keep();
        drop((first, fourth));
        assert_eq!(contexts.bytes_used(), 16 * MIB, "a small one is not kept");
        second.keep();
        assert_eq!(contexts.bytes_used(), 16 * MIB);
    }

    /// A context is reused only for the same variant and number of threads.
    #[test]
    fn a_context_is_used_again_where_it_fits() {
        let pentago = pentago();
        let contexts = contexts(64 * MIB, MIB, &pentago);
        used(&contexts, &pentago, 0, 1).keep();
        assert!(contexts.lease(&pentago, 1, 1).searcher.is_none());
        assert!(contexts.lease(&pentago, 0, 2).searcher.is_none());
        assert!(contexts.lease(&pentago, 0, 1).searcher.is_some());
    }

    /// The contexts of a rule set that is no longer served are dropped: kept ones at once, those in use with
    /// their search. Then nothing keeps the rule set loaded.
    #[test]
    fn retired_contexts_give_their_memory_back() {
        let pentago = pentago();
        let contexts = contexts(64 * MIB, MIB, &pentago);
        used(&contexts, &pentago, 0, 1).keep();
        let in_use = used(&contexts, &pentago, 1, 1);
        contexts.set_served([&pentago]);
        assert_eq!(contexts.bytes_used(), 2 * MIB);
        contexts.set_served([]);
        assert_eq!(contexts.bytes_used(), MIB);
        in_use.keep();
        assert_eq!(contexts.bytes_used(), 0);
        assert_eq!(Arc::strong_count(&pentago), 1);
    }

    /// An idle context releases its memory after the time, others do not.
    #[test]
    fn idle_contexts_give_their_memory_back() {
        let pentago = pentago();
        let contexts = contexts(64 * MIB, MIB, &pentago);
        let in_use = used(&contexts, &pentago, 0, 1);
        used(&contexts, &pentago, 0, 1).keep();
        let kept_at = contexts.lock().kept[0].since;
        contexts.drop_idle(kept_at + LONG - Duration::from_nanos(1), LONG);
        assert_eq!(contexts.bytes_used(), 2 * MIB);
        contexts.drop_idle(kept_at + LONG, LONG);
        assert_eq!(contexts.bytes_used(), MIB);
        drop(in_use);
        assert_eq!(contexts.bytes_used(), 0);
    }
}
