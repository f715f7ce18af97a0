//! The C ABI between Pentad and its rule sets, as Rust types.
//!
//! `include/pentad/*.h` is the contract and holds the documentation: what each
//! function does, who owns what, which threads may call. This crate mirrors it
//! name by name (`pentad_rules_t` is [`Rules`]), and a test compiles the
//! headers and compares every size and offset. One module per header.
//!
//! Writing a rule set in Rust? Use `pentad-sdk`, which needs none of this.

#![warn(missing_docs)]

mod base;
mod entry;
mod extension;
mod layout;
mod messages;
mod move_text;
mod reasons;
mod rules;
mod search;
mod symmetry;
mod threats;

pub use base::*;
pub use entry::*;
pub use extension::Extension;
pub use layout::*;
pub use messages::*;
pub use move_text::*;
pub use reasons::*;
pub use rules::*;
pub use search::*;
pub use symmetry::*;
pub use threats::*;
