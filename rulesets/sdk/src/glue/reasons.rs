//! `pentad.reasons/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;
use pentad_search::{Certainty, Evaluation, Line, Report, Scores, Source, StopReason, Wdl};

use super::search::texts;
use super::{Plugin, catch_panic, host_text, lookup};
use crate::abilities::{Reason, Reasons};
use crate::ruleset::Ruleset;

/// The extension, if that is its id.
pub fn extension<P: Plugin<Rules: Reasons>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, abi::REASONS_1, const { &Table::<P>::REASONS })
}

struct Table<P>(P);

impl<P: Plugin<Rules: Reasons>> Table<P> {
    const REASONS: abi::Reasons = abi::Reasons { explain: Some(explain::<P>) };
}

unsafe extern "C" fn explain<P: Plugin<Rules: Reasons>>(
    variant: u32,
    position: *const u8,
    report: *const abi::Report,
    line_idx: u64,
    out: *const abi::Explainer,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant, a report and an
        // explainer.
        let (position, report, out) = unsafe { (instance.read(position)?, &*report, &*out) };
        // SAFETY: the host's report is complete and readable.
        let report = unsafe { read_report(&instance.rules, &position, report) }?;
        if line_idx >= report.lines.len() as u64 {
            return Err(abi::INVALID);
        }
        for reason in instance.rules.explain(&position, &report, line_idx as usize) {
            if give(out, &reason) != 0 {
                return Err(abi::STOPPED);
            }
        }
        Ok(())
    })
}

fn give(out: &abi::Explainer, reason: &Reason) -> i32 {
    let points: Vec<abi::Str> = reason.points.iter().map(|id| abi::Str::new(id)).collect();
    let reason = abi::Reason {
        code: abi::Str::new(reason.code),
        text: abi::Str::new(&reason.text),
        points: points.as_ptr(),
        n_points: points.len() as u64,
    };
    // SAFETY: everything the reason points to lives until the call returns.
    unsafe { (out.give)(out.ctx, &raw const reason) }
}

/// # Safety
/// The report must be complete and readable.
unsafe fn read_report<R: Ruleset>(
    rules: &R,
    position: &R::Position,
    report: &abi::Report,
) -> Result<Report<R::Move>, abi::Status> {
    let lines = if report.n_lines == 0 {
        &[][..]
    } else {
        // SAFETY: the caller promises `n_lines` readable lines.
        unsafe { std::slice::from_raw_parts(report.lines, report.n_lines as usize) }
    };
    let read_line = |line: &abi::Line| {
        let mut position = position.clone();
        let mut moves = Vec::new();
        // SAFETY: the caller promises `n_moves` readable texts.
        for &text in unsafe { texts(line.moves, line.n_moves) } {
            // SAFETY: as above.
            let text = unsafe { host_text(text) }?;
            let mv = rules.parse_move(&position, text).map_err(|_| abi::INVALID)?;
            position = rules.play(&position, &mv);
            moves.push(mv);
        }
        if moves.is_empty() {
            return Err(abi::INVALID);
        }
        Ok(Line { moves, evaluation: read_evaluation(&line.evaluation)? })
    };
    Ok(Report {
        lines: lines.iter().map(read_line).collect::<Result<_, _>>()?,
        evaluation: read_evaluation(&report.evaluation)?,
        depth: report.depth,
        nodes: report.nodes,
        stop: match report.stop {
            abi::STOP_PROVEN => Some(StopReason::Proven),
            abi::STOP_TIME => Some(StopReason::Time),
            abi::STOP_NODES => Some(StopReason::Nodes),
            abi::STOP_DEPTH => Some(StopReason::Depth),
            abi::STOP_CANCELLED => Some(StopReason::Cancelled),
            _ => None,
        },
    })
}

fn read_evaluation(evaluation: &abi::Evaluation) -> Result<Evaluation, abi::Status> {
    let scores = evaluation.scores.get(..evaluation.n_seats as usize).ok_or(abi::INVALID)?;
    Ok(Evaluation {
        certainty: if evaluation.certainty == abi::PROVEN { Certainty::Proven } else { Certainty::Estimate },
        outcome: match evaluation.outcome {
            abi::LOSS => Some(Wdl::Loss),
            abi::DRAW => Some(Wdl::Draw),
            abi::WIN => Some(Wdl::Win),
            _ => None,
        },
        plies_to_end: (evaluation.plies_to_end != abi::PLIES_UNKNOWN).then_some(evaluation.plies_to_end),
        scores: Scores::new(scores),
        source: match evaluation.source {
            abi::SOURCE_TERMINAL => Source::Terminal,
            abi::SOURCE_BOOK => Source::Book,
            abi::SOURCE_SOLVER => Source::Solver,
            abi::SOURCE_SEARCH => Source::Search,
            _ => Source::Static,
        },
        depth: evaluation.depth,
    })
}
