//! Reading and writing positions and moves as text.
//!
//! Texts come from untrusted clients: a refusal names the field and the column of the
//! first character that does not fit, and nothing is guessed.

use crate::board::Colour;
use crate::ruleset::Refusal;

/// A text and the current place in it.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first character.
    pub fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    /// Returns the text that is not read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the text read since `begin`, an earlier state of this reader.
    pub fn since(&self, begin: &Reader<'a>) -> &'a str {
        &self.text[begin.at..self.at]
    }

    /// Returns the next character without consuming it.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes the next character.
    pub fn next_char(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Consumes the next character if it is this one.
    pub fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// Returns the column of the next character, from 1. Consumed characters must
    /// be ASCII, so that bytes are columns.
    pub fn column(&self) -> usize {
        self.at + 1
    }

    /// Refuses the next character, or the end of the text, where `expected` would fit.
    pub fn refuse(&self, field: &'static str, expected: &str) -> Refusal {
        let message = match self.peek() {
            Some(found) => format!("expected {expected}, found {found:?}"),
            None => format!("expected {expected}, but the text ends"),
        };
        Refusal::malformed(field, self.column(), message)
    }

    /// Reads one of the `count` characters from `first` on, as its number from 0. A
    /// refusal says `what` was expected.
    pub fn letter(&mut self, field: &'static str, what: &str, first: char, count: u8) -> Result<usize, Refusal> {
        let last = char::from(first as u8 + count - 1);
        let found = self.peek().filter(|found| (first..=last).contains(found));
        let found = found.ok_or_else(|| self.refuse(field, &format!("{what} `{first}` to `{last}`")))?;
        self.next_char();
        Ok(found as usize - first as usize)
    }

    /// Reads `w` or `b`, the field `side`.
    pub fn side(&mut self) -> Result<Colour, Refusal> {
        let side = Colour::ALL.into_iter().find(|colour| self.take(colour.letter()));
        side.ok_or_else(|| match self.peek() {
            Some(_) => self.refuse("side", "`w` or `b`"),
            None => Refusal::malformed("side", self.column(), "the side to move is missing: `w` or `b`"),
        })
    }

    /// Reads `-2r`, a quarter turn of one of `n_blocks` blocks, up to the end of the
    /// text. Returns the block, from 0, and whether it is turned clockwise.
    pub fn turn(&mut self, field: &'static str, n_blocks: u8) -> Result<(usize, bool), Refusal> {
        if !self.take('-') {
            return Err(self.refuse(field, "`-` and a turn"));
        }
        let block = self.letter(field, "a block", '1', n_blocks)?;
        let clockwise = self.take('r');
        if !clockwise && !self.take('l') {
            return Err(self.refuse(field, "`r` (clockwise) or `l` (counter-clockwise)"));
        }
        match self.peek() {
            None => Ok((block, clockwise)),
            Some(_) => Err(self.refuse(field, "nothing after the turn")),
        }
    }

    /// Reads the ranks of a square board, as [`grid`](Reader::grid) does.
    pub fn board(
        &mut self,
        field: &'static str,
        side: usize,
        pieces: &str,
        put: impl FnMut(Option<char>, usize, usize) -> Result<(), String>,
    ) -> Result<(), Refusal> {
        self.grid(field, side, side, pieces, put)
    }

    /// Reads the ranks of a rectangular board with at most nine files: characters of
    /// `pieces`, digits for runs of empty cells, and `/` between the ranks. Calls `put`
    /// with the piece, row and column of each cell, and refuses the cell with the message
    /// that `put` returns. Stops before the space that follows, or at the
    /// end of the text.
    pub fn grid(
        &mut self,
        field: &'static str,
        n_files: usize,
        n_ranks: usize,
        pieces: &str,
        mut put: impl FnMut(Option<char>, usize, usize) -> Result<(), String>,
    ) -> Result<(), Refusal> {
        let (mut row, mut column) = (0, 0);
        loop {
            let at = self.column();
            let refuse = |message: String| Err(Refusal::malformed(field, at, message));
            let next = self.peek();
            let piece = next.filter(|&letter| pieces.contains(letter));
            let width = match next {
                _ if piece.is_some() => 1,
                Some('/' | ' ') | None => 0,
                Some(digit) => match digit.to_digit(10) {
                    Some(width) if (1..=n_files).contains(&(width as usize)) => width as usize,
                    _ => return Err(self.refuse(field, &format!("{}`1` to `{n_files}` or `/`", quoted(pieces)))),
                },
            };
            if width > 0 {
                if column + width > n_files {
                    return refuse(format!("rank {} has more than {n_files} cells", row + 1));
                }
                (column..column + width).try_for_each(|column| put(piece, row, column)).or_else(refuse)?;
                column += width;
            } else if column < n_files {
                return refuse(format!("rank {} has {column} cells, not {n_files}", row + 1));
            } else if next == Some('/') {
                (row, column) = (row + 1, 0);
                if row == n_ranks {
                    return refuse(format!("there are more than {n_ranks} ranks"));
                }
            } else if row + 1 < n_ranks {
                return refuse(format!("there are {} ranks, not {n_ranks}", row + 1));
            } else {
                return Ok(());
            }
            self.next_char();
        }
    }
}

/// Quotes each letter and adds a comma: "`a`, `b`, ".
fn quoted(letters: &str) -> String {
    letters.chars().map(|letter| format!("`{letter}`, ")).collect()
}

/// Appends the ranks of a square board as [`Reader::board`] reads them. `piece`
/// returns the character of the cell in a row and column, `None` for an empty one.
pub fn write_board(side: usize, piece: impl Fn(usize, usize) -> Option<char>, out: &mut String) {
    write_grid(side, side, piece, out);
}

/// Appends the ranks of a rectangular board as [`Reader::grid`] reads them, like
/// [`write_board`].
pub fn write_grid(n_files: usize, n_ranks: usize, piece: impl Fn(usize, usize) -> Option<char>, out: &mut String) {
    for row in 0..n_ranks {
        if row > 0 {
            out.push('/');
        }
        let mut n_empty = 0;
        for column in 0..n_files {
            let Some(piece) = piece(row, column) else {
                n_empty += 1;
                continue;
            };
            write_run(n_empty, out);
            n_empty = 0;
            out.push(piece);
        }
        write_run(n_empty, out);
    }
}

fn write_run(n_empty: u8, out: &mut String) {
    if n_empty > 0 {
        out.push(char::from(b'0' + n_empty));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let mut reader = Reader::new(text);
        let mut cells = [[None; 3]; 3];
        reader
            .board("board", 3, "xo", |piece, row, column| {
                cells[row][column] = piece;
                Ok(())
            })
            .map_err(|refusal| refusal.to_string())?;
        let mut written = String::new();
        write_board(3, |row, column| cells[row][column], &mut written);
        Ok(written + reader.rest())
    }

    /// A board is written as it is read, with runs of empty cells merged.
    #[test]
    fn boards_are_read_and_written() {
        assert_eq!(read("3/x1o/1x1 x").as_deref(), Ok("3/x1o/1x1 x"));
        assert_eq!(read("12/xo1/11x").as_deref(), Ok("3/xo1/2x"));
    }

    /// A rectangular board has its own numbers of files and ranks.
    #[test]
    fn rectangular_boards_are_read_and_written() {
        let read = |text: &str| {
            let mut cells = [[None; 4]; 2];
            let put = |piece, row: usize, column: usize| {
                cells[row][column] = piece;
                Ok(())
            };
            Reader::new(text).grid("board", 4, 2, "xo", put).map_err(|refusal| refusal.to_string())?;
            let mut written = String::new();
            write_grid(4, 2, |row, column| cells[row][column], &mut written);
            Ok::<_, String>(written)
        };
        assert_eq!(read("x11o/22").as_deref(), Ok("x2o/4"));
        assert_eq!(read("4/x2"), Err("board: rank 2 has 3 cells, not 4 (column 5)".to_owned()));
        assert_eq!(read("4/4/4"), Err("board: there are more than 2 ranks (column 4)".to_owned()));
    }

    /// A refusal names the first character that does not fit.
    #[test]
    fn malformed_boards_are_refused() {
        let refusals = [
            ("3/y2/3", "board: expected `x`, `o`, `1` to `3` or `/`, found 'y' (column 3)"),
            ("4/3/3", "board: expected `x`, `o`, `1` to `3` or `/`, found '4' (column 1)"),
            ("3/x3/3", "board: rank 2 has more than 3 cells (column 4)"),
            ("3/2/3", "board: rank 2 has 2 cells, not 3 (column 4)"),
            ("3/3", "board: there are 2 ranks, not 3 (column 4)"),
            ("3/3/3/3", "board: there are more than 3 ranks (column 6)"),
        ];
        for (text, message) in refusals {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }

    /// Letters are read as numbers, and a refusal says what was expected.
    #[test]
    fn letters_are_read_as_numbers() {
        let mut reader = Reader::new("c4");
        assert_eq!(reader.letter("move", "a file", 'a', 6), Ok(2));
        let refusal = reader.letter("move", "a rank", '1', 3).unwrap_err();
        assert_eq!(refusal.to_string(), "move: expected a rank `1` to `3`, found '4' (column 2)");
        assert!(reader.take('4'));
        assert_eq!(reader.side().unwrap_err().to_string(), "side: the side to move is missing: `w` or `b` (column 3)");
    }
}
