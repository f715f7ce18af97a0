//! A game that is served: its rule set and how it behaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicU64, AtomicUsize, Ordering};

use pentad_host::Ruleset;
use tokio::sync::OnceCell;

use crate::present::rendered_cache::RenderedAnswers;
use crate::rules::distinct_moves::DistinctLists;
use crate::store::answer_store::StoreScope;

/// Number of hung calls from which on the game is unavailable, until one returns.
const HUNG_MAX: isize = 2;

/// A rule set and its state.
#[derive(Debug)]
pub(crate) struct ServedGame {
    pub(crate) id: Arc<str>,
    /// Unique per served rule set, so that a replacement does not use its predecessor's answers.
    pub(crate) revision: u64,
    pub(crate) ruleset: Arc<Ruleset>,
    /// Briefly negative if a call returns just when it is given up.
    n_hung: AtomicIsize,
    n_searches: AtomicUsize,
    /// Cache of long lists of moves.
    pub(crate) distinct_lists: DistinctLists,
    /// Cache of rendered answers.
    pub(crate) rendered: RenderedAnswers,
    /// Scopes of stored answers, by variant; none if the rule set failed to give its fingerprint. Unset until
    /// the store is first used.
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

    /// Whether it may be called.
    pub(crate) fn is_up(&self) -> bool {
        self.n_hung.load(Ordering::Relaxed) < HUNG_MAX && self.ruleset.is_up()
    }

    /// Notes that a call did not return in time.
    pub(crate) fn hung(&self) {
        self.n_hung.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a hung call returned after all.
    pub(crate) fn returned(&self) {
        self.n_hung.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the number of searches on workers, and on threads that were given up and have not returned.
    pub(crate) fn n_searches(&self) -> usize {
        self.n_searches.load(Ordering::Relaxed)
    }

    /// Counts a search as running until the guard is dropped.
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
