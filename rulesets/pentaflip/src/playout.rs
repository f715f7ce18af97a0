//! Random games at full speed.
//!
//! Every ply draws one random number: the move is the n-th of the places in
//! the order of their bits and then of the flips. All moves are equally likely.

use crate::Pentaflip;
use crate::board::{Cell, Colour, Holes};
use crate::flip::Flip;
use crate::moves::Move;
use crate::position::Position;
use crate::state::{End, NO_FLIP, State};
use crate::tables::CELL_AT;

/// How a random game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// `None` is a draw, or a game given up.
    pub winner: Option<Colour>,
    /// Moves made.
    pub plies: u32,
    /// It came to an end within the plies allowed.
    pub ended: bool,
}

impl Pentaflip {
    /// Plays from a position that is not over to the end, or until `plies_max`
    /// moves are made. Every move is chosen uniformly among the legal ones, to
    /// within 2^-26. `random` gives 64 random bits at each call.
    #[inline]
    pub fn playout(&self, position: &Position, plies_max: u32, random: impl FnMut() -> u64) -> Played {
        self.playout_with(position, plies_max, random, |_| {})
    }

    /// As [`playout`](Pentaflip::playout), and shows every move.
    #[inline]
    pub fn playout_with(
        &self,
        position: &Position,
        plies_max: u32,
        mut random: impl FnMut() -> u64,
        mut show: impl FnMut(Move),
    ) -> Played {
        debug_assert!(self.verdict(position).is_none(), "the game is over");
        let mut state = State::of(position);
        let mut side = position.side;
        for plies in 1..=plies_max {
            let mv = choose(state, random());
            show(mv);
            state = state.played(mv);
            if let Some(end) = state.end() {
                let winner = match end {
                    End::Won => Some(side),
                    End::Lost => Some(side.other()),
                    End::Drawn => None,
                };
                return Played { winner, plies, ended: true };
            }
            side = side.other();
        }
        Played { winner: None, plies: plies_max, ended: false }
    }
}

#[inline]
fn choose(state: State, random: u64) -> Move {
    let places = state.places();
    let n_places = places.count();
    let n_flips = if state.last == NO_FLIP { 8 } else { 7 };
    let n = (((random >> 32) * u64::from(n_places + n_flips)) >> 32) as u32;
    if n < n_places {
        return Move::place(nth(places, n));
    }
    let flip = (n - n_places) as u8;
    Move::flip(Flip(flip + u8::from(flip >= state.last)))
}

/// The n-th of some holes, in the order of their bits.
#[inline]
fn nth(holes: Holes, n: u32) -> Cell {
    let mut rest = holes.0;
    for _ in 0..n {
        rest &= rest - 1;
    }
    Cell(CELL_AT[rest.trailing_zeros() as usize & 31])
}
