//! `<board> <side> <places>`: parsing and writing positions.

use pentad_sdk::Refusal;

use crate::board::{Cell, Cells, Colour};
use crate::position::{Position, PositionError};
use crate::variant::{Objective, Variant};

/// Parses `<board> <side> <places>`.
pub(crate) fn parse(text: &str, variant: Variant) -> Result<Position, Refusal> {
    let mut parser = Parser { text, at: 0, variant };
    let marbles = parser.board()?;
    let side_column = parser.column();
    let side = parser.side()?;
    let places_column = parser.column();
    let places = parser.places()?;
    let position = Position { marbles, side, places };
    position.check(variant).map_err(|error| position_refusal(&position, variant, error, side_column, places_column))?;
    Ok(position)
}

/// Appends a position in canonical form.
pub(crate) fn format(position: &Position, out: &mut String) {
    for row in 0..9 {
        if row > 0 {
            out.push('/');
        }
        let mut n_empty = 0;
        for column in 0..9 {
            let cell = Cell::at(row, column);
            let Some(colour) = Colour::ALL.into_iter().find(|&colour| position.marbles(colour).contains(cell)) else {
                n_empty += 1;
                continue;
            };
            push_run(n_empty, out);
            n_empty = 0;
            out.push(colour.letter());
        }
        push_run(n_empty, out);
    }
    out.push(' ');
    out.push(position.side.letter());
    out.push(' ');
    if position.places == [0; 4] {
        out.push('-');
    }
    for colour in Colour::ALL {
        if let Some(place) = position.place(colour) {
            out.push(colour.letter());
            out.push(char::from(b'0' + place));
        }
    }
}

fn push_run(n_empty: u8, out: &mut String) {
    if n_empty > 0 {
        out.push(char::from(b'0' + n_empty));
    }
}

/// A text, how far it is parsed, and the variant that decides who plays.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    variant: Variant,
}

impl Parser<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.text[self.at..].chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Column of the next character. All before it is ASCII, so bytes are columns.
    fn column(&self) -> usize {
        self.at + 1
    }

    /// The colour of a letter, if it plays in this variant.
    fn colour(&self, letter: Option<char>) -> Option<Colour> {
        Colour::of_letter(letter?).filter(|&colour| (colour as usize) < self.variant.n_seats())
    }

    /// The letters of those who play, for messages.
    fn letters(&self) -> String {
        self.variant.colours().map(|colour| format!("`{}`", colour.letter())).collect::<Vec<_>>().join(", ")
    }

    /// Parses the board and the space behind it.
    fn board(&mut self) -> Result<[Cells; 4], Refusal> {
        let mut marbles = [Cells::NONE; 4];
        let (mut row, mut column) = (0, 0);
        loop {
            let at = self.column();
            let refuse = |message: String| Err(Refusal::malformed("board", at, message));
            let next = self.next();
            let colour = self.colour(next);
            let width = match next {
                _ if colour.is_some() => 1,
                Some(digit @ '1'..='9') => digit as usize - '0' as usize,
                Some('/' | ' ') | None => 0,
                Some(other) => return refuse(format!("want {}, `1` to `9` or `/`, not {other:?}", self.letters())),
            };
            if width > 0 {
                if column + width > 9 {
                    return refuse(format!("rank {} has more than 9 cells", row + 1));
                }
                if let Some(colour) = colour {
                    marbles[colour as usize] = marbles[colour as usize].with(Cell::at(row, column));
                }
                column += width;
                continue;
            }
            if column < 9 {
                return refuse(format!("rank {} has {column} cells, not 9", row + 1));
            }
            match (next, row) {
                (Some('/'), 8) => return refuse("there are more than 9 ranks".into()),
                (Some('/'), _) => (row, column) = (row + 1, 0),
                (Some(_), 8) => return Ok(marbles),
                (None, 8) => return Err(Refusal::malformed("side", at, "the side to move is missing")),
                (_, _) => return refuse(format!("there are {} ranks, not 9", row + 1)),
            }
        }
    }

    /// Parses the side to move and the space behind it.
    fn side(&mut self) -> Result<Colour, Refusal> {
        let at = self.column();
        let next = self.next();
        let Some(side) = self.colour(next) else {
            let found = next.map_or_else(|| "nothing".to_owned(), |found| format!("{found:?}"));
            return Err(Refusal::malformed("side", at, format!("want {}, not {found}", self.letters())));
        };
        let at = self.column();
        match self.next() {
            Some(' ') => Ok(side),
            Some(found) => Err(Refusal::malformed("side", at, format!("want a space and the places, not {found:?}"))),
            None => Err(Refusal::malformed("places", at, "the places are missing: ` -` if nobody has finished")),
        }
    }

    /// Parses the places, the last field.
    fn places(&mut self) -> Result<[u8; 4], Refusal> {
        let mut places = [0; 4];
        if &self.text[self.at..] == "-" {
            return Ok(places);
        }
        let first = self.column();
        if self.variant.objective() != Objective::Places {
            return Err(Refusal::malformed("places", first, "want `-`: only `places3` and `places4` have places"));
        }
        let mut last = None;
        loop {
            let at = self.column();
            let refuse = |message: String| Err(Refusal::malformed("places", at, message));
            let next = self.next();
            if next.is_none() && last.is_some() {
                return Ok(places);
            }
            let Some(colour) = self.colour(next) else {
                return refuse(format!("want `-`, or {} and a place for each who has finished", self.letters()));
            };
            if last >= Some(colour) {
                return refuse("players are named once, in playing order".into());
            }
            last = Some(colour);
            let at = self.column();
            let n_seats = self.variant.n_seats() as u32;
            let place = self.next().and_then(|digit| digit.to_digit(10)).filter(|place| (1..=n_seats).contains(place));
            let Some(place) = place else {
                return Err(Refusal::malformed("places", at, format!("want a place `1` to `{n_seats}`")));
            };
            places[colour as usize] = place as u8;
        }
    }
}

fn position_refusal(
    position: &Position,
    variant: Variant,
    error: PositionError,
    side_column: usize,
    places_column: usize,
) -> Refusal {
    let counts = || {
        let count = |colour: Colour| format!("{} has {}", colour.name(), position.marbles(colour).count());
        variant.colours().map(count).collect::<Vec<_>>().join(", ").to_lowercase()
    };
    let column_of = |colour: Colour| {
        let n_before = position.places[..colour as usize].iter().filter(|&&place| place != 0).count();
        places_column + 2 * n_before
    };
    let name = |colour: Colour| colour.name().to_lowercase();
    match error {
        PositionError::Counts => Refusal::malformed(
            "board",
            None,
            format!("{} marbles: those before the side to move have one more than the others", counts()),
        ),
        PositionError::Side(turn) => Refusal::malformed(
            "side",
            side_column,
            format!("{} marbles, so it is the turn of `{}`", counts(), turn.letter()),
        ),
        PositionError::SideFinished => {
            Refusal::malformed("side", side_column, format!("{} has finished and does not move", name(position.side)))
        }
        PositionError::FinishedWithFew(colour) => Refusal::malformed(
            "places",
            column_of(colour),
            format!("{} has too few marbles to have finished", name(colour)),
        ),
        PositionError::UnfinishedFive(colour) => Refusal::malformed(
            "places",
            places_column,
            format!("{} has five in a row and so has finished, but no place is named", name(colour)),
        ),
        PositionError::Place(colour) => Refusal::malformed(
            "places",
            column_of(colour) + 1,
            format!(
                "{} cannot have place {} here: a place counts those before it, and the last one is not named",
                name(colour),
                position.places[colour as usize]
            ),
        ),
    }
}
