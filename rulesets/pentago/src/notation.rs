//! Positions and moves as text.
//!
//! Input is untrusted; [`Reader`] reports the column of an error.

use pentad_sdk::Refusal;
use pentad_sdk::notation::Reader;

use crate::Pentago;
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::position::{Position, PositionError};
use crate::rules::IllegalMove;
use crate::variant::Edition;

/// Reads `<board> <side>`, in the Czech edition also `<board> <side> reply`.
pub(crate) fn parse(text: &str, edition: Edition) -> Result<Position, Refusal> {
    let mut reader = Reader::new(text);
    let mut marbles = [Cells::NONE; 2];
    reader.board("board", 6, "wb", |piece, row, column| {
        if let Some(letter) = piece {
            let own = &mut marbles[usize::from(letter == 'b')];
            *own = own.with(Cell::at(row, column));
        }
        Ok(())
    })?;
    if !reader.take(' ') {
        return Err(Refusal::malformed("side", reader.column(), "the side to move is missing: ` w` or ` b`"));
    }
    let side_column = reader.column();
    let side = reader.side()?;
    let reply_column = reader.column() + 1;
    let reply = read_reply(&mut reader, edition)?;
    let position = Position { marbles, side, reply };
    position.check(edition).map_err(|error| refuse_position(&position, error, side_column, reply_column))?;
    Ok(position)
}

/// Reads a move and checks that it is legal.
pub(crate) fn parse_move(rules: &Pentago, position: &Position, text: &str) -> Result<Move, Refusal> {
    let mv = read_move(text)?;
    rules.check_move(position, mv).map_err(|illegal| refuse_move(illegal, text))?;
    Ok(mv)
}

/// Reads the optional field after the side.
fn read_reply(reader: &mut Reader, edition: Edition) -> Result<bool, Refusal> {
    if reader.peek().is_none() {
        return Ok(false);
    }
    if edition != Edition::Czech {
        if reader.rest() == " reply" {
            return Err(Refusal::malformed("reply", reader.column() + 1, "only the variant `czech` has a reply"));
        }
        return Err(Refusal::malformed("reply", reader.column(), "nothing may follow the side"));
    }
    if let Some(column) = " reply".chars().map(|letter| (reader.column(), reader.take(letter))).find(|read| !read.1) {
        return Err(Refusal::malformed("reply", column.0, "only ` reply` may follow the side"));
    }
    match reader.peek() {
        None => Ok(true),
        Some(_) => Err(Refusal::malformed("reply", reader.column(), "nothing may follow `reply`")),
    }
}

fn refuse_position(position: &Position, error: PositionError, side_column: usize, reply_column: usize) -> Refusal {
    let counts = || {
        let [white, black] = position.marbles.map(Cells::count);
        format!("white has {white} and black {black} marbles")
    };
    match error {
        PositionError::Counts => Refusal::malformed("board", None, format!("{}: they differ by one at most", counts())),
        PositionError::Side => Refusal::malformed(
            "side",
            side_column,
            format!("{}, so it is the turn of `{}`", counts(), position.side.other().letter()),
        ),
        PositionError::ReplyUnknown => {
            Refusal::malformed("reply", reply_column, "only the variant `czech` has a reply")
        }
        PositionError::ReplyToNothing => Refusal::malformed(
            "reply",
            reply_column,
            format!("{} has no five in a row to reply to", position.side.other().name().to_lowercase()),
        ),
        PositionError::ReplyAfterDraw => {
            Refusal::malformed("reply", reply_column, "both have five in a row, so the game is drawn already")
        }
        PositionError::ReplyWithoutCell => {
            Refusal::malformed("reply", reply_column, "the board is full, so the game is over already")
        }
    }
}

/// Reads `c3-2r`, `c3` or `pass`.
pub(crate) fn read_move(text: &str) -> Result<Move, Refusal> {
    if text == "pass" {
        return Ok(Move::PASS);
    }
    let mut reader = Reader::new(text);
    let cell = Cell::read(&mut reader, "move")?;
    if reader.peek().is_none() {
        return Ok(Move::place(cell));
    }
    let (block, clockwise) = reader.turn("move", 4)?;
    Ok(Move::place_and_turn(cell, Turn::new(block, clockwise)))
}

fn refuse_move(illegal: IllegalMove, text: &str) -> Refusal {
    let message = match illegal {
        IllegalMove::GameOver => return Refusal::game_over(),
        IllegalMove::Occupied(cell) => format!("{cell} is occupied"),
        IllegalMove::TurnAfterFive(cell) => {
            format!("{cell} makes five in a row and wins at once, without a turn: `{cell}`")
        }
        IllegalMove::TurnMissing(cell) => format!("{cell} does not win, so a block must be turned, as in `{cell}-1r`"),
        IllegalMove::CounterClockwise => {
            format!("blocks are only turned clockwise here: `{}r`", text.trim_end_matches('l'))
        }
        IllegalMove::TurnInReply => "the reply is a marble without a turn, or `pass`".to_owned(),
        IllegalMove::PassOutsideReply => "only a reply may be passed, and there is none to give".to_owned(),
    };
    Refusal::illegal(message)
}
