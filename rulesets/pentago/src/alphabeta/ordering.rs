//! The order in which moves are tried.
//!
//! First the move that was best here before, without looking at the others.
//! Then by what the state after the move seems to be worth, raised for moves
//! that lately refuted a sibling (killers) or often refuted something
//! (history). A few best are picked one by one, as most nodes end with them;
//! only a node that goes on sorts the rest.

use pentad_sdk::search::primitives;

use crate::alphabeta::state::After;
use crate::moves::Move;

const KILLER_BONUS: i32 = 250;
const HISTORY_MAX: i32 = 400;
/// Picks by scanning before the rest is sorted.
const N_SCANS: usize = 5;

/// A move, what it leads to and how promising that looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) score: i32,
    pub(crate) mv: Move,
    pub(crate) after: After,
    /// It threatens five.
    pub(crate) forcing: bool,
}

/// The moves of one node, handed out best first. Kept per ply of the path, so
/// that a search allocates nothing once it has been everywhere.
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

    /// The next move.
    pub(crate) fn pick(&mut self) -> Option<Candidate> {
        let rest = &mut self.moves[self.next..];
        if rest.is_empty() {
            return None;
        }
        // Of equals the first listed by scanning, the lowest number by sorting:
        // the order is always the same.
        if self.next < N_SCANS {
            let mut best = 0;
            for at in 1..rest.len() {
                if rest[at].score > rest[best].score {
                    best = at;
                }
            }
            rest.swap(0, best);
        } else if self.next == N_SCANS {
            rest.sort_unstable_by_key(|candidate| (-candidate.score, candidate.mv.index()));
        }
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// What earlier nodes taught about good moves.
pub(crate) type History = primitives::History<Move, KILLER_BONUS, HISTORY_MAX>;
