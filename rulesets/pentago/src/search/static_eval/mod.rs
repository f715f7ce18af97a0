//! The static evaluation for the search: the value, and whether either side can make
//! five.
//!
//! The value is that of [`Pentago::static_value`], computed for all turns at once: a
//! four-bit counter holds the eight boards of a line, so sums are only taken at the
//! end.

pub(crate) mod threat_scan;
mod turned_boards;

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::board::lines::{LineCounts, LineSet, any, both};
use crate::board::{Cells, Turn};
use crate::evaluate::{OPPOSING, OPPOSING_TURNED, OWN, OWN_TURNED, TEMPO, THREAT, THREAT_BY_TURNING, VALUE_MAX};
use crate::moves::Move;
use crate::search::search_position::{SearchPosition, Successor};
use crate::variant::Edition;

/// Static facts about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticEval {
    pub(crate) value: i32,
    /// Whether the side to move may have an immediate win; false means that it has
    /// none.
    pub(crate) may_win: bool,
    /// Whether the other side would have an immediate win, or at least five, if it were
    /// to move.
    pub(crate) threatened: bool,
}

impl Pentago {
    /// Evaluates a position without trying moves.
    #[inline]
    pub(crate) fn static_eval(&self, position: SearchPosition) -> StaticEval {
        let (own, opposing) = (LineCounts::of(position.own), LineCounts::of(position.opposing));
        let (open, open_opposing) = (opposing.empties(), own.empties());
        let (fours, threats) = (both(own.fours(), open), both(opposing.fours(), open_opposing));
        let (mut may_win, mut threatened) = (any(fours), any(threats));
        let mut value =
            TEMPO + unturned_value(own, open, fours, OWN) - unturned_value(opposing, open_opposing, threats, OPPOSING);
        if threatened {
            value -= THREAT;
        }
        let mut sums = [Sum::default(); 4];
        for turn in self.turns() {
            let own = own.plus(LineCounts::turn_delta(position.own, turn));
            let opposing = opposing.plus(LineCounts::turn_delta(position.opposing, turn));
            let (open, open_opposing) = (opposing.empties(), own.empties());
            sums[0].add(both(own.threes(), open));
            sums[1].add(both(opposing.threes(), open_opposing));
            sums[2].add(both(own.fours(), open));
            sums[3].add(both(opposing.fours(), open_opposing));
        }
        may_win |= any(sums[2].0);
        let threatened_by_turning = any(sums[3].0);
        threatened |= threatened_by_turning;
        let mut turned = OWN_TURNED[0] * sums[0].total() - OPPOSING_TURNED[0] * sums[1].total();
        if may_win {
            turned += OWN_TURNED[1] * sums[2].total();
        }
        if threatened_by_turning {
            turned -= OPPOSING_TURNED[1] * sums[3].total();
            value -= THREAT_BY_TURNING;
        }
        value += turned * (8 / self.edition.n_turns() as i32);
        StaticEval { value: value.clamp(-VALUE_MAX, VALUE_MAX), may_win, threatened }
    }

    /// Returns a move that wins by itself, with the plies to the end: one, or two if a
    /// reply of the Czech edition cannot save the game.
    pub(crate) fn immediate_win(&self, position: SearchPosition) -> Option<(Move, u32)> {
        if let Some(mv) = self.winning_move(&position.position()) {
            return Some((mv, 1));
        }
        if self.edition != Edition::Czech {
            return None;
        }
        for turn in self.turns() {
            for cell in five_making_cells(position, turn).iter() {
                let mv = Move::place_and_turn(cell, turn);
                if let Successor::Terminal(result) = self.successor(position, mv)
                    && result.value > 0
                {
                    return Some((mv, 2));
                }
            }
        }
        None
    }
}

/// Returns the cells that make five together with a turn.
pub(crate) fn five_making_cells(position: SearchPosition, turn: Turn) -> Cells {
    let (own, empty) = (position.own.turned(turn), position.empty());
    if own.has_five() { empty } else { completing_cells(own, empty.turned(turn)).turned(turn.inverse()) }
}

#[inline]
fn unturned_value(counts: LineCounts, open: LineSet, fours: LineSet, weights: [i32; 4]) -> i32 {
    let plane = |bit: u32| counts.0.map(|word| word >> bit);
    let (low, middle) = (plane(0), plane(1));
    // Fours have neither bit and fives only the first, so they are removed.
    let small = [open[0] & !fours[0], open[1] & !fours[1]];
    let twos_up = both(middle, small);
    let threes = both(twos_up, low);
    let ones = [low[0] & small[0] & !middle[0], low[1] & small[1] & !middle[1]];
    let mut value = weights[0] * count(ones) + weights[1] * count(twos_up) + (weights[2] - weights[1]) * count(threes);
    if any(fours) {
        value += weights[3] * count(fours);
    }
    value
}

#[inline]
fn count(lines: LineSet) -> i32 {
    (lines[0] | lines[1] << 1).count_ones() as i32
}

/// Counts up to eight boards in four bits per line.
#[derive(Clone, Copy, Default)]
struct Sum([u64; 2]);

impl Sum {
    #[inline]
    fn add(&mut self, lines: LineSet) {
        self.0 = [self.0[0] + lines[0], self.0[1] + lines[1]];
    }

    /// Returns the sum over all lines and boards. It never exceeds 255: not every line
    /// can be nearly full.
    #[inline]
    fn total(self) -> i32 {
        let pairs = |word: u64| (word & 0x0f0f_0f0f_0f0f_0f0f) + (word >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        let bytes = pairs(self.0[0]) + pairs(self.0[1]);
        (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
    }
}
