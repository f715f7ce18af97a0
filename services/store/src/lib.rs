//! Answers that outlive the process.
//!
//! The engine knows a store as a trait, [`AnswerStore`](pentad_engine::AnswerStore);
//! this crate is the only one that knows files, servers and their formats. A store has
//! layers, the nearest first: a [`FileStore`] belongs to one process, a [`SharedStore`] to
//! several, and both have the trait [`Layer`].
//!
//! | module | noun |
//! | --- | --- |
//! | `layers` | several layers as one store |
//! | `status` | what a layer says of itself, for metrics and operators |
//! | `codec` | an answer as bytes: format version, checksum, compact numbers and texts |
//! | `game_codec` | a game as bytes, and how many games went some way |
//! | `file` | a layer in one file (redb): readers, one writer with group commit, eviction |
//! | `file::maintenance` | what operators do with a file that no server has open |
//! | `shared` | a layer that replicas share (Redis, Valkey): TLS, scripts that keep the better answer, leases, a circuit breaker |
//! | `json` | an answer as a line of JSON, to export and import |
//!
//! Whatever happens to a layer, a question is answered as if it were not there, and
//! [`LayerStatus`] says why.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod codec;
mod counters;
mod error;
mod file;
mod game_codec;
mod json;
mod layers;
mod shared;
mod status;

pub use codec::FORMAT_VERSION;
#[doc(hidden)]
pub use codec::read_arbitrary_value;
pub use error::StoreError;
pub use file::maintenance::{FileStats, Imported, ScopeStats, StoreFile, Verified};
pub use file::{FileConfig, FileStore};
#[doc(hidden)]
pub use json::read_arbitrary_line;
pub use layers::{Layer, Layers};
pub use shared::{SharedAddress, SharedConfig, SharedStore, SharedTls};
pub use status::{LayerState, LayerStatus, ReadCounts, WriteCounts};
