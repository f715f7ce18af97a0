//! Finds, checks, loads and wraps rule sets.
//!
//! A rule set is a shared library with the C ABI of `pentad-abi`. This crate
//! turns its functions into safe calls on a [`Ruleset`], and it believes nothing
//! that comes back: lengths are compared with the ABI's bounds before memory is
//! read, text and numbers are checked, and whatever does not fit is a [`Fault`]
//! that costs that one call. What a plugin can still do is crash or hang; where
//! that matters, it runs in a process of its own.
//!
//! | module | noun |
//! | --- | --- |
//! | `registry` | the directory: which files are tried |
//! | `library` | one file: hashed, allowed, opened once, never closed |
//! | `elf` | the headers that `dlopen` would trust |
//! | `load`, `tables` | from an opened library to a [`Ruleset`] |
//! | `ruleset`, `symmetry`, `layout`, `reasons`, `searcher` | the calls |
//! | `call` | what they share: arguments before, status after |
//! | `sink` | the callbacks that take a plugin's output |
//! | `text`, `wire` | what text and evaluations may be |

#![warn(missing_docs)]

mod allow;
mod board;
mod call;
mod elf;
mod error;
mod layout;
mod library;
mod load;
mod load_error;
mod position;
mod reasons;
mod registry;
mod ruleset;
mod searcher;
mod sink;
mod symmetry;
mod tables;
mod text;
mod variant;
mod wire;

pub use allow::{AllowList, AllowListError};
pub use board::{Block, Board, Label, Piece, PieceShape, Point, PointShape};
pub use error::{CallError, Fault, FaultKind};
pub use load_error::LoadError;
pub use pentad_search::{
    Certainty, Control, Evaluation, Limits, Line, Report, Request, Scores, Source, StopReason, Wdl,
};
pub use position::Position;
pub use registry::{Loaded, Refused, bundled_dir, load_bundled, load_dir};
pub use ruleset::{Capabilities, Outcome, Played, Reason, Ruleset, RulesetInfo};
pub use searcher::Searcher;
pub use variant::{Seat, Variant};
