//! What may be played and how a game ends: the page `pentago.md`, clause by
//! clause.
//!
//! The outcome is read from the position alone, because every way to end a
//! game leaves fives from which it can be told:
//!
//! - One colour has five: it has won, by placing, by turning or by the other
//!   one's turn; in the Czech edition also after a reply in vain or a pass.
//! - Both have five: a draw, in the Czech edition also by a reply. In the
//!   Finnish edition the player who turned has won, and that is always the one
//!   who is not to move.
//! - Nobody has five and the board is full: a draw.

use std::ops::ControlFlow;

use crate::Pentago;
use crate::board::{Cell, Cells, Colour, Turn};
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One colour has five.
    Five(Colour),
    /// Both have five and this colour turned (Finnish edition).
    Turner(Colour),
    /// Both have five.
    BothFive,
    /// Nobody has five and no cell is left.
    BoardFull,
}

impl Verdict {
    /// `None` is a draw.
    pub fn winner(self) -> Option<Colour> {
        match self {
            Verdict::Five(colour) | Verdict::Turner(colour) => Some(colour),
            Verdict::BothFive | Verdict::BoardFull => None,
        }
    }
}

/// Why a move that is written well may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    GameOver,
    Occupied(Cell),
    TurnAfterFive(Cell),
    TurnMissing(Cell),
    CounterClockwise,
    TurnInReply,
    PassOutsideReply,
}

impl Pentago {
    /// How the game ended; `None` while it goes on.
    #[inline]
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        if position.reply {
            return None;
        }
        let [white, black] = position.marbles.map(Cells::has_five);
        match (white, black) {
            (false, false) => position.empty().is_empty().then_some(Verdict::BoardFull),
            (true, false) => Some(Verdict::Five(Colour::White)),
            (false, true) => Some(Verdict::Five(Colour::Black)),
            (true, true) if self.edition == Edition::Finnish => Some(Verdict::Turner(position.side.other())),
            (true, true) => Some(Verdict::BothFive),
        }
    }

    /// Gives the legal moves to `visit`, in canonical order, until it breaks.
    /// The order is that of their texts in ASCII.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.each_move_at(position, position.empty(), &mut visit)?;
        if position.reply { visit(Move::PASS) } else { ControlFlow::Continue(()) }
    }

    /// The legal moves that place on one of `cells`, which are empty, in a
    /// game that is not over.
    #[inline]
    pub(crate) fn each_move_at(
        &self,
        position: &Position,
        cells: Cells,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = position.empty();
        let final_cells = if position.reply { empty } else { completing(position.own(), empty) };
        let skippable = self.skippable(position);
        let clockwise_only = self.edition == Edition::Clockwise;
        for cell in cells.iter() {
            if final_cells.contains(cell) {
                visit(Move::place(cell))?;
                continue;
            }
            if skippable.contains(cell) {
                visit(Move::place(cell))?;
            }
            for turn in Turn::all() {
                if !clockwise_only || turn.is_clockwise() {
                    visit(Move::place_and_turn(cell, turn))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// How many legal moves there are.
    pub(crate) fn count_all(&self, position: &Position) -> u64 {
        if self.verdict(position).is_some() {
            return 0;
        }
        let empty = position.empty();
        if position.reply {
            return u64::from(empty.count()) + 1;
        }
        let winning = completing(position.own(), empty);
        let skippable = self.skippable(position).and(empty).and(winning.complement());
        let turning = u64::from(empty.count() - winning.count());
        turning * self.edition.n_turns() + u64::from(winning.count()) + u64::from(skippable.count())
    }

    /// Where the turn may be skipped after a placement: in the Finnish
    /// edition, wherever another block than that of the cell is empty.
    #[inline]
    pub(crate) fn skippable(&self, position: &Position) -> Cells {
        if self.edition != Edition::Finnish {
            return Cells::NONE;
        }
        let occupied = position.occupied();
        let is_empty = [0, 1, 2, 3].map(|block| occupied.block(block) == 0);
        let n_empty = is_empty.iter().filter(|&&empty| empty).count();
        let mut cells = 0;
        for (block, &empty) in is_empty.iter().enumerate() {
            // A placement fills its own block.
            if n_empty > usize::from(empty) {
                cells |= 0x1ff << (block * 16);
            }
        }
        Cells(cells)
    }

    /// Says why a move may not be played.
    pub(crate) fn check_move(&self, position: &Position, mv: Move) -> Result<(), Illegal> {
        if self.verdict(position).is_some() {
            return Err(Illegal::GameOver);
        }
        let Some(cell) = mv.cell() else {
            return if position.reply { Ok(()) } else { Err(Illegal::PassOutsideReply) };
        };
        if position.occupied().contains(cell) {
            return Err(Illegal::Occupied(cell));
        }
        if position.reply {
            return if mv.turn().is_none() { Ok(()) } else { Err(Illegal::TurnInReply) };
        }
        let is_five = position.own().with(cell).has_five();
        match mv.turn() {
            None if is_five || self.skippable(position).contains(cell) => Ok(()),
            None => Err(Illegal::TurnMissing(cell)),
            Some(_) if is_five => Err(Illegal::TurnAfterFive(cell)),
            Some(turn) if self.edition == Edition::Clockwise && !turn.is_clockwise() => Err(Illegal::CounterClockwise),
            Some(_) => Ok(()),
        }
    }

    /// The position after a legal move. Whether it is legal is not checked.
    #[inline]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let Some(cell) = mv.cell() else {
            return Position { reply: false, ..*position };
        };
        let (own, opposing) = (position.own().with(cell), position.opposing());
        let Some(turn) = mv.turn() else {
            return after(position.side, own, opposing, false);
        };
        let (own, opposing) = (own.turned(turn), opposing.turned(turn));
        let reply =
            self.edition == Edition::Czech && own.has_five() && !opposing.has_five() && own.or(opposing) != Cells::ALL;
        after(position.side, own, opposing, reply)
    }
}

/// The position after `mover` has moved.
#[inline]
fn after(mover: Colour, own: Cells, opposing: Cells, reply: bool) -> Position {
    let marbles = if mover == Colour::White { [own, opposing] } else { [opposing, own] };
    Position { marbles, side: mover.other(), reply }
}
