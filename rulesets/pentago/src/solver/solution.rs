//! The values of the root, of its moves, and of the positions up to four plies later.

use std::ops::ControlFlow;

use pentad_sdk::{Ruleset, Wdl};

use super::indexing::{choose, compress, rank};
use super::kernel::{Bitbase, Slice, Word};
use super::plan::N_KEPT_SLICES;
use super::rotation::{N_ROTATIONS, bit_of, turned_back, turns_at};
use crate::Pentago;
use crate::board::{Cell, Cells};
use crate::moves::Move;
use crate::position::Position;

/// A solved position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Value of the root, for the side to move.
    pub value: Wdl,
    /// Every legal move in canonical order, with its value for the side that
    /// plays it.
    pub moves: Vec<(Move, Wdl)>,
    game: Pentago,
    root: Position,
    empty: Vec<Cell>,
    kept: KeptSlices,
}

/// The slices next to the root: the rotations at which each configuration is won and
/// not lost, for the player who moved into it.
#[derive(Clone, Debug)]
pub(super) struct KeptSlices {
    slices: Vec<Vec<[u128; 2]>>,
}

impl KeptSlices {
    pub(super) fn new(n_empty: usize) -> Self {
        let slice = |n_added| vec![[0; 2]; Slice::shape(n_empty, n_added)[0]];
        KeptSlices { slices: (1..=N_KEPT_SLICES.min(n_empty)).map(slice).collect() }
    }

    /// Adds the words of a pass.
    pub(super) fn add<W: Word>(&mut self, n_added: usize, bitbase: Bitbase, words: &[W]) {
        for (kept, word) in self.slices[n_added - 1].iter_mut().zip(words) {
            let [won, not_lost] = word.bits(bitbase);
            *kept = [kept[0] | won, kept[1] | not_lost];
        }
    }

    /// Returns the value for the player who moved into a configuration. The sets are
    /// those of the player to move there, and of the other player.
    fn value(&self, n_empty: usize, own: u32, opposing: u32, bit: usize) -> Wdl {
        let [n_own, n_opposing] = [own, opposing].map(|set| set.count_ones() as usize);
        let n_columns = choose(n_empty - n_own, n_opposing);
        let idx = rank(own) * n_columns + rank(compress(opposing, !own & ((1 << n_empty) - 1)));
        let [won, not_lost] = self.slices[n_own + n_opposing - 1][idx];
        match (won >> bit & 1, not_lost >> bit & 1) {
            (0, 0) => Wdl::Loss,
            (0, _) => Wdl::Draw,
            _ => Wdl::Win,
        }
    }
}

impl Solution {
    pub(super) fn new(game: Pentago, root: Position, empty: Vec<Cell>, kept: KeptSlices) -> Self {
        let mut moves = Vec::with_capacity(empty.len() * 8);
        let _complete = game.legal_moves(&root, |mv| {
            moves.push((mv, value_of_move(&kept, &empty, mv)));
            ControlFlow::Continue(())
        });
        let value = moves.iter().map(|&(_, value)| value).max().unwrap_or(Wdl::Draw);
        Solution { value, moves, game, root, empty, kept }
    }

    /// Returns the position that was solved.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// Returns the value for the side to move of a position that can be reached from
    /// the root in up to four plies, or that is over; `None` for others.
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        if *position == self.root {
            return Some(self.value);
        }
        if let Some(result) = self.game.game_result(position) {
            return Some(result.wdl(position.side()));
        }
        let n_added = (position.occupied().count()).checked_sub(self.root.occupied().count())? as usize;
        if n_added == 0 || n_added > self.kept.slices.len() {
            return None;
        }
        let root = &self.root;
        // The side to move, its marbles at the root, and the other side's.
        let (side, own_before, opposing_before) = match n_added % 2 {
            0 => (root.side(), root.own(), root.opposing()),
            _ => (root.side().other(), root.opposing(), root.own()),
        };
        if position.side() != side {
            return None;
        }
        let found = (0..N_ROTATIONS).find_map(|bit| {
            let turns = turns_at(bit, n_added);
            let own = self.added(turned_back(position.own(), turns), own_before)?;
            let opposing = self.added(turned_back(position.opposing(), turns), opposing_before)?;
            (own & opposing == 0).then_some((own, opposing, bit))
        });
        let (own, opposing, bit) = found?;
        Some(self.kept.value(self.empty.len(), own, opposing, bit).opposite())
    }

    /// Returns the bytes that this solution holds, for the size of a cache.
    pub fn memory_bytes(&self) -> usize {
        let kept: usize = self.kept.slices.iter().map(|slice| slice.len() * size_of::<[u128; 2]>()).sum();
        kept + self.moves.capacity() * size_of::<(Move, Wdl)>() + self.empty.capacity() + size_of::<Self>()
    }

    /// Returns the root's empty cells that are filled between `before` and `now`;
    /// `None` if `now` does not follow from `before`.
    fn added(&self, now: Cells, before: Cells) -> Option<u32> {
        if now.intersection(before) != before {
            return None;
        }
        let new = now.intersection(before.complement());
        if new.intersection(self.root.empty()) != new {
            return None;
        }
        Some(self.empty.iter().enumerate().filter(|&(_, &cell)| new.contains(cell)).fold(0, |set, (i, _)| set | 1 << i))
    }
}

fn value_of_move(kept: &KeptSlices, empty: &[Cell], mv: Move) -> Wdl {
    // Where the solver is used, only a five is played without a turn.
    let (Some(cell), Some(turn)) = (mv.cell(), mv.turn()) else { return Wdl::Win };
    let placed = empty.iter().position(|&other| other == cell).expect("a legal placement is on an empty cell");
    let mut turns = [0; 4];
    turns[turn.block()] = if turn.is_clockwise() { 1 } else { 3 };
    kept.value(empty.len(), 0, 1 << placed, bit_of(turns))
}
