//! Move ordering.
//!
//! The transposition table's move comes first, before the others are generated.
//! They are ordered by the static evaluation after the move, with a bonus for
//! killers and history. The first few are picked one by one, as most nodes cut
//! off with them; only a node that continues sorts the rest.

use pentad_sdk::search::primitives;

use crate::moves::Move;
use crate::search::position::Successor;

const KILLER_BONUS: i32 = 250;
const HISTORY_MAX: i32 = 400;
/// Moves picked by selection before the rest is sorted.
const N_SELECTED: usize = 5;

/// A move with its successor and its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) score: i32,
    pub(crate) mv: Move,
    pub(crate) after: Successor,
    /// Whether it threatens five.
    pub(crate) forcing: bool,
}

/// The moves of one node, handed out best first. One per ply, so that the search
/// soon allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct MoveList {
    pub(crate) moves: Vec<Candidate>,
    next: usize,
}

impl MoveList {
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.next = 0;
    }

    /// The best of the moves not yet picked.
    pub(crate) fn pick(&mut self) -> Option<Candidate> {
        let rest = &mut self.moves[self.next..];
        if rest.is_empty() {
            return None;
        }
        // Ties: selection takes the first generated, sorting the lowest index, so
        // the order is deterministic.
        if self.next < N_SELECTED {
            let mut best = 0;
            for at in 1..rest.len() {
                if rest[at].score > rest[best].score {
                    best = at;
                }
            }
            rest.swap(0, best);
        } else if self.next == N_SELECTED {
            rest.sort_unstable_by_key(|candidate| (-candidate.score, candidate.mv.index()));
        }
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// Killers and history, by ply.
pub(crate) type History = primitives::History<Move, KILLER_BONUS, HISTORY_MAX>;
