//! A plugin's breach of the contract.

use std::fmt::Display;

/// Kinds of faults: a closed set, used as a metric's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The plugin caught a panic of its own.
    Panic,
    /// Text that is too long, not UTF-8, or not in the required form.
    BadText,
    /// A number out of range, or a part that is missing.
    BadValue,
    /// A status that does not exist, or that the call may not return.
    BadStatus,
    /// No return long after it was asked to stop. A call cannot be interrupted, so
    /// the caller that waits reports it.
    Hang,
    /// The worker process of the rule set ended.
    Crash,
}

impl FaultKind {
    /// Every kind, in the order of declaration.
    pub const ALL: [FaultKind; 6] = [
        FaultKind::Panic,
        FaultKind::BadText,
        FaultKind::BadValue,
        FaultKind::BadStatus,
        FaultKind::Hang,
        FaultKind::Crash,
    ];

    /// The kind in lower case, as in metrics and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            FaultKind::Panic => "panic",
            FaultKind::BadText => "bad_text",
            FaultKind::BadValue => "bad_value",
            FaultKind::BadStatus => "bad_status",
            FaultKind::Hang => "hang",
            FaultKind::Crash => "crash",
        }
    }
}

/// A breach of the contract, before it is attributed to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Its class.
    pub kind: FaultKind,
    /// What was wrong, for the log.
    pub detail: String,
}

impl Violation {
    /// Of [`FaultKind::BadText`].
    pub fn text(detail: impl Into<String>) -> Self {
        Violation { kind: FaultKind::BadText, detail: detail.into() }
    }

    /// Of [`FaultKind::BadValue`].
    pub fn value(detail: impl Into<String>) -> Self {
        Violation { kind: FaultKind::BadValue, detail: detail.into() }
    }

    /// Of [`FaultKind::BadStatus`].
    pub fn status(detail: impl Into<String>) -> Self {
        Violation { kind: FaultKind::BadStatus, detail: detail.into() }
    }

    /// Prefixes the detail with the place where it was found.
    #[must_use]
    pub fn at(self, place: impl Display) -> Self {
        Violation { kind: self.kind, detail: format!("{place}: {}", self.detail) }
    }
}
