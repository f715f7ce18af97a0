//! A search's state and what it keeps per ply.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{Bound, Entry, NodeResult, TranspositionTable};

use crate::moves::Move;
use crate::search::ordering::{History, MoveList};
use crate::state::{NO_FLIP, State};

/// The longest path. Positions there are valued as they stand.
pub(crate) const PLIES_MAX: usize = 120;

/// Keeps the sides apart in the table.
const OTHER_SIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Everything a search needs.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a mut TranspositionTable,
    pub(crate) limiter: Limiter<'a, Move>,
    pub(crate) history: History,
    /// Move buffers by ply.
    pub(crate) lists: Vec<MoveList>,
    /// Expected play from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    /// The states from the root to the current node: keys, and how many rings
    /// are on the board.
    path: Vec<(u64, u32)>,
    /// Plies to which threats are followed beyond the horizon.
    pub(crate) plies_max: usize,
    /// When the search for distances gives up, in nodes.
    pub(crate) mates_end: u64,
    /// The latest refutation by plies left, for the search for distances.
    pub(crate) refutations: Vec<Option<Move>>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(table: &'a mut TranspositionTable, limiter: Limiter<'a, Move>, root: State) -> Self {
        let mut worker = Worker {
            table,
            limiter,
            history: History::new(PLIES_MAX + 2, Move::COUNT),
            lists: std::iter::repeat_with(MoveList::default).take(PLIES_MAX + 2).collect(),
            lines: vec![Vec::new(); PLIES_MAX + 2],
            path: vec![(0, 0); PLIES_MAX + 2],
            plies_max: PLIES_MAX,
            mates_end: 0,
            refutations: vec![None; PLIES_MAX + 2],
        };
        worker.enter(root, worker.key(root, 0), 0);
        worker
    }

    /// Where a state lies in the table. Estimates are those of the side at the
    /// root, so the sides are kept apart.
    #[inline]
    pub(crate) fn key(&self, state: State, ply: usize) -> u64 {
        state.key() ^ if ply.is_multiple_of(2) { 0 } else { OTHER_SIDE }
    }

    /// Makes a state the one at a ply of the path.
    pub(crate) fn enter(&mut self, state: State, key: u64, ply: usize) {
        self.path[ply] = (key, state.own.count() + state.opposing.count());
    }

    /// The ply at which a state, entered at `ply`, was met before. Placing a
    /// ring cannot be undone, so only flips are looked back on.
    pub(crate) fn repeats(&self, state: State, ply: usize) -> Option<usize> {
        if state.last == NO_FLIP {
            return None;
        }
        let (key, n_rings) = self.path[ply];
        let mut before = ply.checked_sub(2)?;
        loop {
            if self.path[before].1 != n_rings {
                return None;
            }
            if self.path[before].0 == key {
                return Some(before);
            }
            before = before.checked_sub(2)?;
        }
    }

    /// Stores what holds on every path: a value that rests on a repetition
    /// above the node is left out, but for a proof, which never does.
    pub(crate) fn remember(
        &mut self,
        key: u64,
        ply: usize,
        found: NodeResult,
        bound: Bound,
        depth: i32,
        best: Option<Move>,
    ) {
        let bound = if found.is_decided() || !found.depends_on_path(ply) { bound } else { Bound::Unknown };
        let entry = Entry {
            value: if bound == Bound::Unknown { 0 } else { found.value },
            depth: depth.clamp(0, 255) as u8,
            bound,
            proven: found.proven,
            move_idx: best.map_or(Entry::NO_MOVE, |mv| mv.index() as u16),
        };
        self.table.store(key, entry);
    }
}
