//! The calls of `pentad.reasons/1`, `pentad.reasons/2` and `pentad.reason_codes/1`.

use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_model::Report;
use pentad_model::i18n::Catalogue;
use pentad_model::{FaultKind, Reason, ReasonCode, Violation, report};

use crate::call::{ErrorSet, check_input, misuse};
use crate::error::{CallError, Fault};
use crate::output::{Completion, ItemResult, OutputSink};
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::{Tables, non_null};
use crate::variant::Variant;

/// More than a client can show; the most important come first, so the rest is dropped.
pub(crate) const REASONS_MAX: usize = 32;
const CALL: &str = "explain";
/// More codes are a mistake.
const CODES_MAX: usize = 256;

/// Reasons for the moves of some lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// A list for each requested line, the most important reason first.
    pub reasons: Vec<Vec<Reason>>,
    /// The first breach of the contract, for which at least one reason was dropped. It is
    /// recorded like any fault.
    pub fault: Option<Fault>,
}

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
        let Explanation { reasons, fault } = self.explain_validly(variant, position, report, line_idxs)?;
        fault.map_or(Ok(reasons), |fault| Err(CallError::Fault(fault)))
    }

    /// Explains like [`explain`](Ruleset::explain), but drops reasons that break the
    /// contract instead of failing, so that a bad reason costs nothing else.
    pub fn explain_validly(
        &self,
        variant: usize,
        position: &Position,
        report: &Report<String>,
        line_idxs: &[usize],
    ) -> Result<Explanation, CallError> {
        let bytes = self.position_ptr(CALL, variant, position)?;
        if !self.info.capabilities.reasons {
            return Ok(Explanation { reasons: vec![Vec::new(); line_idxs.len()], fault: None });
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
            let explain_line = |&line_idx: &usize| match (&tables.spoken_reasons, self.catalogue()) {
                (Some(table), Some(catalogue)) => {
                    self.explain_line_by_message(table, catalogue, variant, bytes, report, line_idx)
                }
                _ => self.explain_line_by_text(tables, variant, bytes, report, line_idx),
            };
            let (reasons, faults): (Vec<_>, Vec<_>) = line_idxs.iter().map(explain_line).unzip();
            Ok(Explanation { reasons, fault: faults.into_iter().flatten().next() })
        })
    }

    /// Whether it gives reasons both as texts and as messages. Known only for a rule
    /// set in this process.
    pub fn has_both_reasons(&self) -> bool {
        match &self.backend {
            Backend::InProcess(tables) => {
                self.words.is_some() && tables.reasons.is_some() && tables.spoken_reasons.is_some()
            }
            Backend::Worker(_) => false,
        }
    }

    /// Same as [`explain`](Ruleset::explain) for one line, by `pentad.reasons/1` alone,
    /// to compare with the messages. Only for a rule set in this process; the report
    /// must be one that [`explain`](Ruleset::explain) accepts.
    pub fn explain_in_text(
        &self,
        variant: usize,
        position: &Position,
        report: &Report<String>,
        line_idx: usize,
    ) -> Result<Vec<Reason>, CallError> {
        let bytes = self.position_ptr(CALL, variant, position)?;
        let Backend::InProcess(tables) = &self.backend else { return Err(CallError::Unsupported) };
        if report.lines.get(line_idx).is_none() || report.lines.iter().any(|line| line.moves.is_empty()) {
            return Err(misuse(CALL, format!("there is no line {line_idx}, or a line is empty")));
        }
        let explain = |report: &_| self.explain_line_by_text(tables, variant, bytes, report, line_idx);
        let (reasons, fault) = report::with_abi(report, explain);
        fault.map_or(Ok(reasons), |fault| Err(CallError::Fault(fault)))
    }

    /// Lists the rule set's codes, each once; none without the extension.
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

    /// Returns the valid reasons for a line, and the fault of an invalid one or of the call.
    /// `bytes` lead to a position of the variant, and `report` has such a line.
    fn explain_line_by_message(
        &self,
        table: &abi::SpokenReasons,
        catalogue: &Catalogue,
        variant: usize,
        bytes: *const u8,
        report: &abi::Report,
        line_idx: usize,
    ) -> (Vec<Reason>, Option<Fault>) {
        let Variant { description, board, .. } = &self.variants[variant];
        let mut list = ReasonList::default();
        let sink = OutputSink::new(|raw: *const abi::SpokenReason| {
            // SAFETY: the header says that a taker gets a readable reason; null and
            // lengths are checked first.
            list.take(unsafe { Reason::from_spoken_plugin(raw, catalogue, &description.seats, board.as_ref()) })
        });
        let taker = sink.reason_taker();
        // SAFETY: the table was checked at load; `explain` made position and report,
        // which outlive the call, and so do taker and sink.
        let status = unsafe {
            let explain = non_null(table.explain);
            explain(variant as u32, bytes, &raw const *report, line_idx as u64, &raw const taker)
        };
        let output = sink.finish();
        self.finish_explaining(status, output, list)
    }

    /// See [`explain_line_by_message`](Ruleset::explain_line_by_message).
    fn explain_line_by_text(
        &self,
        tables: &Tables,
        variant: usize,
        bytes: *const u8,
        report: &abi::Report,
        line_idx: usize,
    ) -> (Vec<Reason>, Option<Fault>) {
        let Some(table) = &tables.reasons else { return (Vec::new(), None) };
        let board = self.variants[variant].board.as_ref();
        let mut list = ReasonList::default();
        let sink = OutputSink::new(|raw: *const abi::Reason| {
            // SAFETY: the header says that an explainer gets a readable reason;
            // null and lengths are checked first.
            list.take(unsafe { Reason::from_plugin(raw, board) })
        });
        let explainer = sink.explainer();
        // SAFETY: the table was checked at load; `explain` made position and report,
        // which outlive the call, and so do explainer and sink.
        let status = unsafe {
            let explain = non_null(table.explain);
            explain(variant as u32, bytes, &raw const *report, line_idx as u64, &raw const explainer)
        };
        let output = sink.finish();
        self.finish_explaining(status, output, list)
    }

    fn finish_explaining(
        &self,
        status: abi::Status,
        output: Result<Completion, Violation>,
        list: ReasonList,
    ) -> (Vec<Reason>, Option<Fault>) {
        let ReasonList { reasons, violation, .. } = list;
        let error = match self.check_status(CALL, status, ErrorSet::EXTENSION, None, output) {
            Ok(Completion::Complete | Completion::Stopped) | Err(CallError::Unsupported) => {
                violation.map(|violation| self.fault(CALL, violation))
            }
            Err(error) => Some(error),
        };
        match error {
            Some(CallError::Fault(fault)) => (reasons, Some(fault)),
            // No other error is expected of this call.
            _ => (reasons, None),
        }
    }
}

/// The reasons that a rule set gives for one line.
#[derive(Default)]
struct ReasonList {
    reasons: Vec<Reason>,
    n_taken: usize,
    /// Why a reason was dropped: the first one.
    violation: Option<Violation>,
}

impl ReasonList {
    fn take(&mut self, reason: Result<Reason, Violation>) -> ItemResult {
        self.n_taken += 1;
        match reason {
            Ok(reason) => self.reasons.push(reason),
            Err(violation) => _ = self.violation.get_or_insert(violation),
        }
        Ok(if self.n_taken < REASONS_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}
