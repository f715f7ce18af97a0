//! Pentaflip: five in a row on a board of panels that flip over.
//!
//! Two players, 22 rings each, a two-sided 6 × 6 board of four panels. The
//! rules and the notation are those of `RULES.md`.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`board`] | colours, cells, rings, spots, lines of five, flips, lookup tables |
//! | [`position`], [`moves`] | the position, the move, and move generation |
//! | [`rules`] | legality, play, outcome |
//! | `notation` | parsing and writing positions and moves |
//! | `i18n`, `move_words` | messages, whose texts are in `i18n/`; moves in words |
//! | `ruleset`, `symmetry`, `layout`, `reasons`, `threats` | implementations of the SDK's traits |
//! | [`evaluate`] | static evaluation |
//! | [`search`] | the game's own alpha-beta search, and its use of the book |
//! | [`book`] | the opening book |
//! | [`playout`] | random games |

#![forbid(unsafe_code)]

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
mod symmetry;
mod threats;

pub use board::{Cell, Colour, Flip, Holes, Rings, Spots};
pub use moves::Move;
pub use position::Position;
pub use rules::GameResult;

/// The rules. There is one variant, so there is nothing to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentaflip;
