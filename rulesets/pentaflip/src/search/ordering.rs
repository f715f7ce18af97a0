//! The order in which moves are tried.
//!
//! First the move that was best here before, without looking at the others.
//! Then by what the state after the move seems to be worth, raised for moves
//! that lately refuted a sibling (killers) or often refuted something
//! (history).

use pentad_sdk::search::primitives;

use crate::moves::Move;
use crate::state::State;

const KILLER_BONUS: i32 = 150;
const HISTORY_MAX: i32 = 250;

/// A move, what it leads to and how promising that looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) score: i32,
    pub(crate) mv: Move,
    pub(crate) next: State,
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

    /// The next move; of equals the first listed.
    pub(crate) fn pick(&mut self) -> Option<Candidate> {
        let rest = &mut self.moves[self.next..];
        let best = (0..rest.len()).reduce(|best, at| if rest[at].score > rest[best].score { at } else { best })?;
        // The others keep their order, so that it is always the same.
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// What earlier nodes taught about good moves.
pub(crate) type History = primitives::History<Move, KILLER_BONUS, HISTORY_MAX>;
