//! Positions and moves as text.
//!
//! Input is untrusted: a refusal names the field and column of the first character
//! that does not fit. Columns count from 1.

use pentad_sdk::{Refusal, RefusalKind};

use crate::Pentago;
use crate::board::{Cell, Cells, Colour, Turn};
use crate::moves::Move;
use crate::position::{Position, PositionError};
use crate::rules::IllegalMove;
use crate::variant::Edition;

/// Reads `<board> <side>`, in the Czech edition also `<board> <side> reply`.
pub(crate) fn parse(text: &str, edition: Edition) -> Result<Position, Refusal> {
    let mut reader = Reader { text, at: 0 };
    let marbles = read_board(&mut reader)?;
    let side_column = reader.column();
    let side = match reader.next() {
        Some('w') => Colour::White,
        Some('b') => Colour::Black,
        Some(found) => return Err(Refusal::malformed("side", side_column, format!("want `w` or `b`, not {found:?}"))),
        None => return Err(Refusal::malformed("side", side_column, "the side to move is missing: `w` or `b`")),
    };
    let reply_column = reader.column() + 1;
    let reply = read_reply(&mut reader, edition)?;
    let position = Position { marbles, side, reply };
    position.check(edition).map_err(|error| refuse_position(&position, error, side_column, reply_column))?;
    Ok(position)
}

/// Appends a position in canonical form.
pub(crate) fn format(position: &Position, out: &mut String) {
    for row in 0..6 {
        if row > 0 {
            out.push('/');
        }
        let mut n_empty = 0;
        for column in 0..6 {
            let cell = Cell::at(row, column);
            let Some(letter) = letter_at(position, cell) else {
                n_empty += 1;
                continue;
            };
            push_run(n_empty, out);
            n_empty = 0;
            out.push(letter);
        }
        push_run(n_empty, out);
    }
    out.push(' ');
    out.push(position.side.letter());
    if position.reply {
        out.push_str(" reply");
    }
}

/// Reads a move and checks that it is legal.
pub(crate) fn parse_move(rules: &Pentago, position: &Position, text: &str) -> Result<Move, Refusal> {
    let mv = read_move(text)?;
    rules.check_move(position, mv).map_err(|illegal| refuse_move(illegal, text))?;
    Ok(mv)
}

/// A cursor in the text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// The column of the next character. All before it is ASCII, so bytes are
    /// columns.
    fn column(&self) -> usize {
        self.at + 1
    }
}

/// Reads the board and the space behind it.
fn read_board(reader: &mut Reader) -> Result<[Cells; 2], Refusal> {
    let mut marbles = [Cells::NONE; 2];
    let (mut row, mut column) = (0, 0);
    loop {
        let at = reader.column();
        let fault = |message: String| Err(Refusal::malformed("board", at, message));
        let next = reader.next();
        let width = match next {
            Some('w' | 'b') => 1,
            Some(digit @ '1'..='6') => digit as usize - '0' as usize,
            Some('/' | ' ') | None => 0,
            Some(other) => return fault(format!("want `w`, `b`, `1` to `6` or `/`, not {other:?}")),
        };
        if width > 0 {
            if column + width > 6 {
                return fault(format!("rank {} has more than 6 cells", row + 1));
            }
            if next == Some('w') || next == Some('b') {
                let colour = usize::from(next == Some('b'));
                marbles[colour] = marbles[colour].with(Cell::at(row, column));
            }
            column += width;
            continue;
        }
        if column < 6 {
            return fault(format!("rank {} has {column} cells, not 6", row + 1));
        }
        match (next, row) {
            (Some('/'), 5) => return fault("there are more than 6 ranks".into()),
            (Some('/'), _) => (row, column) = (row + 1, 0),
            (Some(_), 5) => return Ok(marbles),
            (None, 5) => return Err(Refusal::malformed("side", at, "the side to move is missing: ` w` or ` b`")),
            (_, _) => return fault(format!("there are {} ranks, not 6", row + 1)),
        }
    }
}

/// Reads what may follow the side.
fn read_reply(reader: &mut Reader, edition: Edition) -> Result<bool, Refusal> {
    if reader.peek().is_none() {
        return Ok(false);
    }
    if edition != Edition::Czech {
        if &reader.text[reader.at..] == " reply" {
            return Err(Refusal::malformed("reply", reader.column() + 1, "only the variant `czech` has a reply"));
        }
        return Err(Refusal::malformed("reply", reader.column(), "nothing may follow the side"));
    }
    for want in " reply".chars() {
        let column = reader.column();
        if reader.next() != Some(want) {
            return Err(Refusal::malformed("reply", column, "only ` reply` may follow the side"));
        }
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

fn letter_at(position: &Position, cell: Cell) -> Option<char> {
    [Colour::White, Colour::Black]
        .into_iter()
        .find(|&colour| position.marbles(colour).contains(cell))
        .map(Colour::letter)
}

fn push_run(n_empty: u8, out: &mut String) {
    if n_empty > 0 {
        out.push(char::from(b'0' + n_empty));
    }
}

/// Reads `c3-2r`, `c3` or `pass`.
fn read_move(text: &str) -> Result<Move, Refusal> {
    if text == "pass" {
        return Ok(Move::PASS);
    }
    let mut chars = text.chars();
    let mut take = |column: usize, want: &str, first: char, last: char| match chars.next() {
        Some(found) if (first..=last).contains(&found) => Ok(Some(found as usize - first as usize)),
        Some(found) => Err(Refusal::malformed("move", column, format!("want {want}, not {found:?}"))),
        None if column == 3 => Ok(None),
        None => Err(Refusal::malformed("move", column, format!("want {want}, as in `c3-2r`"))),
    };
    let file = take(1, "a file `a` to `f`", 'a', 'f')?;
    let rank = take(2, "a rank `1` to `6`", '1', '6')?;
    let (Some(file), Some(rank)) = (file, rank) else { unreachable!("only the third character may be missing") };
    let cell = Cell::at(rank, file);
    if take(3, "`-` and a turn", '-', '-')?.is_none() {
        return Ok(Move::place(cell));
    }
    let block = take(4, "a block `1` to `4`", '1', '4')?.unwrap_or_default();
    let clockwise = match chars.next() {
        Some('r') => true,
        Some('l') => false,
        _ => return Err(Refusal::malformed("move", 5, "want `r` (clockwise) or `l` (counter-clockwise)")),
    };
    match chars.next() {
        None => Ok(Move::place_and_turn(cell, Turn::new(block, clockwise))),
        Some(found) => Err(Refusal::malformed("move", 6, format!("nothing may follow the turn, found {found:?}"))),
    }
}

fn refuse_move(illegal: IllegalMove, text: &str) -> Refusal {
    let message = match illegal {
        IllegalMove::GameOver => {
            let message = "the game is over".to_owned();
            return Refusal { kind: RefusalKind::GameOver, field: "", column: None, message };
        }
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
