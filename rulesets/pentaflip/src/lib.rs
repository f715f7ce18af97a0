//! Pentaflip: five in a row on a board of panels that flip over.
//!
//! Two players, 22 rings each, a two-sided 6 × 6 board of four panels. The
//! rules and notation are those of the page `pentaflip.md`; where the page is
//! silent, the module that decides says so.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`board`], [`flip`] | colours, cells, rings, spots, and what turns over |
//! | [`position`], [`moves`] | the words of the game |
//! | [`rules`] | legal moves, play, outcome |
//! | `notation`, `ruleset`, `help` | text, and the host's view |
//! | [`symmetry`], `layout` | the square's symmetries, the drawing |
//! | `state`, `lines`, `threats`, [`evaluate`] | what the side to move has, and what it is worth |
//! | [`search`], [`openings`], `policy` | a search that follows threats to forced wins, what play taught of the first moves, and how both are asked |
//! | `reasons` | why a move is good or bad |
//! | `game` | the view of the general searches |
//! | [`playout`] | random games at full speed |

#![forbid(unsafe_code)]

pub mod board;
pub mod evaluate;
pub mod flip;
mod game;
mod help;
mod layout;
mod lines;
pub mod moves;
mod notation;
pub mod openings;
pub mod playout;
mod policy;
pub mod position;
mod reasons;
pub mod rules;
mod ruleset;
pub mod search;
mod state;
pub mod symmetry;
mod tables;
mod threats;

pub use board::{Cell, Colour, Holes, Rings, Spots};
pub use flip::Flip;
pub use moves::Move;
pub use position::Position;
pub use rules::Verdict;

/// The rules. There is one variant, so they hold nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentaflip;
