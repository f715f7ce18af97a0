//! Parsing and writing positions and moves.
//!
//! Input is untrusted; [`Reader`] reports the column of an error.

use pentad_sdk::Refusal;
use pentad_sdk::notation::{Reader, write_board};

use crate::Pentaflip;
use crate::board::{Cell, Colour, Flip, Holes, Rings, Spots};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Illegal;

/// Reads `<top> <under> <side> <last>`.
pub(crate) fn parse(text: &str) -> Result<Position, Refusal> {
    let mut reader = Reader::new(text);
    let mut board = PartialBoard { rings: [Rings::NONE; 2], spots: [0; 2] };
    board.read(&mut reader, BoardField::Top)?;
    board.read(&mut reader, BoardField::Under)?;
    let side = read_side(&mut reader)?;
    let last_flip = read_last_flip(&mut reader)?;
    Ok(Position { rings: board.rings, spots: Spots(board.spots[0]), side, last_flip })
}

/// Appends a position in canonical form.
pub(crate) fn format(position: &Position, out: &mut String) {
    write_field(position, BoardField::Top, out);
    out.push(' ');
    write_field(position, BoardField::Under, out);
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

    /// Returns the letters of rings and spots.
    fn pieces(self) -> &'static str {
        match self {
            BoardField::Top => "wbWB",
            BoardField::Under => "wb",
        }
    }
}

/// The part of the board read so far, by colour.
struct PartialBoard {
    rings: [Rings; 2],
    spots: [u8; 2],
}

impl PartialBoard {
    /// Reads one side and the space after it.
    fn read(&mut self, reader: &mut Reader<'_>, field: BoardField) -> Result<(), Refusal> {
        let put = |piece, row, column| self.put(piece, Cell::at(row, column), field);
        reader.board(field.name(), 6, field.pieces(), put)?;
        if reader.take(' ') { Ok(()) } else { Err(missing(field, reader.column())) }
    }

    /// Puts a ring, a spot or nothing on a cell, according to the letter.
    fn put(&mut self, letter: Option<char>, cell: Cell, field: BoardField) -> Result<(), String> {
        let colour = usize::from(matches!(letter, Some('b' | 'B')));
        match letter {
            Some('W' | 'B') => {
                if !cell.is_spot() {
                    return Err(format!("{cell} is a hole: only c3, d3, c4 and d4 are spots"));
                }
                if self.spots[colour].count_ones() == 2 {
                    return Err("there are two spots of each colour".to_owned());
                }
                self.spots[colour] |= 1 << cell.panel();
            }
            Some(_) => {
                if cell.is_spot() {
                    return Err(format!("{cell} is a spot and takes no ring"));
                }
                if self.rings[colour].count() == Rings::MAX {
                    return Err(format!("{} has {} rings and no more", Colour::ALL[colour].name(), Rings::MAX));
                }
                let hole = Holes::only(cell);
                let rings = &mut self.rings[colour];
                *rings = if field == BoardField::Top { rings.with_top(hole) } else { rings.with_under(hole) };
            }
            None if cell.is_spot() && field == BoardField::Top => {
                return Err(format!("{cell} is a spot: expected `W` or `B`"));
            }
            None => {}
        }
        Ok(())
    }
}

/// Returns the refusal of a text that ends after a side of the board.
fn missing(field: BoardField, at: usize) -> Refusal {
    match field {
        BoardField::Top => Refusal::malformed("under", at, "the rings underneath are missing, as in ` 6/6/6/6/6/6`"),
        BoardField::Under => Refusal::malformed("side", at, "the side to move is missing: ` w` or ` b`"),
    }
}

/// Reads `w` or `b` and the space after it.
fn read_side(reader: &mut Reader<'_>) -> Result<Colour, Refusal> {
    let side = reader.side()?;
    if reader.take(' ') {
        return Ok(side);
    }
    Err(match reader.peek() {
        Some(_) => reader.refuse("side", "a space after the side"),
        None => Refusal::malformed("last", reader.column(), "the last flip is missing: ` -` if there was none"),
    })
}

/// Reads the last flip or `-`, and checks that the text ends there.
fn read_last_flip(reader: &mut Reader<'_>) -> Result<Option<Flip>, Refusal> {
    let last =
        if reader.take('-') { None } else { Some(read_flip(reader, "last", "`1` to `4`, `L`, `R`, `T`, `B` or `-`")?) };
    match reader.peek() {
        None => Ok(last),
        Some(_) => Err(Refusal::malformed("last", reader.column(), "nothing may follow the last flip")),
    }
}

fn read_flip(reader: &mut Reader<'_>, field: &'static str, expected: &str) -> Result<Flip, Refusal> {
    let flip = reader.peek().and_then(Flip::from_letter).ok_or_else(|| reader.refuse(field, expected))?;
    reader.next_char();
    Ok(flip)
}

fn write_field(position: &Position, field: BoardField, out: &mut String) {
    let piece = |row, column| {
        let cell = Cell::at(row, column);
        if cell.is_spot() && field == BoardField::Top {
            return Some(if position.spots.contains(cell.panel()) { 'W' } else { 'B' });
        }
        let has_ring = |colour: &Colour| {
            let rings = position.rings(*colour);
            if field == BoardField::Top { rings.top() } else { rings.under() }.contains(cell)
        };
        Colour::ALL.into_iter().find(has_ring).map(Colour::letter)
    };
    write_board(6, piece, out);
}

/// Reads `c2` or `~L`.
pub(crate) fn read_move(text: &str) -> Result<Move, Refusal> {
    let mut reader = Reader::new(text);
    let mv = match reader.peek() {
        Some('~') => {
            reader.next_char();
            Move::flip(read_flip(&mut reader, "move", "`1` to `4`, `L`, `R`, `T` or `B`")?)
        }
        Some('a'..='f') => Move::place(Cell::read(&mut reader, "move")?),
        _ => return Err(reader.refuse("move", "a file `a` to `f` or `~`")),
    };
    match reader.peek() {
        None => Ok(mv),
        Some(_) => Err(reader.refuse("move", "nothing more")),
    }
}

fn refuse_move(position: &Position, illegal: Illegal) -> Refusal {
    let side = position.side.name();
    let message = match illegal {
        Illegal::GameOver => return Refusal::game_over(),
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
