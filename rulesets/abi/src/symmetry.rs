//! `pentad/symmetry.h`: equivalent positions.

use crate::{Error, Status, Str, Writer};

/// Id of this extension.
pub const SYMMETRY_1: &str = "pentad.symmetry/1";

/// `pentad_symmetry_t`: the functions of `pentad.symmetry/1`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(clippy::type_complexity, reason = "these are the signatures of the header")]
pub struct Symmetry {
    /// The number of symmetries of a variant.
    pub count: Option<unsafe extern "C" fn(variant: u32) -> u32>,
    /// The inverse of a symmetry.
    pub inverse: Option<unsafe extern "C" fn(variant: u32, symmetry: u32, inverse: *mut u32) -> Status>,
    /// Maps a position.
    pub apply: Option<unsafe extern "C" fn(variant: u32, symmetry: u32, position: *const u8, out: *mut u8) -> Status>,
    /// Maps a move.
    pub apply_move: Option<
        unsafe extern "C" fn(
            variant: u32,
            symmetry: u32,
            position: *const u8,
            mv: Str,
            out: *const Writer,
            error: *mut Error,
        ) -> Status,
    >,
    /// Maps a seat.
    pub apply_seat: Option<unsafe extern "C" fn(variant: u32, symmetry: u32, seat: u32, out: *mut u32) -> Status>,
    /// The canonical representative of all symmetric positions.
    pub canonical:
        Option<unsafe extern "C" fn(variant: u32, position: *const u8, out: *mut u8, symmetry: *mut u32) -> Status>,
}
