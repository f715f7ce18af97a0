//! Pentago and its printed editions.
//!
//! Two players, a 6 × 6 board of four blocks that turn, five in a row wins.
//! The rules and notation are those of the page `pentago.md`; where the page is
//! silent, the module that decides says so.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`board`] | colours, cells, turns, sets of cells |
//! | [`position`], [`moves`], [`variant`] | the words of the game |
//! | [`rules`] | legal moves, play, outcome |
//! | `notation`, `ruleset`, `help` | text, and the host's view |
//! | [`symmetry`], `layout` | the square's symmetries, the drawing |
//! | `lines`, `threats`, `distinct`, [`evaluate`], `search`, `reasons` | what a position is worth and why |
//! | [`alphabeta`] | a search that follows threats to forced wins |
//! | [`book`], [`solver`], `endgames`, `exact`, `policy`, `solution` | exact openings and endings, and which way to an answer |
//! | [`playout`] | random games at full speed |

#![deny(unsafe_code)]

pub mod alphabeta;
pub mod board;
pub mod book;
mod distinct;
mod endgames;
pub mod evaluate;
mod exact;
mod help;
mod layout;
mod lines;
pub mod moves;
mod notation;
pub mod playout;
mod policy;
pub mod position;
mod reasons;
pub mod rules;
mod ruleset;
mod search;
mod solution;
pub mod solver;
pub mod symmetry;
mod tables;
mod threats;
pub mod variant;

pub use board::{Cell, Cells, Colour, Turn};
pub use moves::Move;
pub use position::Position;
pub use rules::Verdict;
pub use variant::Edition;

/// The rules of one edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pentago {
    edition: Edition,
}

impl Pentago {
    /// The rules of an edition.
    pub fn of(edition: Edition) -> Self {
        Pentago { edition }
    }

    /// The edition whose rules these are.
    pub fn edition(&self) -> Edition {
        self.edition
    }
}
