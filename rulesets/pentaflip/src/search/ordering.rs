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

/// A move, the position after it, and its score for the ordering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    pub(crate) score: i32,
    pub(crate) mv: Move,
    pub(crate) next: RelativePosition,
    /// It threatens a win in one.
    pub(crate) makes_threat: bool,
}

/// Hands out the moves of one node best first. There is one per ply, kept for
/// the whole search, so that nodes do not allocate.
#[derive(Debug, Default)]
pub(crate) struct MovePicker {
    pub(crate) moves: Vec<ScoredMove>,
    next: usize,
}

impl MovePicker {
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.next = 0;
    }

    /// The best of the moves not yet handed out; of equals the first generated.
    pub(crate) fn next_move(&mut self) -> Option<ScoredMove> {
        let rest = &mut self.moves[self.next..];
        let best = (0..rest.len()).reduce(|best, at| if rest[at].score > rest[best].score { at } else { best })?;
        // A rotation keeps the order of the others, which makes it stable.
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// Killers and history.
pub(crate) type History = primitives::History<Move, KILLER_BONUS, HISTORY_MAX>;
