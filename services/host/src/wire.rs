//! Converts evaluations and reports from the ABI's structs, validated, and back.

use std::collections::HashSet;

use pentad_abi as abi;
use pentad_search::{Certainty, Evaluation, Line, Report, Scores, Source, StopReason, Wdl};

use crate::error::Violation;
use crate::text;
use crate::variant::Variant;

/// More plies than any search reaches; a larger number is a violation.
const PLIES_MAX: u32 = 1 << 20;

/// Validates and copies the scores of `n_seats` seats.
pub(crate) fn read_scores(raw: &[f64; abi::SEATS_MAX], n_seats: u32, variant: &Variant) -> Result<Scores, Violation> {
    if n_seats as usize != variant.seats.len() {
        return Err(Violation::value(format!("{n_seats} seats, the variant has {}", variant.seats.len())));
    }
    let scores = &raw[..variant.seats.len()];
    match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
        Some(score) => Err(Violation::value(format!("a score of {score}"))),
        None => Ok(Scores::new(scores)),
    }
}

/// Validates and copies an evaluation.
pub(crate) fn read_evaluation(raw: &abi::Evaluation, variant: &Variant) -> Result<Evaluation, Violation> {
    let certainty = match raw.certainty {
        abi::ESTIMATE => Certainty::Estimate,
        abi::PROVEN => Certainty::Proven,
        other => return Err(Violation::value(format!("a certainty of {other}"))),
    };
    let outcome = match raw.outcome {
        abi::UNKNOWN => None,
        abi::LOSS => Some(Wdl::Loss),
        abi::DRAW => Some(Wdl::Draw),
        abi::WIN => Some(Wdl::Win),
        other => return Err(Violation::value(format!("an outcome of {other}"))),
    };
    if outcome.is_some() && (certainty != Certainty::Proven || variant.n_sides != 2) {
        return Err(Violation::value("an outcome that is not proven, or in a game without two sides"));
    }
    let source = match raw.source {
        abi::SOURCE_TERMINAL => Source::Terminal,
        abi::SOURCE_BOOK => Source::Book,
        abi::SOURCE_SOLVER => Source::Solver,
        abi::SOURCE_SEARCH => Source::Search,
        abi::SOURCE_STATIC => Source::Static,
        other => return Err(Violation::value(format!("a source of {other}"))),
    };
    let plies_to_end = match raw.plies_to_end {
        abi::PLIES_UNKNOWN => None,
        plies => Some(check_plies(plies)?),
    };
    let scores = read_scores(&raw.scores, raw.n_seats, variant)?;
    Ok(Evaluation { certainty, outcome, plies_to_end, scores, source, depth: check_plies(raw.depth)? })
}

/// Validates and copies a report of at most `n_lines` lines. Whether its moves
/// are legal is left to the caller that plays them.
///
/// # Safety
/// `report` must be null or lead to a report whose parts are readable as far as
/// their lengths are within the bounds.
pub(crate) unsafe fn read_report(
    report: *const abi::Report,
    variant: &Variant,
    n_lines: u32,
) -> Result<Report<String>, Violation> {
    // SAFETY: the caller's promise, here and for each line and text below.
    let [raw] = unsafe { text::slice(report, 1, 1) }.map_err(|violation| violation.at("report"))? else {
        return Err(Violation::value("a null report"));
    };
    let stop = match raw.stop {
        abi::RUNNING => None,
        abi::STOP_PROVEN => Some(StopReason::Proven),
        abi::STOP_TIME => Some(StopReason::Time),
        abi::STOP_NODES => Some(StopReason::Nodes),
        abi::STOP_DEPTH => Some(StopReason::Depth),
        abi::STOP_CANCELLED => Some(StopReason::Cancelled),
        other => return Err(Violation::value(format!("a stop reason of {other}"))),
    };
    // SAFETY: as above.
    let raw_lines =
        unsafe { text::slice(raw.lines, raw.n_lines, n_lines.into()) }.map_err(|violation| violation.at("lines"))?;
    if raw_lines.is_empty() {
        return Err(Violation::value("a report without lines"));
    }
    let mut lines = Vec::with_capacity(raw_lines.len());
    for (line_idx, raw_line) in raw_lines.iter().enumerate() {
        // SAFETY: as above.
        lines.push(
            unsafe { read_line(raw_line, variant) }
                .map_err(|violation| violation.at(format_args!("line {line_idx}")))?,
        );
    }
    if lines.iter().map(|line| &line.moves[0]).collect::<HashSet<_>>().len() < lines.len() {
        return Err(Violation::value("two lines for the same move"));
    }
    let evaluation = read_evaluation(&raw.evaluation, variant)?;
    Ok(Report { lines, evaluation, depth: check_plies(raw.depth)?, nodes: raw.nodes, stop })
}

/// # Safety
/// As [`read_report`].
unsafe fn read_line(raw: &abi::Line, variant: &Variant) -> Result<Line<String>, Violation> {
    // SAFETY: the caller's promise.
    let raw_moves = unsafe { text::slice(raw.moves, raw.n_moves, abi::LINE_LEN_MAX) }?;
    if raw_moves.is_empty() {
        return Err(Violation::value("a line without moves"));
    }
    let mut moves = Vec::with_capacity(raw_moves.len());
    for &mv in raw_moves {
        // SAFETY: the caller's promise.
        let bytes = unsafe { text::bytes(mv, abi::MOVE_LEN_MAX) }?;
        moves.push(text::move_text(bytes)?.to_owned());
    }
    Ok(Line { moves, evaluation: read_evaluation(&raw.evaluation, variant)? })
}

/// A report in the ABI's form. Its pointers lead into the report it was made from.
pub(crate) struct ReportTables {
    _moves: Vec<Vec<abi::Str>>,
    lines: Vec<abi::Line>,
    evaluation: abi::Evaluation,
    depth: u32,
    nodes: u64,
    stop: u32,
}

impl ReportTables {
    pub(crate) fn new(report: &Report<String>) -> Self {
        let strs = |line: &Line<String>| {
            line.moves.iter().take(abi::LINE_LEN_MAX as usize).map(|mv| abi::Str::new(mv)).collect::<Vec<_>>()
        };
        let moves: Vec<Vec<abi::Str>> = report.lines.iter().map(strs).collect();
        let table = |(moves, line): (&Vec<abi::Str>, &Line<String>)| abi::Line {
            moves: moves.as_ptr(),
            n_moves: moves.len() as u64,
            evaluation: evaluation_to_abi(&line.evaluation),
        };
        ReportTables {
            lines: moves.iter().zip(&report.lines).map(table).collect(),
            _moves: moves,
            evaluation: evaluation_to_abi(&report.evaluation),
            depth: report.depth,
            nodes: report.nodes,
            stop: match report.stop {
                None => abi::RUNNING,
                Some(StopReason::Proven) => abi::STOP_PROVEN,
                Some(StopReason::Time) => abi::STOP_TIME,
                Some(StopReason::Nodes) => abi::STOP_NODES,
                Some(StopReason::Depth) => abi::STOP_DEPTH,
                Some(StopReason::Cancelled) => abi::STOP_CANCELLED,
            },
        }
    }

    /// Points into `self` and into the report that `self` was made from.
    pub(crate) fn abi(&self) -> abi::Report {
        abi::Report {
            lines: self.lines.as_ptr(),
            n_lines: self.lines.len() as u64,
            nodes: self.nodes,
            depth: self.depth,
            stop: self.stop,
            evaluation: self.evaluation,
        }
    }
}

fn evaluation_to_abi(evaluation: &Evaluation) -> abi::Evaluation {
    let values = evaluation.scores.as_slice();
    let mut scores = [0.0; abi::SEATS_MAX];
    scores[..values.len()].copy_from_slice(values);
    abi::Evaluation {
        certainty: match evaluation.certainty {
            Certainty::Estimate => abi::ESTIMATE,
            Certainty::Proven => abi::PROVEN,
        },
        outcome: match evaluation.outcome {
            None => abi::UNKNOWN,
            Some(Wdl::Loss) => abi::LOSS,
            Some(Wdl::Draw) => abi::DRAW,
            Some(Wdl::Win) => abi::WIN,
        },
        plies_to_end: evaluation.plies_to_end.unwrap_or(abi::PLIES_UNKNOWN),
        source: match evaluation.source {
            Source::Terminal => abi::SOURCE_TERMINAL,
            Source::Book => abi::SOURCE_BOOK,
            Source::Solver => abi::SOURCE_SOLVER,
            Source::Search => abi::SOURCE_SEARCH,
            Source::Static => abi::SOURCE_STATIC,
        },
        depth: evaluation.depth,
        n_seats: values.len() as u32,
        scores,
    }
}

fn check_plies(plies: u32) -> Result<u32, Violation> {
    if plies <= PLIES_MAX { Ok(plies) } else { Err(Violation::value(format!("{plies} plies"))) }
}
