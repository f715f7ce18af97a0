//! Who takes the moves of [`list`]: a visitor of moves, a writer of texts that
//! begin with a prefix, and a counter of such.

use std::ops::ControlFlow;

use crate::list::{Sink, Word, list};
use crate::moves::Move;
use crate::position::Position;

/// Gives the moves to `visit` until it breaks.
#[inline]
pub(crate) fn each_move(position: &Position, visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
    list(position, &mut Visit(visit))
}

/// Gives the texts that begin with `prefix` to `visit` until it breaks.
pub(crate) fn each_text(
    position: &Position,
    prefix: &str,
    visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    list(position, &mut Texts { text: Text::new(prefix), visit })
}

/// How many moves begin with `prefix`, without listing them.
pub(crate) fn count(position: &Position, prefix: &str) -> u64 {
    let mut counter = Count { text: Text::new(prefix), count: 0 };
    let _complete = list(position, &mut counter);
    counter.count
}

struct Visit<F>(F);

impl<F: FnMut(Move) -> ControlFlow<()>> Sink for Visit<F> {
    #[inline]
    fn word(&mut self, _word: Word) -> bool {
        true
    }

    #[inline]
    fn back(&mut self) {}

    #[inline]
    fn takes_all(&mut self, _count: impl FnOnce() -> u64) -> bool {
        false
    }

    #[inline]
    fn whole(&mut self, mv: Move) -> ControlFlow<()> {
        (self.0)(mv)
    }
}

/// Bytes that no text exceeds: `a-a=1b+A1B>A1B+A1B>A1B` has 22.
const TEXT_MAX: usize = 32;
/// Words that no move exceeds: figure, stop, swap, and two for each of two
/// grey blocks; or figure, stop, black, and two for one.
const WORDS_MAX: usize = 8;

/// The words so far, as far as they agree with a prefix.
struct Text<'a> {
    prefix: &'a [u8],
    bytes: [u8; TEXT_MAX],
    len: usize,
    /// Lengths before each word.
    marks: [u8; WORDS_MAX],
    n_words: usize,
}

impl<'a> Text<'a> {
    fn new(prefix: &'a str) -> Self {
        Text { prefix: prefix.as_bytes(), bytes: [0; TEXT_MAX], len: 0, marks: [0; WORDS_MAX], n_words: 0 }
    }

    /// Adds a word; whether the text can still come to begin with the prefix.
    #[inline]
    fn word(&mut self, word: Word) -> bool {
        self.marks[self.n_words] = self.len as u8;
        self.n_words += 1;
        let before = self.len;
        match word {
            Word::Pass => self.push("pass"),
            Word::Figure(figure) => self.push_byte(figure.letter() as u8),
            Word::To(stop) => self.push_marked(b'-', stop.name()),
            Word::Out => self.push_byte(b'!'),
            Word::Swap(figure) => {
                self.push_byte(b'=');
                self.push_byte(b'1' + figure.seat() as u8);
                self.push_byte(figure.letter() as u8);
            }
            Word::Black(stop) => self.push_marked(b'@', stop.name()),
            Word::Grey(stop) | Word::GreyFrom(stop) => self.push_marked(b'+', stop.name()),
            Word::GreyTo(stop) => self.push_marked(b'>', stop.name()),
        }
        // All before agrees, or the word would not have come.
        let end = self.len.min(self.prefix.len());
        before >= end || self.bytes[before..end] == self.prefix[before..end]
    }

    #[inline]
    fn back(&mut self) {
        self.n_words -= 1;
        self.len = usize::from(self.marks[self.n_words]);
    }

    #[inline]
    fn has_prefix(&self) -> bool {
        self.len >= self.prefix.len()
    }

    #[inline]
    fn push_marked(&mut self, mark: u8, name: &str) {
        self.push_byte(mark);
        self.push(name);
    }

    #[inline]
    fn push_byte(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline]
    fn push(&mut self, text: &str) {
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text.as_bytes());
        self.len += text.len();
    }
}

struct Texts<'a> {
    text: Text<'a>,
    visit: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
}

impl Sink for Texts<'_> {
    #[inline]
    fn word(&mut self, word: Word) -> bool {
        self.text.word(word)
    }

    #[inline]
    fn back(&mut self) {
        self.text.back();
    }

    #[inline]
    fn takes_all(&mut self, _count: impl FnOnce() -> u64) -> bool {
        false
    }

    #[inline]
    fn whole(&mut self, _mv: Move) -> ControlFlow<()> {
        if !self.text.has_prefix() {
            return ControlFlow::Continue(());
        }
        let text = std::str::from_utf8(&self.text.bytes[..self.text.len]).expect("words are ASCII");
        (self.visit)(text)
    }
}

struct Count<'a> {
    text: Text<'a>,
    count: u64,
}

impl Sink for Count<'_> {
    fn word(&mut self, word: Word) -> bool {
        self.text.word(word)
    }

    fn back(&mut self) {
        self.text.back();
    }

    fn takes_all(&mut self, count: impl FnOnce() -> u64) -> bool {
        let takes_all = self.text.has_prefix();
        if takes_all {
            self.count += count();
        }
        takes_all
    }

    fn whole(&mut self, _mv: Move) -> ControlFlow<()> {
        self.count += u64::from(self.text.has_prefix());
        ControlFlow::Continue(())
    }
}
