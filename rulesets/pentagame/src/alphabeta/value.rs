//! Values that the search passes from node to node.
//!
//! A value beyond ±[`WIN_MIN`] is a proven win or loss with its distance;
//! estimates stay far inside, so the two never mix. A position that only looks
//! lost, because every move tried in it is, gets [`LOOKS_LOST`].

use pentad_sdk::Wdl;

/// A win here and now; one in `n` plies is worth `WIN - n`.
pub(crate) const WIN: i32 = 32_000;
/// Anything from here on is a win.
pub(crate) const WIN_MIN: i32 = 30_000;
/// Above every value.
pub(crate) const INFINITE: i32 = 32_100;
/// Not proven, but nothing worse can be said.
pub(crate) const LOOKS_LOST: i32 = -8_000;

pub(crate) fn is_win(value: i32) -> bool {
    value >= WIN_MIN
}

pub(crate) fn is_loss(value: i32) -> bool {
    value <= -WIN_MIN
}

/// A value as the player who moved before sees it, one ply earlier.
pub(crate) fn seen_from_parent(value: i32) -> i32 {
    -(value - i32::from(is_win(value)) + i32::from(is_loss(value)))
}

/// A bound of the parent as the child has to meet it; undoes the ageing.
pub(crate) fn bound_for_child(bound: i32) -> i32 {
    -(bound + i32::from(is_win(bound)) - i32::from(is_loss(bound)))
}

/// Win or loss, and in how many plies.
pub(crate) fn decided(value: i32) -> Option<(Wdl, u32)> {
    let plies = (WIN - value.abs()) as u32;
    if is_win(value) {
        Some((Wdl::Win, plies))
    } else if is_loss(value) {
        Some((Wdl::Loss, plies))
    } else {
        None
    }
}
