//! `pentad/base.h`: text, output, errors, status, bounds.

use std::ffi::{c_char, c_void};

/// Maximum number of players at one board.
pub const SEATS_MAX: usize = 8;
/// Maximum number of variants of one game.
pub const VARIANTS_MAX: u32 = 64;
/// Maximum number of symmetries of one variant.
pub const SYMMETRIES_MAX: u32 = 256;
/// Maximum length of an id in bytes.
pub const ID_LEN_MAX: u64 = 64;
/// Maximum length of any other text in bytes.
pub const TEXT_LEN_MAX: u64 = 65536;
/// Maximum size of a position in bytes.
pub const POSITION_SIZE_MAX: u32 = 4096;
/// Maximum length of a position as text, in bytes.
pub const POSITION_LEN_MAX: u64 = 4096;
/// Maximum length of a move as text, in bytes.
pub const MOVE_LEN_MAX: u64 = 128;
/// Maximum number of moves in a line.
pub const LINE_LEN_MAX: u64 = 1024;
/// Maximum number of points, edges, blocks, labels or pieces of a board.
pub const POINTS_MAX: u64 = 4096;

/// Status of a call: one of the constants below.
pub type Status = i32;
/// The call succeeded.
pub const OK: Status = 0;
/// The text breaks the notation.
pub const MALFORMED: Status = 1;
/// The text is well-formed, the rules forbid it.
pub const ILLEGAL: Status = 2;
/// A move or search in a finished game.
pub const GAME_OVER: Status = 3;
/// A callback returned non-zero.
pub const STOPPED: Status = 4;
/// The plugin does not support the call for this variant.
pub const UNSUPPORTED: Status = 5;
/// The memory limit is too low.
pub const NO_MEMORY: Status = 6;
/// The host broke the contract.
pub const INVALID: Status = 7;
/// The plugin caught a defect of its own.
pub const FAULT: Status = 8;

/// `pentad_str_t`: a piece of text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Str {
    /// First byte; may be null only if `len` is 0.
    pub data: *const c_char,
    /// Length in bytes.
    pub len: u64,
}

impl Str {
    /// The empty text.
    pub const EMPTY: Str = Str { data: std::ptr::null(), len: 0 };

    /// Borrows a Rust string. The caller keeps it alive as long as the other
    /// side may read it.
    pub const fn new(text: &str) -> Str {
        Str { data: text.as_ptr().cast(), len: text.len() as u64 }
    }

    /// Returns the bytes, without any check of their content.
    ///
    /// # Safety
    /// `data` must be valid for reads of `len` bytes for the lifetime `'a`, or
    /// `len` must be 0.
    pub unsafe fn as_bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the caller promises `len` readable bytes at `data`.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.len as usize) }
    }
}

// SAFETY: a `Str` is a pointer and a length without interior mutability; the
// header says for each of them how long it may be read.
unsafe impl Send for Str {}
// SAFETY: as above.
unsafe impl Sync for Str {}

/// `pentad_writer_t`: a callback that receives text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// The first argument of `write`.
    pub ctx: *mut c_void,
    /// Receives a piece of text; non-zero means stop.
    pub write: unsafe extern "C" fn(ctx: *mut c_void, data: *const c_char, len: u64) -> i32,
}

/// Size of [`Error::field`] in bytes.
pub const ERROR_FIELD_SIZE: usize = 64;
/// Size of [`Error::message`] in bytes.
pub const ERROR_MESSAGE_SIZE: usize = 432;

/// `pentad_error_t`: why a call failed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Error {
    /// The offending character in the whole text, from 1; 0 if there is none.
    pub column: u32,
    /// Bytes used of `field`.
    pub field_len: u32,
    /// Bytes used of `message`.
    pub message_len: u32,
    /// Written as 0.
    pub reserved: u32,
    /// The part of the text that is wrong.
    pub field: [u8; ERROR_FIELD_SIZE],
    /// Explanation, complete without the other fields.
    pub message: [u8; ERROR_MESSAGE_SIZE],
}

impl Error {
    /// Returns an error without a message, for a plugin to fill.
    pub const fn empty() -> Self {
        Error {
            column: 0,
            field_len: 0,
            message_len: 0,
            reserved: 0,
            field: [0; ERROR_FIELD_SIZE],
            message: [0; ERROR_MESSAGE_SIZE],
        }
    }

    /// Fills the error, truncating what does not fit at a character boundary.
    pub fn set(&mut self, field: &str, column: u32, message: &str) {
        self.column = column;
        self.field_len = copy_truncated(field, &mut self.field);
        self.message_len = copy_truncated(message, &mut self.message);
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text =
            |bytes: &[u8], len: u32| String::from_utf8_lossy(&bytes[..(len as usize).min(bytes.len())]).into_owned();
        f.debug_struct("Error")
            .field("column", &self.column)
            .field("field", &text(&self.field, self.field_len))
            .field("message", &text(&self.message, self.message_len))
            .finish()
    }
}

fn copy_truncated(text: &str, buffer: &mut [u8]) -> u32 {
    let mut len = text.len().min(buffer.len());
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    buffer[..len].copy_from_slice(&text.as_bytes()[..len]);
    len as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message longer than its buffer is truncated between characters.
    #[test]
    fn long_messages_are_truncated_between_characters() {
        let mut error = Error::empty();
        error.set("board", 3, &"é".repeat(400));
        assert_eq!(error.message_len, 432);
        assert!(std::str::from_utf8(&error.message[..error.message_len as usize]).is_ok());
        error.set("board", 3, &format!("x{}", "é".repeat(400)));
        assert_eq!(error.message_len, 431);
    }
}
