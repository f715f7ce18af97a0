//! Lines of a body, read piece by piece.
//!
//! A line may be as long as a request body. Of a longer line only the beginning is kept,
//! which may contain the id of its question.

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Number of the line, from 1.
    pub(crate) number: u64,
    pub(crate) text: Bytes,
    /// Whether the line was truncated.
    pub(crate) is_cut: bool,
}

/// Splits pieces into lines. Blank lines are counted and skipped.
#[derive(Debug)]
pub(crate) struct LineReader<S> {
    pieces: S,
    len_max: usize,
    buffer: BytesMut,
    /// Part of the buffer without a line end.
    n_searched: usize,
    is_skipping: bool,
    has_ended: bool,
    n_lines: u64,
}

impl<S, E> LineReader<S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
{
    pub(crate) fn new(pieces: S, len_max: usize) -> LineReader<S> {
        LineReader {
            pieces,
            len_max,
            buffer: BytesMut::new(),
            n_searched: 0,
            is_skipping: false,
            has_ended: false,
            n_lines: 0,
        }
    }

    /// The next line. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Option<Result<Line, E>> {
        loop {
            if let Some(line) = self.buffered() {
                if line.is_cut || !line.text.trim_ascii().is_empty() {
                    return Some(Ok(line));
                }
                continue;
            }
            if self.has_ended {
                return None;
            }
            match self.pieces.next().await {
                Some(Ok(piece)) => self.buffer.extend_from_slice(&piece),
                Some(Err(error)) => {
                    self.has_ended = true;
                    self.buffer.clear();
                    return Some(Err(error));
                }
                None => self.has_ended = true,
            }
        }
    }

    fn buffered(&mut self) -> Option<Line> {
        loop {
            let end = self.buffer[self.n_searched..].iter().position(|byte| *byte == b'\n');
            let end = end.map(|idx| self.n_searched + idx);
            if self.is_skipping {
                let Some(end) = end else {
                    self.buffer.clear();
                    return None;
                };
                drop(self.buffer.split_to(end + 1));
                self.is_skipping = false;
                continue;
            }
            return match end {
                Some(end) => {
                    let mut text = self.buffer.split_to(end + 1);
                    text.truncate(end);
                    self.n_searched = 0;
                    Some(self.line(text, false))
                }
                None if self.buffer.len() > self.len_max => {
                    let text = std::mem::take(&mut self.buffer);
                    self.n_searched = 0;
                    self.is_skipping = true;
                    Some(self.line(text, true))
                }
                None if self.has_ended && !self.buffer.is_empty() => {
                    let text = std::mem::take(&mut self.buffer);
                    self.n_searched = 0;
                    Some(self.line(text, false))
                }
                None => {
                    self.n_searched = self.buffer.len();
                    None
                }
            };
        }
    }

    fn line(&mut self, mut text: BytesMut, is_unfinished: bool) -> Line {
        self.n_lines += 1;
        let is_cut = is_unfinished || text.len() > self.len_max;
        text.truncate(self.len_max);
        Line { number: self.n_lines, text: text.freeze(), is_cut }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::stream;

    use super::*;

    async fn lines(text: &str, piece_len: usize, len_max: usize) -> Vec<(u64, String, bool)> {
        let pieces = text.as_bytes().chunks(piece_len).map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)));
        let mut reader = LineReader::new(stream::iter(pieces.collect::<Vec<_>>()), len_max);
        let mut lines = Vec::new();
        while let Some(Ok(line)) = reader.next().await {
            lines.push((line.number, String::from_utf8(line.text.to_vec()).expect("ASCII"), line.is_cut));
        }
        lines
    }

    /// However the text is cut into pieces, the lines are the same; blank ones count, a
    /// missing end does not matter, and long ones are truncated.
    #[tokio::test]
    async fn lines_do_not_depend_on_pieces() {
        let text = "one\n\n  \r\nfour\r\n0123456789abcdef\nsix\n0123456789abcdef";
        let expected =
            [(1, "one", false), (4, "four\r", false), (5, "01234567", true), (6, "six", false), (7, "01234567", true)];
        let expected = expected.map(|(number, line, is_cut)| (number, line.to_owned(), is_cut));
        for piece_len in 1..=text.len() {
            assert_eq!(lines(text, piece_len, 8).await, expected, "{piece_len}");
        }
        assert!(lines("", 1, 8).await.is_empty() && lines("\n\n", 1, 8).await.is_empty());
        assert_eq!(lines("12345678", 3, 8).await, [(1, "12345678".to_owned(), false)]);
    }
}
