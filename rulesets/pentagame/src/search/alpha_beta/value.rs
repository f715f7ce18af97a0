//! The scale of values.
//!
//! A value beyond ±`WIN_MIN` is a proven win or loss with its distance in plies.
//! A position where all moves tried are lost, without proof for the others, has the
//! value [`UNPROVEN_LOSS`].

use pentad_sdk::search::primitives::{Window, one_ply_further, one_ply_nearer};

/// Below every static evaluation, and above every proven loss.
pub(crate) const UNPROVEN_LOSS: i32 = -8_000;

/// Converts a child's value for its parent: negated, and one ply farther away.
pub(crate) fn value_for_parent(value: i32) -> i32 {
    -one_ply_further(value)
}

/// Returns the child's window for a parent's `alpha` and `beta`, by the inverse of
/// [`value_for_parent`]. The depth is the child's.
pub(crate) fn child_window(alpha: i32, beta: i32, depth: i32) -> Window {
    Window { alpha: -one_ply_nearer(beta), beta: -one_ply_nearer(alpha), depth }
}
