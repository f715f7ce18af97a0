//! `pentad.reasons/1` and `pentad.reason_codes/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;
use pentad_model::report;

use super::{Plugin, catch_panic, lookup};
use crate::abilities::Reasons;
use crate::ruleset::Ruleset;

/// One of the extensions, if that is its id.
pub fn extension<P: Plugin<Rules: Reasons>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, const { &Table::<P>::REASONS }).or_else(|| lookup(id, const { &Table::<P>::REASON_CODES }))
}

struct Table<P>(P);

impl<P: Plugin<Rules: Reasons>> Table<P> {
    const REASONS: abi::Reasons = abi::Reasons { explain: Some(explain::<P>) };
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
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant, a report and an
        // explainer.
        let (position, report, out) = unsafe { (instance.read(position)?, &*report, &*out) };
        // SAFETY: the host's report is complete and readable.
        let report = unsafe { report::from_host(report) }.ok_or(abi::INVALID)?;
        let report = report::try_map_lines(&report, |moves| parse_line(&instance.rules, &position, moves))?;
        if line_idx >= report.lines.len() as u64 {
            return Err(abi::INVALID);
        }
        for reason in instance.rules.explain(&position, &report, line_idx as usize) {
            // SAFETY: the host's explainer takes a reason that is readable during the call.
            if reason.with_abi(|reason| unsafe { (out.give)(out.ctx, &raw const *reason) }) != 0 {
                return Err(abi::STOPPED);
            }
        }
        Ok(())
    })
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
