//! `pentad.symmetry/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;

use super::{Instance, Plugin, catch_panic, host_text, lookup, refuse, stopped_if_break, write_text};
use crate::abilities::Symmetry;
use crate::ruleset::Ruleset;

/// Returns the table if `id` is `pentad.symmetry/1`.
pub fn extension<P: Plugin<Rules: Symmetry>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, const { &Table::<P>::SYMMETRY })
}

struct Table<P>(P);

impl<P: Plugin<Rules: Symmetry>> Table<P> {
    const SYMMETRY: abi::Symmetry = abi::Symmetry {
        count: Some(count::<P>),
        inverse: Some(inverse::<P>),
        apply: Some(apply::<P>),
        apply_move: Some(apply_move::<P>),
        apply_seat: Some(apply_seat::<P>),
        canonical: Some(canonical::<P>),
    };
}

/// Returns a variant if it has that symmetry.
fn checked<P: Plugin<Rules: Symmetry>>(
    variant: u32,
    symmetry: u32,
) -> Result<&'static Instance<P::Rules>, abi::Status> {
    let instance = P::instances().get(variant)?;
    if (symmetry as usize) < instance.rules.n_symmetries() { Ok(instance) } else { Err(abi::INVALID) }
}

unsafe extern "C" fn count<P: Plugin<Rules: Symmetry>>(variant: u32) -> u32 {
    let mut count = 0;
    // A panic leaves 0, which the host refuses.
    catch_panic(ptr::null_mut(), || {
        count = P::instances().get(variant)?.rules.n_symmetries() as u32;
        Ok(())
    });
    count
}

unsafe extern "C" fn inverse<P: Plugin<Rules: Symmetry>>(variant: u32, symmetry: u32, out: *mut u32) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = checked::<P>(variant, symmetry)?;
        // SAFETY: the host passes `out` writable.
        unsafe { out.write(instance.rules.inverse(symmetry as usize) as u32) };
        Ok(())
    })
}

unsafe extern "C" fn apply<P: Plugin<Rules: Symmetry>>(
    variant: u32,
    symmetry: u32,
    position: *const u8,
    out: *mut u8,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = checked::<P>(variant, symmetry)?;
        // SAFETY: the host passes a position of this variant and
        // `position_size` writable bytes.
        unsafe { instance.write(&instance.rules.apply(symmetry as usize, &instance.read(position)?), out) };
        Ok(())
    })
}

unsafe extern "C" fn apply_move<P: Plugin<Rules: Symmetry>>(
    variant: u32,
    symmetry: u32,
    position: *const u8,
    mv: abi::Str,
    out: *const abi::Writer,
    error: *mut abi::Error,
) -> abi::Status {
    catch_panic(error, || {
        let instance = checked::<P>(variant, symmetry)?;
        let rules = &instance.rules;
        // SAFETY: the host passes a position of this variant, text and a writer.
        let (position, mv, out) = unsafe { (instance.read(position)?, host_text(mv)?, &*out) };
        let mv = rules.parse_move(&position, mv).map_err(|refusal| refuse(error, &refusal))?;
        let mapped = rules.apply_move(symmetry as usize, &position, &mv);
        let mut text = String::with_capacity(16);
        rules.format_move(&rules.apply(symmetry as usize, &position), &mapped, &mut text);
        stopped_if_break(write_text(out, &text))
    })
}

unsafe extern "C" fn apply_seat<P: Plugin<Rules: Symmetry>>(
    variant: u32,
    symmetry: u32,
    seat: u32,
    out: *mut u32,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = checked::<P>(variant, symmetry)?;
        if seat as usize >= instance.seats.len() {
            return Err(abi::INVALID);
        }
        // SAFETY: the host passes `out` writable.
        unsafe { out.write(instance.rules.apply_seat(symmetry as usize, seat as usize) as u32) };
        Ok(())
    })
}

unsafe extern "C" fn canonical<P: Plugin<Rules: Symmetry>>(
    variant: u32,
    position: *const u8,
    out: *mut u8,
    symmetry: *mut u32,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant.
        let (mapped, found) = instance.rules.canonical(&unsafe { instance.read(position) }?);
        // SAFETY: the host passes `position_size` writable bytes and a
        // writable number.
        unsafe {
            instance.write(&mapped, out);
            symmetry.write(found as u32);
        }
        Ok(())
    })
}
