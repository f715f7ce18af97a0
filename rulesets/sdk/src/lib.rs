//! Write a Pentad rule set in safe Rust.
//!
//! A game is one library crate that implements [`Ruleset`], and a crate of type
//! `cdylib` whose whole source is one line of [`export!`]. Each optional ability
//! is a trait ([`Search`], [`Symmetry`], [`Layout`], [`Reasons`], [`Threats`]) and a
//! word in that line. This crate implements the C ABI around them and catches panics: a
//! panic inside the game becomes a status and fails one request. That needs unwinding,
//! so `panic = "abort"` does not compile. The feature `testing` adds helpers for
//! the game's own tests.
//!
//! | module | content |
//! | --- | --- |
//! | `ruleset` | [`Ruleset`] and its types |
//! | `abilities`, `threats` | the optional abilities |
//! | [`board`], `grid_board` | colours, cells and sets of points; the drawing of a square board |
//! | [`notation`] | parsing and writing positions and moves |
//! | [`i18n`], `ranking` | translations; the reason for a move that has no other |
//! | `testing` | helpers for tests, behind the feature `testing` |
//! | `glue` | the C functions around a rule set |
//!
//! A whole game with a search, symmetry, drawing and reasons, and its tests, is
//! `examples/connect_four.rs`. The smallest one, by its rules alone:
//!
//! ```
//! use std::borrow::Cow;
//! use std::ops::ControlFlow;
//! use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Seat, Variant};
//!
//! /// Two players take one or two matches in turn; the player who takes the last one wins.
//! pub struct Matches;
//!
//! impl Ruleset for Matches {
//!     type Position = (u8, u8); // matches left, whose turn it is
//!     type Move = u8;
//!
//!     const INFO: Info = Info {
//!         id: "matches",
//!         name: "Matches",
//!         version: "1.0.0",
//!         rules: "Take one or two matches in turn. The player who takes the last one wins.",
//!         notation: "A position is the number of matches and the player, `7 a`; a move is `1` or `2`.",
//!     };
//!
//!     fn variants() -> Vec<Variant> {
//!         let seats = vec![Seat { id: "a", name: "Ann", side: 0 }, Seat { id: "b", name: "Bob", side: 1 }];
//!         vec![Variant { id: "seven", name: "Seven", summary: "Seven matches.", seats, plies_max: Some(9) }]
//!     }
//!     fn new(_variant_idx: usize) -> Self { Matches }
//!     fn position_size(&self) -> usize { 2 }
//!     fn encode(&self, position: &(u8, u8), bytes: &mut [u8]) { bytes.copy_from_slice(&[position.0, position.1]) }
//!     fn decode(&self, bytes: &[u8]) -> Option<(u8, u8)> {
//!         (bytes[0] <= 9 && bytes[1] < 2).then(|| (bytes[0], bytes[1]))
//!     }
//!     fn start(&self) -> (u8, u8) { (7, 0) }
//!     fn parse(&self, text: &str) -> Result<(u8, u8), Refusal> {
//!         let &[n @ b'0'..=b'9', b' ', side @ (b'a' | b'b')] = text.as_bytes() else {
//!             return Err(Refusal::malformed("matches", 1, "expected a digit and a player, as in `7 a`"));
//!         };
//!         Ok((n - b'0', side - b'a'))
//!     }
//!     fn format(&self, position: &(u8, u8), out: &mut String) {
//!         out.push_str(&format!("{} {}", position.0, ["a", "b"][usize::from(position.1)]));
//!     }
//!     fn to_move(&self, position: &(u8, u8)) -> usize { usize::from(position.1) }
//!     fn outcome(&self, position: &(u8, u8)) -> Option<Outcome> {
//!         let winner = 1 - usize::from(position.1);
//!         let text = format!("{} took the last match", ["Ann", "Bob"][winner]);
//!         (position.0 == 0).then(|| Outcome::of_two(Some(winner), text))
//!     }
//!     fn legal_moves(&self, position: &(u8, u8), visit: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
//!         (1..=position.0.min(2)).try_for_each(visit)
//!     }
//!     fn parse_move(&self, position: &(u8, u8), text: &str) -> Result<u8, Refusal> {
//!         match text {
//!             "1" => Ok(1),
//!             "2" if position.0 >= 2 => Ok(2),
//!             "2" => Err(Refusal::illegal("only one match is left")),
//!             _ => Err(Refusal::malformed("move", 1, "expected `1` or `2`")),
//!         }
//!     }
//!     fn move_text(&self, _position: &(u8, u8), mv: &u8) -> Cow<'static, str> { mv.to_string().into() }
//!     fn play(&self, position: &(u8, u8), mv: &u8) -> (u8, u8) { (position.0 - mv, 1 - position.1) }
//! }
//!
//! // In the cdylib crate, this is the whole source:
//! pentad_sdk::export!(Matches);
//!
//! assert_eq!(ruleset_entry.magic, pentad_sdk::abi::MAGIC);
//! ```

#![warn(missing_docs)]

#[cfg(panic = "abort")]
compile_error!("a rule set must unwind: with panic = \"abort\" a panic would end the whole server");

mod abilities;
pub mod board;
#[doc(hidden)]
pub mod glue;
mod grid_board;
pub mod i18n;
pub mod notation;
mod ranking;
mod ruleset;
#[cfg(feature = "testing")]
pub mod testing;
mod threats;

pub use abilities::{
    Block, Board, Label, Layout, MoveText, Piece, PieceShape, Point, PointShape, Reason, ReasonCode, Reasons,
    Resources, Search, Symmetry, code_with_points, code_without_points,
};
pub use board::Colour;
pub use grid_board::grid_board;
pub use pentad_abi as abi;
pub use pentad_model::{
    Certainty, Control, CorrectedReports, Evaluation, Limits, Line, NeverStop, Report, Request, SEATS_MAX, Scores,
    Source, StopReason, Wdl, estimated, rng,
};
pub use pentad_search as search;
pub use ranking::{RANKING_TRANSLATIONS, explain_ranking};
pub use ruleset::{Info, Outcome, Refusal, RefusalKind, Ruleset, Seat, Variant};
pub use threats::{GiveStoppingMove, StoppingMove, Threat, ThreatKey, ThreatKind, Threats, threat_kind};

/// Exports a [`Ruleset`] as the plugin of this `cdylib` crate.
///
/// Optional abilities follow a colon:
/// `export!(pentago::Pentago: search, symmetry, layout, reasons, threats, move_text)`.
#[macro_export]
macro_rules! export {
    ($ruleset:ty $(: $($ability:ident),+ $(,)?)?) => {
        #[cfg(panic = "abort")]
        compile_error!("a rule set must unwind: with panic = \"abort\" a panic would end the whole server");

        /// Connects the generic C functions to the instances of this rule set.
        struct ExportedPlugin;

        impl $crate::glue::Plugin for ExportedPlugin {
            type Rules = $ruleset;

            fn instances() -> &'static $crate::glue::Instances<$ruleset> {
                static INSTANCES: ::std::sync::OnceLock<$crate::glue::Instances<$ruleset>> =
                    ::std::sync::OnceLock::new();
                INSTANCES.get_or_init($crate::glue::Instances::build)
            }

            fn extension(id: &[u8]) -> *const ::std::ffi::c_void {
                $($(
                    if let Some(found) = $crate::export!(@ability $ability)(id) {
                        return found;
                    }
                )+)?
                $crate::glue::rules::extension::<Self>(id).unwrap_or(::std::ptr::null())
            }
        }

        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals, missing_docs, reason = "the name is the ABI's")]
        pub static ruleset_entry: $crate::abi::Entry = $crate::glue::entry::<ExportedPlugin>();
    };
    (@ability search) => { $crate::glue::search::extension::<Self> };
    (@ability symmetry) => { $crate::glue::symmetry::extension::<Self> };
    (@ability layout) => { $crate::glue::layout::extension::<Self> };
    (@ability reasons) => { $crate::glue::reasons::extension::<Self> };
    (@ability move_text) => { $crate::glue::move_text::extension::<Self> };
    (@ability threats) => { $crate::glue::threats::extension::<Self> };
}
