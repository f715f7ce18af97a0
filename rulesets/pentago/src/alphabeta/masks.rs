//! Sets of moves: the cells to place on, for each turn that may follow.

use crate::Pentago;
use crate::alphabeta::state::State;
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::tables::{ALL, CELL_AT, STRIDE, TURN_CHANGE};
use crate::variant::Edition;

/// The index of a move without a turn.
pub(crate) const NO_TURN: usize = 8;

/// Cells to place on, by the turn that follows.
pub(crate) type Masks = [u64; 9];

/// How many moves.
pub(crate) fn count(masks: &Masks) -> u32 {
    masks.iter().map(|cells| cells.count_ones()).sum()
}

/// Moves that are in both sets.
pub(crate) fn common(a: &Masks, b: &Masks) -> Masks {
    std::array::from_fn(|turn| a[turn] & b[turn])
}

/// Whether a move is one of them; a pass is none.
pub(crate) fn contains(masks: &Masks, mv: Move) -> bool {
    let Some(cell) = mv.cell() else { return false };
    let turn = mv.turn().map_or(NO_TURN, |turn| usize::from(turn.0));
    Cells(masks[turn]).contains(cell)
}

/// The move that places on the cell of a bit and turns.
#[inline]
pub(crate) fn move_of(turn: usize, bit: u64) -> Move {
    let cell = Cell(CELL_AT[bit.trailing_zeros() as usize & 63]);
    if turn == NO_TURN { Move::place(cell) } else { Move::place_and_turn(cell, Turn(turn as u8)) }
}

/// Of turns that do the same, one: which placements each turn is kept for. A
/// turn of a block that looks the same from all sides is as good as any other
/// such turn, and one that looks the same from two may be turned either way.
pub(crate) fn distinct(rules: &Pentago, state: State) -> Masks {
    let both_ways = rules.edition != Edition::Clockwise;
    let mut masks = [ALL; 9];
    let idle_at = |block: usize| {
        let content = [state.own.block(block), state.opposing.block(block)];
        let change = |i: usize| (TURN_CHANGE[i][content[0]], TURN_CHANGE[i][content[1]]);
        (change(1) == (0, 0), change(0) == change(1))
    };
    // Cells that still want a turn which changes nothing.
    let mut want = if rules.edition == Edition::Finnish { ALL & !rules.skippable(&state.position()).0 } else { ALL };
    for block in 0..4 {
        let (idle, half_even) = idle_at(block);
        let (left, right) = (2 * block, 2 * block + 1);
        let outside = ALL & !(0x1ff << (block * STRIDE));
        if half_even && both_ways {
            masks[right] &= !outside;
        }
        if idle {
            let kept = want & outside;
            masks[if both_ways { left } else { right }] &= kept | !outside;
            want &= !kept;
        }
    }
    masks
}

/// Calls `f` with the turn and cell of each move.
#[inline]
pub(crate) fn each_move(masks: &Masks, mut f: impl FnMut(usize, Cells)) {
    for (turn, &cells) in masks.iter().enumerate() {
        let mut rest = cells;
        while rest != 0 {
            f(turn, Cells(rest & rest.wrapping_neg()));
            rest &= rest - 1;
        }
    }
}
