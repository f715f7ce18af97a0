//! `pentad/search.h`: a search compiled with its rules.

use std::ffi::c_void;

use crate::{Error, SEATS_MAX, Status, Str};

/// Id of this extension.
pub const SEARCH_1: &str = "pentad.search/1";

/// Certainty: a guess.
pub const ESTIMATE: u32 = 0;
/// Certainty: a fact.
pub const PROVEN: u32 = 1;

/// Outcome: not proven, or more than two sides.
pub const UNKNOWN: u32 = 0;
/// Outcome: the side to move loses.
pub const LOSS: u32 = 1;
/// Outcome: nobody wins.
pub const DRAW: u32 = 2;
/// Outcome: the side to move wins.
pub const WIN: u32 = 3;

/// Source: the game is over.
pub const SOURCE_TERMINAL: u32 = 0;
/// Source: a table of exact values.
pub const SOURCE_BOOK: u32 = 1;
/// Source: an exact solver.
pub const SOURCE_SOLVER: u32 = 2;
/// Source: a search.
pub const SOURCE_SEARCH: u32 = 3;
/// Source: the position as it stands.
pub const SOURCE_STATIC: u32 = 4;

/// [`Evaluation::plies_to_end`] where it is not known.
pub const PLIES_UNKNOWN: u32 = u32::MAX;

/// Stop: a report made on the way.
pub const RUNNING: u32 = 0;
/// Stop: nothing is left to find out.
pub const STOP_PROVEN: u32 = 1;
/// Stop: the time limit.
pub const STOP_TIME: u32 = 2;
/// Stop: the node limit.
pub const STOP_NODES: u32 = 3;
/// Stop: the depth limit.
pub const STOP_DEPTH: u32 = 4;
/// Stop: the host said so.
pub const STOP_TOLD: u32 = 5;

/// `pentad_evaluation_t`: what a position or move is worth.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// [`ESTIMATE`] or [`PROVEN`].
    pub certainty: u32,
    /// [`UNKNOWN`], [`LOSS`], [`DRAW`] or [`WIN`], for the side to move at the root.
    pub outcome: u32,
    /// From the root with best play, or [`PLIES_UNKNOWN`].
    pub plies_to_end: u32,
    /// One of the `SOURCE_` constants.
    pub source: u32,
    /// Plies looked ahead.
    pub depth: u32,
    /// As the variant has.
    pub n_seats: u32,
    /// Expected score per seat.
    pub scores: [f64; SEATS_MAX],
}

/// `pentad_line_t`: a move and the play expected to follow it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The move first.
    pub moves: *const Str,
    /// At least 1.
    pub n_moves: u64,
    /// What the move is worth.
    pub evaluation: Evaluation,
}

/// `pentad_report_t`: what a search has found.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Different moves, best first.
    pub lines: *const Line,
    /// At least 1.
    pub n_lines: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Plies completed.
    pub depth: u32,
    /// [`RUNNING`] or one of the `STOP_` constants.
    pub stop: u32,
    /// Of the position itself.
    pub evaluation: Evaluation,
}

/// `pentad_control_t`: the host's side of a running search.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// Handed back to both functions.
    pub ctx: *mut c_void,
    /// Non-zero once the search is to end.
    pub should_stop: unsafe extern "C" fn(ctx: *mut c_void) -> i32,
    /// Takes a report.
    pub report: unsafe extern "C" fn(ctx: *mut c_void, report: *const Report),
}

/// `pentad_search_request_t`: one question; 0 means no limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// Wall-clock time.
    pub time_ns: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Of every random choice.
    pub seed: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// How many different moves to value, at least 1.
    pub n_lines: u32,
    /// Only these moves ...
    pub root_moves: *const Str,
    /// ... or all legal ones if this is 0.
    pub n_root_moves: u64,
}

/// `pentad_search_t`: the functions of `pentad.search/1`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(clippy::type_complexity, reason = "these are the signatures of the header")]
pub struct Search {
    /// Makes a context.
    pub create: Option<
        unsafe extern "C" fn(
            variant: u32,
            memory_bytes: u64,
            threads: u32,
            context: *mut *mut c_void,
            error: *mut Error,
        ) -> Status,
    >,
    /// Searches.
    pub run: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            position: *const u8,
            request: *const SearchRequest,
            control: *const Control,
            error: *mut Error,
        ) -> Status,
    >,
    /// Frees a context.
    pub destroy: Option<unsafe extern "C" fn(context: *mut c_void)>,
    /// Values a position as it stands.
    pub evaluate: Option<unsafe extern "C" fn(variant: u32, position: *const u8, out: *mut Evaluation) -> Status>,
}
