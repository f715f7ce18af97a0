//! `pentad/reasons.h`: why a move is good or bad.

use std::ffi::c_void;

use crate::{Report, Status, Str};

/// Id of this extension.
pub const REASONS_1: &str = "pentad.reasons/1";

/// `pentad_reason_t`: one reason.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// From a short list that the game documents.
    pub code: Str,
    /// A sentence for people.
    pub text: Str,
    /// Ids of points of the layout.
    pub points: *const Str,
    /// How many.
    pub n_points: u64,
}

/// `pentad_explainer_t`: where reasons go.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Explainer {
    /// Handed back to `give`.
    pub ctx: *mut c_void,
    /// Takes one reason; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, reason: *const Reason) -> i32,
}

/// `pentad_reasons_t`: the functions of `pentad.reasons/1`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(clippy::type_complexity, reason = "these are the signatures of the header")]
pub struct Reasons {
    /// Explains the move of one line of a report.
    pub explain: Option<
        unsafe extern "C" fn(
            variant: u32,
            position: *const u8,
            report: *const Report,
            line_idx: u64,
            out: *const Explainer,
        ) -> Status,
    >,
}
