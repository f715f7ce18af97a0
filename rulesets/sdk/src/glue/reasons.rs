//! `pentad.reasons/1` and `pentad.reason_codes/1`; for games with translations also
//! `pentad.reasons/2`.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;
use pentad_model::{Report, report};

use super::{Plugin, catch_panic, lookup};
use crate::abilities::{Reason, Reasons};
use crate::ruleset::Ruleset;

/// Returns the table if `id` is one of these extensions.
pub fn extension<P: Plugin<Rules: Reasons>>(id: &[u8]) -> Option<*const c_void> {
    let spoken = || P::Rules::translations().and_then(|_| lookup(id, const { &Table::<P>::SPOKEN_REASONS }));
    lookup(id, const { &Table::<P>::REASONS })
        .or_else(|| lookup(id, const { &Table::<P>::REASON_CODES }))
        .or_else(spoken)
}

struct Table<P>(P);

impl<P: Plugin<Rules: Reasons>> Table<P> {
    const REASONS: abi::Reasons = abi::Reasons { explain: Some(explain::<P>) };
    const SPOKEN_REASONS: abi::SpokenReasons = abi::SpokenReasons { explain: Some(explain_spoken::<P>) };
    const REASON_CODES: abi::ReasonCodes = abi::ReasonCodes { list: Some(list::<P>) };
}

unsafe extern "C" fn explain<P: Plugin<Rules: Reasons>>(
    variant: u32,
    position: *const u8,
    report: *const abi::Report,
    line_idx: u64,
    out: *const abi::Explainer,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        // SAFETY: the host passes an explainer.
        let out = unsafe { &*out };
        // SAFETY: the host's explainer takes a reason that is readable during the call.
        let give = |reason: &Reason| reason.with_abi(|reason| unsafe { (out.give)(out.ctx, &raw const *reason) });
        // SAFETY: position and report are the host's.
        unsafe { explain_line::<P>(variant, position, report, line_idx, give) }
    })
}

unsafe extern "C" fn explain_spoken<P: Plugin<Rules: Reasons>>(
    variant: u32,
    position: *const u8,
    report: *const abi::Report,
    line_idx: u64,
    out: *const abi::ReasonTaker,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        // SAFETY: the host passes a taker.
        let out = unsafe { &*out };
        let give = |reason: &Reason| {
            // SAFETY: the host's taker takes a reason that is readable during the call.
            let given = reason.with_spoken_abi(|reason| unsafe { (out.give)(out.ctx, &raw const *reason) });
            given.unwrap_or_else(|| panic!("the reason `{}` has no message: {}", reason.code, reason.text))
        };
        // SAFETY: position and report are the host's.
        unsafe { explain_line::<P>(variant, position, report, line_idx, give) }
    })
}

/// # Safety
/// `position` must be one of this variant and `report` complete, as the host passes
/// them.
unsafe fn explain_line<P: Plugin<Rules: Reasons>>(
    variant: u32,
    position: *const u8,
    report: *const abi::Report,
    line_idx: u64,
    give: impl Fn(&Reason) -> i32,
) -> Result<(), abi::Status> {
    let instance = P::instances().get(variant)?;
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(position, instance.position_size) };
    // SAFETY: as above.
    let (position, report) = unsafe { (instance.read(position)?, report::from_host(&*report).ok_or(abi::INVALID)?) };
    if line_idx >= report.lines.len() as u64 {
        return Err(abi::INVALID);
    }
    let last = LAST_REPORT.take().and_then(|last| last.downcast::<ParsedReport<P::Rules>>().ok());
    let parsed = match last.filter(|last| last.was_parsed_from(variant, bytes, &report)) {
        Some(parsed) => parsed,
        None => Box::new(ParsedReport {
            variant,
            position: bytes.to_vec(),
            moves: report.lines.iter().map(|line| line.moves.iter().map(|&mv| mv.to_owned()).collect()).collect(),
            report: report::try_map_lines(&report, |moves| parse_line(&instance.rules, &position, moves))?,
        }),
    };
    let reasons = instance.rules.explain(&position, &parsed.report, line_idx as usize);
    LAST_REPORT.set(Some(parsed));
    match reasons.iter().any(|reason| give(reason) != 0) {
        true => Err(abi::STOPPED),
        false => Ok(()),
    }
}

thread_local! {
    /// The [`ParsedReport`] of this thread's last call. The host explains the lines of a
    /// report one after another, so each report is parsed and replayed once and not once
    /// per line. Taken during a call, so that a panic discards it.
    static LAST_REPORT: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// A report with parsed moves, and copies of everything that it was parsed from. These
/// are compared by content, because the host may reuse the memory of an earlier report.
struct ParsedReport<R: Ruleset> {
    variant: u32,
    position: Vec<u8>,
    /// The texts of the moves of each line.
    moves: Vec<Vec<String>>,
    report: Report<R::Move>,
}

impl<R: Ruleset> ParsedReport<R> {
    fn was_parsed_from(&self, variant: u32, position: &[u8], report: &Report<&str>) -> bool {
        let Report { lines, evaluation, depth, nodes, stop } = &self.report;
        (self.variant, self.position.as_slice()) == (variant, position)
            && (evaluation, depth, nodes, stop) == (&report.evaluation, &report.depth, &report.nodes, &report.stop)
            && lines.len() == report.lines.len()
            && lines.iter().zip(&report.lines).all(|(parsed, line)| parsed.evaluation == line.evaluation)
            && self.moves.iter().zip(&report.lines).all(|(texts, line)| line.moves == *texts)
    }
}

unsafe extern "C" fn list<P: Plugin<Rules: Reasons>>(out: *const abi::CodeLister) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        // SAFETY: the host passes a lister.
        let out = unsafe { &*out };
        for code in P::Rules::CODES {
            let code = code.to_abi();
            // SAFETY: the host's lister takes a code that is readable during the call.
            if unsafe { (out.give)(out.ctx, &raw const code) } != 0 {
                return Err(abi::STOPPED);
            }
        }
        Ok(())
    })
}

fn parse_line<R: Ruleset>(rules: &R, position: &R::Position, moves: &[&str]) -> Result<Vec<R::Move>, abi::Status> {
    let mut position = position.clone();
    let parse_next = |text: &&str| {
        let mv = rules.parse_move(&position, text).map_err(|_| abi::INVALID)?;
        position = rules.play(&position, &mv);
        Ok(mv)
    };
    moves.iter().map(parse_next).collect()
}
