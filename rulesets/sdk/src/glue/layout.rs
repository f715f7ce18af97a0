//! `pentad.layout/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;
use pentad_model::BoardTables;

use super::{Plugin, catch_panic, lookup};
use crate::abilities::Layout;

/// Returns the table if `id` is `pentad.layout/1`.
pub fn extension<P: Plugin<Rules: Layout>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, const { &Table::<P>::LAYOUT })
}

struct Table<P>(P);

impl<P: Plugin<Rules: Layout>> Table<P> {
    const LAYOUT: abi::Layout = abi::Layout { board: Some(board::<P>), pieces: Some(pieces::<P>) };
}

unsafe extern "C" fn board<P: Plugin<Rules: Layout>>(variant: u32, out: *mut abi::Board) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        let tables = instance.board.get_or_init(|| BoardTables::new(instance.rules.board()));
        // SAFETY: the host passes `out` writable.
        unsafe { out.write(tables.to_abi()) };
        Ok(())
    })
}

unsafe extern "C" fn pieces<P: Plugin<Rules: Layout>>(
    variant: u32,
    position: *const u8,
    out: *const abi::Placer,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a placer.
        let (position, out) = unsafe { (instance.read(position)?, &*out) };
        let mut stop = 0;
        instance.rules.pieces(&position, &mut |point, piece| {
            if stop == 0 {
                // SAFETY: the host's placer takes any numbers.
                stop = unsafe { (out.place)(out.ctx, point as u32, piece as u32) };
            }
        });
        if stop == 0 { Ok(()) } else { Err(abi::STOPPED) }
    })
}
