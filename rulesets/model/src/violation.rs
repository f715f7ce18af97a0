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
    /// The call did not return long after it was cancelled. A call cannot be interrupted,
    /// so the waiting caller reports it.
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

    /// Returns the name in metrics and logs.
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
    /// Class of the fault.
    pub kind: FaultKind,
    /// Description for the log.
    pub detail: String,
}

impl Violation {
    /// Creates a violation of the kind [`FaultKind::BadText`].
    pub fn text(detail: impl Into<String>) -> Self {
        Violation { kind: FaultKind::BadText, detail: detail.into() }
    }

    /// Creates a violation of the kind [`FaultKind::BadValue`].
    pub fn value(detail: impl Into<String>) -> Self {
        Violation { kind: FaultKind::BadValue, detail: detail.into() }
    }

    /// Creates a violation of the kind [`FaultKind::BadStatus`].
    pub fn status(detail: impl Into<String>) -> Self {
        Violation { kind: FaultKind::BadStatus, detail: detail.into() }
    }

    /// Prefixes the detail with the place where it was found.
    #[must_use]
    pub fn at(self, place: impl Display) -> Self {
        Violation { kind: self.kind, detail: format!("{place}: {}", self.detail) }
    }
}
