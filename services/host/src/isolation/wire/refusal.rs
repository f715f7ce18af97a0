//! Failed calls.

use pentad_abi as abi;
use pentad_model::FaultKind;
use serde::{Deserialize, Serialize};

use crate::error::{CallError, Fault};

/// A [`CallError`] that a rule set caused.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Refusal<'a> {
    Malformed { field: &'a str, column: Option<u32>, message: &'a str },
    Illegal { column: Option<u32>, message: &'a str },
    GameOver,
    NoMemory { message: &'a str },
    Unsupported,
    Fault(WireFault),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WireFault {
    /// Index in [`FaultKind::ALL`].
    kind: u32,
    call: String,
    detail: String,
}

impl WireFault {
    pub(crate) fn new(fault: &Fault) -> WireFault {
        let kind = FaultKind::ALL.iter().position(|kind| *kind == fault.kind).unwrap_or(0) as u32;
        WireFault { kind, call: fault.call.to_owned(), detail: fault.detail.clone() }
    }

    /// Returns the fault for the host to record, in the call that it made unless the
    /// worker names another function of the ABI.
    pub(crate) fn read(&self, call: &'static str) -> Fault {
        let kind = FaultKind::ALL.get(self.kind as usize).copied().unwrap_or(FaultKind::BadValue);
        let call = ABI_CALLS.iter().copied().find(|known| *known == self.call).unwrap_or(call);
        Fault { kind, call, detail: printable(&self.detail) }
    }
}

impl<'a> Refusal<'a> {
    /// Converts an error of a call in this process.
    pub(crate) fn new(error: &'a CallError) -> Refusal<'a> {
        match error {
            CallError::Malformed { field, column, message } => Refusal::Malformed { field, column: *column, message },
            CallError::Illegal { column, message } => Refusal::Illegal { column: *column, message },
            CallError::GameOver => Refusal::GameOver,
            CallError::NoMemory { message } => Refusal::NoMemory { message },
            CallError::Unsupported => Refusal::Unsupported,
            CallError::Fault(fault) => Refusal::Fault(WireFault::new(fault)),
            CallError::Unavailable { message } => {
                let detail = message.clone();
                Refusal::Fault(WireFault { kind: 0, call: String::new(), detail })
            }
        }
    }

    /// Returns the error for the caller. Texts may quote a client's, so unprintable
    /// characters are replaced.
    pub(crate) fn read(&self, call: &'static str) -> CallError {
        // No text is longer, so a greater column is dropped.
        let column = |column: Option<u32>| column.filter(|it| (1..=abi::POSITION_LEN_MAX as u32 + 1).contains(it));
        match self {
            Refusal::Malformed { field, column: at, message } => {
                CallError::Malformed { field: printable(field), column: column(*at), message: printable(message) }
            }
            Refusal::Illegal { column: at, message } => {
                CallError::Illegal { column: column(*at), message: printable(message) }
            }
            Refusal::GameOver => CallError::GameOver,
            Refusal::NoMemory { message } => CallError::NoMemory { message: printable(message) },
            Refusal::Unsupported => CallError::Unsupported,
            Refusal::Fault(fault) => CallError::Fault(fault.read(call)),
        }
    }
}

/// Functions that a fault may name.
const ABI_CALLS: [&str; 30] = [
    "start",
    "parse",
    "format",
    "to_move",
    "legal_moves",
    "count_moves",
    "play",
    "outcome",
    "canonical",
    "inverse",
    "apply",
    "apply_move",
    "apply_seat",
    "pieces",
    "board",
    "explain",
    "evaluate",
    "create",
    "run",
    "reason_codes.list",
    "turn_of",
    "threats.list",
    "threats.stops",
    "threats.kinds",
    "messages.list",
    "outcome_message",
    "move_text",
    "symmetry.count",
    "load",
    "rules",
];

/// Maximum length of a message or detail, in bytes.
const TEXT_LEN_MAX: usize = 1024;

/// Returns a text for logs and clients: cut, and without control characters.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(TEXT_LEN_MAX));
    for c in text.chars() {
        if out.len() >= TEXT_LEN_MAX {
            out.push('…');
            break;
        }
        out.push(if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    }
    out
}
