//! What every call to a plugin shares: its arguments before, its status after.
//!
//! A status that the call may not give, and whatever the callbacks found, is a
//! fault of the plugin and recorded. A caller's own mistake, such as a position
//! of another game, is not.

use pentad_abi as abi;

use crate::error::{CallError, Fault, FaultKind, Lie};
use crate::position::{Owner, Position};
use crate::ruleset::Ruleset;
use crate::sink::End;
use crate::variant::Variant;

impl Ruleset {
    /// The description of a variant.
    pub(crate) fn described(&self, call: &'static str, variant: usize) -> Result<&Variant, CallError> {
        self.variants.get(variant).ok_or_else(|| misuse(call, format!("no variant has the number {variant}")))
    }

    /// Room for a position.
    pub(crate) fn blank(&self, call: &'static str, variant: usize) -> Result<Position, CallError> {
        let size = self.described(call, variant)?.position_size;
        Ok(Position::blank(self.owner(variant), size))
    }

    /// A position's bytes for the plugin. Only bytes that this library wrote
    /// for this variant may be handed to it.
    pub(crate) fn bytes(
        &self,
        call: &'static str,
        variant: usize,
        position: &Position,
    ) -> Result<*const u8, CallError> {
        self.described(call, variant)?;
        if position.owner() != self.owner(variant) {
            return Err(misuse(call, "the position belongs to another rule set or variant".to_owned()));
        }
        Ok(position.as_bytes().as_ptr())
    }

    pub(crate) fn checked_seat(&self, call: &'static str, variant: usize, seat: u32) -> Result<usize, CallError> {
        if (seat as usize) < self.variants[variant].seats.len() {
            return Ok(seat as usize);
        }
        Err(self.fault(call, Lie::value(format!("no seat has the number {seat}"))))
    }

    /// Records a fault and gives it as an error.
    pub(crate) fn fault(&self, call: &'static str, lie: Lie) -> CallError {
        let fault = lie.in_call(call);
        self.faults.record(fault.clone());
        CallError::Fault(fault)
    }

    /// Turns a status, with what the callbacks saw, into the end of the call or
    /// an error.
    #[inline]
    pub(crate) fn settle(
        &self,
        call: &'static str,
        status: abi::Status,
        allow: Allow,
        error: Option<&abi::Error>,
        items: Result<End, Lie>,
    ) -> Result<End, CallError> {
        match (status, items) {
            (abi::OK, Ok(End::Complete)) => Ok(End::Complete),
            (abi::STOPPED, Ok(End::Stopped)) => Ok(End::Stopped),
            (status, items) => Err(self.refusal(call, status, allow, error, items)),
        }
    }

    #[cold]
    fn refusal(
        &self,
        call: &'static str,
        status: abi::Status,
        allow: Allow,
        error: Option<&abi::Error>,
        items: Result<End, Lie>,
    ) -> CallError {
        let message = error.map_or_else(|| Ok(String::new()), read_message);
        if status == abi::FAULT {
            let detail = message.ok().filter(|message| !message.is_empty()).unwrap_or("panicked".to_owned());
            return self.fault(call, Lie { kind: FaultKind::Panic, detail });
        }
        let message = match (items, message) {
            (Err(lie), _) | (Ok(_), Err(lie)) => return self.fault(call, lie),
            (Ok(End::Stopped), _) => {
                return self.fault(call, Lie::status(format!("it was told to stop and gave the status {status}")));
            }
            (Ok(End::Complete), Ok(message)) => message,
        };
        let or = |other: &str| if message.is_empty() { other.to_owned() } else { message.clone() };
        let column = error.and_then(read_column);
        match status {
            abi::MALFORMED if allow.malformed => match error.map_or(Ok(String::new()), read_field) {
                Ok(field) => CallError::Malformed { field, column, message: or("not well-formed") },
                Err(lie) => self.fault(call, lie),
            },
            abi::ILLEGAL if allow.illegal => CallError::Illegal { column, message: or("the rules forbid this") },
            abi::GAME_OVER if allow.illegal => CallError::GameOver,
            abi::NO_MEMORY if allow.search => CallError::NoMemory { message: or("more memory is needed") },
            abi::UNSUPPORTED if allow.extension => CallError::Unsupported,
            abi::INVALID => self.fault(call, Lie::status(format!("it refused its arguments {message}").trim_end())),
            other => self.fault(call, Lie::status(format!("status {other} {message}").trim_end())),
        }
    }

    fn owner(&self, variant: usize) -> Owner {
        Owner { library: self.library, variant: variant as u32 }
    }
}

/// Which refusals a call may give; any other is a fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allow {
    malformed: bool,
    /// Also a finished game.
    illegal: bool,
    search: bool,
    extension: bool,
}

impl Allow {
    pub(crate) const NONE: Allow = Allow { malformed: false, illegal: false, search: false, extension: false };
    pub(crate) const MALFORMED: Allow = Allow { malformed: true, ..Allow::NONE };
    pub(crate) const MOVE: Allow = Allow { illegal: true, ..Allow::MALFORMED };
    pub(crate) const EXTENSION: Allow = Allow { extension: true, ..Allow::NONE };
    pub(crate) const EXTENSION_MOVE: Allow = Allow { extension: true, ..Allow::MOVE };
    pub(crate) const SEARCH: Allow = Allow { search: true, ..Allow::EXTENSION_MOVE };
}

/// The message of an error. Text of strangers may be quoted in it, so what is
/// not printable is replaced instead of refused; only its length is not believed.
pub(crate) fn read_message(error: &abi::Error) -> Result<String, Lie> {
    quoted(&error.message, error.message_len, "message")
}

fn read_field(error: &abi::Error) -> Result<String, Lie> {
    quoted(&error.field, error.field_len, "field")
}

fn read_column(error: &abi::Error) -> Option<u32> {
    // No text is longer, so a greater column points nowhere.
    (1..=abi::POSITION_LEN_MAX as u32 + 1).contains(&error.column).then_some(error.column)
}

fn quoted(buffer: &[u8], len: u32, what: &str) -> Result<String, Lie> {
    let bytes = buffer
        .get(..len as usize)
        .ok_or_else(|| Lie::text(format!("an error's {what} of {len} bytes in a buffer of {}", buffer.len())))?;
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    Ok(String::from_utf8_lossy(bytes).chars().map(printable).collect())
}

/// A mistake of the caller, not of the plugin: not recorded.
pub(crate) fn misuse(call: &'static str, detail: String) -> CallError {
    CallError::Fault(Fault { kind: FaultKind::BadValue, call, detail })
}

/// Refuses text that the ABI does not carry, before the plugin sees it.
pub(crate) fn check_input(field: &str, text: &str, len_max: u64) -> Result<(), CallError> {
    let refused = |column: Option<usize>, message| {
        let column = column.map(|column| column as u32);
        Err(CallError::Malformed { field: field.to_owned(), column, message })
    };
    if text.len() as u64 > len_max {
        return refused(None, format!("a {field} of {} bytes; at most {len_max} are read", text.len()));
    }
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => refused(Some(text[..at].chars().count() + 1), format!("a zero byte in the {field}")),
        None => Ok(()),
    }
}
