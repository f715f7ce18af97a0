//! `<board> <side> <places>`: parses and writes positions.

use pentad_sdk::Refusal;
use pentad_sdk::notation::{Reader, write_board};

use crate::board::{Cell, Cells, Colour};
use crate::position::{Position, PositionError};
use crate::variant::{Objective, Variant};

/// Parses `<board> <side> <places>`.
pub(crate) fn parse(text: &str, variant: Variant) -> Result<Position, Refusal> {
    let mut parser = Parser { reader: Reader::new(text), variant };
    let marbles = parser.board()?;
    let side_column = parser.reader.column();
    let side = parser.side()?;
    let places_column = parser.reader.column();
    let places = parser.places()?;
    let position = Position { marbles, side, places };
    position.check(variant).map_err(|error| position_refusal(&position, variant, error, side_column, places_column))?;
    Ok(position)
}

/// Appends a position in canonical form.
pub(crate) fn format(position: &Position, out: &mut String) {
    let marble = |row, column| {
        let on_cell = |colour: &Colour| position.marbles(*colour).contains(Cell::at(row, column));
        Colour::ALL.into_iter().find(on_cell).map(Colour::letter)
    };
    write_board(9, marble, out);
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

/// Parser of a position's text; the variant decides which colours play.
struct Parser<'a> {
    reader: Reader<'a>,
    variant: Variant,
}

impl Parser<'_> {
    /// Reads the letter of a colour that plays in this variant.
    fn colour(&mut self) -> Option<Colour> {
        self.variant.colours().find(|colour| self.reader.take(colour.letter()))
    }

    /// Returns the letters of the colours that play, for messages.
    fn letters(&self) -> String {
        self.variant.colours().map(|colour| format!("`{}`", colour.letter())).collect::<Vec<_>>().join(", ")
    }

    /// Parses the board and the space after it.
    fn board(&mut self) -> Result<[Cells; 4], Refusal> {
        let mut marbles = [Cells::NONE; 4];
        let letters: String = self.variant.colours().map(Colour::letter).collect();
        self.reader.board("board", 9, &letters, |piece, row, column| {
            if let Some(colour) = piece.and_then(|letter| letters.find(letter)) {
                marbles[colour] = marbles[colour].with(Cell::at(row, column));
            }
            Ok(())
        })?;
        if self.reader.take(' ') {
            Ok(marbles)
        } else {
            Err(Refusal::malformed("side", self.reader.column(), "the side to move is missing"))
        }
    }

    /// Parses the side to move and the space after it.
    fn side(&mut self) -> Result<Colour, Refusal> {
        let side = self.colour().ok_or_else(|| self.reader.refuse("side", &self.letters()))?;
        if self.reader.take(' ') {
            return Ok(side);
        }
        Err(match self.reader.peek() {
            Some(_) => self.reader.refuse("side", "a space and the places"),
            None => {
                let message = "the places are missing: ` -` if nobody has finished";
                Refusal::malformed("places", self.reader.column(), message)
            }
        })
    }

    /// Parses the places, the last field.
    fn places(&mut self) -> Result<[u8; 4], Refusal> {
        let mut places = [0; 4];
        if self.reader.rest() == "-" {
            return Ok(places);
        }
        if self.variant.objective() != Objective::Places {
            let message = "expected `-`: only `places3` and `places4` have places";
            return Err(Refusal::malformed("places", self.reader.column(), message));
        }
        let mut last = None;
        while last.is_none() || self.reader.peek().is_some() {
            let at = self.reader.column();
            let Some(colour) = self.colour() else {
                let expected = format!("expected `-`, or {} and a place for each who has finished", self.letters());
                return Err(Refusal::malformed("places", at, expected));
            };
            if last >= Some(colour) {
                return Err(Refusal::malformed("places", at, "players are named once, in playing order"));
            }
            last = Some(colour);
            let place = self.reader.letter("places", "a place", '1', self.variant.n_seats() as u8)?;
            places[colour as usize] = place as u8 + 1;
        }
        Ok(places)
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
        PositionError::FinishedWithMany(colour) => Refusal::malformed(
            "board",
            None,
            format!("{} marbles: {} has finished with too many", counts(), name(colour)),
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
