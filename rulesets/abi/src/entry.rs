//! `pentad/entry.h`: the one symbol that a plugin exports.

use std::ffi::c_void;

use crate::{Error, Status, Str};

/// The name of the exported object.
pub const ENTRY_SYMBOL: &str = "ruleset_entry";
/// The bytes `PENTAD\r\n`.
pub const MAGIC: u64 = 0x0a0d_4441_544e_4550;
/// Major version: must be the same on both sides.
pub const ABI_MAJOR: u32 = 1;
/// Minor version: may differ; see the header for the promise.
pub const ABI_MINOR: u32 = 0;

/// `pentad_entry_t`: a plugin's description of itself, and access to its extensions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// [`MAGIC`].
    pub magic: u64,
    /// [`ABI_MAJOR`] that the plugin was built with.
    pub abi_major: u32,
    /// [`ABI_MINOR`] likewise.
    pub abi_minor: u32,
    /// Size of this struct likewise.
    pub struct_size: u32,
    /// Written as 0.
    pub reserved: u32,
    /// The game's id.
    pub id: Str,
    /// The game's name, for display.
    pub name: Str,
    /// Version of the rule set.
    pub version: Str,
    /// The rules, for players.
    pub rules: Str,
    /// The notation of positions and moves, for players.
    pub notation: Str,
    /// Initialises the plugin; may be null.
    pub init: Option<unsafe extern "C" fn(error: *mut Error) -> Status>,
    /// Finds an extension by id.
    pub extension: Option<unsafe extern "C" fn(id: Str) -> *const c_void>,
}
