//! Random games at full speed.
//!
//! Every ply draws one random number: its upper half picks the cell, its lower
//! bits the turn. A colour is checked for five only once it has five marbles.

use crate::PentagoXl;
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::GameResult;
use crate::variant::Objective;

/// Result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// How it ended.
    pub result: GameResult,
    /// Number of moves played.
    pub plies: u32,
}

impl PentagoXl {
    /// Plays from a position that is not over to the end. The cell is chosen
    /// uniformly among the empty ones and the turn uniformly among the sixteen,
    /// to within 2^-25. `random` gives 64 random bits at each call.
    #[inline]
    pub fn playout(&self, position: &Position, random: impl FnMut() -> u64) -> PlayoutResult {
        self.playout_with(position, random, |_| {})
    }

    /// Plays as [`playout`](PentagoXl::playout) does and calls `on_move` with every move.
    pub fn playout_with(
        &self,
        position: &Position,
        mut random: impl FnMut() -> u64,
        mut on_move: impl FnMut(Move),
    ) -> PlayoutResult {
        debug_assert!(self.game_result(position).is_none(), "the game is over");
        let mut now = *position;
        let mut counts = now.marbles.map(Cells::count);
        let mut n_empty = now.empty().count();
        let mut plies = 0;
        loop {
            let random = random();
            let n = (((random >> 32) * u64::from(n_empty)) >> 32) as u32;
            let cell = nth_cell(now.empty(), n);
            let mover = now.side as usize;
            plies += 1;
            n_empty -= 1;
            counts[mover] += 1;
            now.marbles[mover] = now.marbles[mover].with(cell);
            let mut fives = [false; 4];
            if counts[mover] >= 5 && now.marbles[mover].has_five() {
                on_move(Move::place(cell));
                fives[mover] = true;
            } else {
                let turn = Turn(random as u8 & 15);
                on_move(Move::place_and_turn(cell, turn));
                for (seat, marbles) in now.marbles.iter_mut().enumerate() {
                    *marbles = marbles.turned(turn);
                    fives[seat] = counts[seat] >= 5 && now.places[seat] == 0 && marbles.has_five();
                }
            }
            if let Some(result) = self.finish_ply(&mut now, fives, n_empty) {
                return PlayoutResult { result, plies };
            }
        }
    }

    /// Assigns places to the players who newly have five and passes the turn
    /// on, or returns the result if the game is over.
    #[inline(always)]
    fn finish_ply(&self, now: &mut Position, fives: [bool; 4], n_empty: u32) -> Option<GameResult> {
        let any = fives != [false; 4];
        if any && self.variant.objective() != Objective::Places {
            return Some(self.result_of_fives(fives));
        }
        if any {
            let place = now.n_finished() as u8 + 1;
            now.places.iter_mut().zip(fives).filter(|(_, five)| *five).for_each(|(own, _)| *own = place);
        }
        if (any || n_empty == 0)
            && let Some(result) = self.game_result(now)
        {
            return Some(result);
        }
        now.side = self.next_to_move(now.side, &now.places);
        None
    }
}

/// Returns the `n`-th cell, from 0; there must be more than `n`.
#[inline(always)]
fn nth_cell(cells: Cells, n: u32) -> Cell {
    let mut n = n;
    let mut base = 0;
    let mut word = cells.0 as u64;
    let n_low = word.count_ones();
    if n >= n_low {
        n -= n_low;
        base = 64;
        word = (cells.0 >> 64) as u64;
    }
    for half in [32, 16, 8] {
        let n_low = (word & ((1 << half) - 1)).count_ones();
        if n >= n_low {
            n -= n_low;
            base += half;
            word >>= half;
        }
    }
    for _ in 0..n {
        word &= word.wrapping_sub(1);
    }
    Cell::of_bit(base + word.trailing_zeros())
}
