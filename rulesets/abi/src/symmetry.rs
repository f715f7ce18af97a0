//! `pentad/symmetry.h`: equivalent positions.

use crate::extension::extension;
use crate::{Error, Status, Str, Writer};

/// Id of this extension.
pub const SYMMETRY_1: &str = "pentad.symmetry/1";

extension! {
    /// `pentad_symmetry_t`: the functions of `pentad.symmetry/1`.
    pub struct Symmetry(SYMMETRY_1, "symmetry") {
        /// Returns the number of symmetries of a variant.
        count(variant: u32) -> u32;
        /// Returns the inverse of a symmetry.
        inverse(variant: u32, symmetry: u32, inverse: *mut u32) -> Status;
        /// Maps a position.
        apply(variant: u32, symmetry: u32, position: *const u8, out: *mut u8) -> Status;
        /// Maps a move.
        apply_move(
            variant: u32,
            symmetry: u32,
            position: *const u8,
            mv: Str,
            out: *const Writer,
            error: *mut Error,
        ) -> Status;
        /// Maps a seat.
        apply_seat(variant: u32, symmetry: u32, seat: u32, out: *mut u32) -> Status;
        /// Returns the canonical representative of all symmetric positions.
        canonical(variant: u32, position: *const u8, out: *mut u8, symmetry: *mut u32) -> Status;
    }
}
