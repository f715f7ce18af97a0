//! Parsing and writing positions and moves.
//!
//! The input is not trusted: the first character that does not fit is refused
//! with its field and column, and nothing is guessed. Columns count from 1.

use pentad_sdk::{Refusal, RefusalKind};

use crate::Pentaflip;
use crate::board::{Cell, Colour, Flip, Holes, Rings, Spots};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Illegal;

/// Reads `<top> <under> <side> <last>`.
pub(crate) fn parse(text: &str) -> Result<Position, Refusal> {
    let mut reader = Reader { text, at: 0 };
    let mut board = PartialBoard { rings: [Rings::NONE; 2], spots: [0; 2] };
    board.read(&mut reader, BoardField::Top)?;
    board.read(&mut reader, BoardField::Under)?;
    let side = read_side(&mut reader)?;
    let last_flip = read_last_flip(&mut reader)?;
    Ok(Position { rings: board.rings, spots: Spots(board.spots[0]), side, last_flip })
}

/// Appends a position in canonical form.
pub(crate) fn format(position: &Position, out: &mut String) {
    write_board(position, BoardField::Top, out);
    out.push(' ');
    write_board(position, BoardField::Under, out);
    out.push(' ');
    out.push(position.side.letter());
    out.push(' ');
    out.push(position.last_flip.map_or('-', Flip::letter));
}

/// Reads a move and checks that it is legal.
pub(crate) fn parse_move(rules: &Pentaflip, position: &Position, text: &str) -> Result<Move, Refusal> {
    let mv = read_move(text)?;
    rules.check_move(position, mv).map_err(|illegal| refuse_move(position, illegal))?;
    Ok(mv)
}

/// One of the two fields that describe a side of the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoardField {
    Top,
    Under,
}

impl BoardField {
    fn name(self) -> &'static str {
        match self {
            BoardField::Top => "top",
            BoardField::Under => "under",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            BoardField::Top => "`w`, `b`, `W`, `B`, `1` to `6` or `/`",
            BoardField::Under => "`w`, `b`, `1` to `6` or `/`",
        }
    }
}

/// A text and how far it is read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.text[self.at..].chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// The column of the next character. All before it is ASCII, so bytes are
    /// columns.
    fn column(&self) -> usize {
        self.at + 1
    }
}

/// What is read of the board so far, by colour.
struct PartialBoard {
    rings: [Rings; 2],
    spots: [u8; 2],
}

impl PartialBoard {
    /// Reads one side and the space after it.
    fn read(&mut self, reader: &mut Reader, field: BoardField) -> Result<(), Refusal> {
        let (mut row, mut column) = (0, 0);
        loop {
            let at = reader.column();
            let fault = |message: String| Err(Refusal::malformed(field.name(), at, message));
            let next = reader.next();
            let width = match next {
                Some('w' | 'b') => 1,
                Some('W' | 'B') if field == BoardField::Top => 1,
                Some(digit @ '1'..='6') => digit as usize - '0' as usize,
                Some('/' | ' ') | None => 0,
                Some(other) => return fault(format!("want {}, not {other:?}", field.expected())),
            };
            if width > 0 {
                if column + width > 6 {
                    return fault(format!("rank {} has more than 6 cells", row + 1));
                }
                let letter = next.unwrap_or_default();
                for column in column..column + width {
                    self.put(letter, Cell::at(row, column), field).or_else(fault)?;
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
                (Some(_), 5) => return Ok(()),
                (None, 5) => return Err(missing(field, at)),
                (_, _) => return fault(format!("there are {} ranks, not 6", row + 1)),
            }
        }
    }

    /// Puts a ring, a spot or nothing on a cell, as the letter says.
    fn put(&mut self, letter: char, cell: Cell, field: BoardField) -> Result<(), String> {
        let colour = usize::from(matches!(letter, 'b' | 'B'));
        match letter {
            'W' | 'B' => {
                if !cell.is_spot() {
                    return Err(format!("{cell} is a hole: only c3, d3, c4 and d4 are spots"));
                }
                if self.spots[colour].count_ones() == 2 {
                    return Err("there are two spots of each colour".to_owned());
                }
                self.spots[colour] |= 1 << cell.panel();
            }
            'w' | 'b' => {
                if cell.is_spot() {
                    return Err(format!("{cell} is a spot and takes no ring"));
                }
                if self.rings[colour].count() == Rings::MAX {
                    return Err(format!("{} has {} rings and no more", Colour::ALL[colour].name(), Rings::MAX));
                }
                let hole = cell.hole();
                let rings = &mut self.rings[colour];
                *rings = if field == BoardField::Top { rings.with_top(hole) } else { rings.with_under(hole) };
            }
            _ if cell.is_spot() && field == BoardField::Top => {
                return Err(format!("{cell} is a spot: want `W` or `B`"));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The refusal of a text that ends after a side of the board.
fn missing(field: BoardField, at: usize) -> Refusal {
    match field {
        BoardField::Top => Refusal::malformed("under", at, "the rings underneath are missing, as in ` 6/6/6/6/6/6`"),
        BoardField::Under => Refusal::malformed("side", at, "the side to move is missing: ` w` or ` b`"),
    }
}

/// Reads `w` or `b` and the space after it.
fn read_side(reader: &mut Reader) -> Result<Colour, Refusal> {
    let at = reader.column();
    let side = match reader.next() {
        Some('w') => Colour::White,
        Some('b') => Colour::Black,
        Some(found) => return Err(Refusal::malformed("side", at, format!("want `w` or `b`, not {found:?}"))),
        None => return Err(Refusal::malformed("side", at, "the side to move is missing: `w` or `b`")),
    };
    let at = reader.column();
    match reader.next() {
        Some(' ') => Ok(side),
        Some(found) => Err(Refusal::malformed("side", at, format!("want a space after the side, not {found:?}"))),
        None => Err(Refusal::malformed("last", at, "the last flip is missing: ` -` if there was none")),
    }
}

/// Reads the last flip or `-`, and checks that the text ends there.
fn read_last_flip(reader: &mut Reader) -> Result<Option<Flip>, Refusal> {
    const EXPECTED: &str = "`1` to `4`, `L`, `R`, `T`, `B` or `-`";
    let at = reader.column();
    let last = match reader.next() {
        Some('-') => None,
        Some(found) => match Flip::from_letter(found) {
            Some(flip) => Some(flip),
            None => return Err(Refusal::malformed("last", at, format!("want {EXPECTED}, not {found:?}"))),
        },
        None => return Err(Refusal::malformed("last", at, format!("the last flip is missing: {EXPECTED}"))),
    };
    let at = reader.column();
    match reader.next() {
        None => Ok(last),
        Some(_) => Err(Refusal::malformed("last", at, "nothing may follow the last flip")),
    }
}

fn write_board(position: &Position, field: BoardField, out: &mut String) {
    let holes = |colour: Colour| -> Holes {
        let rings = position.rings(colour);
        if field == BoardField::Top { rings.top() } else { rings.under() }
    };
    let letter = |cell: Cell| {
        if cell.is_spot() && field == BoardField::Top {
            return Some(if position.spots.contains(cell.panel()) { 'W' } else { 'B' });
        }
        Colour::ALL.into_iter().find(|&colour| holes(colour).contains(cell)).map(Colour::letter)
    };
    for row in 0..6 {
        if row > 0 {
            out.push('/');
        }
        let mut n_empty = 0;
        for column in 0..6 {
            let Some(letter) = letter(Cell::at(row, column)) else {
                n_empty += 1;
                continue;
            };
            write_run(n_empty, out);
            n_empty = 0;
            out.push(letter);
        }
        write_run(n_empty, out);
    }
}

fn write_run(n_empty: u8, out: &mut String) {
    if n_empty > 0 {
        out.push(char::from(b'0' + n_empty));
    }
}

/// Reads `c2` or `~L`.
fn read_move(text: &str) -> Result<Move, Refusal> {
    let mut chars = text.chars();
    let fault = |column: usize, want: &str, found: Option<char>| match found {
        Some(found) => Err(Refusal::malformed("move", column, format!("want {want}, not {found:?}"))),
        None => Err(Refusal::malformed("move", column, format!("want {want}, as in `c2` or `~L`"))),
    };
    let mv = match chars.next() {
        Some('~') => {
            let letter = chars.next();
            match letter.and_then(Flip::from_letter) {
                Some(flip) => Move::flip(flip),
                None => return fault(2, "`1` to `4`, `L`, `R`, `T` or `B`", letter),
            }
        }
        Some(file @ 'a'..='f') => match chars.next() {
            Some(rank @ '1'..='6') => Move::place(Cell::at(rank as usize - '1' as usize, file as usize - 'a' as usize)),
            found => return fault(2, "a rank `1` to `6`", found),
        },
        found => return fault(1, "a file `a` to `f` or `~`", found),
    };
    match chars.next() {
        None => Ok(mv),
        found => fault(3, "nothing more", found),
    }
}

fn refuse_move(position: &Position, illegal: Illegal) -> Refusal {
    let side = position.side.name();
    let message = match illegal {
        Illegal::GameOver => {
            let message = "the game is over".to_owned();
            return Refusal { kind: RefusalKind::GameOver, field: "", column: None, message };
        }
        Illegal::Spot(cell) => format!("{cell} is a spot and takes no ring"),
        Illegal::Occupied(cell) => format!("{cell} has a ring on top already"),
        Illegal::NoRingsLeft => format!("{side} has no rings left and has to flip"),
        Illegal::NotAdjacent(cell) => {
            format!("{cell} is not next to a ring or spot of {side}'s, and no ring of {side}'s is underneath")
        }
        Illegal::UndoesLastFlip(flip) => format!("{flip:?} was the turn before and would be undone"),
    };
    Refusal::illegal(message)
}
