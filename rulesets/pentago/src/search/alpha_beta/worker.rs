//! The state of one search thread, and its access to the transposition table.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{Bound, Entry, NodeResult, SearchStack, SharedTable};
use pentad_sdk::{Symmetry, Wdl};

use crate::Pentago;
use crate::moves::Move;
use crate::position::Position;
use crate::search::alpha_beta::move_loop::BONUS;
use crate::search::alpha_beta::value::UNKNOWN_DISTANCE;
use crate::search::proof_number;
use crate::search::proof_number::children::Child;
use crate::search::proof_number::table::ProofTable;
use crate::search::search_position::{SearchPosition, move_at};

/// The longest path: 36 placements with a null move between each two, and a few plies
/// to spare.
pub(crate) const PLIES_MAX: usize = 76;
/// With up to this many marbles at the root, keys are canonical under symmetry, because
/// symmetric positions occur in one tree; later the canonical form costs more than it
/// saves.
const CANONICAL_MARBLES_MAX: u32 = 6;

/// A source of exact values inside the tree, like tablebases in chess.
pub trait EndgameProbe: Sync {
    /// Returns the value of a game in progress for its side to move, or `None` if it is
    /// not known. The side to move is always white: colours may be swapped. `depth` is
    /// the remaining depth: a probe should not take longer than such a search.
    fn probe_wdl(&self, position: &Position, depth: i32) -> Option<Wdl>;
}

/// One search thread. Only `table` is shared with others.
pub(crate) struct Worker<'a> {
    pub(crate) rules: &'a Pentago,
    pub(crate) table: &'a SharedTable,
    pub(crate) proof_table: &'a mut ProofTable,
    pub(crate) limiter: Limiter<'a, Move>,
    pub(crate) endgames: Option<&'a dyn EndgameProbe>,
    pub(crate) stack: SearchStack<Move, SearchPosition>,
    /// Child buffers of the proof-number search, by ply.
    pub(crate) child_buffers: Vec<Vec<Child>>,
    /// Node count at which the proof-number search gives up.
    pub(crate) proof_nodes_end: u64,
    /// The first move of the latest proof.
    pub(crate) proven_move: Option<Move>,
    /// The root, if all its moves are searched; `None` if the request names some.
    pub(crate) full_root: Option<SearchPosition>,
    /// Last ply at which a forced reply extends the search.
    pub(crate) extension_plies_max: usize,
    canonical_keys: bool,
}

/// The transposition key of a position, and the symmetry that makes it
/// canonical.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) word: u64,
    symmetry: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        rules: &'a Pentago,
        table: &'a SharedTable,
        proof_table: &'a mut ProofTable,
        limiter: Limiter<'a, Move>,
        endgames: Option<&'a dyn EndgameProbe>,
        root: &Position,
        searches_all_moves: bool,
    ) -> Self {
        let full_root = searches_all_moves.then(|| SearchPosition::of(root));
        Worker {
            rules,
            table,
            proof_table,
            limiter,
            endgames,
            stack: SearchStack::new(PLIES_MAX + 2, Move::COUNT, BONUS),
            child_buffers: vec![Vec::new(); proof_number::PLIES_MAX + 2],
            proof_nodes_end: 0,
            proven_move: None,
            full_root,
            extension_plies_max: PLIES_MAX,
            canonical_keys: root.occupied().count() <= CANONICAL_MARBLES_MAX,
        }
    }

    #[inline]
    pub(crate) fn key(&self, position: SearchPosition) -> Key {
        if !self.canonical_keys {
            return Key { word: position.code(), symmetry: 0 };
        }
        let (canonical, symmetry) = self.rules.canonical(&position.position());
        Key { word: SearchPosition::of(&canonical).code(), symmetry }
    }

    /// Returns the move of a table entry, mapped back from the canonical position.
    pub(crate) fn tt_move(&self, key: Key, entry: &Entry) -> Option<Move> {
        let mv = move_at(entry.move_idx)?;
        if key.symmetry == 0 {
            return Some(mv);
        }
        Some(self.rules.apply_move(self.rules.inverse(key.symmetry), &Position::START, &mv))
    }

    pub(crate) fn store(&mut self, key: Key, result: NodeResult, bound: Bound, depth: i32, best: Option<Move>) {
        let best = match best {
            Some(mv) if key.symmetry != 0 => Some(self.rules.apply_move(key.symmetry, &Position::START, &mv)),
            best => best,
        };
        self.table.store(key.word, result.to_entry(bound, depth, best.map(Move::index)));
    }

    pub(crate) fn probe_endgame(&self, position: SearchPosition, depth: i32) -> Option<NodeResult> {
        let wdl = self.endgames.filter(|_| position.is_reachable())?.probe_wdl(&position.position(), depth)?;
        Some(NodeResult::proven(wdl, UNKNOWN_DISTANCE))
    }
}
