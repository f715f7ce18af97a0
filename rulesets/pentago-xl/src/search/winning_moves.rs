//! Wins in one: fives that are one move away.
//!
//! A line with four marbles and an empty cell is completed by placing. On the
//! sixteen boards after a turn, a line of four (or five) is completed by placing
//! first and turning second; the missing cell is turned back to find where to
//! place.

use crate::PentagoXl;
use crate::board::lines::{completing_cells, winning_cells};
use crate::board::{Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Seats;

impl PentagoXl {
    /// Returns a move by which the side to move wins at once: its side has five and no
    /// opponent has. In the `places` variants: by which it finishes alone. If there are
    /// several, returns one of them. The game must not be over.
    pub fn winning_move(&self, position: &Position) -> Option<Move> {
        self.winning_move_for(position, position.side as usize)
    }

    /// Returns what [`winning_move`](PentagoXl::winning_move) would if it were another
    /// seat's turn.
    pub fn winning_move_for(&self, position: &Position, seat: usize) -> Option<Move> {
        let own = position.marbles[seat];
        let partner = self.team(seat) & !(1 << seat);
        if own.count() < 4 && partner == 0 {
            return None;
        }
        let empty = position.empty();
        let unturned = if own.count() < 4 { 0 } else { completing_cells(own) };
        if let Some(cell) = Cells(unturned & empty.0).first() {
            return Some(Move::place(cell));
        }
        for turn in Turn::all() {
            let turned = own.turned(turn);
            let completing = if turned == own { unturned } else { completing_cells(turned) };
            let turned_empty = empty.turned(turn);
            let mut cells = Cells(completing & turned_empty.0);
            // If the turn alone makes five, any placement will do.
            if (completing & turned.0 != 0 && turned.has_five()) || turn_gives_five(position, partner, turn) {
                cells = turned_empty;
            }
            if let Some(cell) = cells.first()
                && !turn_gives_five(position, self.opponents(position, seat), turn)
            {
                let cell = Cells::only(cell).turned(turn.inverse()).first()?;
                return Some(Move::place_and_turn(cell, turn));
            }
        }
        None
    }

    /// Appends all moves by which the side to move finishes alone.
    pub(crate) fn finishing_moves(&self, position: &Position, out: &mut Vec<Move>) {
        let seat = position.side as usize;
        let (own, empty) = (position.own(), position.empty());
        let by_placing = winning_cells(own, empty);
        out.extend(by_placing.iter().map(Move::place));
        for turn in Turn::all() {
            if turn_gives_five(position, self.opponents(position, seat), turn) {
                continue;
            }
            let (turned, turned_empty) = (own.turned(turn), empty.turned(turn));
            let partner = self.team(seat) & !(1 << seat);
            let any_cell = turned.has_five() || turn_gives_five(position, partner, turn);
            let cells = if any_cell { turned_empty } else { winning_cells(turned, turned_empty) };
            let cells = cells.turned(turn.inverse()).intersection(by_placing.complement());
            out.extend(cells.iter().map(|cell| Move::place_and_turn(cell, turn)));
        }
    }

    /// Returns whether the next player would have a win in one if the side to move
    /// passed.
    pub(crate) fn is_threatened(&self, position: &Position) -> bool {
        let next = self.next_to_move(position.side, &position.places);
        self.winning_move_for(position, next as usize).is_some()
    }
}

/// Returns whether a turn alone gives five to one of `seats`, whatever is placed.
#[inline]
pub(crate) fn turn_gives_five(position: &Position, seats: Seats, turn: Turn) -> bool {
    position.marbles.iter().enumerate().any(|(seat, marbles)| {
        seats >> seat & 1 != 0 && marbles.count() >= 5 && {
            let turned = marbles.turned(turn);
            turned != *marbles && turned.has_five()
        }
    })
}
