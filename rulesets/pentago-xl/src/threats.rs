//! Fives that are one move away.
//!
//! A line with four marbles and an empty cell is completed by placing. After
//! each turn the board is looked at again, so a line that has four (or five)
//! then is completed by placing first and turning second; the missing cell is
//! turned back to find where to place.

use crate::PentagoXl;
use crate::board::{Cells, Turn};
use crate::lines::{completing, fifths};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Aim;

/// A set of seats, one bit each.
pub(crate) type Seats = u8;

impl PentagoXl {
    /// The players whose five is as good as one's own.
    #[inline]
    pub(crate) fn mates(&self, seat: usize) -> Seats {
        if self.contest.aim() == Aim::Team { 0b0101 << (seat % 2) } else { 1 << seat }
    }

    /// The players who have not finished and are no mates.
    #[inline]
    pub(crate) fn rivals(&self, position: &Position, seat: usize) -> Seats {
        let playing = (0..self.contest.n_seats()).filter(|&other| position.places[other] == 0);
        playing.fold(0, |seats, other| seats | 1 << other) & !self.mates(seat)
    }

    /// Whether the next five decides everything: the game ends, or only two
    /// are left to play for a place.
    #[inline]
    pub(crate) fn is_decisive(&self, position: &Position) -> bool {
        self.contest.aim() != Aim::Places || position.n_finished() + 2 >= self.contest.n_seats()
    }

    /// A move after which the side to move has won at once: it has five and no
    /// rival has. In the `places` variants: has finished, alone. If there are
    /// several, one of them; of a game that is not over.
    pub fn win_in_one(&self, position: &Position) -> Option<Move> {
        self.five_at_hand(position, position.side as usize)
    }

    /// As [`win_in_one`](PentagoXl::win_in_one), if it were another seat's turn.
    pub fn five_at_hand(&self, position: &Position, seat: usize) -> Option<Move> {
        let own = position.marbles[seat];
        let mates = self.mates(seat) & !(1 << seat);
        if own.count() < 4 && mates == 0 {
            return None;
        }
        let empty = position.empty();
        let as_it_lies = if own.count() < 4 { 0 } else { fifths(own) };
        if let Some(cell) = Cells(as_it_lies & empty.0).first() {
            return Some(Move::place(cell));
        }
        for turn in Turn::all() {
            let turned = own.turned(turn);
            let found = if turned == own { as_it_lies } else { fifths(turned) };
            let turned_empty = empty.turned(turn);
            let mut cells = Cells(found & turned_empty.0);
            // If the turn alone makes five, every placement serves.
            if (found & turned.0 != 0 && turned.has_five()) || any_five(position, mates, turn) {
                cells = turned_empty;
            }
            if let Some(cell) = cells.first()
                && !any_five(position, self.rivals(position, seat), turn)
            {
                let cell = Cells::only(cell).turned(turn.inverse()).first()?;
                return Some(Move::place_and_turn(cell, turn));
            }
        }
        None
    }

    /// All moves after which the side to move has finished alone.
    pub(crate) fn all_fives(&self, position: &Position, out: &mut Vec<Move>) {
        let seat = position.side as usize;
        let (own, empty) = (position.own(), position.empty());
        let by_placing = completing(own, empty);
        out.extend(by_placing.iter().map(Move::place));
        for turn in Turn::all() {
            if any_five(position, self.rivals(position, seat), turn) {
                continue;
            }
            let (turned, turned_empty) = (own.turned(turn), empty.turned(turn));
            let mates = self.mates(seat) & !(1 << seat);
            let all = turned.has_five() || any_five(position, mates, turn);
            let cells = if all { turned_empty } else { completing(turned, turned_empty) };
            let cells = cells.turned(turn.inverse()).and(by_placing.complement());
            out.extend(cells.iter().map(|cell| Move::place_and_turn(cell, turn)));
        }
    }
}

/// Whether a turn gives five to one of some players, whatever is placed.
#[inline]
pub(crate) fn any_five(position: &Position, seats: Seats, turn: Turn) -> bool {
    position.marbles.iter().enumerate().any(|(seat, marbles)| {
        seats >> seat & 1 != 0 && marbles.count() >= 5 && {
            let turned = marbles.turned(turn);
            turned != *marbles && turned.has_five()
        }
    })
}

impl PentagoXl {
    /// Whether the next player would have a five at hand if the side to move
    /// did nothing.
    pub(crate) fn is_threatened(&self, position: &Position) -> bool {
        let next = self.after(position.side, &position.places);
        self.five_at_hand(position, next as usize).is_some()
    }
}
