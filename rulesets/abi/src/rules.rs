//! `pentad/rules.h`: the rules of a game.

use crate::extension::extension;
use crate::{Error, SEATS_MAX, Status, Str, Writer};

/// Id of this extension.
pub const RULES_1: &str = "pentad.rules/1";

/// `pentad_seat_t`: a player at the board.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Short id, as in the notation.
    pub id: Str,
    /// For display.
    pub name: Str,
    /// Seats of one side win and lose together.
    pub side: u32,
    /// Written as 0.
    pub reserved: u32,
}

/// `pentad_variant_t`: a variant of the game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Id like that of a game, except that it may start with a digit.
    pub id: Str,
    /// For display.
    pub name: Str,
    /// One sentence on how it differs from the others.
    pub summary: Str,
    /// In playing order.
    pub seats: *const Seat,
    /// 1 to [`SEATS_MAX`].
    pub n_seats: u32,
    /// Size of an encoded position in bytes.
    pub position_size: u32,
    /// Upper bound of a game's length in plies; 0 if there is none.
    pub plies_max: u32,
    /// Written as 0.
    pub reserved: u32,
}

/// `pentad_outcome_t`: whether and how a game ended.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// 0 while the game goes on, else 1.
    pub over: u32,
    /// The variant's number of seats.
    pub n_seats: u32,
    /// 0 to 1 per seat.
    pub scores: [f64; SEATS_MAX],
    /// Per seat; 1 is best, equal places repeat.
    pub places: [u32; SEATS_MAX],
}

impl Outcome {
    /// A game that goes on.
    pub const RUNNING: Outcome = Outcome { over: 0, n_seats: 0, scores: [0.0; SEATS_MAX], places: [0; SEATS_MAX] };
}

extension! {
    /// `pentad_rules_t`: the functions of `pentad.rules/1`.
    pub struct Rules(RULES_1, "rules") {
        /// Returns the number of variants.
        variant_count() -> u32;
        /// Describes a variant.
        variant(variant: u32, out: *mut Variant) -> Status;
        /// Writes the start position.
        start(variant: u32, position: *mut u8) -> Status;
        /// Reads a position from text.
        parse(variant: u32, text: Str, position: *mut u8, error: *mut Error) -> Status;
        /// Writes a position as text.
        format(variant: u32, position: *const u8, out: *const Writer) -> Status;
        /// Returns the seat whose turn it is.
        to_move(variant: u32, position: *const u8, seat: *mut u32) -> Status;
        /// Lists the legal moves.
        legal_moves(variant: u32, position: *const u8, prefix: Str, out: *const Writer) -> Status;
        /// Counts the legal moves.
        count_moves(variant: u32, position: *const u8, prefix: Str, count: *mut u64) -> Status;
        /// Plays one move.
        play(
            variant: u32,
            position: *const u8,
            mv: Str,
            next: *mut u8,
            canonical: *const Writer,
            error: *mut Error,
        ) -> Status;
        /// Returns whether and how the game ended.
        outcome(variant: u32, position: *const u8, out: *mut Outcome, text: *const Writer) -> Status;
    }
}
