//! The values that cross the ABI between Pentad and its rule sets, and their one
//! codec.
//!
//! The SDK writes what the host reads, and the other way round, so both directions
//! of a struct stand next to each other. Their names say who is trusted:
//!
//! | name | called by | reads |
//! | --- | --- | --- |
//! | `to_abi`, `with_abi` | both | our own values |
//! | `from_plugin` | the host | anything: lengths are compared with the ABI's bounds before memory is read, text and numbers are checked, and a breach of the contract is a [`Violation`] |
//! | `from_host` | the SDK | what the header promises; a number that a later host may send has a default |
//!
//! The first of the readers builds on [`text`], the second on [`trusted`].
//! Search algorithms over these values are in `pentad-search`. Calling the functions
//! of a plugin belongs to the host, implementing them to the SDK.

#![warn(missing_docs)]

mod board;
mod code;
mod control;
pub mod evaluation;
pub mod i18n;
mod outcome;
mod reason;
pub mod report;
pub mod request;
pub mod rng;
pub mod text;
mod threat;
pub mod trusted;
mod variant;
mod violation;

pub use board::{Block, Board, BoardTables, Label, Piece, PieceShape, Point, PointShape};
pub use control::{Control, CorrectedReports, NeverStop};
pub use evaluation::{Certainty, Evaluation, SEATS_MAX, Scores, Seating, Source, Wdl, estimated};
pub use outcome::Outcome;
pub use reason::{Reason, ReasonCode};
pub use report::{Line, Report, StopReason};
pub use request::{Limits, Request};
pub use threat::{Threat, ThreatBounds, ThreatKey, ThreatKind};
pub use variant::{Seat, Variant};
pub use violation::{FaultKind, Violation};

/// Texts in the ABI's form, readable as long as the strings are.
fn strs<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<pentad_abi::Str> {
    texts.into_iter().map(|text| pentad_abi::Str::new(text)).collect()
}
