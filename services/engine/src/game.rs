//! A game that is served: its rule set and how it behaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use pentad_host::Ruleset;

/// So many of its searches may hang before the game is not served any more,
/// until one of them returns.
const HUNG_MAX: usize = 2;

/// A call that is faster than this is cheap.
const CHEAP: Duration = Duration::from_micros(500);
/// So many cheap calls more than others make their kind run where it was asked
/// for.
const TRUST: i32 = 32;
const TRUST_MAX: i32 = 64;
/// What a call that was not cheap takes away. A thread that lost its core looks
/// slow too, so one such call is not the end of it.
const DISTRUST: i32 = 8;

/// Kinds of short calls. Each is measured by itself, because listing moves can
/// be slow where reading a position is not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Describe,
    Moves,
    Resolve,
    Assemble,
}

impl Call {
    /// As written in traces.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Call::Describe => "describe",
            Call::Moves => "legal_moves",
            Call::Resolve => "resolve",
            Call::Assemble => "explain",
        }
    }
}

/// A rule set and what is known of it.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) id: Arc<str>,
    pub(crate) ruleset: Arc<Ruleset>,
    n_hung: AtomicUsize,
    trust: [AtomicI32; 4],
}

impl Game {
    pub(crate) fn new(ruleset: Arc<Ruleset>) -> Self {
        let id = ruleset.info().id.as_str().into();
        Game { id, ruleset, n_hung: AtomicUsize::new(0), trust: Default::default() }
    }

    /// Whether it may be asked at all.
    pub(crate) fn is_up(&self) -> bool {
        self.n_hung.load(Ordering::Relaxed) < HUNG_MAX
    }

    /// A call did not return in time.
    pub(crate) fn hung(&self) {
        self.n_hung.fetch_add(1, Ordering::Relaxed);
    }

    /// A call that had hung returned after all.
    pub(crate) fn returned(&self) {
        self.n_hung.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether calls of this kind have proved so cheap that handing them to
    /// another thread would cost more than they do.
    pub(crate) fn is_cheap(&self, call: Call) -> bool {
        self.trust[call as usize].load(Ordering::Relaxed) >= TRUST
    }

    /// Whether all kinds of calls are known to be cheap.
    pub(crate) fn is_known(&self) -> bool {
        [Call::Describe, Call::Moves, Call::Resolve, Call::Assemble].into_iter().all(|call| self.is_cheap(call))
    }

    /// Remembers how long a call took.
    pub(crate) fn note(&self, call: Call, took: Duration) {
        let trust = &self.trust[call as usize];
        let present = trust.load(Ordering::Relaxed);
        let next = if took <= CHEAP { present + 1 } else { present - DISTRUST };
        let next = next.clamp(0, TRUST_MAX);
        if next != present {
            trust.store(next, Ordering::Relaxed);
        }
    }
}
