//! Answers that outlive the process.
//!
//! The engine sees a store as a trait, [`AnswerStore`](pentad_engine::AnswerStore); only
//! this crate knows files, servers and their formats. A store consists of layers, nearest
//! first: a [`FileStore`] belongs to one process, a [`SharedStore`] to several. Both
//! implement [`Layer`].
//!
//! | module | what it holds |
//! | --- | --- |
//! | `layers` | several layers as one store |
//! | `status`, `counters`, `refusals` | status of a layer and its counters, for metrics and operators; why answers were refused |
//! | `error` | why a file cannot be used |
//! | `codec` | answers as bytes: format version, checksum, compact numbers and texts |
//! | `game_codec` | games and counts of games as bytes |
//! | `file` | a layer in one file (redb): readers, one writer with group commit, eviction, backup while a server has it open, maintenance otherwise |
//! | `shared` | a layer that replicas share (Redis, Valkey; feature `redis`): TLS, scripts that keep the better answer, leases, a circuit breaker |
//! | `shared_config` | its configuration, which every build has |
//! | `json` | answers and games as lines of JSON, to export and import |
//!
//! Whatever happens to a layer, questions are answered as if it were absent, and
//! [`LayerStatus`] reports the reason.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod codec;
mod counters;
mod error;
mod file;
mod game_codec;
mod json;
mod layers;
mod refusals;
#[cfg(feature = "redis")]
mod shared;
#[cfg(not(feature = "redis"))]
#[path = "no_shared.rs"]
mod shared;
mod shared_config;
mod status;

pub use codec::FORMAT_VERSION;
#[doc(hidden)]
pub use codec::read_arbitrary_value;
pub use error::StoreError;
pub use file::dump::DumpStats;
pub use file::maintenance::{FileStats, Imported, ScopeStats, StoreFile, Verified};
pub use file::{FileConfig, FileStore};
#[doc(hidden)]
pub use json::read_arbitrary_line;
pub use layers::{Layer, Layers};
pub use shared::{SharedAddress, SharedStore};
pub use shared_config::{SharedConfig, SharedSecret, SharedTls};
pub use status::{LayerState, LayerStatus, ReadCounts, WriteCounts};
