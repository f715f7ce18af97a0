//! `pentad.rules/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;

use super::{Plugin, catch_panic, host_text, lookup, messages, refuse, stopped_if_break, write_text};
use crate::ruleset::Ruleset;

/// Returns the table if `id` is `pentad.rules/1`, or an extension that every game with
/// translations has.
pub fn extension<P: Plugin>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, const { &Table::<P>::RULES }).or_else(|| messages::extension::<P>(id))
}

struct Table<P>(P);

impl<P: Plugin> Table<P> {
    const RULES: abi::Rules = abi::Rules {
        variant_count: Some(variant_count::<P>),
        variant: Some(variant::<P>),
        start: Some(start::<P>),
        parse: Some(parse::<P>),
        format: Some(format::<P>),
        to_move: Some(to_move::<P>),
        legal_moves: Some(legal_moves::<P>),
        count_moves: Some(count_moves::<P>),
        play: Some(play::<P>),
        outcome: Some(outcome::<P>),
    };
}

unsafe extern "C" fn variant_count<P: Plugin>() -> u32 {
    let mut count = 0;
    // A panic leaves 0, which the host refuses.
    catch_panic(ptr::null_mut(), || {
        count = P::instances().variants.len() as u32;
        Ok(())
    });
    count
}

unsafe extern "C" fn variant<P: Plugin>(variant: u32, out: *mut abi::Variant) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host owns `out` and passes it writable.
        unsafe { out.write(instance.description.to_abi(&instance.seats, instance.position_size)) };
        Ok(())
    })
}

unsafe extern "C" fn start<P: Plugin>(variant: u32, position: *mut u8) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes `position_size` writable bytes.
        unsafe { instance.write(&instance.rules.start(), position) };
        Ok(())
    })
}

unsafe extern "C" fn parse<P: Plugin>(
    variant: u32,
    text: abi::Str,
    position: *mut u8,
    error: *mut abi::Error,
) -> abi::Status {
    catch_panic(error, || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes readable text.
        let text = unsafe { host_text(text) }?;
        let parsed = instance.rules.parse(text).map_err(|refusal| refuse(error, &refusal))?;
        // SAFETY: the host passes `position_size` writable bytes.
        unsafe { instance.write(&parsed, position) };
        Ok(())
    })
}

unsafe extern "C" fn format<P: Plugin>(variant: u32, position: *const u8, out: *const abi::Writer) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a writer.
        let (position, out) = unsafe { (instance.read(position)?, &*out) };
        let mut text = String::with_capacity(64);
        instance.rules.format(&position, &mut text);
        stopped_if_break(write_text(out, &text))
    })
}

unsafe extern "C" fn to_move<P: Plugin>(variant: u32, position: *const u8, seat: *mut u32) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a writable seat.
        unsafe { seat.write(instance.rules.to_move(&instance.read(position)?) as u32) };
        Ok(())
    })
}

unsafe extern "C" fn legal_moves<P: Plugin>(
    variant: u32,
    position: *const u8,
    prefix: abi::Str,
    out: *const abi::Writer,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant, text and a writer.
        let (position, prefix, out) = unsafe { (instance.read(position)?, host_text(prefix)?, &*out) };
        stopped_if_break(instance.rules.legal_move_texts(&position, prefix, |text| write_text(out, text)))
    })
}

unsafe extern "C" fn count_moves<P: Plugin>(
    variant: u32,
    position: *const u8,
    prefix: abi::Str,
    count: *mut u64,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant, text and a
        // writable count.
        unsafe { count.write(instance.rules.count_moves(&instance.read(position)?, host_text(prefix)?)) };
        Ok(())
    })
}

unsafe extern "C" fn play<P: Plugin>(
    variant: u32,
    position: *const u8,
    mv: abi::Str,
    next: *mut u8,
    canonical: *const abi::Writer,
    error: *mut abi::Error,
) -> abi::Status {
    catch_panic(error, || {
        let instance = P::instances().get(variant)?;
        let rules = &instance.rules;
        // SAFETY: the host passes a position of this variant, text, and a
        // writer or null.
        let (position, text, canonical) = unsafe { (instance.read(position)?, host_text(mv)?, canonical.as_ref()) };
        if rules.outcome(&position).is_some() {
            return Err(abi::GAME_OVER);
        }
        let mv = rules.parse_move(&position, text).map_err(|refusal| refuse(error, &refusal))?;
        // SAFETY: the host passes `position_size` writable bytes.
        unsafe { instance.write(&rules.play(&position, &mv), next) };
        let Some(canonical) = canonical else { return Ok(()) };
        let mut text = String::with_capacity(16);
        rules.format_move(&position, &mv, &mut text);
        stopped_if_break(write_text(canonical, &text))
    })
}

unsafe extern "C" fn outcome<P: Plugin>(
    variant: u32,
    position: *const u8,
    out: *mut abi::Outcome,
    text: *const abi::Writer,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant, a writable
        // outcome, and a writer or null.
        let (position, out, writer) = unsafe { (instance.read(position)?, &mut *out, text.as_ref()) };
        *out = abi::Outcome::RUNNING;
        let Some(outcome) = instance.rules.outcome(&position) else { return Ok(()) };
        *out = outcome.to_abi();
        writer.map_or(Ok(()), |writer| stopped_if_break(write_text(writer, &outcome.text)))
    })
}
