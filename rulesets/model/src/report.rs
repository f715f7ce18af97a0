//! Reports of a search, with their lines.

use std::collections::HashSet;

use pentad_abi as abi;

use crate::code::Code;
use crate::evaluation::{self, Evaluation, Seating};
use crate::violation::Violation;
use crate::{strs, text, trusted};

/// A move with its value and the play expected to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The move, then the expected replies. Never empty. In staged games these are steps,
    /// several of which make one turn.
    pub moves: Vec<M>,
    /// The value of the move.
    pub evaluation: Evaluation,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The requested values are proven: more search would change nothing.
    Proven,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// [`Control::should_stop`](crate::Control::should_stop) returned true.
    Cancelled,
}

/// The result of a search, intermediate or final.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Lines, best first. Never empty: even a search that is cancelled at once reports a
    /// legal move.
    pub lines: Vec<Line<M>>,
    /// The value of the position, as if only the root moves were legal.
    pub evaluation: Evaluation,
    /// Plies completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Why the search ended; `None` in an intermediate report.
    pub stop: Option<StopReason>,
}

impl<M> Report<M> {
    /// Sets the depth of the report and of every value in it that was searched.
    pub fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
        let values = self.lines.iter_mut().map(|line| &mut line.evaluation).chain([&mut self.evaluation]);
        values.filter(|value| value.depth > 0).for_each(|value| value.depth = depth);
    }
}

/// Calls `give` with a report in the ABI's form, readable during that call.
pub fn with_abi<T>(report: &Report<String>, give: impl FnOnce(&abi::Report) -> T) -> T {
    let line_strs = |line: &Line<String>| strs(line.moves.iter().take(abi::LINE_LEN_MAX as usize));
    let moves: Vec<Vec<abi::Str>> = report.lines.iter().map(line_strs).collect();
    let line = |(moves, line): (&Vec<abi::Str>, &Line<String>)| abi::Line {
        moves: moves.as_ptr(),
        n_moves: moves.len() as u64,
        evaluation: evaluation::to_abi(&line.evaluation),
    };
    let lines: Vec<abi::Line> = moves.iter().zip(&report.lines).map(line).collect();
    give(&abi::Report {
        lines: lines.as_ptr(),
        n_lines: lines.len() as u64,
        nodes: report.nodes,
        depth: report.depth,
        stop: report.stop.map_or(abi::RUNNING, Code::to_abi),
        evaluation: evaluation::to_abi(&report.evaluation),
    })
}

/// Validates and copies a report of at most `n_lines` lines. Whether its moves
/// are legal is checked by the caller, which plays them.
///
/// # Safety
/// `raw` must be null or lead to a report whose parts are readable as far as
/// their lengths are within the bounds.
pub unsafe fn from_plugin(
    raw: *const abi::Report,
    seating: Seating,
    n_lines: u32,
) -> Result<Report<String>, Violation> {
    // SAFETY: the caller's promise, here and for each line and text below.
    let [raw] = unsafe { text::slice(raw, 1, 1) }.map_err(|violation| violation.at("report"))? else {
        return Err(Violation::value("a null report"));
    };
    let stop = match raw.stop {
        abi::RUNNING => None,
        code => Some(StopReason::from_plugin(code)?),
    };
    // SAFETY: as above.
    let read = |raw: &abi::Line| unsafe { line_from_plugin(raw, seating) };
    // SAFETY: as above.
    let lines = unsafe { text::parts("line", raw.lines, raw.n_lines, n_lines.into(), read) }?;
    if lines.is_empty() {
        return Err(Violation::value("a report without lines"));
    }
    if lines.iter().map(|line| &line.moves[0]).collect::<HashSet<_>>().len() < lines.len() {
        return Err(Violation::value("two lines for the same move"));
    }
    let evaluation = evaluation::from_plugin(&raw.evaluation, seating)?;
    Ok(Report { lines, evaluation, depth: evaluation::plies_from_plugin(raw.depth)?, nodes: raw.nodes, stop })
}

/// # Safety
/// As [`from_plugin`].
unsafe fn line_from_plugin(raw: &abi::Line, seating: Seating) -> Result<Line<String>, Violation> {
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
    Ok(Line { moves, evaluation: evaluation::from_plugin(&raw.evaluation, seating)? })
}

/// Copies a report but borrows its moves; `None` if a line is empty or not UTF-8, or an
/// evaluation has too many seats.
///
/// # Safety
/// The report must be complete and readable for `'a`.
pub unsafe fn from_host<'a>(raw: &abi::Report) -> Option<Report<&'a str>> {
    let line = |raw: &abi::Line| {
        // SAFETY: the caller promises `n_moves` readable texts.
        let moves = unsafe { trusted::texts(raw.moves, raw.n_moves) }?;
        (!moves.is_empty()).then_some(())?;
        Some(Line { moves, evaluation: evaluation::from_host(&raw.evaluation)? })
    };
    // SAFETY: the caller promises `n_lines` readable lines.
    let lines = unsafe { trusted::slice(raw.lines, raw.n_lines) };
    Some(Report {
        lines: lines.iter().map(line).collect::<Option<_>>()?,
        evaluation: evaluation::from_host(&raw.evaluation)?,
        depth: raw.depth,
        nodes: raw.nodes,
        stop: StopReason::from_abi(raw.stop),
    })
}

/// Converts the moves of a report, line by line.
pub fn try_map_lines<A, B, E>(
    report: &Report<A>,
    mut moves: impl FnMut(&[A]) -> Result<Vec<B>, E>,
) -> Result<Report<B>, E> {
    let line = |line: &Line<A>| Ok(Line { moves: moves(&line.moves)?, evaluation: line.evaluation });
    Ok(Report {
        lines: report.lines.iter().map(line).collect::<Result<_, E>>()?,
        evaluation: report.evaluation,
        depth: report.depth,
        nodes: report.nodes,
        stop: report.stop,
    })
}
