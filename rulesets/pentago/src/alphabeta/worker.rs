//! One thread's share of a search: its state and what it keeps per ply.

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{Bound, Entry, NodeResult, SharedTable};
use pentad_sdk::{Symmetry, Wdl};

use crate::Pentago;
use crate::alphabeta::branches::Branch;
use crate::alphabeta::ordering::{History, MoveList};
use crate::alphabeta::proofs::Proofs;
use crate::alphabeta::prover::FRAMES;
use crate::alphabeta::state::{State, move_at};
use crate::alphabeta::value::known;
use crate::moves::Move;
use crate::position::Position;

/// The longest path: a marble a ply, and a null move between two of them.
pub(crate) const PLIES_MAX: usize = 76;
/// Up to so many marbles positions that are symmetric to each other meet in
/// one tree, so keys are canonical; beyond, looking for the form costs more
/// than it saves.
const FOLDED_MAX: u32 = 6;

/// Somebody who knows exact values of some positions.
pub trait Oracle: Sync {
    /// The value of a position that is not over, for its side to move, or
    /// `None` if it is not known. Colours may be swapped: the side to move
    /// always comes as white. `depth` is how many plies would be searched else:
    /// an answer that takes longer than that is not worth giving.
    fn value(&self, position: &Position, depth: i32) -> Option<Wdl>;
}

/// Everything one thread needs; only the table is shared.
pub(crate) struct Worker<'a> {
    pub(crate) rules: &'a Pentago,
    pub(crate) table: &'a SharedTable,
    pub(crate) proofs: &'a mut Proofs,
    pub(crate) limiter: Limiter<'a, Move>,
    pub(crate) oracle: Option<&'a dyn Oracle>,
    pub(crate) history: History,
    /// Move buffers by ply.
    pub(crate) lists: Vec<MoveList>,
    /// Expected play from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    /// Buffers of the proof search.
    pub(crate) frames: Vec<Vec<Branch>>,
    /// When the proof search gives up, in nodes.
    pub(crate) proof_end: u64,
    /// The first move of the latest proof.
    pub(crate) proven_move: Option<Move>,
    /// Plies to which threats are followed beyond the horizon.
    pub(crate) plies_max: usize,
    folded: bool,
}

/// Where a state lies in the table.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) word: u64,
    symmetry: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        rules: &'a Pentago,
        table: &'a SharedTable,
        proofs: &'a mut Proofs,
        limiter: Limiter<'a, Move>,
        oracle: Option<&'a dyn Oracle>,
        root: &Position,
    ) -> Self {
        Worker {
            rules,
            table,
            proofs,
            limiter,
            oracle,
            history: History::new(PLIES_MAX + 2, Move::COUNT),
            lists: std::iter::repeat_with(MoveList::default).take(PLIES_MAX + 2).collect(),
            lines: vec![Vec::new(); PLIES_MAX + 2],
            frames: vec![Vec::new(); FRAMES + 2],
            proof_end: 0,
            proven_move: None,
            plies_max: PLIES_MAX,
            folded: root.occupied().count() <= FOLDED_MAX,
        }
    }

    #[inline]
    pub(crate) fn key(&self, state: State) -> Key {
        if !self.folded {
            return Key { word: state.code(), symmetry: 0 };
        }
        let (canonical, symmetry) = self.rules.canonical(&state.position());
        Key { word: State::of(&canonical).code(), symmetry }
    }

    /// The move of an entry as it is played here.
    pub(crate) fn hint(&self, key: Key, entry: &Entry) -> Option<Move> {
        let mv = move_at(entry.move_idx)?;
        if key.symmetry == 0 {
            return Some(mv);
        }
        Some(self.rules.apply_move(self.rules.inverse(key.symmetry), &Position::START, &mv))
    }

    pub(crate) fn remember(&mut self, key: Key, found: NodeResult, bound: Bound, depth: i32, best: Option<Move>) {
        let best = match best {
            Some(mv) if key.symmetry != 0 => Some(self.rules.apply_move(key.symmetry, &Position::START, &mv)),
            best => best,
        };
        let entry = Entry {
            value: found.value,
            depth: depth.clamp(0, 255) as u8,
            bound,
            proven: found.proven,
            move_idx: best.map_or(Entry::NO_MOVE, |mv| mv.index() as u16),
        };
        self.table.store(key.word, entry);
    }

    pub(crate) fn ask_oracle(&self, state: State, depth: i32) -> Option<NodeResult> {
        let wdl = self.oracle.filter(|_| state.is_reachable())?.value(&state.position(), depth)?;
        Some(known(wdl))
    }
}
