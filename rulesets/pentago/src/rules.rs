//! Legality, play and outcome: `RULES.md`, clause by clause. The legal moves are
//! listed in `ruleset`.
//!
//! The outcome follows from the position alone, because the fives at the end of a game
//! determine it:
//!
//! - One colour has five: it has won, by placing, by turning or by the opponent's turn;
//!   in the Czech edition also after a reply without five, or a pass.
//! - Both have five: a draw, in the Czech edition also by a reply. In the Finnish
//!   edition the player who turned has won, always the one who is not to move.
//! - Nobody has five and the board is full: a draw.

use pentad_sdk::Wdl;

use crate::Pentago;
use crate::board::{Cell, Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// One colour has five.
    Five(Colour),
    /// Both have five and this colour turned (Finnish edition).
    Turner(Colour),
    /// Both have five.
    BothFive,
    /// Nobody has five and no cell is left.
    BoardFull,
}

impl GameResult {
    /// Returns the winner; `None` for a draw.
    pub fn winner(self) -> Option<Colour> {
        match self {
            GameResult::Five(colour) | GameResult::Turner(colour) => Some(colour),
            GameResult::BothFive | GameResult::BoardFull => None,
        }
    }

    /// Returns the result for one colour.
    pub(crate) fn wdl(self, colour: Colour) -> Wdl {
        match self.winner() {
            None => Wdl::Draw,
            Some(winner) if winner == colour => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }
}

/// Why a well-formed move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IllegalMove {
    GameOver,
    Occupied(Cell),
    TurnAfterFive(Cell),
    TurnMissing(Cell),
    CounterClockwise,
    TurnInReply,
    PassOutsideReply,
}

impl Pentago {
    /// Returns how the game ended; `None` while it is in progress.
    #[inline]
    pub fn game_result(&self, position: &Position) -> Option<GameResult> {
        if position.reply {
            return None;
        }
        let [white, black] = position.marbles.map(Cells::has_five);
        match (white, black) {
            (false, false) => position.empty().is_empty().then_some(GameResult::BoardFull),
            (true, false) => Some(GameResult::Five(Colour::White)),
            (false, true) => Some(GameResult::Five(Colour::Black)),
            (true, true) if self.edition == Edition::Finnish => Some(GameResult::Turner(position.side.other())),
            (true, true) => Some(GameResult::BothFive),
        }
    }

    /// Returns the cells after which the turn may be skipped: in the Finnish edition,
    /// those with an empty block other than their own.
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

    /// Checks that a move is legal.
    pub(crate) fn check_move(&self, position: &Position, mv: Move) -> Result<(), IllegalMove> {
        if self.game_result(position).is_some() {
            return Err(IllegalMove::GameOver);
        }
        let Some(cell) = mv.cell() else {
            return if position.reply { Ok(()) } else { Err(IllegalMove::PassOutsideReply) };
        };
        if position.occupied().contains(cell) {
            return Err(IllegalMove::Occupied(cell));
        }
        if position.reply {
            return if mv.turn().is_none() { Ok(()) } else { Err(IllegalMove::TurnInReply) };
        }
        let is_five = position.own().with(cell).has_five();
        match mv.turn() {
            None if is_five || self.skippable(position).contains(cell) => Ok(()),
            None => Err(IllegalMove::TurnMissing(cell)),
            Some(_) if is_five => Err(IllegalMove::TurnAfterFive(cell)),
            Some(turn) if self.edition == Edition::Clockwise && !turn.is_clockwise() => {
                Err(IllegalMove::CounterClockwise)
            }
            Some(_) => Ok(()),
        }
    }

    /// Returns the position after a move, which must be legal.
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
        let reply = self.edition == Edition::Czech
            && own.has_five()
            && !opposing.has_five()
            && own.union(opposing) != Cells::ALL;
        after(position.side, own, opposing, reply)
    }
}

/// Returns the position after `mover` has moved.
#[inline]
fn after(mover: Colour, own: Cells, opposing: Cells, reply: bool) -> Position {
    let marbles = if mover == Colour::White { [own, opposing] } else { [opposing, own] };
    Position { marbles, side: mover.other(), reply }
}
