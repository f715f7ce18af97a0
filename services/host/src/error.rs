//! Why a call gave no answer: the caller's mistake, or the plugin's.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Why a call to a rule set gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The text breaks the notation, or no such position can be.
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
        /// Why.
        message: String,
    },
    /// A move was asked of a finished game.
    #[error("the game is over")]
    GameOver,
    /// The memory given to a search does not suffice.
    #[error("{message}")]
    NoMemory {
        /// What would suffice.
        message: String,
    },
    /// The rule set cannot do that, or not for this variant.
    #[error("the rule set cannot do that")]
    Unsupported,
    /// The rule set misbehaved; it is already recorded in the
    /// [`Ruleset`](crate::Ruleset).
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// One misbehaviour of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{call}`: {}: {detail}", kind.as_str())]
pub struct Fault {
    /// What kind it is.
    pub kind: FaultKind,
    /// The ABI function, as the header names it.
    pub call: &'static str,
    /// For the log.
    pub detail: String,
}

/// Kinds of misbehaviour: a closed set, fit for a metric's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The plugin caught a panic of its own.
    Panic,
    /// Text that is too long, not UTF-8, or not what it should be.
    BadText,
    /// A number out of range, or a part that is missing.
    BadValue,
    /// A status that does not exist or does not fit.
    BadStatus,
    /// No answer long after it was told to stop. Never found by this crate,
    /// which cannot interrupt a call: whoever waits reports it.
    Hang,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 5] =
        [FaultKind::Panic, FaultKind::BadText, FaultKind::BadValue, FaultKind::BadStatus, FaultKind::Hang];

    /// The kind as one lower-case word.
    pub const fn as_str(self) -> &'static str {
        match self {
            FaultKind::Panic => "panic",
            FaultKind::BadText => "bad_text",
            FaultKind::BadValue => "bad_value",
            FaultKind::BadStatus => "bad_status",
            FaultKind::Hang => "hang",
        }
    }
}

/// What is wrong with something a plugin gave, before it is known in which call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lie {
    pub(crate) kind: FaultKind,
    pub(crate) detail: String,
}

impl Lie {
    pub(crate) fn text(detail: impl Into<String>) -> Self {
        Lie { kind: FaultKind::BadText, detail: detail.into() }
    }

    pub(crate) fn value(detail: impl Into<String>) -> Self {
        Lie { kind: FaultKind::BadValue, detail: detail.into() }
    }

    pub(crate) fn status(detail: impl Into<String>) -> Self {
        Lie { kind: FaultKind::BadStatus, detail: detail.into() }
    }

    /// The same with the place where it was found in front.
    pub(crate) fn at(self, place: impl std::fmt::Display) -> Self {
        Lie { kind: self.kind, detail: format!("{place}: {}", self.detail) }
    }

    pub(crate) fn in_call(self, call: &'static str) -> Fault {
        Fault { kind: self.kind, call, detail: self.detail }
    }
}

/// How often a rule set misbehaved, and how last.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    count: AtomicU64,
    last: Mutex<Option<(SystemTime, Fault)>>,
}

impl FaultLog {
    pub(crate) fn record(&self, fault: Fault) {
        self.count.fetch_add(1, Ordering::Relaxed);
        // A poisoned lock still holds a whole fault: the value is replaced in one go.
        *self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((SystemTime::now(), fault));
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(crate) fn last(&self) -> Option<(SystemTime, Fault)> {
        self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}
