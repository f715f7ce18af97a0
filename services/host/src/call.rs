//! Code shared by all calls to a plugin: checks of arguments and status.
//!
//! A status that the call may not return, and a violation found by a callback, are
//! faults of the plugin and recorded. A caller's own mistake, such as a position of
//! another game, is not.

use pentad_abi as abi;
use pentad_model::{FaultKind, Violation};

use crate::error::{CallError, Fault};
use crate::guard::Guarded;
use crate::output::Completion;
use crate::position::{Owner, Position};
use crate::ruleset::Ruleset;
use crate::variant::Variant;

impl Ruleset {
    /// Returns a variant, or the caller's mistake if it does not exist.
    pub(crate) fn checked_variant(&self, call: &'static str, variant: usize) -> Result<&Variant, CallError> {
        self.variants.get(variant).ok_or_else(|| misuse(call, format!("there is no variant {variant}")))
    }

    /// Returns a zeroed buffer for the plugin to write a position into, to be passed to
    /// [`written`](Ruleset::written) after the call.
    pub(crate) fn new_position(&self, call: &'static str, variant: usize) -> Result<Position, CallError> {
        let size = self.checked_variant(call, variant)?.position_size;
        Ok(Position::unwritten(self.owner(variant), size))
    }

    /// Returns the position that the plugin wrote, unless it wrote beyond its end.
    #[inline]
    pub(crate) fn written(&self, call: &'static str, position: Position) -> Result<Position, CallError> {
        position.written().map_err(|violation| self.fault(call, violation))
    }

    /// Returns the value that the plugin wrote, unless it wrote beyond its end.
    #[inline]
    pub(crate) fn checked<T>(&self, call: &'static str, value: Guarded<T>) -> Result<T, CallError> {
        value.into_checked().map_err(|violation| self.fault(call, violation))
    }

    /// Creates a position from bytes that the library wrote in another process.
    pub(crate) fn position_of(&self, variant: usize, bytes: &[u8]) -> Result<Position, Violation> {
        let size = self.variants[variant].position_size;
        if bytes.len() != size {
            return Err(Violation::value(format!("a position of {} bytes, expected {size}", bytes.len())));
        }
        Ok(Position::from_bytes(self.owner(variant), bytes))
    }

    /// Returns a position's bytes for the plugin. Only bytes that this library wrote
    /// for this variant may be passed to it.
    pub(crate) fn position_ptr(
        &self,
        call: &'static str,
        variant: usize,
        position: &Position,
    ) -> Result<*const u8, CallError> {
        self.checked_variant(call, variant)?;
        if position.owner() != self.owner(variant) {
            return Err(misuse(call, "the position belongs to another rule set or variant".to_owned()));
        }
        Ok(position.as_bytes().as_ptr())
    }

    pub(crate) fn checked_seat(&self, call: &'static str, variant: usize, seat: u32) -> Result<usize, CallError> {
        if (seat as usize) < self.variants[variant].seats.len() {
            return Ok(seat as usize);
        }
        Err(self.fault(call, Violation::value(format!("there is no seat {seat}"))))
    }

    /// Records a fault and returns it as an error.
    pub(crate) fn fault(&self, call: &'static str, violation: Violation) -> CallError {
        let fault = Fault::new(call, violation);
        self.faults.record(fault.clone());
        CallError::Fault(fault)
    }

    /// Checks a status against what the callbacks received. `expected` are the errors
    /// that the call may return; any other is a fault and recorded.
    #[inline]
    pub(crate) fn check_status(
        &self,
        call: &'static str,
        status: abi::Status,
        expected: ErrorSet,
        error: Option<&abi::Error>,
        output: Result<Completion, Violation>,
    ) -> Result<Completion, CallError> {
        match (status, output) {
            (abi::OK, Ok(Completion::Complete)) => Ok(Completion::Complete),
            (abi::STOPPED, Ok(Completion::Stopped)) => Ok(Completion::Stopped),
            (status, output) => Err(self.status_error(call, status, expected, error, output)),
        }
    }

    #[cold]
    fn status_error(
        &self,
        call: &'static str,
        status: abi::Status,
        expected: ErrorSet,
        error: Option<&abi::Error>,
        output: Result<Completion, Violation>,
    ) -> CallError {
        let message = error.map_or_else(|| Ok(String::new()), read_message);
        if status == abi::FAULT {
            let detail = message.ok().filter(|message| !message.is_empty()).unwrap_or("panicked".to_owned());
            return self.fault(call, Violation { kind: FaultKind::Panic, detail });
        }
        let message = match (output, message) {
            (Err(violation), _) | (Ok(_), Err(violation)) => return self.fault(call, violation),
            (Ok(Completion::Stopped), _) => {
                return self.fault(call, Violation::status(format!("status {status} instead of STOPPED")));
            }
            (Ok(Completion::Complete), Ok(message)) => message,
        };
        let text_or = |other: &str| if message.is_empty() { other.to_owned() } else { message.clone() };
        let column = error.and_then(read_column);
        match status {
            abi::MALFORMED if expected.malformed => match error.map_or(Ok(String::new()), read_field) {
                Ok(field) => CallError::Malformed { field, column, message: text_or("not well-formed") },
                Err(violation) => self.fault(call, violation),
            },
            abi::ILLEGAL if expected.illegal => {
                CallError::Illegal { column, message: text_or("the rules forbid this") }
            }
            abi::GAME_OVER if expected.illegal => CallError::GameOver,
            abi::NO_MEMORY if expected.no_memory => CallError::NoMemory { message: text_or("more memory is needed") },
            abi::UNSUPPORTED if expected.unsupported => CallError::Unsupported,
            abi::INVALID => {
                self.fault(call, Violation::status(format!("rejected valid arguments {message}").trim_end()))
            }
            other => self.fault(call, Violation::status(format!("status {other} {message}").trim_end())),
        }
    }

    fn owner(&self, variant: usize) -> Owner {
        Owner { library: self.library, variant: variant as u32 }
    }
}

/// The errors that a call may return; any other is a fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorSet {
    malformed: bool,
    /// Also `GAME_OVER`.
    illegal: bool,
    no_memory: bool,
    unsupported: bool,
}

impl ErrorSet {
    pub(crate) const NONE: ErrorSet =
        ErrorSet { malformed: false, illegal: false, no_memory: false, unsupported: false };
    pub(crate) const MALFORMED: ErrorSet = ErrorSet { malformed: true, ..ErrorSet::NONE };
    pub(crate) const MOVE: ErrorSet = ErrorSet { illegal: true, ..ErrorSet::MALFORMED };
    pub(crate) const EXTENSION: ErrorSet = ErrorSet { unsupported: true, ..ErrorSet::NONE };
    pub(crate) const EXTENSION_MOVE: ErrorSet = ErrorSet { unsupported: true, ..ErrorSet::MOVE };
    pub(crate) const SEARCH: ErrorSet = ErrorSet { no_memory: true, ..ErrorSet::EXTENSION_MOVE };

    /// Whether a call may return this error. A fault is always possible.
    pub(crate) fn includes(self, error: &CallError) -> bool {
        match error {
            CallError::Malformed { .. } => self.malformed,
            CallError::Illegal { .. } | CallError::GameOver => self.illegal,
            CallError::NoMemory { .. } => self.no_memory,
            CallError::Unsupported => self.unsupported,
            CallError::Fault(_) => true,
            CallError::Unavailable { .. } => false,
        }
    }
}

/// Reads the message of an error. It may quote a client's text, so unprintable bytes
/// are replaced; only a length beyond the buffer is a violation.
pub(crate) fn read_message(error: &abi::Error) -> Result<String, Violation> {
    lossy_text(&error.message, error.message_len, "message")
}

fn read_field(error: &abi::Error) -> Result<String, Violation> {
    lossy_text(&error.field, error.field_len, "field")
}

fn read_column(error: &abi::Error) -> Option<u32> {
    // No text is longer, so a greater column is dropped.
    (1..=abi::POSITION_LEN_MAX as u32 + 1).contains(&error.column).then_some(error.column)
}

fn lossy_text(buffer: &[u8], len: u32, what: &str) -> Result<String, Violation> {
    let bytes = buffer
        .get(..len as usize)
        .ok_or_else(|| Violation::text(format!("an error's {what} of {len} bytes in a buffer of {}", buffer.len())))?;
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    Ok(String::from_utf8_lossy(bytes).chars().map(printable).collect())
}

/// Returns an error for the caller's mistake, which is not recorded as a fault.
pub(crate) fn misuse(call: &'static str, detail: String) -> CallError {
    CallError::Fault(Fault { kind: FaultKind::BadValue, call, detail })
}

/// Rejects text that the ABI cannot carry, before the plugin sees it.
pub(crate) fn check_input(field: &str, text: &str, len_max: u64) -> Result<(), CallError> {
    let malformed = |column: Option<usize>, message| {
        let column = column.map(|column| column as u32);
        Err(CallError::Malformed { field: field.to_owned(), column, message })
    };
    if text.len() as u64 > len_max {
        return malformed(None, format!("a {field} of {} bytes; at most {len_max} are allowed", text.len()));
    }
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => malformed(Some(text[..at].chars().count() + 1), format!("a zero byte in the {field}")),
        None => Ok(()),
    }
}
