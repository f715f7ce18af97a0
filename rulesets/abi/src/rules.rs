//! `pentad/rules.h`: the rules of a game.

use crate::{Error, SEATS_MAX, Status, Str, Writer};

/// Id of this extension.
pub const RULES_1: &str = "pentad.rules/1";

/// `pentad_seat_t`: a player at the board.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Short, as in the notation.
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
    /// As a game's id, but it may start with a digit.
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

/// `pentad_rules_t`: the functions of `pentad.rules/1`.
///
/// Function pointers are `Option`s only because a plugin in C may leave one
/// out; the host refuses such a plugin.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(clippy::type_complexity, reason = "these are the signatures of the header")]
pub struct Rules {
    /// The number of variants.
    pub variant_count: Option<unsafe extern "C" fn() -> u32>,
    /// Describes a variant.
    pub variant: Option<unsafe extern "C" fn(variant: u32, out: *mut Variant) -> Status>,
    /// Writes the start position.
    pub start: Option<unsafe extern "C" fn(variant: u32, position: *mut u8) -> Status>,
    /// Reads a position from text.
    pub parse: Option<unsafe extern "C" fn(variant: u32, text: Str, position: *mut u8, error: *mut Error) -> Status>,
    /// Writes a position as text.
    pub format: Option<unsafe extern "C" fn(variant: u32, position: *const u8, out: *const Writer) -> Status>,
    /// The seat whose turn it is.
    pub to_move: Option<unsafe extern "C" fn(variant: u32, position: *const u8, seat: *mut u32) -> Status>,
    /// Lists the legal moves.
    pub legal_moves:
        Option<unsafe extern "C" fn(variant: u32, position: *const u8, prefix: Str, out: *const Writer) -> Status>,
    /// Counts the legal moves.
    pub count_moves:
        Option<unsafe extern "C" fn(variant: u32, position: *const u8, prefix: Str, count: *mut u64) -> Status>,
    /// Plays one move.
    pub play: Option<
        unsafe extern "C" fn(
            variant: u32,
            position: *const u8,
            mv: Str,
            next: *mut u8,
            canonical: *const Writer,
            error: *mut Error,
        ) -> Status,
    >,
    /// Whether and how the game ended.
    pub outcome: Option<
        unsafe extern "C" fn(variant: u32, position: *const u8, out: *mut Outcome, text: *const Writer) -> Status,
    >,
}
