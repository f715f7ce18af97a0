//! `pentad/rules.h`: what a game's rules are.

use crate::{Error, SEATS_MAX, Status, Str, Writer};

/// Id of this extension.
pub const RULES_1: &str = "pentad.rules/1";

/// `pentad_seat_t`: a player at the board.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Short, as in positions.
    pub id: Str,
    /// For people.
    pub name: Str,
    /// Seats of one side win and lose together.
    pub side: u32,
    /// 0.
    pub reserved: u32,
}

/// `pentad_variant_t`: one way of playing the game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// As a game's id.
    pub id: Str,
    /// For people.
    pub name: Str,
    /// One sentence.
    pub summary: Str,
    /// In playing order.
    pub seats: *const Seat,
    /// 1 to [`SEATS_MAX`].
    pub n_seats: u32,
    /// Bytes of a position.
    pub position_size: u32,
    /// No game is longer; 0 if there is no bound.
    pub plies_max: u32,
    /// 0.
    pub reserved: u32,
}

/// `pentad_outcome_t`: how a game stands or ended.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// 0 while the game goes on.
    pub over: u32,
    /// As the variant has.
    pub n_seats: u32,
    /// 0 to 1 per seat.
    pub scores: [f64; SEATS_MAX],
    /// 1 is best.
    pub places: [u32; SEATS_MAX],
}

impl Outcome {
    /// The game goes on.
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
    /// How many variants there are.
    pub variant_count: Option<unsafe extern "C" fn() -> u32>,
    /// Describes a variant.
    pub variant: Option<unsafe extern "C" fn(variant: u32, out: *mut Variant) -> Status>,
    /// Writes the start position.
    pub start: Option<unsafe extern "C" fn(variant: u32, position: *mut u8) -> Status>,
    /// Reads a position from text.
    pub parse: Option<unsafe extern "C" fn(variant: u32, text: Str, position: *mut u8, error: *mut Error) -> Status>,
    /// Writes a position as text.
    pub format: Option<unsafe extern "C" fn(variant: u32, position: *const u8, out: *const Writer) -> Status>,
    /// Tells whose turn it is.
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
    /// Tells whether the game is over and how it ended.
    pub outcome: Option<
        unsafe extern "C" fn(variant: u32, position: *const u8, out: *mut Outcome, text: *const Writer) -> Status,
    >,
}
