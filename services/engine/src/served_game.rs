//! A game that is served: its rule set and how it behaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicU64, AtomicUsize, Ordering};

use pentad_host::Ruleset;
use tokio::sync::OnceCell;

use crate::present::rendered_cache::RenderedAnswers;
use crate::rules::distinct_moves::DistinctLists;
use crate::store::answer_store::StoreScope;

/// With so many calls hung the game is unavailable, until one of them returns.
const HUNG_MAX: isize = 2;

/// A rule set and what is known of it.
#[derive(Debug)]
pub(crate) struct ServedGame {
    pub(crate) id: Arc<str>,
    /// Different for every rule set that was ever served: what one has found is not
    /// an answer of its successor.
    pub(crate) revision: u64,
    pub(crate) ruleset: Arc<Ruleset>,
    /// May be negative for a moment: a call may return just when it is given up.
    n_hung: AtomicIsize,
    n_searches: AtomicUsize,
    /// Long lists of moves that were asked for lately.
    pub(crate) distinct_lists: DistinctLists,
    /// Answers that were asked for lately.
    pub(crate) rendered: RenderedAnswers,
    /// The rules as stored answers know them, by variant; none if the rule set failed to
    /// say. Unset until a store is first asked.
    pub(crate) store_scopes: OnceCell<Option<Vec<Arc<StoreScope>>>>,
}

impl ServedGame {
    pub(crate) fn new(ruleset: Arc<Ruleset>) -> Self {
        static REVISIONS: AtomicU64 = AtomicU64::new(0);
        ServedGame {
            id: ruleset.info().id.as_str().into(),
            revision: REVISIONS.fetch_add(1, Ordering::Relaxed),
            ruleset,
            n_hung: AtomicIsize::new(0),
            n_searches: AtomicUsize::new(0),
            distinct_lists: DistinctLists::default(),
            rendered: RenderedAnswers::default(),
            store_scopes: OnceCell::new(),
        }
    }

    /// Whether it may be asked at all.
    pub(crate) fn is_up(&self) -> bool {
        self.n_hung.load(Ordering::Relaxed) < HUNG_MAX && self.ruleset.is_up()
    }

    /// A call did not return in time.
    pub(crate) fn hung(&self) {
        self.n_hung.fetch_add(1, Ordering::Relaxed);
    }

    /// A call that had hung returned after all.
    pub(crate) fn returned(&self) {
        self.n_hung.fetch_sub(1, Ordering::Relaxed);
    }

    /// Searches on a worker, or on a thread that was given up and has not returned.
    pub(crate) fn n_searches(&self) -> usize {
        self.n_searches.load(Ordering::Relaxed)
    }

    /// A search runs until the guard is dropped.
    pub(crate) fn begin_search(&self) -> RunningSearch<'_> {
        self.n_searches.fetch_add(1, Ordering::Relaxed);
        RunningSearch(&self.n_searches)
    }
}

/// Counts a search while it runs.
pub(crate) struct RunningSearch<'a>(&'a AtomicUsize);

impl Drop for RunningSearch<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
