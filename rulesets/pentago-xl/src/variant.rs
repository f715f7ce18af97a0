//! The variants and their objectives.

use pentad_sdk::Seat;

use crate::board::Colour;

/// A variant of Pentago XL. The SDK's type of the same name describes one to
/// callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
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

/// The goal of the players of a variant; decides how a game ends and is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The first to have five wins, and the game is over.
    FirstFive,
    /// A player with five has finished; the others play on for the remaining places.
    Places,
    /// As for [`FirstFive`](Objective::FirstFive), but two players win together.
    Team,
}

impl Variant {
    /// All variants in the order that callers see, the default first.
    pub const ALL: [Variant; 6] =
        [Variant::Ffa4, Variant::Ffa3, Variant::Ffa2, Variant::Places4, Variant::Places3, Variant::Teams];

    /// Returns the identifier that callers send.
    pub fn id(self) -> &'static str {
        ["ffa4", "ffa3", "ffa2", "places4", "places3", "teams"][self as usize]
    }

    /// Returns the number of players.
    #[inline]
    pub fn n_seats(self) -> usize {
        [4, 3, 2, 4, 3, 4][self as usize]
    }

    /// Returns the goal of its players.
    #[inline]
    pub fn objective(self) -> Objective {
        match self {
            Variant::Ffa2 | Variant::Ffa3 | Variant::Ffa4 => Objective::FirstFive,
            Variant::Places3 | Variant::Places4 => Objective::Places,
            Variant::Teams => Objective::Team,
        }
    }

    /// Iterates over the players in playing order.
    #[inline]
    pub fn colours(self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().take(self.n_seats())
    }

    /// Returns the side that a seat plays for.
    #[inline]
    pub fn side_of(self, seat: usize) -> usize {
        if self == Variant::Teams { seat % 2 } else { seat }
    }

    /// Returns whether there are two sides, so that one wins what the other loses.
    #[inline]
    pub fn is_two_sided(self) -> bool {
        matches!(self, Variant::Ffa2 | Variant::Teams)
    }
}

/// Describes the variants to callers.
///
/// Every ply fills a cell, so no game is longer than 81 plies.
pub(crate) fn variants() -> Vec<pentad_sdk::Variant> {
    Variant::ALL.map(describe).into()
}

fn describe(variant: Variant) -> pentad_sdk::Variant {
    let (name, summary) = match variant {
        Variant::Ffa2 => ("Two players", "Each for themselves: the first five in a row wins."),
        Variant::Ffa3 => ("Three players", "Each for themselves: the first five in a row wins, and the others lose."),
        Variant::Ffa4 => ("Four players", "Each for themselves: the first five in a row wins, and the others lose."),
        Variant::Places3 => (
            "Three players, all places",
            "Who has five in a row has finished, and the others play on for the places that are left.",
        ),
        Variant::Places4 => (
            "Four players, all places",
            "Who has five in a row has finished, and the others play on for the places that are left.",
        ),
        Variant::Teams => (
            "Two teams",
            "Red and Green against Yellow and Blue: five in a row of one colour wins for both players of its team.",
        ),
    };
    let seat = |colour: Colour| Seat {
        id: ["r", "y", "g", "b"][colour as usize],
        name: colour.name(),
        side: variant.side_of(colour as usize) as u32,
    };
    pentad_sdk::Variant {
        id: variant.id(),
        name,
        summary,
        seats: variant.colours().map(seat).collect(),
        plies_max: Some(81),
    }
}
