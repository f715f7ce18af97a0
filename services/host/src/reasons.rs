//! The call of `pentad.reasons/1`.

use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_search::Report;

use crate::board::Board;
use crate::call::{ErrorSet, check_input, misuse};
use crate::error::{CallError, Violation};
use crate::output::{Completion, OutputSink};
use crate::position::Position;
use crate::ruleset::{Reason, Ruleset};
use crate::tables::non_null;
use crate::text;
use crate::wire::ReportTables;

/// More than a client can show; the most important come first, so the rest is
/// left out.
const REASONS_MAX: usize = 32;
const CALL: &str = "explain";

impl Ruleset {
    /// Explains the first moves of some lines of a report about `position`, given
    /// by index: a list of reasons for each, the most important one first. Empty
    /// lists if the rule set does not support reasons. The report is marshalled
    /// once for all lines.
    pub fn explain(
        &self,
        variant: usize,
        position: &Position,
        report: &Report<String>,
        line_idxs: &[usize],
    ) -> Result<Vec<Vec<Reason>>, CallError> {
        let bytes = self.position_ptr(CALL, variant, position)?;
        if self.tables.reasons.is_none() {
            return Ok(vec![Vec::new(); line_idxs.len()]);
        }
        let n_lines = report.lines.len();
        if line_idxs.iter().any(|&idx| idx >= n_lines) || report.lines.iter().any(|line| line.moves.is_empty()) {
            return Err(misuse(
                CALL,
                format!("one of the lines {line_idxs:?} of {n_lines} is missing, or a line is empty"),
            ));
        }
        for mv in report.lines.iter().flat_map(|line| &line.moves) {
            check_input("move", mv, abi::MOVE_LEN_MAX)?;
        }
        let tables = ReportTables::new(report);
        let raw_report = tables.abi();
        line_idxs.iter().map(|&line_idx| self.explain_line(variant, bytes, &raw_report, line_idx)).collect()
    }

    /// `bytes` lead to a position of the variant, and `report` has such a line.
    fn explain_line(
        &self,
        variant: usize,
        bytes: *const u8,
        report: &abi::Report,
        line_idx: usize,
    ) -> Result<Vec<Reason>, CallError> {
        let Some(table) = &self.tables.reasons else { return Ok(Vec::new()) };
        let board = self.variants[variant].board.as_ref();
        let mut reasons = Vec::new();
        let sink = OutputSink::new(|raw: *const abi::Reason| {
            // SAFETY: the header says that an explainer gets a readable reason;
            // null and lengths are checked first.
            reasons.push(unsafe { read_reason(raw, board) }?);
            Ok(if reasons.len() < REASONS_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        let explainer = sink.explainer();
        // SAFETY: the table was checked at load; `explain` made position and report,
        // which outlive the call, and so do explainer and sink.
        let status = unsafe {
            let explain = non_null(table.explain);
            explain(variant as u32, bytes, &raw const *report, line_idx as u64, &raw const explainer)
        };
        match self.check_status(CALL, status, ErrorSet::EXTENSION, None, sink.finish()) {
            Ok(Completion::Complete | Completion::Stopped) => Ok(reasons),
            Err(CallError::Unsupported) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}

/// # Safety
/// `raw` must be null or lead to a reason whose parts are readable as far as
/// their lengths are within the bounds.
unsafe fn read_reason(raw: *const abi::Reason, board: Option<&Board>) -> Result<Reason, Violation> {
    // SAFETY: the caller's promise, here and for each text below.
    let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null reason")) };
    // SAFETY: as above.
    let (code, text) = unsafe { (text::short_id(raw.code)?, text::line(raw.text)?) };
    // SAFETY: as above.
    let raw_points = unsafe { text::slice(raw.points, raw.n_points, abi::POINTS_MAX) }?;
    let mut points = Vec::with_capacity(raw_points.len());
    for &point in raw_points {
        // SAFETY: as above.
        let id = unsafe { text::short_id(point) }?;
        if board.is_some_and(|board| !board.points.iter().any(|point| point.id == id)) {
            return Err(Violation::text(format!("`{id}` is not a point of the board")));
        }
        points.push(id);
    }
    Ok(Reason { code, text, points })
}
