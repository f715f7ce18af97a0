//! `pentad.threats/1`.

use std::ffi::c_void;
use std::ops::ControlFlow;
use std::ptr;

use pentad_abi as abi;
use pentad_model::ThreatKey;

use super::{Plugin, catch_panic, lookup, stopped_if_break};
use crate::ruleset::Ruleset;
use crate::threats::Threats;

/// Returns the table if `id` is `pentad.threats/1`.
pub fn extension<P: Plugin<Rules: Threats>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, const { &Table::<P>::THREATS })
}

struct Table<P>(P);

impl<P: Plugin<Rules: Threats>> Table<P> {
    const THREATS: abi::Threats = abi::Threats {
        kinds: Some(kinds::<P>),
        turn_of: Some(turn_of::<P>),
        list: Some(list::<P>),
        stops: Some(stops::<P>),
    };
}

unsafe extern "C" fn kinds<P: Plugin<Rules: Threats>>(out: *const abi::ThreatKindLister) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        // SAFETY: the host passes a lister.
        let out = unsafe { &*out };
        for kind in P::Rules::KINDS {
            let kind = kind.to_abi();
            // SAFETY: the host's lister takes a kind that is readable during the call.
            if unsafe { (out.give)(out.ctx, &raw const kind) } != 0 {
                return Err(abi::STOPPED);
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn turn_of<P: Plugin<Rules: Threats>>(
    variant: u32,
    position: *const u8,
    seat: u32,
    out: *mut u8,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        if seat as usize >= instance.seats.len() {
            return Err(abi::INVALID);
        }
        // SAFETY: the host passes a position of this variant.
        let position = unsafe { instance.read(position)? };
        let turn = instance.rules.turn_of(&position, seat as usize).ok_or(abi::UNSUPPORTED)?;
        // SAFETY: the host passes `out` writable, with room for a position.
        unsafe { instance.write(&turn, out) };
        Ok(())
    })
}

unsafe extern "C" fn list<P: Plugin<Rules: Threats>>(
    variant: u32,
    position: *const u8,
    out: *const abi::ThreatLister,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a lister.
        let (position, out) = unsafe { (instance.read(position)?, &*out) };
        let rules = &instance.rules;
        let seat = rules.to_move(&position);
        for threat in rules.threats(&position) {
            let mut mv = String::new();
            rules.format_move(&position, &threat.mv, &mut mv);
            let points = threat.points.iter().map(|&point| point as u32).collect();
            let threat =
                pentad_model::Threat { seat, kind: threat.kind, key: threat.key, score: threat.score, mv, points };
            let raw = threat.to_abi();
            // SAFETY: the host's lister takes a threat that is readable during the call.
            if unsafe { (out.give)(out.ctx, &raw const raw) } != 0 {
                return Err(abi::STOPPED);
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn stops<P: Plugin<Rules: Threats>>(
    variant: u32,
    position: *const u8,
    threats: *const abi::Threat,
    n_threats: u64,
    out: *const abi::StopLister,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a lister.
        let (position, out) = unsafe { (instance.read(position)?, &*out) };
        // SAFETY: the host passes that many readable threats.
        let threats = unsafe { ThreatKey::from_host(threats, n_threats) };
        if threats.len() > abi::THREATS_MAX as usize || threats.iter().any(|it| it.seat >= instance.seats.len()) {
            return Err(abi::INVALID);
        }
        let sides: Vec<u32> = instance.seats.iter().map(|seat| seat.side).collect();
        let rules = &instance.rules;
        let mut text = String::new();
        stopped_if_break(rules.stops(&sides, &position, &threats, &mut |stop| {
            text.clear();
            let (stopped, stops_all) = stop.map_or((0, false), |stop| {
                rules.format_move(&position, stop.mv, &mut text);
                (stop.stopped, stop.stops_all)
            });
            // SAFETY: the host's lister takes a text that is readable during the call.
            match unsafe { (out.give)(out.ctx, abi::Str::new(&text), stopped, stops_all.into()) } {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        }))
    })
}
