//! Pentagame: the race on the star, for two to four players.
//!
//! Each player has five figures that start on the corners of a pentagram and
//! want to reach the crossings opposite; three of them out win. The rules and
//! notation are those of the page `pentagame.md`; where the page is silent, the
//! module that decides says so.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`stop`], [`stops`], `lines`, [`figure`] | the board: stops and their names, sets of them, lines, figures |
//! | [`position`], [`moves`], `variant` | the words of the game |
//! | `rules`, `reach` | legal moves, play, how a game ends; where a figure can go |
//! | `list`, `sinks`, `stages` | all moves in order, by prefix, by number; one choice at a time |
//! | `notation`, `move_text`, `reader`, `ruleset`, `help` | text, and the host's view |
//! | `symmetry`, `layout` | the pentagon's symmetries, the drawing |
//! | `ways`, `race`, [`evaluate`], `weights` | obstacles, moves needed, and what they are worth |
//! | `finish`, `settle` | the last turns of a game, exactly |
//! | `places`, `candidates` | blocks and moves worth a look |
//! | [`alphabeta`], `many`, `policy` | the searches for two and for more, and which is used |
//! | `reasons` | why a move is good or bad |

#![forbid(unsafe_code)]

pub mod alphabeta;
mod candidates;
pub mod evaluate;
pub mod figure;
mod finish;
mod help;
mod layout;
mod lines;
mod list;
mod many;
mod move_text;
pub mod moves;
mod notation;
mod places;
mod policy;
pub mod position;
mod race;
mod reach;
mod reader;
mod reasons;
mod rules;
mod ruleset;
mod settle;
mod sinks;
mod stages;
pub mod stop;
pub mod stops;
mod symmetry;
mod variant;
mod ways;
mod weights;

pub use figure::Figure;
pub use moves::{Grey, Move};
pub use position::Position;
pub use stop::Stop;
pub use stops::Stops;

/// The rules for a number of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pentagame {
    n_seats: usize,
}

impl Pentagame {
    /// The rules for two, three or four players.
    ///
    /// # Panics
    /// For any other number.
    pub fn for_players(n_seats: usize) -> Self {
        assert!((2..=figure::SEATS_MAX).contains(&n_seats), "{n_seats} players, want 2 to 4");
        Pentagame { n_seats }
    }
}
