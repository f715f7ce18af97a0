//! Pentagame: the race on the star, for two to four players.
//!
//! Each player has five figures that start on the corners of a pentagram and
//! race to the crossings opposite; three figures out win. `RULES.md` is the rule
//! page; where it is silent, the module that decides documents the choice.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `variant` | two, three or four players |
//! | [`board`] | stops, sets of stops, lines, figures; reach and path costs |
//! | [`position`], [`moves`] | a position, a move |
//! | `movegen` | move generation: complete, by prefix, counted, staged |
//! | `rules` | play, legality, outcome |
//! | `notation` | text for positions and moves |
//! | `i18n`, `move_words` | messages, whose texts are in `i18n/`; moves in words |
//! | `ruleset`, `symmetry`, `layout`, `reasons`, `threats` | what the host calls, one SDK trait each |
//! | [`evaluate`] | static evaluation: the race, its features and their weights |
//! | [`search`] | alpha-beta for two players, Monte-Carlo tree search for more, exact endgames |

#![forbid(unsafe_code)]

pub mod board;
pub mod evaluate;
mod i18n;
mod layout;
mod move_words;
mod movegen;
pub mod moves;
mod notation;
pub mod position;
mod reasons;
mod rules;
mod ruleset;
pub mod search;
mod symmetry;
mod threats;
mod variant;

pub use board::{Figure, Stop, Stops};
pub use moves::{Grey, Move};
pub use position::Position;

/// The rules for a number of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pentagame {
    n_seats: usize,
}

impl Pentagame {
    /// Creates the rules for two, three or four players.
    ///
    /// # Panics
    /// For any other number.
    pub fn for_players(n_seats: usize) -> Self {
        assert!((2..=board::SEATS_MAX).contains(&n_seats), "{n_seats} players, want 2 to 4");
        Pentagame { n_seats }
    }

    /// Returns the number of players.
    pub fn n_seats(&self) -> usize {
        self.n_seats
    }
}
