//! A game that is served: its rule set and how it behaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use pentad_host::Ruleset;

/// With so many searches hung the game is unavailable, until one of them returns.
const HUNG_MAX: usize = 2;

/// A call that is faster than this is cheap.
const CHEAP: Duration = Duration::from_micros(500);
/// A kind of call runs on the caller's thread once so many more of its calls were
/// cheap than not.
const TRUST: i32 = 32;
const TRUST_MAX: i32 = 64;
/// What a call that was not cheap takes away. A thread that lost its core looks
/// slow too, so one such call is not the end of it.
const DISTRUST: i32 = 8;

/// Kinds of short calls. Each is measured by itself, because listing moves can
/// be slow where reading a position is not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RulesCall {
    Describe,
    LegalMoves,
    Resolve,
    PresentEvaluation,
    PresentHints,
}

impl RulesCall {
    const ALL: [RulesCall; 5] = [
        RulesCall::Describe,
        RulesCall::LegalMoves,
        RulesCall::Resolve,
        RulesCall::PresentEvaluation,
        RulesCall::PresentHints,
    ];

    /// As written in traces.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            RulesCall::Describe => "describe",
            RulesCall::LegalMoves => "legal_moves",
            RulesCall::Resolve => "resolve",
            RulesCall::PresentEvaluation => "evaluate",
            RulesCall::PresentHints => "explain",
        }
    }
}

/// A rule set and what is known of it.
#[derive(Debug)]
pub(crate) struct ServedGame {
    pub(crate) id: Arc<str>,
    pub(crate) ruleset: Arc<Ruleset>,
    n_hung: AtomicUsize,
    n_searches: AtomicUsize,
    trust: [AtomicI32; RulesCall::ALL.len()],
}

impl ServedGame {
    pub(crate) fn new(ruleset: Arc<Ruleset>) -> Self {
        let id = ruleset.info().id.as_str().into();
        ServedGame {
            id,
            ruleset,
            n_hung: AtomicUsize::new(0),
            n_searches: AtomicUsize::new(0),
            trust: Default::default(),
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

    /// Whether calls of this kind have proved so cheap that handing them to
    /// another thread would cost more than they do.
    pub(crate) fn is_cheap(&self, call: RulesCall) -> bool {
        self.trust[call as usize].load(Ordering::Relaxed) >= TRUST
    }

    /// Whether all kinds of calls are known to be cheap.
    pub(crate) fn is_known(&self) -> bool {
        RulesCall::ALL.into_iter().all(|call| self.is_cheap(call))
    }

    /// Remembers how long a call took.
    pub(crate) fn record_call(&self, call: RulesCall, took: Duration) {
        let trust = &self.trust[call as usize];
        let present = trust.load(Ordering::Relaxed);
        let next = if took <= CHEAP { present + 1 } else { present - DISTRUST };
        let next = next.clamp(0, TRUST_MAX);
        if next != present {
            trust.store(next, Ordering::Relaxed);
        }
    }
}

/// Counts a search while it runs.
pub(crate) struct RunningSearch<'a>(&'a AtomicUsize);

impl Drop for RunningSearch<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
