//! What the search passes from node to node: a value and the facts behind it.
//!
//! A value beyond ±[`WIN_MIN`] is a proven win or loss. Its distance is that of
//! the proof found, which need not be the shortest one; making distances true
//! is the work of [`mates`](super::mates). Estimates stay far inside, so the
//! two never mix. A proven draw cannot be told from an even estimate by its
//! number, hence [`Facts`], which follow from facts alone and so hold whatever
//! window, depth or reduction found them.

use pentad_sdk::Wdl;
pub(crate) use pentad_sdk::search::Facts;

/// A win here and now; one in `n` plies is worth `WIN - n`.
pub(crate) const WIN: i32 = 32_000;
/// Anything from here on is a win.
pub(crate) const WIN_MIN: i32 = 30_000;
/// Above every value.
pub(crate) const INFINITE: i32 = 32_100;
/// Estimates are held within this.
pub(crate) const ESTIMATE_MAX: i32 = 20_000;
/// The distance of a proof that names none. No game is that long.
pub(crate) const FAR: i32 = 1_000;

/// The result of searching a position, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) value: i32,
    pub(crate) facts: Facts,
}

impl Found {
    pub(crate) const DRAW: Found = Found { value: 0, facts: Facts::DRAW };
    /// Of a search that was stopped; nobody looks at it.
    pub(crate) const NOTHING: Found = Found { value: 0, facts: Facts::NONE };

    pub(crate) fn win(plies: u32) -> Self {
        Found { value: WIN - plies as i32, facts: Facts::HOLDS }
    }

    pub(crate) fn loss(plies: u32) -> Self {
        Found { value: plies as i32 - WIN, facts: Facts::HELD }
    }

    pub(crate) fn estimate(value: i32) -> Self {
        Found { value, facts: Facts::NONE }
    }

    /// A proof without a distance.
    pub(crate) fn known(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Win => Found::win(FAR as u32),
            Wdl::Draw => Found::DRAW,
            Wdl::Loss => Found::loss(FAR as u32),
        }
    }

    /// The same as the side that moved before sees it, one ply earlier.
    pub(crate) fn seen_from_parent(self) -> Self {
        let aged = self.value - i32::from(is_win(self.value)) + i32::from(is_loss(self.value));
        Found { value: -aged, facts: self.facts.flipped() }
    }

    pub(crate) fn is_decided(self) -> bool {
        is_win(self.value) || is_loss(self.value)
    }
}

pub(crate) fn is_win(value: i32) -> bool {
    value >= WIN_MIN
}

pub(crate) fn is_loss(value: i32) -> bool {
    value <= -WIN_MIN
}

/// The distance of a win or loss, if its proof names one.
pub(crate) fn plies(value: i32) -> Option<u32> {
    let plies = WIN - value.abs();
    (0..FAR / 2).contains(&plies).then_some(plies as u32)
}
