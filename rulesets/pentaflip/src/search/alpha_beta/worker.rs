//! The state of a running search, and its access to the transposition table.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{Bound, NodeResult, SearchStack, TranspositionTable};

use crate::moves::Move;
use crate::position::{NO_FLIP, RelativePosition};
use crate::search::alpha_beta::move_loop::BONUS;

/// The longest path. Positions at its end are evaluated statically.
pub(crate) const PLIES_MAX: usize = 120;

/// Distinguishes table keys of odd plies.
const ODD_PLY_KEY: u64 = 0x9e37_79b9_7f4a_7c15;

/// The state of a running search.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a mut TranspositionTable,
    pub(crate) limiter: Limiter<'a, Move>,
    pub(crate) stack: SearchStack<Move, RelativePosition>,
    /// Key and rings on the board of each position from the root to the current
    /// node.
    path: Vec<(u64, u32)>,
    /// Last ply at which threats extend the search.
    pub(crate) extension_plies_max: usize,
    /// Node count at which the mate search gives up.
    pub(crate) mate_search_nodes_end: u64,
    /// The mate search's latest refutations, by plies left.
    pub(crate) mate_refutations: Vec<Option<Move>>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(table: &'a mut TranspositionTable, limiter: Limiter<'a, Move>, root: RelativePosition) -> Self {
        let mut worker = Worker {
            table,
            limiter,
            stack: SearchStack::new(PLIES_MAX + 2, Move::COUNT, BONUS),
            path: vec![(0, 0); PLIES_MAX + 2],
            extension_plies_max: PLIES_MAX,
            mate_search_nodes_end: 0,
            mate_refutations: vec![None; PLIES_MAX + 2],
        };
        worker.set_path(root, worker.key(root, 0), 0);
        worker
    }

    /// Returns the key of a position in the table. Estimates contain the optimism of
    /// the side to move at the root, so even and odd plies have different keys.
    #[inline]
    pub(crate) fn key(&self, position: RelativePosition, ply: usize) -> u64 {
        position.key() ^ if ply.is_multiple_of(2) { 0 } else { ODD_PLY_KEY }
    }

    /// Sets the position at a ply of the path.
    pub(crate) fn set_path(&mut self, position: RelativePosition, key: u64, ply: usize) {
        self.path[ply] = (key, position.own.count() + position.opponent.count());
    }

    /// Returns the earlier ply with the same position as `ply`, if there is one. Rings
    /// stay on the board, so the path is searched only back to the last placement.
    pub(crate) fn repetition(&self, position: RelativePosition, ply: usize) -> Option<usize> {
        if position.last_flip == NO_FLIP {
            return None;
        }
        let (key, n_rings) = self.path[ply];
        let mut earlier = ply.checked_sub(2)?;
        loop {
            if self.path[earlier].1 != n_rings {
                return None;
            }
            if self.path[earlier].0 == key {
                return Some(earlier);
            }
            earlier = earlier.checked_sub(2)?;
        }
    }

    /// Stores a result in the table. A value that depends on a repetition above the
    /// node only holds on this path and is not stored; proofs never do.
    pub(crate) fn store(
        &mut self,
        key: u64,
        ply: usize,
        result: NodeResult,
        bound: Bound,
        depth: i32,
        best: Option<Move>,
    ) {
        let bound = if result.is_decided() || !result.depends_on_path(ply) { bound } else { Bound::Unknown };
        let value = if bound == Bound::Unknown { 0 } else { result.value };
        self.table.store(key, NodeResult { value, ..result }.to_entry(bound, depth, best.map(Move::index)));
    }
}
