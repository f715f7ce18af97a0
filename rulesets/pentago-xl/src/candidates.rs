//! The moves worth a look, best first.
//!
//! A move is valued as a turn and a placement on the board after that turn:
//! what the board is worth, and what the marble adds to open windows of its
//! own and takes from those of rivals. Sixteen boards value all moves at once.
//! Fours, which the next move completes, come first by their weight.

use crate::PentagoXl;
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::potential::{Open, open_to};
use crate::scan::Masks;
use crate::tables::{BLOCK, STEPS, block_bit};

/// What open windows of one to four marbles are worth on the board.
const WINDOW: [i32; 4] = [1, 6, 40, 260];
/// What a marble adds to an own window of none to three.
const BUILD: [i32; 4] = [1, 5, 34, 220];
/// What it takes from a rival's window of one to four.
const BLOCK_GAIN: [i32; 4] = [1, 6, 44, 300];
/// How much rivals count, in sixteenths: the next one, and those behind.
const RIVAL: [i32; 3] = [16, 12, 10];
/// How much a mate's windows count, in sixteenths.
const MATE: i32 = 10;

/// Score of a candidate whose expected score has `e` times the odds of
/// another's, if looked at closely.
const REFINED: f64 = 1_000.0;

/// Candidates looked at closely between two questions whether to go on.
const STRIDE: usize = 64;

/// A move and how good it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) score: i32,
    pub(crate) mv: Move,
}

impl PentagoXl {
    /// Lists the moves of `masks`, one for each position they lead to as far
    /// as that is easily seen, best first.
    pub(crate) fn candidates(&self, position: &Position, masks: &Masks, out: &mut Vec<Candidate>) {
        out.clear();
        let weights = self.weights(position);
        let distinct = distinct(position, masks);
        let mut gains = [0; 128];
        for turn in Turn::all() {
            let cells = distinct[turn.index()];
            if cells == 0 {
                continue;
            }
            let turned = position.marbles.map(|cells| cells.turned(turn));
            gains.fill(0);
            let base = value(&turned, position.side as usize, &weights, &mut gains);
            for cell in Cells(cells).iter() {
                let to = landing(cell, turn);
                let score = base + gains[to.bit() as usize];
                out.push(Candidate { score, mv: Move::place_and_turn(cell, turn) });
            }
        }
        out.sort_unstable_by_key(|candidate| (-candidate.score, candidate.mv));
    }

    /// Looks more closely at the first so many candidates, as long as
    /// `goes_on` says yes: their order is that of the scores expected after
    /// them.
    pub(crate) fn refine(
        &self,
        position: &Position,
        n: usize,
        candidates: &mut [Candidate],
        mut goes_on: impl FnMut() -> bool,
    ) {
        let seat = position.side as usize;
        let n_max = n.min(candidates.len());
        let mut n = 0;
        for candidate in &mut candidates[..n_max] {
            if n % STRIDE == 0 && !goes_on() {
                break;
            }
            n += 1;
            let next = self.play_unchecked(position, candidate.mv);
            let mine = self.static_scores(&next)[seat].clamp(1e-4, 1.0 - 1e-4);
            candidate.score = ((mine / (1.0 - mine)).ln() * REFINED) as i32;
        }
        candidates[..n].sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        // The others come behind, in their order.
        let Some(last) = candidates[..n].last().map(|candidate| candidate.score) else { return };
        for (behind, candidate) in candidates[n..].iter_mut().enumerate() {
            candidate.score = last - 1 - behind as i32;
        }
    }

    /// How much each seat's windows count, in sixteenths; less than nothing
    /// for rivals.
    fn weights(&self, position: &Position) -> [i32; 4] {
        let seat = position.side as usize;
        let (mates, rivals) = (self.mates(seat), self.rivals(position, seat));
        let n_seats = self.contest.n_seats();
        let mut weights = [0; 4];
        let mut n_rivals = 0;
        for other in (1..n_seats).map(|step| (seat + step) % n_seats) {
            if rivals >> other & 1 != 0 {
                weights[other] = -RIVAL[n_rivals];
                n_rivals += 1;
            } else if mates >> other & 1 != 0 {
                weights[other] = MATE;
            }
        }
        weights[seat] = 16;
        weights
    }
}

/// Where a marble placed on a cell lies after a turn.
#[inline]
fn landing(cell: Cell, turn: Turn) -> Cell {
    if cell.block() != turn.block() {
        return cell;
    }
    Cells::only(cell).turned(turn).first().unwrap_or(cell)
}

/// Values a board for a seat, and adds what its marble gains on each cell.
fn value(marbles: &[Cells; 4], seat: usize, weights: &[i32; 4], gains: &mut [i32; 128]) -> i32 {
    let mut total = 0;
    for step in STEPS {
        let Open { by_seat, untouched } = open_to(marbles, step);
        spread(untouched, step, BUILD[0] * 16, gains);
        for (other, windows) in by_seat.iter().enumerate().filter(|(other, _)| weights[*other] != 0) {
            for (n, &windows) in windows.iter().enumerate() {
                if windows == 0 {
                    continue;
                }
                total += weights[other] * WINDOW[n] * windows.count_ones() as i32;
                let gain = if other == seat {
                    16 * BUILD.get(n + 1).copied().unwrap_or(0)
                } else {
                    -weights[other] * BLOCK_GAIN[n]
                };
                spread(windows, step, gain, gains);
            }
        }
    }
    total
}

/// Adds a gain to the five cells of each window.
#[inline]
fn spread(mut windows: u128, step: u32, gain: i32, gains: &mut [i32; 128]) {
    while windows != 0 {
        let first = windows.trailing_zeros();
        for i in 0..5 {
            gains[(first + i * step) as usize & 127] += gain;
        }
        windows &= windows - 1;
    }
}

/// Takes out moves that lead where another does because their turn changes
/// nothing.
pub(crate) fn distinct(position: &Position, masks: &Masks) -> Masks {
    let occupied = position.occupied();
    let mut idle_left = u128::MAX;
    let mut distinct = *masks;
    for turn in Turn::all() {
        let changes = !occupied.in_block(turn.block()).is_empty()
            && position.marbles.iter().any(|cells| cells.turned(turn) != *cells);
        if changes {
            continue;
        }
        let block = BLOCK << block_bit(turn.block());
        distinct[turn.index()] &= block | idle_left;
        // A move that is not in `masks` here stands for no other.
        idle_left &= block | !masks[turn.index()];
    }
    distinct
}
