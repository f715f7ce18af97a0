//! Why a call failed: the caller's mistake, or the plugin's.

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
        /// Which part of the text is wrong, as the game's rules call it; may be empty.
        field: String,
        /// Place of the offending character in the whole text, from 1.
        column: Option<u32>,
        /// What is wrong, complete without the other two.
        message: String,
    },
    /// The rules forbid the move.
    #[error("{message}")]
    Illegal {
        /// Place of the offending character in the move, from 1.
        column: Option<u32>,
        /// Which rule forbids it, complete without the column.
        message: String,
    },
    /// A move or search in a finished game.
    #[error("the game is over")]
    GameOver,
    /// The memory given to a search does not suffice.
    #[error("{message}")]
    NoMemory {
        /// What would suffice.
        message: String,
    },
    /// The rule set lacks the extension, or this variant does.
    #[error("the rule set does not support this")]
    Unsupported,
    /// The rule set broke the contract; the fault is already recorded in the
    /// [`Ruleset`](crate::Ruleset).
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Its worker process has ended or is not running; another try may succeed.
    #[error("{message}")]
    Unavailable {
        /// What became of it.
        message: String,
    },
}

/// A rule set's breach of the plugin contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{call}`: {}: {detail}", kind.as_str())]
pub struct Fault {
    /// Its class, as in the metric's label.
    pub kind: FaultKind,
    /// The ABI function, as the header names it.
    pub call: &'static str,
    /// What was wrong, for the log: not shown to clients.
    pub detail: String,
}

impl Fault {
    pub(crate) fn new(call: &'static str, violation: Violation) -> Self {
        Fault { kind: violation.kind, call, detail: violation.detail }
    }
}

/// The number of a rule set's faults, and the last of them.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    count: AtomicU64,
    last: Mutex<Option<(SystemTime, Fault)>>,
}

impl FaultLog {
    pub(crate) fn record(&self, fault: Fault) {
        self.count.fetch_add(1, Ordering::Relaxed);
        // A poisoned lock still holds a complete fault: the value is replaced at once.
        *self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((SystemTime::now(), fault));
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(crate) fn last(&self) -> Option<(SystemTime, Fault)> {
        self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}
