//! Pentago and its printed editions.
//!
//! Two players, a 6 × 6 board of four blocks that turn, five in a row wins. `RULES.md`
//! has the rules; modules document decisions that it leaves open.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`variant`] | the printed editions |
//! | [`board`] | colours, cells, turns, cell sets; lookup tables and lines of five |
//! | [`position`], [`moves`] | positions; moves, move generation, immediate wins |
//! | [`rules`] | legality, play, outcome |
//! | `notation`, `ruleset` | text, and the host's view with the help texts |
//! | `i18n`, `move_words` | messages, whose texts are in `i18n/`; moves in words |
//! | [`symmetry`], `layout`, `reasons`, `threats` | symmetries of the square, the drawing, explanations, wins in one |
//! | [`evaluate`] | the static evaluation and its weights |
//! | [`search`] | book, solver or alpha-beta: `impl Search`, and the search itself |
//! | [`solver`] | retrograde analysis of late positions |
//! | [`book`] | exact values of the opening |
//! | [`playout`] | random games at full speed |

#![deny(unsafe_code)]

pub mod board;
pub mod book;
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
pub mod solver;
pub mod symmetry;
mod threats;
pub mod variant;

pub use board::{Cell, Cells, Colour, Turn};
pub use moves::Move;
pub use position::Position;
pub use rules::GameResult;
pub use variant::Edition;

/// The rules of one edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pentago {
    edition: Edition,
}

impl Pentago {
    /// Returns the rules of an edition.
    pub fn of(edition: Edition) -> Self {
        Pentago { edition }
    }

    /// Returns the edition.
    pub fn edition(&self) -> Edition {
        self.edition
    }
}
