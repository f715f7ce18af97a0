//! `impl Threats`: fives that are one move away, of either side.
//!
//! A threat is a line of five cells together with the flip that fills it, or none: a
//! line that lacks one ring is filled by placing, if the rules allow it; a flip fills
//! lines with rings and spots that it brings up. A flip that also gives the other side
//! five makes a draw and is no threat.

use pentad_sdk::{Threat, ThreatKind, Threats, threat_kind};

use crate::Pentaflip;
use crate::board::lines::completed_lines;
use crate::board::tables::{LINES, Line, N_CELLS};
use crate::board::{Cell, Flip, Holes, N_FLIPS};
use crate::moves::Move;
use crate::position::{Position, RelativePosition};

/// Indices in [`Threats::KINDS`].
const PLACING: usize = 0;
const FLIPPING: usize = 1;
/// Stands for the flip in the key of a five by placing.
const NO_FLIP: u64 = N_FLIPS as u64;

impl Threats for Pentaflip {
    const KINDS: &'static [ThreatKind] = &[
        threat_kind("placing", "five in a row by placing a ring"),
        threat_kind("flipping", "five in a row by flipping a panel or a half"),
    ];

    fn turn_of(&self, position: &Position, seat: usize) -> Option<Position> {
        if self.game_result(position).is_some() {
            return None;
        }
        if position.side as usize == seat {
            return Some(*position);
        }
        // The flip of the preceding turn would be two turns ago, and may be made.
        Some(Position { side: position.side.other(), last_flip: None, ..*position })
    }

    fn threats(&self, position: &Position) -> Vec<Threat<Move>> {
        let mut threats = Vec::new();
        if self.game_result(position).is_some() {
            return threats;
        }
        let relative = RelativePosition::of(position);
        let (top, placements) = (relative.own.top(), relative.placements());
        for (idx, line) in LINES.iter().enumerate() {
            let missing = Holes(line.holes & !top.0);
            let has_spots = line.spots & !relative.spots.0 == 0;
            if has_spots
                && missing.count() == 1
                && let Some(cell) = missing.intersection(placements).iter().next()
            {
                let points = cells(line).map(Cell::index).collect();
                threats.push(Threat::win(PLACING, key(idx, NO_FLIP), Move::place(cell), points));
            }
        }
        for flip in relative.flips() {
            // From the point of view of the opponent, who is to move then.
            let next = relative.flip(flip);
            let own_lines = completed_lines(next.opponent.top(), next.spots.complement());
            if own_lines == 0 || completed_lines(next.own.top(), next.spots) != 0 {
                continue;
            }
            for (idx, line) in LINES.iter().enumerate().filter(|(idx, _)| own_lines >> idx & 1 != 0) {
                let points = cells(line).map(|cell| point_before(cell, flip)).collect();
                threats.push(Threat::win(FLIPPING, key(idx, u64::from(flip.0)), Move::flip(flip), points));
            }
        }
        threats
    }
}

fn key(line_idx: usize, flip: u64) -> u64 {
    line_idx as u64 * 16 + flip
}

/// Returns the cells of a line, including spots.
fn cells(line: &Line) -> impl Iterator<Item = Cell> {
    let Line { holes, spots } = *line;
    Cell::all().filter(move |&cell| match cell.is_spot() {
        true => spots >> cell.panel() & 1 != 0,
        false => Holes(holes).contains(cell),
    })
}

/// Returns the point of the layout from which a flip brings a ring or spot to the top
/// of a cell.
fn point_before(cell: Cell, flip: Flip) -> usize {
    if !flip.panels().contains(&cell.panel()) {
        return cell.index();
    }
    let from = cell.flipped(flip);
    match from.is_spot() {
        true => from.index(),
        // The points underneath follow those on top, without the spots.
        false => N_CELLS + Cell::all().filter(|other| !other.is_spot() && other.index() < from.index()).count(),
    }
}
