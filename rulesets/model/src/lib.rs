//! The values that cross the ABI between Pentad and its rule sets, and their codec.
//!
//! The SDK writes what the host reads and vice versa, so both directions of a struct
//! are next to each other. Their names say which side is trusted:
//!
//! | name | called by | reads |
//! | --- | --- | --- |
//! | `to_abi`, `with_abi` | both | our own values |
//! | `from_plugin` | the host | arbitrary values: lengths are compared with the ABI's bounds before memory is read, text and numbers are checked, and a breach of the contract is a [`Violation`] |
//! | `from_host` | the SDK | what the header promises; a number that a later host may send has a default |
//!
//! | module | values |
//! | --- | --- |
//! | `variant`, `outcome`, `board` | variants and seats, how a game ended, the board as data |
//! | [`request`], `control`, [`report`], [`evaluation`] | searches: limits, callbacks, lines, scores |
//! | `reason`, `threat` | why a move is good or bad; wins in one |
//! | [`i18n`] | messages, templates and languages |
//! | `code`, [`text`], [`trusted`], `violation` | the codec: enums, untrusted and trusted memory, breaches of the contract |
//! | [`rng`] | seeded random numbers |
//!
//! `from_plugin` builds on [`text`], `from_host` on [`trusted`]. Search algorithms
//! over these values are in `pentad-search`. The host calls the functions of a plugin,
//! the SDK implements them.

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

/// Borrows texts in the ABI's form, readable as long as the strings are.
fn strs<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<pentad_abi::Str> {
    texts.into_iter().map(|text| pentad_abi::Str::new(text)).collect()
}
