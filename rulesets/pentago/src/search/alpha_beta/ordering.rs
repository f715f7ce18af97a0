//! Move ordering.
//!
//! The transposition table's move comes first, before the others are generated.
//! They are ordered by the static evaluation after the move, with a bonus for
//! killers and history.

use pentad_sdk::search::primitives;

use crate::moves::Move;
use crate::search::search_position::Successor;

const KILLER_BONUS: i32 = 250;
const HISTORY_MAX: i32 = 400;
/// Moves picked by selection before the rest is sorted.
pub(crate) const N_SELECTED: usize = 5;

/// A move with its successor. It is forcing if it threatens five.
pub(crate) type ScoredMove = primitives::ScoredMove<Move, Successor>;

/// The moves of one node.
pub(crate) type MoveList = primitives::MoveList<Move, Successor>;

/// Principal variations, killers and history.
pub(crate) type SearchStack = primitives::SearchStack<Move, KILLER_BONUS, HISTORY_MAX>;
