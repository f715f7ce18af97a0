//! Move ordering: the moves worth searching, best first.
//!
//! A move is scored as a turn and a placement on the board after that turn: the
//! value of that board, plus what the marble adds to its own open lines and takes
//! from those of opponents. Sixteen boards score all moves at once. Fours, which
//! the next move completes, come first by their weight.

use crate::PentagoXl;
use crate::board::tables::{BLOCK, STEPS, block_bit};
use crate::board::{Cell, Cells, Turn};
use crate::evaluate::open_lines::{OpenLines, open_lines_by_seat};
use crate::moves::Move;
use crate::position::Position;
use crate::search::safe_moves::MoveMasks;

/// Value of an open line with one to four marbles.
const OPEN_LINE: [i32; 4] = [1, 6, 40, 260];
/// Gain of a marble on an own line with none to three.
const BUILD_GAIN: [i32; 4] = [1, 5, 34, 220];
/// Gain of a marble on an opponent's line with one to four.
const BLOCK_GAIN: [i32; 4] = [1, 6, 44, 300];
/// Weight of opponents' lines in sixteenths, by playing order from the next
/// opponent.
const OPPONENT_WEIGHT: [i32; 3] = [16, 12, 10];
/// Weight of a partner's lines in sixteenths.
const PARTNER_WEIGHT: i32 = 10;

/// Score of one unit of log-odds, for candidates rescored by the static
/// evaluation.
const SCORE_PER_LOG_ODDS: f64 = 1_000.0;

/// Candidates rescored between two calls of `should_continue`.
const POLL_INTERVAL: usize = 64;

/// A move and its score for ordering; higher is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) score: i32,
    pub(crate) mv: Move,
}

impl PentagoXl {
    /// Lists the moves of `masks`, best first, without those that
    /// [`distinct_moves`] removes.
    pub(crate) fn candidates(&self, position: &Position, masks: &MoveMasks, out: &mut Vec<Candidate>) {
        out.clear();
        let weights = self.line_weights(position);
        let distinct = distinct_moves(position, masks);
        let mut gains = [0; 128];
        for turn in Turn::all() {
            let cells = distinct[turn.index()];
            if cells == 0 {
                continue;
            }
            let turned = position.marbles.map(|cells| cells.turned(turn));
            gains.fill(0);
            let base = score_board(&turned, position.side as usize, &weights, &mut gains);
            for cell in Cells(cells).iter() {
                let to = cell_after_turn(cell, turn);
                let score = base + gains[to.bit() as usize];
                out.push(Candidate { score, mv: Move::place_and_turn(cell, turn) });
            }
        }
        out.sort_unstable_by_key(|candidate| (-candidate.score, candidate.mv));
    }

    /// Orders the first `n` candidates by the static evaluation after them; the
    /// others follow in their order. Rescores fewer if `should_continue` returns
    /// false.
    pub(crate) fn rescore_statically(
        &self,
        position: &Position,
        n: usize,
        candidates: &mut [Candidate],
        mut should_continue: impl FnMut() -> bool,
    ) {
        let seat = position.side as usize;
        let n_max = n.min(candidates.len());
        let mut n = 0;
        for candidate in &mut candidates[..n_max] {
            if n % POLL_INTERVAL == 0 && !should_continue() {
                break;
            }
            n += 1;
            let next = self.play_unchecked(position, candidate.mv);
            let mine = self.static_scores(&next)[seat].clamp(1e-4, 1.0 - 1e-4);
            candidate.score = ((mine / (1.0 - mine)).ln() * SCORE_PER_LOG_ODDS) as i32;
        }
        candidates[..n].sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        let Some(last) = candidates[..n].last().map(|candidate| candidate.score) else { return };
        for (behind, candidate) in candidates[n..].iter_mut().enumerate() {
            candidate.score = last - 1 - behind as i32;
        }
    }

    /// Returns the weight of each seat's lines in sixteenths; negative for opponents.
    fn line_weights(&self, position: &Position) -> [i32; 4] {
        let seat = position.side as usize;
        let (team, opponents) = (self.team(seat), self.opponents(position, seat));
        let n_seats = self.variant.n_seats();
        let mut weights = [0; 4];
        let mut n_opponents = 0;
        for other in (1..n_seats).map(|step| (seat + step) % n_seats) {
            if opponents >> other & 1 != 0 {
                weights[other] = -OPPONENT_WEIGHT[n_opponents];
                n_opponents += 1;
            } else if team >> other & 1 != 0 {
                weights[other] = PARTNER_WEIGHT;
            }
        }
        weights[seat] = 16;
        weights
    }
}

/// Returns the cell of a placed marble after a turn.
#[inline]
fn cell_after_turn(cell: Cell, turn: Turn) -> Cell {
    if cell.block() != turn.block() {
        return cell;
    }
    Cells::only(cell).turned(turn).first().unwrap_or(cell)
}

/// Returns the score of a board for a seat, and adds to `gains` what one more marble
/// of that seat gains on each cell.
fn score_board(marbles: &[Cells; 4], seat: usize, weights: &[i32; 4], gains: &mut [i32; 128]) -> i32 {
    let mut total = 0;
    for step in STEPS {
        let OpenLines { by_seat, untouched } = open_lines_by_seat(marbles, step);
        add_gain(untouched, step, BUILD_GAIN[0] * 16, gains);
        for (other, lines) in by_seat.iter().enumerate().filter(|(other, _)| weights[*other] != 0) {
            for (n, &lines) in lines.iter().enumerate() {
                if lines == 0 {
                    continue;
                }
                total += weights[other] * OPEN_LINE[n] * lines.count_ones() as i32;
                let gain = if other == seat {
                    16 * BUILD_GAIN.get(n + 1).copied().unwrap_or(0)
                } else {
                    -weights[other] * BLOCK_GAIN[n]
                };
                add_gain(lines, step, gain, gains);
            }
        }
    }
    total
}

/// Adds a gain to the five cells of each line.
#[inline]
fn add_gain(mut lines: u128, step: u32, gain: i32, gains: &mut [i32; 128]) {
    while lines != 0 {
        let first = lines.trailing_zeros();
        for i in 0..5 {
            gains[(first + i * step) as usize & 127] += gain;
        }
        lines &= lines - 1;
    }
}

/// Removes moves that lead to the same position as another because their turn
/// changes nothing.
fn distinct_moves(position: &Position, masks: &MoveMasks) -> MoveMasks {
    let occupied = position.occupied();
    let mut not_represented = u128::MAX;
    let mut distinct = *masks;
    for turn in Turn::all() {
        let changes = !occupied.in_block(turn.block()).is_empty()
            && position.marbles.iter().any(|cells| cells.turned(turn) != *cells);
        if changes {
            continue;
        }
        let block = BLOCK << block_bit(turn.block());
        distinct[turn.index()] &= block | not_represented;
        // A move outside `masks` represents no other.
        not_represented &= block | !masks[turn.index()];
    }
    distinct
}
