//! The calls of `pentad.reasons/1` and `pentad.reason_codes/1`.

use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_model::{FaultKind, Reason, ReasonCode, Violation, report};
use pentad_search::Report;

use crate::call::{ErrorSet, check_input, misuse};
use crate::error::CallError;
use crate::output::{Completion, OutputSink};
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::{Tables, non_null};

/// More than a client can show; the most important come first, so the rest is
/// left out.
pub(crate) const REASONS_MAX: usize = 32;
const CALL: &str = "explain";
/// More codes than this are a mistake.
const CODES_MAX: usize = 256;

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
        if !self.info.capabilities.reasons {
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
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.explain(self, variant, position, report, line_idxs),
        };
        report::with_abi(report, |report| {
            line_idxs.iter().map(|&line_idx| self.explain_line(tables, variant, bytes, report, line_idx)).collect()
        })
    }

    /// The codes that the rule set lists, each once; none without the extension.
    pub(crate) fn list_reason_codes(tables: &Tables) -> Result<Vec<ReasonCode>, Violation> {
        let Some(table) = &tables.reason_codes else { return Ok(Vec::new()) };
        let mut codes: Vec<ReasonCode> = Vec::new();
        let sink = OutputSink::new(|raw: *const abi::ReasonCode| {
            // SAFETY: the header says that a lister gets a readable code; null and
            // lengths are checked first.
            let code = unsafe { ReasonCode::from_plugin(raw) }?;
            if codes.len() == CODES_MAX || codes.iter().any(|known| known.code == code.code) {
                return Err(Violation::value(format!("the code `{}` twice, or too many codes", code.code)).into());
            }
            codes.push(code);
            Ok(ControlFlow::Continue(()))
        });
        let lister = sink.code_lister();
        // SAFETY: the table was checked at load; lister and sink outlive the call.
        let status = unsafe { non_null(table.list)(&raw const lister) };
        sink.finish()?;
        match status {
            abi::OK => Ok(codes),
            abi::UNSUPPORTED => Ok(Vec::new()),
            abi::FAULT => Err(Violation { kind: FaultKind::Panic, detail: "panicked".to_owned() }),
            other => Err(Violation::status(format!("status {other}"))),
        }
    }

    /// `bytes` lead to a position of the variant, and `report` has such a line.
    fn explain_line(
        &self,
        tables: &Tables,
        variant: usize,
        bytes: *const u8,
        report: &abi::Report,
        line_idx: usize,
    ) -> Result<Vec<Reason>, CallError> {
        let Some(table) = &tables.reasons else { return Ok(Vec::new()) };
        let board = self.variants[variant].board.as_ref();
        let mut reasons = Vec::new();
        let sink = OutputSink::new(|raw: *const abi::Reason| {
            // SAFETY: the header says that an explainer gets a readable reason;
            // null and lengths are checked first.
            reasons.push(unsafe { Reason::from_plugin(raw, board) }?);
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
