//! `pentad/reasons.h`: why a move is good or bad.

use std::ffi::c_void;

use crate::extension::extension;
use crate::{Report, Status, Str};

/// Id of this extension.
pub const REASONS_1: &str = "pentad.reasons/1";

/// `pentad_reason_t`: one reason.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// One of a short list that the game documents.
    pub code: Str,
    /// One sentence for players.
    pub text: Str,
    /// The points of the layout that it is about, by id.
    pub points: *const Str,
    /// Length of `points`.
    pub n_points: u64,
}

/// `pentad_explainer_t`: a callback that receives reasons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Explainer {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives one reason; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, reason: *const Reason) -> i32,
}

extension! {
    /// `pentad_reasons_t`: the functions of `pentad.reasons/1`.
    pub struct Reasons(REASONS_1, "reasons") {
        /// Explains the first move of one line of a report.
        explain(
            variant: u32,
            position: *const u8,
            report: *const Report,
            line_idx: u64,
            out: *const Explainer,
        ) -> Status;
    }
}

/// Id of the list of codes.
pub const REASON_CODES_1: &str = "pentad.reason_codes/1";

/// `pentad_reason_code_t`: a code that reasons carry.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ReasonCode {
    /// Code, as in [`Reason`].
    pub code: Str,
    /// Meaning of the code, one line.
    pub description: Str,
    /// 1 if its reasons may name points, else 0.
    pub names_points: u32,
    /// Written as 0.
    pub reserved: u32,
}

/// `pentad_code_lister_t`: a callback that receives codes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CodeLister {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives one code; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, code: *const ReasonCode) -> i32,
}

extension! {
    /// `pentad_reason_codes_t`: the functions of `pentad.reason_codes/1`.
    pub struct ReasonCodes(REASON_CODES_1, "reason_codes") {
        /// Lists every code that `explain` may give.
        list(out: *const CodeLister) -> Status;
    }
}
