//! The ways to play for it, and how each of them scores.

use pentad_sdk::{Seat, Variant};

use crate::board::Colour;

/// One way of playing Pentago XL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contest {
    /// Four players, the first five wins.
    Ffa4,
    /// Three players, the first five wins.
    Ffa3,
    /// Two players, the first five wins.
    Ffa2,
    /// Four players play for all places.
    Places4,
    /// Three players play for all places.
    Places3,
    /// Red and green against yellow and blue.
    Teams,
}

/// What a game is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The first to have five wins, and the game is over.
    First,
    /// The others play on for the places that are left.
    Places,
    /// As for [`First`](Aim::First), but two players win together.
    Team,
}

impl Contest {
    /// In the order that callers see; the default first.
    pub const ALL: [Contest; 6] =
        [Contest::Ffa4, Contest::Ffa3, Contest::Ffa2, Contest::Places4, Contest::Places3, Contest::Teams];

    /// As callers name it.
    pub fn id(self) -> &'static str {
        ["ffa4", "ffa3", "ffa2", "places4", "places3", "teams"][self as usize]
    }

    /// Players at the board.
    #[inline]
    pub fn n_seats(self) -> usize {
        [4, 3, 2, 4, 3, 4][self as usize]
    }

    /// What it is played for.
    #[inline]
    pub fn aim(self) -> Aim {
        match self {
            Contest::Ffa2 | Contest::Ffa3 | Contest::Ffa4 => Aim::First,
            Contest::Places3 | Contest::Places4 => Aim::Places,
            Contest::Teams => Aim::Team,
        }
    }

    /// The players, in playing order.
    pub fn colours(self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().take(self.n_seats())
    }

    /// The side that a seat plays for.
    #[inline]
    pub fn side_of(self, seat: usize) -> usize {
        if self == Contest::Teams { seat % 2 } else { seat }
    }

    /// Whether there are two sides, so that what one wins the other loses.
    #[inline]
    pub fn is_two_sided(self) -> bool {
        matches!(self, Contest::Ffa2 | Contest::Teams)
    }
}

/// The variants as callers see them.
///
/// Every ply fills a cell, so no game is longer than 81 plies.
pub(crate) fn variants() -> Vec<Variant> {
    Contest::ALL.map(describe).into()
}

fn describe(contest: Contest) -> Variant {
    let (name, summary) = match contest {
        Contest::Ffa2 => ("Two players", "Each for themselves: the first five in a row wins."),
        Contest::Ffa3 => ("Three players", "Each for themselves: the first five in a row wins, and the others lose."),
        Contest::Ffa4 => ("Four players", "Each for themselves: the first five in a row wins, and the others lose."),
        Contest::Places3 => (
            "Three players, all places",
            "Who has five in a row has finished, and the others play on for the places that are left.",
        ),
        Contest::Places4 => (
            "Four players, all places",
            "Who has five in a row has finished, and the others play on for the places that are left.",
        ),
        Contest::Teams => (
            "Two teams",
            "Red and Green against Yellow and Blue: five in a row of one colour wins for both players of its team.",
        ),
    };
    let seat = |colour: Colour| Seat {
        id: ["r", "y", "g", "b"][colour as usize],
        name: colour.name(),
        side: contest.side_of(colour as usize) as u32,
    };
    Variant { id: contest.id(), name, summary, seats: contest.colours().map(seat).collect(), plies_max: Some(81) }
}
