//! `pentad.messages/1` and `pentad.outcome_message/1`, for games with translations.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;

use super::{Plugin, catch_panic, lookup};
use crate::ruleset::Ruleset;

/// Returns the table if `id` is one of these extensions and the game has translations.
pub fn extension<P: Plugin>(id: &[u8]) -> Option<*const c_void> {
    P::Rules::translations()?;
    lookup(id, const { &Table::<P>::MESSAGES }).or_else(|| lookup(id, const { &Table::<P>::OUTCOME_MESSAGE }))
}

struct Table<P>(P);

impl<P: Plugin> Table<P> {
    const MESSAGES: abi::Messages = abi::Messages { list: Some(list::<P>) };
    const OUTCOME_MESSAGE: abi::OutcomeMessage = abi::OutcomeMessage { outcome: Some(outcome::<P>) };
}

unsafe extern "C" fn list<P: Plugin>(out: *const abi::MessageLister) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let translations = P::Rules::translations().ok_or(abi::UNSUPPORTED)?;
        // SAFETY: the host passes a lister.
        let out = unsafe { &*out };
        for message in translations.messages() {
            // SAFETY: the host's lister takes a message that is readable during the call.
            if message.with_abi(|message| unsafe { (out.message)(out.ctx, &raw const *message) }) != 0 {
                return Err(abi::STOPPED);
            }
        }
        for (language, id, text) in translations.templates() {
            let template =
                abi::Template { language: abi::Str::new(language), id: abi::Str::new(id), text: abi::Str::new(text) };
            // SAFETY: the host's lister takes a template that is readable during the call.
            if unsafe { (out.text)(out.ctx, &raw const template) } != 0 {
                return Err(abi::STOPPED);
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn outcome<P: Plugin>(
    variant: u32,
    position: *const u8,
    out: *const abi::MessageTaker,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a taker.
        let (position, out) = unsafe { (instance.read(position)?, &*out) };
        let Some(outcome) = instance.rules.outcome(&position) else { return Ok(()) };
        let Some(message) = &outcome.message else { panic!("the outcome has no message: {}", outcome.text) };
        // SAFETY: the host's taker takes a message that is readable during the call.
        match message.with_abi(|message| unsafe { (out.give)(out.ctx, &raw const *message) }) {
            0 => Ok(()),
            _ => Err(abi::STOPPED),
        }
    })
}
