//! Pentago XL for two, three and four players.
//!
//! A 9 × 9 board of nine blocks, eight of which turn; five in a row wins.
//! `RULES.md` has the rules and the notation.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`variant`] | the six variants and their objectives |
//! | [`board`] | colours, cells, sets of cells, turns, lines of five, tables |
//! | [`position`], [`moves`] | the position and the move |
//! | [`rules`] | play, legality, outcome |
//! | `notation` | parsing and writing positions and moves |
//! | `i18n`, `move_words` | messages, whose texts are in `i18n/`; moves in words |
//! | `ruleset`, [`symmetry`], `layout`, `reasons`, `threats` | the traits of the SDK: rules and help texts, the square's symmetries, the drawing, why a move is good or bad, wins in one |
//! | [`evaluate`] | static evaluation by open lines |
//! | [`search`] | Monte-Carlo tree search with proofs |
//! | [`playout`] | random games at full speed |

#![forbid(unsafe_code)]

pub mod board;
pub mod evaluate;
mod i18n;
mod layout;
mod move_words;
pub mod moves;
mod notation;
pub mod playout;
pub mod position;
mod reasons;
pub mod rules;
mod ruleset;
pub mod search;
pub mod symmetry;
mod threats;
pub mod variant;

pub use board::{Cell, Cells, Colour, Turn};
pub use moves::Move;
pub use position::Position;
pub use rules::{EndReason, GameResult};
pub use variant::{Objective, Variant};

/// The rules of one variant; implements the SDK's traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PentagoXl {
    variant: Variant,
}

impl PentagoXl {
    /// Creates the rules of a variant.
    pub fn of(variant: Variant) -> Self {
        PentagoXl { variant }
    }

    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }
}
