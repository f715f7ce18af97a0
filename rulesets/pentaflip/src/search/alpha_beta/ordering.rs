//! Move ordering.
//!
//! The transposition table's move comes first, before the others are generated.
//! The others are ordered by the static evaluation of the position after them,
//! plus a bonus for killers and history.

use pentad_sdk::search::primitives;

use crate::moves::Move;
use crate::position::RelativePosition;

const KILLER_BONUS: i32 = 150;
const HISTORY_MAX: i32 = 250;

/// A move, and the position after it. It is forcing if it threatens a win in one.
pub(crate) type ScoredMove = primitives::ScoredMove<Move, RelativePosition>;

/// The moves of one node.
pub(crate) type MoveList = primitives::MoveList<Move, RelativePosition>;

/// Principal variations, killers and history.
pub(crate) type SearchStack = primitives::SearchStack<Move, KILLER_BONUS, HISTORY_MAX>;
