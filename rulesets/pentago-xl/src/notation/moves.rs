//! `c3-2r` and `c3`: parsing moves. [`Move::text`] writes them.

use pentad_sdk::{Refusal, RefusalKind};

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
fn parse_move_text(text: &str) -> Result<Move, Refusal> {
    let mut chars = text.chars();
    let mut take = |column: usize, want: &str, first: char, last: char| match chars.next() {
        Some(found) if (first..=last).contains(&found) => Ok(Some(found as usize - first as usize)),
        Some(found) => Err(Refusal::malformed("move", column, format!("want {want}, not {found:?}"))),
        None if column == 3 => Ok(None),
        None => Err(Refusal::malformed("move", column, format!("want {want}, as in `c3-2r`"))),
    };
    let file = take(1, "a file `a` to `i`", 'a', 'i')?.unwrap_or_default();
    let rank = take(2, "a rank `1` to `9`", '1', '9')?.unwrap_or_default();
    let cell = Cell::at(rank, file);
    if take(3, "`-` and a turn", '-', '-')?.is_none() {
        return Ok(Move::place(cell));
    }
    let block = take(4, "a block `1` to `9`", '1', '9')?.unwrap_or_default();
    let Some(turn) = Turn::new(block, false) else {
        return Err(Refusal::malformed("move", 4, "block 5 in the middle is fixed and never turns"));
    };
    let turn = match chars.next() {
        Some('r') => turn.inverse(),
        Some('l') => turn,
        _ => return Err(Refusal::malformed("move", 5, "want `r` (clockwise) or `l` (counter-clockwise)")),
    };
    match chars.next() {
        None => Ok(Move::place_and_turn(cell, turn)),
        Some(found) => Err(Refusal::malformed("move", 6, format!("nothing may follow the turn, found {found:?}"))),
    }
}

fn illegal_move_refusal(rules: &PentagoXl, illegal: IllegalMove) -> Refusal {
    let wins = if rules.variant.objective() == Objective::Places { "finishes" } else { "wins" };
    Refusal::illegal(match illegal {
        IllegalMove::GameOver => {
            let message = "the game is over".to_owned();
            return Refusal { kind: RefusalKind::GameOver, field: "", column: None, message };
        }
        IllegalMove::Occupied(cell) => format!("{cell} is occupied"),
        IllegalMove::TurnAfterFive(cell) => {
            format!("{cell} makes five in a row and {wins} at once, without a turn: `{cell}`")
        }
        IllegalMove::TurnMissing(cell) => {
            format!("{cell} does not make five in a row, so a block must be turned, as in `{cell}-1r`")
        }
    })
}
