//! `impl Threats`: every player's fives that are one move away.
//!
//! A threat is a line of five cells with the turn, if any, that completes it. A line
//! that lacks one marble is completed by placing it. On each of the boards after a
//! turn, a line that lacks at most one marble is completed by placing first and
//! turning second. If the turn alone makes five, any placement will do; in `teams`
//! also if the five is the partner's.
//!
//! A turn that also gives an opponent five shares the win and is not a threat. In the
//! `places` variants a threat is to finish alone, and its score is that of the place.

use pentad_sdk::{Threat, ThreatKind, Threats, threat_kind};

use crate::PentagoXl;
use crate::board::lines::{completing_cells, lines_on_board, winning_cells};
use crate::board::tables::STEPS;
use crate::board::{Cell, Cells, Colour, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::search::winning_moves::turn_gives_five;
use crate::variant::Objective;

/// Indices in [`Threats::KINDS`].
const PLACING: usize = 0;
const TURNING: usize = 1;
/// The turn in the key of a five made by placing.
const NO_TURN: u64 = Turn::COUNT as u64;

impl Threats for PentagoXl {
    const KINDS: &'static [ThreatKind] = &[
        threat_kind("placing", "five in a row by placing a marble, before any turn"),
        threat_kind("turning", "five in a row by turning a block, after a marble is placed"),
    ];

    fn turn_of(&self, position: &Position, seat: usize) -> Option<Position> {
        let side = *Colour::ALL.get(seat)?;
        let may_move = self.game_result(position).is_none() && position.place(side).is_none();
        may_move.then_some(Position { side, ..*position })
    }

    fn threats(&self, position: &Position) -> Vec<Threat<Move>> {
        let mut threats = Vec::new();
        if self.game_result(position).is_some() {
            return threats;
        }
        let seat = position.side as usize;
        let (own, empty) = (position.own(), position.empty());
        let score = self.score_of_finishing(position);
        let final_cells = winning_cells(own, empty);
        if !final_cells.is_empty() {
            for (line, cells) in lines_lacking_one(own, final_cells) {
                let Some(cell) = cells.intersection(own.complement()).first() else { continue };
                let key = key(seat, line, NO_TURN);
                threats.push(Threat { kind: PLACING, key, score, mv: Move::place(cell), points: points(cells) });
            }
        }
        let partner = self.team(seat) & !(1 << seat);
        let makers = (0..self.variant().n_seats()).filter(|&maker| maker == seat || partner >> maker & 1 != 0);
        let makers: Vec<usize> = makers.collect();
        for turn in Turn::all() {
            if turn_gives_five(position, self.opponents(position, seat), turn) {
                continue;
            }
            let turned_empty = empty.turned(turn);
            let placeable = turned_empty.intersection(final_cells.turned(turn).complement());
            for &maker in &makers {
                let marbles = position.marbles[maker].turned(turn);
                let mut push = |line: u64, cells: Cells, candidates: Cells| {
                    let Some(cell) = candidates.turned(turn.inverse()).first() else { return };
                    let (mv, now) = (Move::place_and_turn(cell, turn), cells.turned(turn.inverse()));
                    let key = key(maker, line, u64::from(turn.0));
                    threats.push(Threat { kind: TURNING, key, score, mv, points: points(now) });
                };
                if marbles != position.marbles[maker] && marbles.has_five() {
                    full_lines(marbles).for_each(|(line, cells)| push(line, cells, placeable));
                }
                // Only the player's own marble is placed.
                if maker == seat && marbles.count() >= 4 {
                    let completing = Cells(completing_cells(marbles) & placeable.0);
                    if !completing.is_empty() {
                        for (line, cells) in lines_lacking_one(marbles, completing) {
                            push(line, cells, cells.intersection(completing));
                        }
                    }
                }
            }
        }
        threats
    }
}

impl PentagoXl {
    /// Returns the score of the side to move if it finishes alone with this move.
    fn score_of_finishing(&self, position: &Position) -> f64 {
        let n_seats = self.variant().n_seats() as f64;
        match self.variant().objective() {
            Objective::FirstFive | Objective::Team => 1.0,
            Objective::Places => (n_seats - 1.0 - position.n_finished() as f64) / (n_seats - 1.0),
        }
    }
}

/// Iterates over all lines of five cells with their numbers.
fn lines() -> impl Iterator<Item = (u64, Cells)> {
    STEPS.into_iter().enumerate().flat_map(|(direction, step)| {
        Cells(lines_on_board(step)).iter().map(move |first| {
            let cells = (0..5).fold(0, |cells, i| cells | 1 << (first.bit() + i * step));
            (direction as u64 * 128 + u64::from(first.bit()), Cells(cells))
        })
    })
}

/// Iterates over the lines that lack one marble, on a cell of `wanted`.
fn lines_lacking_one(marbles: Cells, wanted: Cells) -> impl Iterator<Item = (u64, Cells)> {
    lines().filter(move |(_, cells)| {
        let missing = cells.intersection(marbles.complement());
        missing.count() == 1 && !missing.intersection(wanted).is_empty()
    })
}

/// Iterates over the lines that `marbles` fill.
fn full_lines(marbles: Cells) -> impl Iterator<Item = (u64, Cells)> {
    lines().filter(move |(_, cells)| cells.intersection(marbles) == *cells)
}

/// Returns the key of a threat; `maker` is the seat whose five it is.
fn key(maker: usize, line: u64, turn: u64) -> u64 {
    (maker as u64 * 512 + line) * 32 + turn
}

fn points(cells: Cells) -> Vec<usize> {
    cells.iter().map(Cell::index).collect()
}
