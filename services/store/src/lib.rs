//! Answers that outlive the process.
//!
//! The engine knows a store as a trait, [`AnswerStore`](pentad_engine::AnswerStore);
//! this crate is the only one that knows files and their format. A store has layers, the
//! nearest first: a [`FileStore`] is one, and others may join behind the same trait
//! [`Layer`].
//!
//! | module | noun |
//! | --- | --- |
//! | `layers` | several layers as one store |
//! | `status` | what a layer says of itself, for metrics and operators |
//! | `codec` | an answer as bytes: format version, checksum, compact numbers and texts |
//! | `file` | a layer in one file (redb): readers, one writer with group commit, eviction |
//! | `file::maintenance` | what operators do with a file that no server has open |
//! | `json` | an answer as a line of JSON, to export and import |
//!
//! Whatever happens to a layer, a question is answered as if it were not there, and
//! [`LayerStatus`] says why.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod codec;
mod error;
mod file;
mod json;
mod layers;
mod status;

pub use codec::FORMAT_VERSION;
#[doc(hidden)]
pub use codec::read_arbitrary_value;
pub use error::StoreError;
pub use file::maintenance::{FileStats, Imported, ScopeStats, StoreFile, Verified};
pub use file::{FileConfig, FileStore};
pub use layers::{Layer, Layers};
pub use status::{LayerState, LayerStatus, ReadCounts, WriteCounts};
