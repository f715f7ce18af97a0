//! Finds, verifies, loads and wraps rule sets.
//!
//! A rule set is a shared library with the C ABI of `pentad-abi`. This crate turns its
//! functions into safe calls on a [`Ruleset`] and validates all output with the
//! `from_plugin` functions of `pentad-model`: a violation of the contract is a
//! [`Fault`] that fails that one call. A plugin can still crash or hang;
//! [`Ruleset::load_isolated`] contains that by running it in a process of its own.
//!
//! | module | contents |
//! | --- | --- |
//! | `registry`, `bundled` | directories: which files are loaded, and which of them are bundled |
//! | `allow`, `library` | one file: hashed, allowed, opened once, never closed |
//! | `image` | the private copy that is mapped instead of the file |
//! | `elf` | checks the headers that `dlopen` would trust |
//! | `load`, `tables`, `variant`, `load_error` | from an opened library to a [`Ruleset`] |
//! | `ruleset`, `position`, `symmetry`, `layout`, `reasons`, `threats`, `i18n`, `move_text`, `searcher` | the calls |
//! | `call`, `error` | shared by the calls: arguments, status, faults |
//! | `output`, `guard` | what receives a plugin's output: callbacks, and buffers with guard bytes |
//! | `fallback` | search for rule sets without a search of their own |
//! | `isolation` | rule sets in worker processes |
//! | `memory` | returns freed memory to the system |
//! | `shared_atomics` | memory shared by processes, also after one has crashed |

#![warn(missing_docs)]

mod allow;
mod bundled;
mod call;
mod elf;
mod error;
mod fallback;
mod guard;
mod i18n;
mod image;
mod isolation;
mod layout;
mod library;
mod load;
mod load_error;
mod memory;
mod move_text;
mod output;
mod position;
mod reasons;
mod registry;
mod ruleset;
mod searcher;
mod shared_atomics;
mod symmetry;
mod tables;
mod threats;
mod variant;

pub use allow::{AllowList, AllowListError};
pub use bundled::{BundledRulesets, bundled_dir, bundled_files};
#[doc(hidden)]
pub use elf::check as check_library_headers;
pub use error::{CallError, Fault};
pub use isolation::{
    Confinement, IsolationOptions, IsolationStatus, NoObserver, Protections, WorkerCommand, WorkerEvent,
    WorkerObserver, WorkerState, WorkerStatus, probe_protections, run_worker,
};
#[doc(hidden)]
#[cfg(any(test, feature = "fuzzing"))]
pub use isolation::{read_arbitrary_bytes, receive_arbitrary_bytes};
pub use library::file_sha256;
pub use load_error::LoadError;
pub use memory::release_free_memory;
pub use position::Position;
pub use reasons::Explanation;
pub use registry::{LoadFailure, LoadOptions, Loaded, load_bundled, load_dir, ruleset_files};
pub use ruleset::{Capabilities, Failed, Played, Ruleset, RulesetInfo};
pub use searcher::Searcher;
pub use shared_atomics::SharedAtomics;
pub use threats::{ListedThreat, STOPS_MAX, THREATS_MAX, ThreatList, WINNING};
pub use variant::Variant;
