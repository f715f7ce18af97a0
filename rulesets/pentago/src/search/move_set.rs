//! Sets of moves as bitboards: the cells to place on, for each turn that may
//! follow.

use crate::Pentago;
use crate::board::tables::{ALL, BLOCK_STRIDE, CELL_AT, TURN_CHANGE};
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::search::search_position::SearchPosition;
use crate::variant::Edition;

/// The index of a move without a turn.
pub(crate) const NO_TURN: usize = 8;

/// Cells to place on, by the turn that follows.
pub(crate) type MoveSet = [u64; 9];

pub(crate) fn count(set: &MoveSet) -> u32 {
    set.iter().map(|cells| cells.count_ones()).sum()
}

/// Returns the moves that are in both sets.
pub(crate) fn intersection(a: &MoveSet, b: &MoveSet) -> MoveSet {
    std::array::from_fn(|turn| a[turn] & b[turn])
}

/// Returns whether a set contains a move; never a pass.
pub(crate) fn contains(set: &MoveSet, mv: Move) -> bool {
    let Some(cell) = mv.cell() else { return false };
    let turn = mv.turn().map_or(NO_TURN, |turn| usize::from(turn.0));
    Cells(set[turn]).contains(cell)
}

/// Returns the move that places on the cell of a bit and turns.
#[inline]
pub(crate) fn move_of(turn: usize, bit: u64) -> Move {
    let cell = Cell(CELL_AT[bit.trailing_zeros() as usize & 63]);
    if turn == NO_TURN { Move::place(cell) } else { Move::place_and_turn(cell, Turn(turn as u8)) }
}

/// Returns, for each turn, the placements for which it is kept, so that one of several
/// equivalent turns remains. Turns of blocks with quarter-turn symmetry are all
/// equivalent, and a block with half-turn symmetry may be turned either way.
pub(crate) fn distinct_turns(rules: &Pentago, position: SearchPosition) -> MoveSet {
    let both_ways = rules.edition != Edition::Clockwise;
    let mut set = [ALL; 9];
    let idle_at = |block: usize| {
        let content = [position.own.block(block), position.opposing.block(block)];
        let change = |i: usize| (TURN_CHANGE[i][content[0]], TURN_CHANGE[i][content[1]]);
        (change(1) == (0, 0), change(0) == change(1))
    };
    // Cells that still need a turn that changes nothing.
    let mut need_idle =
        if rules.edition == Edition::Finnish { ALL & !rules.skippable(&position.position()).0 } else { ALL };
    for block in 0..4 {
        let (idle, half_turn_symmetric) = idle_at(block);
        let (left, right) = (2 * block, 2 * block + 1);
        let outside = ALL & !(0x1ff << (block * BLOCK_STRIDE));
        if half_turn_symmetric && both_ways {
            set[right] &= !outside;
        }
        if idle {
            let kept = need_idle & outside;
            set[if both_ways { left } else { right }] &= kept | !outside;
            need_idle &= !kept;
        }
    }
    set
}

/// Calls `f` with the turn and cell of each move.
#[inline]
pub(crate) fn for_each_move(set: &MoveSet, mut f: impl FnMut(usize, Cells)) {
    for (turn, &cells) in set.iter().enumerate() {
        let mut rest = cells;
        while rest != 0 {
            f(turn, Cells(rest & rest.wrapping_neg()));
            rest &= rest - 1;
        }
    }
}
