//! What values mean here.
//!
//! A value beyond ±`WIN_MIN` is a proven win or loss with its distance. A
//! position that only looks lost, because every move tried in it is, gets
//! [`LOOKS_LOST`].

use pentad_sdk::search::primitives::{aged, unaged};

/// Not proven, but nothing worse can be said.
pub(crate) const LOOKS_LOST: i32 = -8_000;

/// A value as the player who moved before sees it, one ply earlier.
pub(crate) fn seen_from_parent(value: i32) -> i32 {
    -aged(value)
}

/// A bound of the parent as the child has to meet it; undoes the ageing.
pub(crate) fn bound_for_child(bound: i32) -> i32 {
    -unaged(bound)
}
