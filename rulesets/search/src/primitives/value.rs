//! Values of nodes, and what is proven about them.
//!
//! A value beyond ±[`WIN_MIN`] is a win or loss with its distance and comes only from
//! the rules; estimates stay within ±[`ESTIMATE_MAX`], so the two never mix. The number
//! 0 does not distinguish a draw from an even estimate, hence [`Proven`].

use crate::game::win_probability;
use crate::primitives::proven::Proven;
use crate::primitives::transposition_table::{Bound, Entry};
use pentad_model::{Certainty, Evaluation, Scores, Source, Wdl, estimated};

/// A win on the spot; one in `n` turns is worth `WIN - n`.
pub const WIN: i32 = 32_000;
/// Values from here on are wins.
pub const WIN_MIN: i32 = 30_000;
/// Above every value.
pub const INFINITE: i32 = 32_100;
/// Limit of estimates.
pub const ESTIMATE_MAX: i32 = 20_000;

/// The result depends on no position above the node; see [`NodeResult::anchor`].
pub(crate) const UNANCHORED: u32 = u32::MAX;

/// The result of searching a position, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeResult {
    /// Its value.
    pub value: i32,
    /// What is proven about it.
    pub proven: Proven,
    /// The lowest index on the current path that a repetition below the node returns
    /// to. The value depends on the path if that index is above the node.
    pub anchor: u32,
}

impl NodeResult {
    /// A proven draw.
    pub const DRAW: NodeResult = NodeResult::new(0, Proven::DRAW);
    /// The result of a stopped search; callers discard it.
    pub const ABORTED: NodeResult = NodeResult::new(0, Proven::NONE);

    /// Creates a result that depends on no path.
    #[inline]
    pub const fn new(value: i32, proven: Proven) -> Self {
        NodeResult { value, proven, anchor: UNANCHORED }
    }

    /// Returns a win in `plies`.
    #[inline]
    pub fn win(plies: u32) -> Self {
        NodeResult::new(WIN - plies as i32, Proven::NOT_LOST)
    }

    /// Returns a loss in `plies`.
    #[inline]
    pub fn loss(plies: u32) -> Self {
        NodeResult::new(plies as i32 - WIN, Proven::NOT_WON)
    }

    /// Returns a value about which nothing is proven.
    #[inline]
    pub fn estimate(value: i32) -> Self {
        NodeResult::new(value, Proven::NONE)
    }

    /// Returns the even estimate of a repetition of the position at an index of the
    /// path.
    #[inline]
    pub fn repetition(path_idx: usize) -> Self {
        NodeResult { value: 0, proven: Proven::NONE, anchor: path_idx as u32 }
    }

    /// Returns a proven result in `plies`, which a draw ignores.
    #[inline]
    pub fn proven(wdl: Wdl, plies: u32) -> Self {
        match wdl {
            Wdl::Win => NodeResult::win(plies),
            Wdl::Draw => NodeResult::DRAW,
            Wdl::Loss => NodeResult::loss(plies),
        }
    }

    /// Returns the result of a finished game, for the side that made the last move.
    #[inline]
    pub fn terminal(wdl: Wdl) -> Self {
        NodeResult::proven(wdl, 1)
    }

    /// Returns the result for the parent node: negated and one ply further away.
    #[inline]
    #[must_use]
    pub fn for_parent(self) -> Self {
        NodeResult { value: -one_ply_further(self.value), proven: self.proven.flipped(), anchor: self.anchor }
    }

    /// Returns the table entry of the result.
    #[inline]
    pub fn to_entry(self, bound: Bound, depth: i32, move_idx: Option<usize>) -> Entry {
        Entry {
            value: self.value,
            depth: depth.clamp(0, 255) as u8,
            bound,
            proven: self.proven,
            move_idx: move_idx.and_then(|idx| u16::try_from(idx).ok()).unwrap_or(Entry::NO_MOVE),
        }
    }

    /// Returns whether it is a win or a loss.
    #[inline]
    pub fn is_decided(self) -> bool {
        is_decided(self.value)
    }

    /// Returns whether it depends on the path above an index.
    #[inline]
    pub fn depends_on_path(self, path_idx: usize) -> bool {
        self.anchor < path_idx as u32
    }

    /// Returns the result of the node at an index of the path: a repetition of the node
    /// itself holds on every path.
    #[inline]
    #[must_use]
    pub fn without_own_anchor(self, path_idx: usize) -> Self {
        if self.depends_on_path(path_idx) { self } else { NodeResult { anchor: UNANCHORED, ..self } }
    }
}

/// Returns whether a value is a win.
#[inline]
pub fn is_win(value: i32) -> bool {
    value >= WIN_MIN
}

/// Returns whether a value is a loss.
#[inline]
pub fn is_loss(value: i32) -> bool {
    value <= -WIN_MIN
}

/// Returns whether a value is either.
#[inline]
pub fn is_decided(value: i32) -> bool {
    is_win(value) || is_loss(value)
}

/// Returns the distance of a win or loss.
#[inline]
pub fn plies(value: i32) -> u32 {
    (WIN - value.abs()) as u32
}

/// Returns a value seen from one turn earlier: wins and losses are further away.
#[inline]
pub fn one_ply_further(value: i32) -> i32 {
    value - i32::from(is_win(value)) + i32::from(is_loss(value))
}

/// Returns a bound of the parent for the child; undoes [`one_ply_further`].
#[inline]
pub fn one_ply_nearer(bound: i32) -> i32 {
    bound + i32::from(is_win(bound)) - i32::from(is_loss(bound))
}

/// Returns the evaluation reported for a value, with its distance if that is known.
/// `scores` converts the score of the side to move into those of all seats.
pub fn evaluation(
    value: i32,
    proven: Proven,
    plies_to_end: Option<u32>,
    depth: u32,
    scores: impl FnOnce(f64) -> Scores,
) -> Evaluation {
    let (outcome, score) = if is_win(value) {
        (Some(Wdl::Win), 1.0)
    } else if is_loss(value) {
        (Some(Wdl::Loss), 0.0)
    } else if proven == Proven::DRAW {
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
