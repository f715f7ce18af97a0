//! Evaluations and reports: from the ABI's structs, checked, and back.

use std::collections::HashSet;

use pentad_abi as abi;
use pentad_search::{Certainty, Evaluation, Line, Report, Scores, Source, StopReason, Wdl};

use crate::error::Lie;
use crate::text;
use crate::variant::Variant;

/// More plies than any search sees; a greater number is garbage.
const PLIES_SANE: u32 = 1 << 20;

/// Checks scores and copies those of `n_seats` seats.
pub(crate) fn read_scores(raw: &[f64; abi::SEATS_MAX], n_seats: u32, variant: &Variant) -> Result<Scores, Lie> {
    if n_seats as usize != variant.seats.len() {
        return Err(Lie::value(format!("{n_seats} seats, the variant has {}", variant.seats.len())));
    }
    let scores = &raw[..variant.seats.len()];
    match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
        Some(score) => Err(Lie::value(format!("a score of {score}"))),
        None => Ok(Scores::new(scores)),
    }
}

/// Checks an evaluation and copies it.
pub(crate) fn read_evaluation(raw: &abi::Evaluation, variant: &Variant) -> Result<Evaluation, Lie> {
    let certainty = match raw.certainty {
        abi::ESTIMATE => Certainty::Estimate,
        abi::PROVEN => Certainty::Proven,
        other => return Err(Lie::value(format!("a certainty of {other}"))),
    };
    let outcome = match raw.outcome {
        abi::UNKNOWN => None,
        abi::LOSS => Some(Wdl::Loss),
        abi::DRAW => Some(Wdl::Draw),
        abi::WIN => Some(Wdl::Win),
        other => return Err(Lie::value(format!("an outcome of {other}"))),
    };
    if outcome.is_some() && (certainty != Certainty::Proven || variant.n_sides != 2) {
        return Err(Lie::value("an outcome that is not proven, or in a game without two sides"));
    }
    let source = match raw.source {
        abi::SOURCE_TERMINAL => Source::Terminal,
        abi::SOURCE_BOOK => Source::Book,
        abi::SOURCE_SOLVER => Source::Solver,
        abi::SOURCE_SEARCH => Source::Search,
        abi::SOURCE_STATIC => Source::Static,
        other => return Err(Lie::value(format!("a source of {other}"))),
    };
    let plies_to_end = match raw.plies_to_end {
        abi::PLIES_UNKNOWN => None,
        plies => Some(sane(plies)?),
    };
    let scores = read_scores(&raw.scores, raw.n_seats, variant)?;
    Ok(Evaluation { certainty, outcome, plies_to_end, scores, source, depth: sane(raw.depth)? })
}

/// Checks a report of at most `n_lines` lines and copies it. Whether its moves
/// are legal is left to whoever plays them.
///
/// # Safety
/// `report` must be null or lead to a report whose parts are readable as far as
/// their lengths are within the bounds.
pub(crate) unsafe fn read_report(
    report: *const abi::Report,
    variant: &Variant,
    n_lines: u32,
) -> Result<Report<String>, Lie> {
    // SAFETY: the caller's promise, here and for each line and text below.
    let [raw] = unsafe { text::slice(report, 1, 1) }.map_err(|lie| lie.at("report"))? else {
        return Err(Lie::value("no report"));
    };
    let stop = match raw.stop {
        abi::RUNNING => None,
        abi::STOP_PROVEN => Some(StopReason::Proven),
        abi::STOP_TIME => Some(StopReason::Time),
        abi::STOP_NODES => Some(StopReason::Nodes),
        abi::STOP_DEPTH => Some(StopReason::Depth),
        abi::STOP_TOLD => Some(StopReason::Cancelled),
        other => return Err(Lie::value(format!("a reason to stop of {other}"))),
    };
    // SAFETY: as above.
    let raw_lines = unsafe { text::slice(raw.lines, raw.n_lines, n_lines.into()) }.map_err(|lie| lie.at("lines"))?;
    if raw_lines.is_empty() {
        return Err(Lie::value("a report without lines"));
    }
    let mut lines = Vec::with_capacity(raw_lines.len());
    for (line_idx, raw_line) in raw_lines.iter().enumerate() {
        // SAFETY: as above.
        lines.push(unsafe { read_line(raw_line, variant) }.map_err(|lie| lie.at(format_args!("line {line_idx}")))?);
    }
    if lines.iter().map(|line| &line.moves[0]).collect::<HashSet<_>>().len() < lines.len() {
        return Err(Lie::value("two lines for the same move"));
    }
    let evaluation = read_evaluation(&raw.evaluation, variant)?;
    Ok(Report { lines, evaluation, depth: sane(raw.depth)?, nodes: raw.nodes, stop })
}

/// # Safety
/// As [`read_report`].
unsafe fn read_line(raw: &abi::Line, variant: &Variant) -> Result<Line<String>, Lie> {
    // SAFETY: the caller's promise.
    let raw_moves = unsafe { text::slice(raw.moves, raw.n_moves, abi::LINE_LEN_MAX) }?;
    if raw_moves.is_empty() {
        return Err(Lie::value("no moves"));
    }
    let mut moves = Vec::with_capacity(raw_moves.len());
    for &mv in raw_moves {
        // SAFETY: the caller's promise.
        let bytes = unsafe { text::bytes(mv, abi::MOVE_LEN_MAX) }?;
        moves.push(text::move_text(bytes)?.to_owned());
    }
    Ok(Line { moves, evaluation: read_evaluation(&raw.evaluation, variant)? })
}

/// A report as the ABI wants it. It borrows the texts of the report it is made of.
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
            evaluation: write_evaluation(&line.evaluation),
        };
        ReportTables {
            lines: moves.iter().zip(&report.lines).map(table).collect(),
            _moves: moves,
            evaluation: write_evaluation(&report.evaluation),
            depth: report.depth,
            nodes: report.nodes,
            stop: match report.stop {
                None => abi::RUNNING,
                Some(StopReason::Proven) => abi::STOP_PROVEN,
                Some(StopReason::Time) => abi::STOP_TIME,
                Some(StopReason::Nodes) => abi::STOP_NODES,
                Some(StopReason::Depth) => abi::STOP_DEPTH,
                Some(StopReason::Cancelled) => abi::STOP_TOLD,
            },
        }
    }

    /// Points into `self` and into the report that `self` was made of.
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

fn write_evaluation(evaluation: &Evaluation) -> abi::Evaluation {
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

fn sane(plies: u32) -> Result<u32, Lie> {
    if plies <= PLIES_SANE { Ok(plies) } else { Err(Lie::value(format!("{plies} plies"))) }
}
