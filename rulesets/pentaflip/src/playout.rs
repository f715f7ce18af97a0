//! Random games.
//!
//! Every ply draws one random number, which selects a move from the placements in
//! the order of their bits, followed by the flips. All are equally likely.

use pentad_sdk::Wdl;

use crate::Pentaflip;
use crate::board::tables::CELL_OF;
use crate::board::{Cell, Colour, Flip, Holes};
use crate::moves::Move;
use crate::position::{NO_FLIP, Position, RelativePosition};

/// The result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// `None` for a draw or an unfinished game.
    pub winner: Option<Colour>,
    /// Moves made.
    pub plies: u32,
    /// Whether the game ended within `plies_max`.
    pub ended: bool,
}

impl Pentaflip {
    /// Plays from a position that is not over to the end, or until `plies_max` moves
    /// are made. Every move is chosen uniformly among the legal ones, to within 2^-26.
    /// `random` returns 64 random bits per call.
    #[inline]
    pub fn playout(&self, position: &Position, plies_max: u32, random: impl FnMut() -> u64) -> PlayoutResult {
        self.playout_with(position, plies_max, random, |_| {})
    }

    /// Plays like [`playout`](Pentaflip::playout), and calls `on_move` before every
    /// move.
    #[inline]
    pub fn playout_with(
        &self,
        position: &Position,
        plies_max: u32,
        mut random: impl FnMut() -> u64,
        mut on_move: impl FnMut(Move),
    ) -> PlayoutResult {
        debug_assert!(self.game_result(position).is_none(), "the game is over");
        let mut relative = RelativePosition::of(position);
        let mut side = position.side;
        for plies in 1..=plies_max {
            let mv = random_move(relative, random());
            on_move(mv);
            relative = relative.play_unchecked(mv);
            if let Some(outcome) = relative.outcome_for_last_mover() {
                let winner = match outcome {
                    Wdl::Win => Some(side),
                    Wdl::Loss => Some(side.other()),
                    Wdl::Draw => None,
                };
                return PlayoutResult { winner, plies, ended: true };
            }
            side = side.other();
        }
        PlayoutResult { winner: None, plies: plies_max, ended: false }
    }
}

#[inline]
fn random_move(position: RelativePosition, random: u64) -> Move {
    let placements = position.placements();
    let n_placements = placements.count();
    let n_flips = if position.last_flip == NO_FLIP { 8 } else { 7 };
    let n = (((random >> 32) * u64::from(n_placements + n_flips)) >> 32) as u32;
    if n < n_placements {
        return Move::place(nth(placements, n));
    }
    let flip = (n - n_placements) as u8;
    Move::flip(Flip(flip + u8::from(flip >= position.last_flip)))
}

/// Returns the n-th hole in the order of the bits.
#[inline]
fn nth(holes: Holes, n: u32) -> Cell {
    let mut rest = holes.0;
    for _ in 0..n {
        rest &= rest - 1;
    }
    Cell(CELL_OF[rest.trailing_zeros() as usize & 31])
}
