//! Pentago XL for two, three and four players.
//!
//! A 9 × 9 board of nine blocks, eight of which turn; five in a row wins.
//! The rules and notation are those of the page `pentago-xl.md`; where the page
//! is silent, the module that decides says so.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`board`] | colours, cells, turns, sets of cells |
//! | [`position`], [`moves`], [`variant`] | the words of the game |
//! | [`rules`] | legal moves, play, outcome |
//! | `notation`, `ruleset`, `help` | text, and the host's view |
//! | [`symmetry`], `layout` | the square's symmetries, the drawing |
//! | `lines`, `potential`, [`evaluate`] | what lines tell, and what a position looks like |
//! | `threats`, `scan`, `candidates` | fives at hand, moves that lose to the next one, moves worth a look |
//! | [`search`], `policy`, `game` | the search, and where it is asked from |
//! | `case`, `reasons` | why a move is good or bad |
//! | [`playout`] | random games at full speed |

#![forbid(unsafe_code)]

pub mod board;
mod candidates;
mod case;
pub mod evaluate;
mod game;
mod help;
mod layout;
mod lines;
pub mod moves;
mod notation;
pub mod playout;
mod policy;
pub mod position;
mod potential;
mod reasons;
pub mod rules;
mod ruleset;
mod scan;
pub mod search;
pub mod symmetry;
mod tables;
mod threats;
pub mod variant;

pub use board::{Cell, Cells, Colour, Turn};
pub use moves::Move;
pub use position::Position;
pub use rules::{Ending, Verdict};
pub use variant::{Aim, Contest};

/// The rules of one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PentagoXl {
    contest: Contest,
}

impl PentagoXl {
    /// The rules of a contest.
    pub fn of(contest: Contest) -> Self {
        PentagoXl { contest }
    }

    /// The contest whose rules these are.
    pub fn contest(&self) -> Contest {
        self.contest
    }
}
