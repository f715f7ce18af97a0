//! The C functions around a rule set.
//!
//! They are generic over a [`Plugin`], which the export macro implements, and all of
//! them run inside `catch_panic`. They rely on the contract in the headers: the host
//! passes valid pointers of the stated sizes.

pub mod layout;
pub mod messages;
pub mod move_text;
pub mod reasons;
pub mod rules;
pub mod search;
pub mod symmetry;
pub mod threats;

use std::any::Any;
use std::ffi::{c_char, c_void};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use pentad_abi as abi;
use pentad_model::{BoardTables, trusted};

use crate::ruleset::{Refusal, RefusalKind, Ruleset};

/// One exported rule set.
pub trait Plugin: 'static {
    /// Rules of the game.
    type Rules: Ruleset;
    /// Returns the variants, which are built at first use.
    fn instances() -> &'static Instances<Self::Rules>;
    /// Returns the extension with that id, or null.
    fn extension(id: &[u8]) -> *const c_void;
}

/// All variants of a rule set.
#[derive(Debug)]
pub struct Instances<R> {
    variants: Vec<Instance<R>>,
}

/// One variant: its rules, and its description in the ABI's form.
#[derive(Debug)]
pub struct Instance<R> {
    rules: R,
    description: crate::Variant,
    seats: Vec<abi::Seat>,
    position_size: usize,
    board: OnceLock<BoardTables>,
}

impl<R: Ruleset> Instances<R> {
    /// Builds every variant.
    pub fn build() -> Self {
        let instance = |(variant_idx, description): (usize, crate::Variant)| {
            let rules = R::new(variant_idx);
            let position_size = rules.position_size();
            let seats = description.seats.iter().map(crate::Seat::to_abi).collect();
            Instance { rules, description, seats, position_size, board: OnceLock::new() }
        };
        Instances { variants: R::variants().into_iter().enumerate().map(instance).collect() }
    }

    fn get(&self, variant: u32) -> Result<&Instance<R>, abi::Status> {
        self.variants.get(variant as usize).ok_or(abi::INVALID)
    }
}

impl<R: Ruleset> Instance<R> {
    /// Reads a position of this variant from the host's bytes.
    ///
    /// # Safety
    /// `bytes` must be valid for reads of `position_size` bytes.
    unsafe fn read(&self, bytes: *const u8) -> Result<R::Position, abi::Status> {
        // SAFETY: the caller promises `position_size` readable bytes.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, self.position_size) };
        self.rules.decode(bytes).ok_or(abi::INVALID)
    }

    /// Writes a position of this variant to the host's bytes.
    ///
    /// # Safety
    /// `bytes` must be valid for writes of `position_size` bytes.
    unsafe fn write(&self, position: &R::Position, bytes: *mut u8) {
        // SAFETY: the caller promises `position_size` writable bytes; they are
        // plain integers, so any content is valid.
        let bytes = unsafe {
            bytes.write_bytes(0, self.position_size);
            std::slice::from_raw_parts_mut(bytes, self.position_size)
        };
        self.rules.encode(position, bytes);
    }
}

/// Builds the descriptor of a plugin.
pub const fn entry<P: Plugin>() -> abi::Entry {
    let info = P::Rules::INFO;
    abi::Entry {
        magic: abi::MAGIC,
        abi_major: abi::ABI_MAJOR,
        abi_minor: abi::ABI_MINOR,
        struct_size: size_of::<abi::Entry>() as u32,
        reserved: 0,
        id: abi::Str::new(info.id),
        name: abi::Str::new(info.name),
        version: abi::Str::new(info.version),
        rules: abi::Str::new(info.rules),
        notation: abi::Str::new(info.notation),
        init: Some(init::<P>),
        extension: Some(extension::<P>),
    }
}

unsafe extern "C" fn init<P: Plugin>(error: *mut abi::Error) -> abi::Status {
    catch_panic(error, || {
        P::instances();
        Ok(())
    })
}

unsafe extern "C" fn extension<P: Plugin>(id: abi::Str) -> *const c_void {
    // SAFETY: the host passes a readable id.
    let id = unsafe { id.as_bytes() };
    catch_unwind(|| P::extension(id)).unwrap_or_else(|panic| {
        std::mem::forget(panic);
        std::ptr::null()
    })
}

/// Runs the body of an ABI function and turns a panic into a status, with its
/// message in `error` unless that is null.
fn catch_panic(error: *mut abi::Error, body: impl FnOnce() -> Result<(), abi::Status>) -> abi::Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => abi::OK,
        Ok(Err(status)) => status,
        Err(panic) => {
            // SAFETY: the host passes a valid error, or this function null.
            if let Some(error) = unsafe { error.as_mut() } {
                error.set("", 0, panic_message(&*panic));
            }
            // Dropping a payload may panic again; leaking it costs some bytes.
            std::mem::forget(panic);
            abi::FAULT
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panicked without a message")
}

/// Fills the host's error from a refusal and returns its status.
fn refuse(error: *mut abi::Error, refusal: &Refusal) -> abi::Status {
    // SAFETY: the host passes a valid error, or this crate null.
    if let Some(error) = unsafe { error.as_mut() } {
        error.set(refusal.field, refusal.column.unwrap_or(0) as u32, &refusal.message);
    }
    match refusal.kind {
        RefusalKind::Malformed => abi::MALFORMED,
        RefusalKind::Illegal => abi::ILLEGAL,
        RefusalKind::GameOver => abi::GAME_OVER,
        RefusalKind::NoMemory => abi::NO_MEMORY,
        RefusalKind::Unsupported => abi::UNSUPPORTED,
    }
}

/// Reads text that the host passed.
///
/// # Safety
/// `text` must be readable for `'a`.
unsafe fn host_text<'a>(text: abi::Str) -> Result<&'a str, abi::Status> {
    // SAFETY: the caller's promise.
    unsafe { trusted::text(text) }.ok_or(abi::INVALID)
}

/// Hands text to a writer of the host.
fn write_text(out: &abi::Writer, text: &str) -> ControlFlow<()> {
    // SAFETY: the host's writer takes any readable bytes.
    let stop = unsafe { (out.write)(out.ctx, text.as_ptr().cast::<c_char>(), text.len() as u64) };
    if stop == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Returns `STOPPED` if a callback of the host returned non-zero.
fn stopped_if_break(flow: ControlFlow<()>) -> Result<(), abi::Status> {
    if flow.is_break() { Err(abi::STOPPED) } else { Ok(()) }
}

/// Returns the table of an extension if that is its id.
fn lookup<T: abi::Extension>(id: &[u8], table: &'static T) -> Option<*const c_void> {
    (id == T::ID.as_bytes()).then_some(std::ptr::from_ref(table).cast())
}
