//! A cursor over text that reports where it does not fit the notation.

use pentad_sdk::Refusal;

use crate::board::{Figure, N_COLOURS, Stop, node_of, stop_on};

/// A text and how far it is read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Consumes the next character if it is this one.
    pub(crate) fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// The column of the next character, from 1. All text before it is ASCII, so
    /// bytes are columns.
    pub(crate) fn column(&self) -> usize {
        self.at + 1
    }

    /// The refusal of the next character, where `wanted` would fit.
    pub(crate) fn refuse(&self, field: &'static str, wanted: &str) -> Refusal {
        let message = match self.peek() {
            Some(found) => format!("want {wanted}, not {found:?}"),
            None => format!("want {wanted}, but the text ends"),
        };
        Refusal::malformed(field, self.column(), message)
    }

    /// Reads `A`, `a`, `A1c` or the reversed name `c6A`.
    pub(crate) fn stop(&mut self, field: &'static str) -> Result<Stop, Refusal> {
        let begin = *self;
        let Some(first) = self.peek().and_then(node_of) else {
            return Err(self.refuse(field, "a stop such as `A`, `a` or `A1c`"));
        };
        self.next();
        let number_column = self.column();
        let Some(number) = self.peek().and_then(|letter| letter.to_digit(10)) else { return Ok(Stop(first as u8)) };
        self.next();
        let Some(last) = self.peek().and_then(node_of) else {
            return Err(self.refuse(field, "the letter at the other end of the line"));
        };
        self.next();
        let name = &self.text[begin.at..self.at];
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

    /// Reads `1a`.
    pub(crate) fn figure(&mut self, field: &'static str, n_seats: usize) -> Result<Figure, Refusal> {
        let seat = self.seat(field, n_seats)?;
        Ok(Figure::new(seat, self.colour(field)?))
    }

    /// Reads the number of a player, as a seat from 0.
    pub(crate) fn seat(&mut self, field: &'static str, n_seats: usize) -> Result<usize, Refusal> {
        let seat =
            self.peek().and_then(|digit| digit.to_digit(10)).filter(|digit| (1..=n_seats as u32).contains(digit));
        let seat = seat.ok_or_else(|| self.refuse(field, &format!("a player `1` to `{n_seats}`")))?;
        self.next();
        Ok(seat as usize - 1)
    }

    /// Reads the letter of a figure, as a colour from 0.
    pub(crate) fn colour(&mut self, field: &'static str) -> Result<usize, Refusal> {
        let colour =
            self.peek().filter(|letter| ('a'..='e').contains(letter)).map(|letter| letter as usize - 'a' as usize);
        let colour = colour.filter(|&colour| colour < N_COLOURS);
        let colour = colour.ok_or_else(|| self.refuse(field, "a figure `a` to `e`"))?;
        self.next();
        Ok(colour)
    }
}
