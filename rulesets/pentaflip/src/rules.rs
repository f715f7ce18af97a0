//! Legality, play and outcome: `RULES.md`, clause by clause. The legal moves are listed
//! in `ruleset`.
//!
//! The outcome follows from the position alone: from the fives on top, regardless of
//! the turn that made them, and from whether all rings are on the board.

use crate::Pentaflip;
use crate::board::lines::completed_lines;
use crate::board::{Cell, Colour, Flip, Holes, Rings};
use crate::moves::{Move, MoveKind};
use crate::position::Position;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// One colour has five.
    Five(Colour),
    /// Both have five.
    BothFive,
    /// Nobody has five and all 44 rings are on the board.
    AllPlaced,
}

impl GameResult {
    /// Returns the winner; `None` for a draw.
    pub fn winner(self) -> Option<Colour> {
        match self {
            GameResult::Five(colour) => Some(colour),
            GameResult::BothFive | GameResult::AllPlaced => None,
        }
    }
}

/// Why a well-formed move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    GameOver,
    /// Spots take no rings.
    Spot(Cell),
    /// The hole has a ring on top.
    Occupied(Cell),
    NoRingsLeft,
    /// Neither next to an own ring or spot, nor above an own ring.
    NotAdjacent(Cell),
    /// The preceding turn made this flip.
    UndoesLastFlip(Flip),
}

impl Pentaflip {
    /// Returns how the game ended; `None` while it is in progress.
    #[inline]
    pub fn game_result(&self, position: &Position) -> Option<GameResult> {
        let [white, black] = Colour::ALL.map(|colour| has_five(position, colour));
        match (white, black) {
            (false, false) => (position.n_rings() == 2 * Rings::MAX).then_some(GameResult::AllPlaced),
            (true, false) => Some(GameResult::Five(Colour::White)),
            (false, true) => Some(GameResult::Five(Colour::Black)),
            (true, true) => Some(GameResult::BothFive),
        }
    }

    /// Checks that a move is legal.
    pub(crate) fn check_move(&self, position: &Position, mv: Move) -> Result<(), Illegal> {
        if self.game_result(position).is_some() {
            return Err(Illegal::GameOver);
        }
        match mv.kind() {
            MoveKind::Flip(flip) if position.last_flip == Some(flip) => Err(Illegal::UndoesLastFlip(flip)),
            MoveKind::Flip(_) => Ok(()),
            MoveKind::Place(cell) if cell.is_spot() => Err(Illegal::Spot(cell)),
            MoveKind::Place(cell) if position.occupied().contains(cell) => Err(Illegal::Occupied(cell)),
            MoveKind::Place(_) if position.in_hand(position.side) == 0 => Err(Illegal::NoRingsLeft),
            MoveKind::Place(cell) if !self.placements(position).contains(cell) => Err(Illegal::NotAdjacent(cell)),
            MoveKind::Place(_) => Ok(()),
        }
    }

    /// Returns the position after a legal move. Whether it is legal is not checked.
    #[inline]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let mut next = Position { side: position.side.other(), last_flip: mv.as_flip(), ..*position };
        match mv.kind() {
            MoveKind::Flip(flip) => {
                next.rings = position.rings.map(|rings| rings.flipped(flip));
                next.spots = position.spots.flipped(flip);
            }
            MoveKind::Place(cell) => {
                let rings = &mut next.rings[position.side as usize];
                *rings = rings.with_top(Holes::only(cell));
            }
        }
        next
    }
}

/// Returns whether rings on top and spots of a colour lie five in a row.
#[inline]
fn has_five(position: &Position, colour: Colour) -> bool {
    completed_lines(position.rings(colour).top(), position.spots(colour)) != 0
}
