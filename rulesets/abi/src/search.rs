//! `pentad/search.h`: a search compiled with its rules.

use std::ffi::c_void;

use crate::extension::extension;
use crate::{Error, SEATS_MAX, Status, Str};

/// Id of this extension.
pub const SEARCH_1: &str = "pentad.search/1";

/// Certainty: an estimate, which may be wrong.
pub const ESTIMATE: u32 = 0;
/// Certainty: true whatever the opponents do.
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
/// Source: a static evaluation, without a search.
pub const SOURCE_STATIC: u32 = 4;

/// [`Evaluation::plies_to_end`] where it is not known.
pub const PLIES_UNKNOWN: u32 = u32::MAX;

/// Stop: none yet; an intermediate report.
pub const RUNNING: u32 = 0;
/// Stop: the value is proven.
pub const STOP_PROVEN: u32 = 1;
/// Stop: the time limit.
pub const STOP_TIME: u32 = 2;
/// Stop: the node limit.
pub const STOP_NODES: u32 = 3;
/// Stop: the depth limit.
pub const STOP_DEPTH: u32 = 4;
/// Stop: `should_stop` returned non-zero.
pub const STOP_CANCELLED: u32 = 5;
/// The former name of [`STOP_CANCELLED`], kept for plugins that use it.
pub const STOP_TOLD: u32 = STOP_CANCELLED;

/// `pentad_evaluation_t`: the value of a position or move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// [`ESTIMATE`] or [`PROVEN`].
    pub certainty: u32,
    /// [`UNKNOWN`], [`LOSS`], [`DRAW`] or [`WIN`], for the side to move at the root.
    pub outcome: u32,
    /// Plies from the root to the end with best play, or [`PLIES_UNKNOWN`].
    pub plies_to_end: u32,
    /// One of the `SOURCE_` constants.
    pub source: u32,
    /// Plies searched.
    pub depth: u32,
    /// The variant's number of seats.
    pub n_seats: u32,
    /// Expected score per seat, 0 to 1.
    pub scores: [f64; SEATS_MAX],
}

/// `pentad_line_t`: a principal variation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The move itself, then the play expected to follow it.
    pub moves: *const Str,
    /// 1 to [`LINE_LEN_MAX`](crate::LINE_LEN_MAX).
    pub n_moves: u64,
    /// The value of the first move.
    pub evaluation: Evaluation,
}

/// `pentad_report_t`: the result of a search so far.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Different moves, best first.
    pub lines: *const Line,
    /// At least 1, at most the number requested.
    pub n_lines: u64,
    /// Positions visited so far.
    pub nodes: u64,
    /// Plies completed.
    pub depth: u32,
    /// [`RUNNING`] or one of the `STOP_` constants.
    pub stop: u32,
    /// The value of the position itself.
    pub evaluation: Evaluation,
}

/// `pentad_control_t`: the host's side of a running search.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// The first argument of both functions.
    pub ctx: *mut c_void,
    /// Returns non-zero once the search must end.
    pub should_stop: unsafe extern "C" fn(ctx: *mut c_void) -> i32,
    /// Receives a report.
    pub report: unsafe extern "C" fn(ctx: *mut c_void, report: *const Report),
}

/// `pentad_search_request_t`: one search; 0 means no limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// Limit of wall-clock time.
    pub time_ns: u64,
    /// Limit of positions visited.
    pub nodes: u64,
    /// Seed of every random choice.
    pub seed: u64,
    /// Limit of plies searched.
    pub depth: u32,
    /// Number of lines wanted (MultiPV), at least 1.
    pub n_lines: u32,
    /// Search only these moves ...
    pub root_moves: *const Str,
    /// ... or all legal moves if this is 0.
    pub n_root_moves: u64,
}

extension! {
    /// `pentad_search_t`: the functions of `pentad.search/1`.
    pub struct Search(SEARCH_1, "search") {
        /// Creates a context.
        create(
            variant: u32,
            memory_bytes: u64,
            threads: u32,
            context: *mut *mut c_void,
            error: *mut Error,
        ) -> Status;
        /// Searches and returns when it is done.
        run(
            context: *mut c_void,
            position: *const u8,
            request: *const SearchRequest,
            control: *const Control,
            error: *mut Error,
        ) -> Status;
        /// Frees a context.
        destroy(context: *mut c_void);
        /// Evaluates a position statically.
        evaluate(variant: u32, position: *const u8, out: *mut Evaluation) -> Status;
    }
}
