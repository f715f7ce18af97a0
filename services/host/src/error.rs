//! Errors of calls: the caller's mistake, or the plugin's.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use pentad_model::{FaultKind, Violation};

/// Why a call to a rule set failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The text breaks the notation, or the position is impossible.
    #[error("{message}")]
    Malformed {
        /// The wrong part of the text, in the words of the game's rules; may be empty.
        field: String,
        /// Column of the offending character in the whole text, from 1.
        column: Option<u32>,
        /// What is wrong, complete without the other two.
        message: String,
    },
    /// The rules forbid the move.
    #[error("{message}")]
    Illegal {
        /// Column of the offending character in the move, from 1.
        column: Option<u32>,
        /// Which rule forbids it, complete without the column.
        message: String,
    },
    /// A move or search in a finished game.
    #[error("the game is over")]
    GameOver,
    /// The memory given to a search is not enough.
    #[error("{message}")]
    NoMemory {
        /// How much is needed.
        message: String,
    },
    /// The rule set or this variant lacks the extension.
    #[error("the rule set does not support this")]
    Unsupported,
    /// The rule set broke the contract; the fault is already recorded in the
    /// [`Ruleset`](crate::Ruleset).
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The worker process has ended or is not running; a retry may succeed.
    #[error("{message}")]
    Unavailable {
        /// What happened to it.
        message: String,
    },
}

/// A violation of the plugin contract by a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{call}`: {}: {detail}", kind.as_str())]
pub struct Fault {
    /// Its class, as in the metric's label.
    pub kind: FaultKind,
    /// The ABI function, as the header names it.
    pub call: &'static str,
    /// What is wrong, for the log; not shown to clients.
    pub detail: String,
}

impl Fault {
    pub(crate) fn new(call: &'static str, violation: Violation) -> Self {
        Fault { kind: violation.kind, call, detail: violation.detail }
    }
}

/// Number of a rule set's faults, and the last one.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    count: AtomicU64,
    last: Mutex<Option<(SystemTime, Fault)>>,
}

impl FaultLog {
    pub(crate) fn record(&self, fault: Fault) {
        self.count.fetch_add(1, Ordering::Relaxed);
        // A poisoned lock still holds a complete fault: the value is replaced as a
        // whole.
        *self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((SystemTime::now(), fault));
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(crate) fn last(&self) -> Option<(SystemTime, Fault)> {
        self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}
