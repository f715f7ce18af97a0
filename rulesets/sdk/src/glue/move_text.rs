//! `pentad.move_text/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;

use super::{Plugin, catch_panic, host_text, lookup};
use crate::abilities::MoveText;
use crate::ruleset::Ruleset;

/// Returns the table if `id` is `pentad.move_text/1` and the game has translations.
pub fn extension<P: Plugin<Rules: MoveText>>(id: &[u8]) -> Option<*const c_void> {
    P::Rules::translations()?;
    lookup(id, const { &Table::<P>::MOVE_TEXT })
}

struct Table<P>(P);

impl<P: Plugin<Rules: MoveText>> Table<P> {
    const MOVE_TEXT: abi::MoveText = abi::MoveText { say: Some(say::<P>) };
}

unsafe extern "C" fn say<P: Plugin<Rules: MoveText>>(
    variant: u32,
    position: *const u8,
    mv: abi::Str,
    out: *const abi::MessageTaker,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant, a readable text and a taker.
        let (position, mv, out) = unsafe { (instance.read(position)?, host_text(mv)?, &*out) };
        let message = instance.rules.say(&position, mv).ok_or(abi::UNSUPPORTED)?;
        // SAFETY: the host's taker takes a message that is readable during the call.
        match message.with_abi(|message| unsafe { (out.give)(out.ctx, &raw const *message) }) {
            0 => Ok(()),
            _ => Err(abi::STOPPED),
        }
    })
}
