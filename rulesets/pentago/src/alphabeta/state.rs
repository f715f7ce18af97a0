//! A position as the search sees it: the side to move against the other one.
//!
//! Colours are gone, so positions that differ by them alone are one. A reply
//! of the Czech edition never becomes a state: it ends the game whatever is
//! played, so the move that leads to it is valued at once.

use pentad_sdk::search::primitives::NodeResult;

use crate::Pentago;
use crate::board::{Cell, Cells, Colour};
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::tables::TERNARY;
use crate::variant::Edition;

/// A game that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) own: Cells,
    pub(crate) opposing: Cells,
}

/// What a move leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum After {
    /// The game is decided, for the side that moved.
    Over(NodeResult),
    Goes(State),
}

impl State {
    pub(crate) fn of(position: &Position) -> Self {
        State { own: position.own(), opposing: position.opposing() }
    }

    /// With white to move.
    pub(crate) fn position(self) -> Position {
        Position { marbles: [self.own, self.opposing], side: Colour::White, reply: false }
    }

    pub(crate) fn empty(self) -> Cells {
        self.own.or(self.opposing).complement()
    }

    /// Whether play can lead here; after a null move it cannot.
    pub(crate) fn is_reachable(self) -> bool {
        let (own, opposing) = (self.own.count(), self.opposing.count());
        own == opposing || own + 1 == opposing
    }

    /// The same with the other side to move.
    pub(crate) fn passed(self) -> State {
        State { own: self.opposing, opposing: self.own }
    }

    /// One number per state; see [`Position::code`].
    #[inline]
    pub(crate) fn code(self) -> u64 {
        let block = |i| u64::from(TERNARY[self.own.block(i)] + 2 * TERNARY[self.opposing.block(i)]) << (15 * i);
        block(0) | block(1) | block(2) | block(3)
    }
}

impl Pentago {
    /// Plays a legal move; a pass is none here.
    #[inline]
    pub(crate) fn after(&self, state: State, mv: Move) -> After {
        let Some(cell) = mv.cell() else { return After::Over(NodeResult::loss(1)) };
        let (own, opposing) = (state.own.with(cell), state.opposing);
        let Some(turn) = mv.turn() else {
            if own.has_five() {
                return After::Over(NodeResult::win(1));
            }
            return After::Goes(State { own: opposing, opposing: own });
        };
        let (own, opposing) = (own.turned(turn), opposing.turned(turn));
        let next = State { own: opposing, opposing: own };
        match (own.has_five(), opposing.has_five()) {
            (false, false) if own.or(opposing) == Cells::ALL => After::Over(NodeResult::DRAW),
            (false, false) => After::Goes(next),
            (own_five, opposing_five) => After::Over(self.after_fives(next, own_five, opposing_five)),
        }
    }

    #[cold]
    fn after_fives(&self, next: State, own_five: bool, opposing_five: bool) -> NodeResult {
        if !own_five {
            return NodeResult::loss(1);
        }
        if opposing_five {
            return if self.edition == Edition::Finnish { NodeResult::win(1) } else { NodeResult::DRAW };
        }
        if self.edition != Edition::Czech || next.empty().is_empty() {
            return NodeResult::win(1);
        }
        if completing(next.own, next.empty()).is_empty() { NodeResult::win(2) } else { NodeResult::DRAW }
    }

    /// What a move at the root leads to, a reply included.
    pub(crate) fn after_at_root(&self, position: &Position, mv: Move) -> After {
        if !position.reply {
            return self.after(State::of(position), mv);
        }
        let saved = mv.cell().is_some_and(|cell| position.own().with(cell).has_five());
        After::Over(if saved { NodeResult::DRAW } else { NodeResult::loss(1) })
    }
}

/// The move with that [`Move::index`].
pub(crate) fn move_at(index: u16) -> Option<Move> {
    if usize::from(index) >= Move::COUNT - 1 {
        return None;
    }
    let cell = Cell((index / 9) as u8);
    Some(match index % 9 {
        0 => Move::place(cell),
        turn => Move::place_and_turn(cell, crate::board::Turn(turn as u8 - 1)),
    })
}
