//! `c3-2r` and `c3`: parses moves. [`Move::text`] writes them.

use pentad_sdk::Refusal;
use pentad_sdk::notation::Reader;

use crate::PentagoXl;
use crate::board::{Cell, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::IllegalMove;
use crate::variant::Objective;

/// Parses a move and checks that it is legal.
pub(crate) fn parse_move(rules: &PentagoXl, position: &Position, text: &str) -> Result<Move, Refusal> {
    let mv = parse_move_text(text)?;
    rules.check_move(position, mv).map_err(|illegal| illegal_move_refusal(rules, illegal))?;
    Ok(mv)
}

/// Parses `c3-2r` or `c3`.
pub(crate) fn parse_move_text(text: &str) -> Result<Move, Refusal> {
    let mut reader = Reader::new(text);
    let cell = Cell::read(&mut reader, "move")?;
    if reader.peek().is_none() {
        return Ok(Move::place(cell));
    }
    let fixed = || Refusal::malformed("move", 4, "block 5 in the middle is fixed and never turns");
    if reader.rest().starts_with("-5") {
        return Err(fixed());
    }
    let (block, clockwise) = reader.turn("move", 9)?;
    let turn = Turn::new(block, clockwise).ok_or_else(fixed)?;
    Ok(Move::place_and_turn(cell, turn))
}

fn illegal_move_refusal(rules: &PentagoXl, illegal: IllegalMove) -> Refusal {
    let wins = if rules.variant.objective() == Objective::Places { "finishes" } else { "wins" };
    Refusal::illegal(match illegal {
        IllegalMove::GameOver => return Refusal::game_over(),
        IllegalMove::Occupied(cell) => format!("{cell} is occupied"),
        IllegalMove::TurnAfterFive(cell) => {
            format!("{cell} makes five in a row and {wins} at once, without a turn: `{cell}`")
        }
        IllegalMove::TurnMissing(cell) => {
            format!("{cell} does not make five in a row, so a block must be turned, as in `{cell}-1r`")
        }
    })
}
