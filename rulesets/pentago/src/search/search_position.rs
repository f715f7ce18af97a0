//! Positions of the search, relative to the side to move.
//!
//! They have no colours, so positions with swapped colours are equal. A reply of the
//! Czech edition is never a position of its own: it ends the game whatever is played,
//! so the move before it is terminal.

use pentad_sdk::search::primitives::{self, NodeResult};

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::board::tables::TERNARY;
use crate::board::{Cell, Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

/// A position of a game in progress, relative to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchPosition {
    pub(crate) own: Cells,
    pub(crate) opposing: Cells,
}

/// The result of a move.
pub(crate) type Successor = primitives::Successor<SearchPosition>;

impl SearchPosition {
    pub(crate) fn of(position: &Position) -> Self {
        SearchPosition { own: position.own(), opposing: position.opposing() }
    }

    /// Returns the same position with white to move.
    pub(crate) fn position(self) -> Position {
        Position { marbles: [self.own, self.opposing], side: Colour::White, reply: false }
    }

    pub(crate) fn empty(self) -> Cells {
        self.own.union(self.opposing).complement()
    }

    /// Returns whether play can lead here; after a null move it cannot.
    pub(crate) fn is_reachable(self) -> bool {
        let (own, opposing) = (self.own.count(), self.opposing.count());
        own == opposing || own + 1 == opposing
    }

    /// Returns the same board with the other side to move.
    pub(crate) fn after_null_move(self) -> SearchPosition {
        SearchPosition { own: self.opposing, opposing: self.own }
    }

    /// Returns a number unique to the position; see [`Position::code`].
    #[inline]
    pub(crate) fn code(self) -> u64 {
        let block = |i| u64::from(TERNARY[self.own.block(i)] + 2 * TERNARY[self.opposing.block(i)]) << (15 * i);
        block(0) | block(1) | block(2) | block(3)
    }
}

impl Pentago {
    /// Plays a legal move other than a pass.
    #[inline]
    pub(crate) fn successor(&self, position: SearchPosition, mv: Move) -> Successor {
        let Some(cell) = mv.cell() else { return Successor::Terminal(NodeResult::loss(1)) };
        let (own, opposing) = (position.own.with(cell), position.opposing);
        let Some(turn) = mv.turn() else {
            if own.has_five() {
                return Successor::Terminal(NodeResult::win(1));
            }
            return Successor::Ongoing(SearchPosition { own: opposing, opposing: own });
        };
        let (own, opposing) = (own.turned(turn), opposing.turned(turn));
        let next = SearchPosition { own: opposing, opposing: own };
        match (own.has_five(), opposing.has_five()) {
            (false, false) if own.union(opposing) == Cells::ALL => Successor::Terminal(NodeResult::DRAW),
            (false, false) => Successor::Ongoing(next),
            (own_five, opposing_five) => Successor::Terminal(self.after_fives(next, own_five, opposing_five)),
        }
    }

    #[cold]
    fn after_fives(&self, next: SearchPosition, own_five: bool, opposing_five: bool) -> NodeResult {
        if !own_five {
            return NodeResult::loss(1);
        }
        if opposing_five {
            return if self.edition == Edition::Finnish { NodeResult::win(1) } else { NodeResult::DRAW };
        }
        if self.edition != Edition::Czech || next.empty().is_empty() {
            return NodeResult::win(1);
        }
        if completing_cells(next.own, next.empty()).is_empty() { NodeResult::win(2) } else { NodeResult::DRAW }
    }

    /// Returns the result of a move at the root, which may be a reply.
    pub(crate) fn root_successor(&self, position: &Position, mv: Move) -> Successor {
        if !position.reply {
            return self.successor(SearchPosition::of(position), mv);
        }
        let saved = mv.cell().is_some_and(|cell| position.own().with(cell).has_five());
        Successor::Terminal(if saved { NodeResult::DRAW } else { NodeResult::loss(1) })
    }
}

/// Returns the move with that [`Move::index`]; `None` for the pass and
/// [`Entry::NO_MOVE`](pentad_sdk::search::primitives::Entry::NO_MOVE).
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
