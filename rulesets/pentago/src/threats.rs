//! `impl Threats`: fives that are one move away, of either side.
//!
//! A threat is a line of five cells together with the turn that fills it, or none: a
//! line that lacks one marble is filled by placing; on each of the boards after a turn,
//! a line that lacks one marble or none is filled by placing first and turning second.
//! If the turn alone makes five, any placement will do.
//!
//! A turn that also gives the other side five makes a draw and is no threat; in the
//! Finnish edition it wins. In the Czech edition a five by turning wins only if the
//! other side cannot answer it with a five of its own.

use pentad_sdk::{Threat, ThreatKind, Threats, threat_kind};

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::board::tables::LINES;
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

/// Indices in [`Threats::KINDS`].
const PLACING: usize = 0;
const TURNING: usize = 1;
/// Stands for the turn in the key of a five by placing.
const NO_TURN: u64 = 8;

impl Threats for Pentago {
    const KINDS: &'static [ThreatKind] = &[
        threat_kind("placing", "five in a row by placing a marble, before any turn"),
        threat_kind("turning", "five in a row by turning a block, after a marble is placed"),
    ];

    fn turn_of(&self, position: &Position, seat: usize) -> Option<Position> {
        if self.game_result(position).is_some() {
            return None;
        }
        if position.side as usize == seat {
            return Some(*position);
        }
        // Only the side that may reply has anything left to decide.
        (!position.reply).then(|| Position { side: position.side.other(), ..*position })
    }

    fn threats(&self, position: &Position) -> Vec<Threat<Move>> {
        let mut threats = Vec::new();
        // A reply makes a draw at best.
        if position.reply || position.own().count() < 4 || self.game_result(position).is_some() {
            return threats;
        }
        let (own, empty) = (position.own(), position.empty());
        let final_cells = completing_cells(own, empty);
        for (line, &cells) in LINES.iter().enumerate() {
            let missing = Cells(cells & !own.0);
            if missing.count() == 1
                && let Some(cell) = missing.intersection(empty).first()
            {
                let key = line as u64 * 16 + NO_TURN;
                threats.push(Threat::win(PLACING, key, Move::place(cell), points(Cells(cells))));
            }
        }
        for turn in self.turns() {
            self.threats_by_turning(position, turn, final_cells, &mut threats);
        }
        threats
    }
}

impl Pentago {
    /// Appends the fives that one turn makes. `final_cells` make five by placing, and no
    /// turn follows them.
    fn threats_by_turning(&self, position: &Position, turn: Turn, final_cells: Cells, threats: &mut Vec<Threat<Move>>) {
        let own = position.own().turned(turn);
        let mut winning = Vec::new();
        for (line, &cells) in LINES.iter().enumerate() {
            let missing = Cells(cells & !own.0);
            if missing.count() <= 1 {
                winning.push((line, Cells(cells), missing));
            }
        }
        if winning.is_empty() {
            return;
        }
        let opposing = position.opposing().turned(turn);
        if self.edition != Edition::Finnish && opposing.has_five() {
            return;
        }
        let empty = position.empty().turned(turn);
        let placeable = empty.intersection(final_cells.turned(turn).complement());
        // In the Czech edition: the cells on which the other side could answer.
        let answers = if self.edition == Edition::Czech { completing_cells(opposing, empty) } else { Cells::NONE };
        for (line, cells, missing) in winning {
            let candidates = if missing.is_empty() { placeable } else { missing.intersection(placeable) };
            let Some(cell) = first_before(turn, unanswered(candidates, answers)) else { continue };
            let key = line as u64 * 16 + u64::from(turn.0);
            let mv = Move::place_and_turn(cell, turn);
            threats.push(Threat::win(TURNING, key, mv, points(cells.turned(turn.inverse()))));
        }
    }
}

/// Returns those of `candidates` after which none of `answers` is left empty.
fn unanswered(candidates: Cells, answers: Cells) -> Cells {
    match answers.count() {
        0 => candidates,
        1 => candidates.intersection(answers),
        _ => Cells::NONE,
    }
}

/// Returns the first cell, by name, that a turn takes to one of `cells`.
fn first_before(turn: Turn, cells: Cells) -> Option<Cell> {
    cells.turned(turn.inverse()).iter().next()
}

fn points(cells: Cells) -> Vec<usize> {
    cells.iter().map(Cell::index).collect()
}
