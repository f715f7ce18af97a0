//! The printed editions and their differences.

use pentad_sdk::{Seat, Variant};

/// A printed edition of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edition {
    /// The rules that most editions print.
    Standard,
    /// The turn may be skipped while a block is empty; if a turn makes five for both,
    /// the player who turned wins.
    Finnish,
    /// A five by turning may be answered with one more marble.
    Czech,
    /// Blocks are only turned clockwise.
    Clockwise,
}

impl Edition {
    /// All editions, in the order of the variants; the default first.
    pub const ALL: [Edition; 4] = [Edition::Standard, Edition::Finnish, Edition::Czech, Edition::Clockwise];

    /// Returns the variant id.
    pub fn id(self) -> &'static str {
        ["standard", "finnish", "czech", "clockwise"][self as usize]
    }

    /// Returns the number of turns that may follow a placement, without the skipped
    /// one.
    pub(crate) fn n_turns(self) -> u64 {
        if self == Edition::Clockwise { 4 } else { 8 }
    }
}

/// Returns the variants as callers see them.
///
/// Every ply but the pass fills a cell, so no game is longer than 36 plies. A
/// pass needs an empty cell and ends the game, so it does not add to that.
pub(crate) fn variants() -> Vec<Variant> {
    Edition::ALL.map(describe).into()
}

fn describe(edition: Edition) -> Variant {
    let (name, summary) = match edition {
        Edition::Standard => (
            "Standard",
            "The rules most editions print: place a marble, turn a block, five in a row wins, five for both is a draw.",
        ),
        Edition::Finnish => (
            "Finnish",
            "The Finnish sheet: the turn may be skipped while a block is empty, and of two fives by a turn that of the player who turned wins.",
        ),
        Edition::Czech => (
            "Czech",
            "The Czech and Slovak sheets: a five made by turning may be answered with one marble, and a five by that marble is a draw.",
        ),
        Edition::Clockwise => ("Clockwise", "The Basque sheet: blocks are only turned clockwise."),
    };
    let seats = vec![Seat { id: "w", name: "White", side: 0 }, Seat { id: "b", name: "Black", side: 1 }];
    Variant { id: edition.id(), name, summary, seats, plies_max: Some(36) }
}
