//! What alpha-beta passes from node to node: a value and the facts behind it.
//!
//! A value beyond ±[`WIN_MIN`] is a win or loss with its distance and comes
//! only from the rules; estimates stay within ±[`ESTIMATE_MAX`], so the two
//! never mix. A drawn value cannot be told from an even estimate by its number,
//! hence [`Facts`]: what is proven about win, draw and loss. Facts follow from
//! facts alone and so hold whatever window, depth or reduction found them.

use crate::alphabeta::facts::Facts;
use crate::game::win_probability;
use crate::report::{Certainty, Evaluation, Scores, Source, Wdl, estimated};

/// A win here and now; one in `n` turns is worth `WIN - n`.
pub const WIN: i32 = 32_000;
/// Anything from here on is a win.
pub const WIN_MIN: i32 = 30_000;
/// Above every value.
pub const INFINITE: i32 = 32_100;
/// Estimates are held within this.
pub const ESTIMATE_MAX: i32 = 20_000;

/// The node depends on no position above it; see [`Found::anchor`].
pub(crate) const UNANCHORED: u32 = u32::MAX;

/// The result of searching a position, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is worth.
    pub value: i32,
    /// What of that is proven.
    pub facts: Facts,
    /// The lowest index on the current path that a repetition below leads back
    /// to. The value depends on the path if that lies above the node.
    pub anchor: u32,
}

impl Found {
    /// A proven draw.
    pub const DRAW: Found = Found::new(0, Facts::DRAW);
    /// Of a search that was stopped; nobody looks at it.
    pub const NOTHING: Found = Found::new(0, Facts::NONE);

    /// A value that depends on no path.
    #[inline]
    pub const fn new(value: i32, facts: Facts) -> Self {
        Found { value, facts, anchor: UNANCHORED }
    }

    /// A win in so many plies.
    #[inline]
    pub fn win(plies: u32) -> Self {
        Found::new(WIN - plies as i32, Facts::HOLDS)
    }

    /// A loss in so many plies.
    #[inline]
    pub fn loss(plies: u32) -> Self {
        Found::new(plies as i32 - WIN, Facts::HELD)
    }

    /// A value of which nothing is proven.
    #[inline]
    pub fn estimate(value: i32) -> Self {
        Found::new(value, Facts::NONE)
    }

    /// The position was there before, at that index of the path: even, as far
    /// as anybody knows.
    #[inline]
    pub fn repeated(path_idx: usize) -> Self {
        Found { value: 0, facts: Facts::NONE, anchor: path_idx as u32 }
    }

    /// The end of the game, for the side that made the last move.
    pub(crate) fn over(score: f64) -> Self {
        match Wdl::of_score(score) {
            Wdl::Win => Found::win(1),
            Wdl::Draw => Found::DRAW,
            Wdl::Loss => Found::loss(1),
        }
    }

    /// The same as the side that moved before sees it, one ply earlier.
    #[inline]
    #[must_use]
    pub fn seen_from_parent(self) -> Self {
        Found { value: -aged(self.value), facts: self.facts.flipped(), anchor: self.anchor }
    }

    /// Whether it is a win or a loss.
    #[inline]
    pub fn is_decided(self) -> bool {
        is_decided(self.value)
    }

    /// Whether it holds on this path only, at that index of it.
    #[inline]
    pub fn rests_above(self, path_idx: usize) -> bool {
        self.anchor < path_idx as u32
    }

    /// As the node at that index hands it up: what leads back to the node
    /// itself does so on every path.
    #[inline]
    #[must_use]
    pub fn handed_up(self, path_idx: usize) -> Self {
        if self.rests_above(path_idx) { self } else { Found { anchor: UNANCHORED, ..self } }
    }
}

/// Whether a value is a win.
#[inline]
pub fn is_win(value: i32) -> bool {
    value >= WIN_MIN
}

/// Whether a value is a loss.
#[inline]
pub fn is_loss(value: i32) -> bool {
    value <= -WIN_MIN
}

/// Whether a value is either.
#[inline]
pub fn is_decided(value: i32) -> bool {
    is_win(value) || is_loss(value)
}

/// The distance of a win or loss.
#[inline]
pub fn plies(value: i32) -> u32 {
    (WIN - value.abs()) as u32
}

/// A value one turn earlier: wins and losses are further away.
#[inline]
pub fn aged(value: i32) -> i32 {
    value - i32::from(is_win(value)) + i32::from(is_loss(value))
}

/// A bound of the parent as the child has to meet it; undoes the ageing.
#[inline]
pub fn unaged(bound: i32) -> i32 {
    bound + i32::from(is_win(bound)) - i32::from(is_loss(bound))
}

/// A value in the words of a report, with its distance where that is known.
/// `scores` makes the scores of all seats from that of the side to move.
pub fn evaluation(
    value: i32,
    facts: Facts,
    plies_to_end: Option<u32>,
    depth: u32,
    scores: impl FnOnce(f64) -> Scores,
) -> Evaluation {
    let (outcome, score) = if is_win(value) {
        (Some(Wdl::Win), 1.0)
    } else if is_loss(value) {
        (Some(Wdl::Loss), 0.0)
    } else if facts == Facts::DRAW {
        (Some(Wdl::Draw), 0.5)
    } else {
        (None, estimated(win_probability(value)))
    };
    Evaluation {
        certainty: if outcome.is_some() { Certainty::Proven } else { Certainty::Estimate },
        outcome,
        plies_to_end,
        scores: scores(score),
        source: if depth == 0 && outcome.is_none() { Source::Static } else { Source::Search },
        depth,
    }
}
