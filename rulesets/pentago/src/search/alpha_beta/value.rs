//! Proven values, with and without a distance.
//!
//! A value beyond ±`WIN_MIN` is a proven win or loss. Its distance is that of the first
//! proof, which need not be the shortest; [`mate_search`](super::mate_search) makes
//! distances exact. If only the winner is known, the distance is [`UNKNOWN_DISTANCE`].

use pentad_sdk::search::primitives;

/// Longer than any game.
pub(crate) const UNKNOWN_DISTANCE: u32 = 1_000;

/// Returns the distance of a win or loss, if its proof has one.
pub(crate) fn plies(value: i32) -> Option<u32> {
    Some(primitives::plies(value)).filter(|&plies| plies < UNKNOWN_DISTANCE / 2)
}
