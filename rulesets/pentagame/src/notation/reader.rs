//! Reads stops, figures and players.

use pentad_sdk::Refusal;
use pentad_sdk::notation::Reader;

use crate::board::{Figure, N_COLOURS, Stop, node_of, stop_on};

/// Extends [`Reader`] with this game's pieces.
pub(crate) trait ReadPieces {
    /// Reads `A`, `a`, `A1c` or the reversed name `c6A`.
    fn stop(&mut self, field: &'static str) -> Result<Stop, Refusal>;
    /// Reads `1a`.
    fn figure(&mut self, field: &'static str, n_seats: usize) -> Result<Figure, Refusal>;
    /// Reads the number of a player, as a seat from 0.
    fn seat(&mut self, field: &'static str, n_seats: usize) -> Result<usize, Refusal>;
    /// Reads the letter of a figure, as a colour from 0.
    fn colour(&mut self, field: &'static str) -> Result<usize, Refusal>;
}

impl ReadPieces for Reader<'_> {
    fn stop(&mut self, field: &'static str) -> Result<Stop, Refusal> {
        let begin = *self;
        let Some(first) = self.peek().and_then(node_of) else {
            return Err(self.refuse(field, "a stop such as `A`, `a` or `A1c`"));
        };
        self.next_char();
        let number_column = self.column();
        let Some(number) = self.peek().and_then(|letter| letter.to_digit(10)) else { return Ok(Stop(first as u8)) };
        self.next_char();
        let Some(last) = self.peek().and_then(node_of) else {
            return Err(self.refuse(field, "the letter at the other end of the line"));
        };
        self.next_char();
        let name = self.since(&begin);
        stop_on(first, number as usize, last).map_err(|len| {
            if len == 0 {
                return Refusal::malformed(
                    field,
                    begin.column(),
                    format!("there is no line between the ends of {name}"),
                );
            }
            let message = format!("the line of {name} has stops 1 to {len}");
            Refusal::malformed(field, number_column, message)
        })
    }

    fn figure(&mut self, field: &'static str, n_seats: usize) -> Result<Figure, Refusal> {
        let seat = self.seat(field, n_seats)?;
        Ok(Figure::new(seat, self.colour(field)?))
    }

    fn seat(&mut self, field: &'static str, n_seats: usize) -> Result<usize, Refusal> {
        self.letter(field, "a player", '1', n_seats as u8)
    }

    fn colour(&mut self, field: &'static str) -> Result<usize, Refusal> {
        self.letter(field, "a figure", 'a', N_COLOURS as u8)
    }
}
