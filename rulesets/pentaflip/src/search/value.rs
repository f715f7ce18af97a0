//! What the search passes from node to node: a value and what it rests on.
//!
//! A value beyond ±[`WIN_MIN`] is a proven win or loss. Its distance is that of
//! the proof found, which need not be the shortest one; making distances true
//! is the work of [`mates`](super::mates). Estimates stay far inside, so the
//! two never mix.
//!
//! A drawn value cannot be told from an even estimate by its number, hence
//! [`Facts`]. They follow from ends of the game alone, never from a repetition,
//! and so hold on whatever path, with whatever window or reduction they were
//! found. Since the rules know no draw by repetition, one that can only be had
//! by going round in circles is never called proven.

pub(crate) use pentad_sdk::search::Facts;

use crate::state::End;

/// A win here and now; one in `n` plies is worth `WIN - n`.
pub(crate) const WIN: i32 = 32_000;
/// Anything from here on is a win.
pub(crate) const WIN_MIN: i32 = 30_000;
/// Above every value.
pub(crate) const INFINITE: i32 = 32_100;
/// Estimates are held within this.
pub(crate) const ESTIMATE_MAX: i32 = 20_000;
/// What the side that is asked for a move adds to every estimate: it plays on
/// where it stands a little worse, rather than to go round in circles or to
/// bring up five for both. Opponents err more often than proofs do. Reports
/// take it off again. More of it gives no more points against plain UCT: 200
/// where the side to move stands better scored 78 % with white in 60 games and
/// lost two, 50 scored 79 % in 60 and lost none (with no openings learnt).
pub(crate) const OPTIMISM: i32 = 50;

/// No position above matters; see [`Found::anchor`].
pub(crate) const UNANCHORED: usize = usize::MAX;

/// The result of searching a state, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) value: i32,
    pub(crate) facts: Facts,
    /// The lowest ply of the path that a repetition below leads back to. If it
    /// lies above the node, the value holds on this path only.
    pub(crate) anchor: usize,
}

impl Found {
    pub(crate) const DRAW: Found = Found { value: 0, facts: Facts::DRAW, anchor: UNANCHORED };
    /// Of a search that was stopped; nobody looks at it.
    pub(crate) const NOTHING: Found = Found { value: 0, facts: Facts::NONE, anchor: UNANCHORED };

    pub(crate) fn win(plies: u32) -> Self {
        Found { value: WIN - plies as i32, facts: Facts::HOLDS, anchor: UNANCHORED }
    }

    pub(crate) fn loss(plies: u32) -> Self {
        Found { value: plies as i32 - WIN, facts: Facts::HELD, anchor: UNANCHORED }
    }

    pub(crate) fn estimate(value: i32) -> Self {
        Found { value, facts: Facts::NONE, anchor: UNANCHORED }
    }

    /// The state was there before, at that ply: even, as far as anybody knows.
    pub(crate) fn repeated(anchor: usize) -> Self {
        Found { value: 0, facts: Facts::NONE, anchor }
    }

    /// The end of the game, for the side that made the last move.
    pub(crate) fn over(end: End) -> Self {
        match end {
            End::Won => Found::win(1),
            End::Drawn => Found::DRAW,
            End::Lost => Found::loss(1),
        }
    }

    /// The same as the side that moved before sees it, one ply earlier.
    pub(crate) fn seen_from_parent(self) -> Self {
        let aged = self.value - i32::from(is_win(self.value)) + i32::from(is_loss(self.value));
        Found { value: -aged, facts: self.facts.flipped(), ..self }
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

/// The distance of a win or loss.
pub(crate) fn plies(value: i32) -> u32 {
    (WIN - value.abs()) as u32
}
