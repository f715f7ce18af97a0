//! The visitors of [`generate`]: one for moves, one for texts that begin with a
//! prefix, and one that counts those texts.

use std::ops::ControlFlow;

use crate::movegen::generator::{MoveVisitor, Token, generate};
use crate::moves::Move;
use crate::position::Position;

/// Visits the legal moves in the ASCII order of their texts until `visit` breaks.
#[inline]
pub(crate) fn legal_moves(position: &Position, visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
    generate(position, &mut VisitMoves(visit))
}

/// Visits the texts that begin with `prefix`, in ASCII order, until `visit` breaks.
pub(crate) fn legal_move_texts(
    position: &Position,
    prefix: &str,
    visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    generate(position, &mut VisitTexts { text: PrefixText::new(prefix), visit })
}

/// Counts the moves whose texts begin with `prefix`, without generating each.
pub(crate) fn count_moves(position: &Position, prefix: &str) -> u64 {
    let mut counter = CountMoves { text: PrefixText::new(prefix), count: 0 };
    let _complete = generate(position, &mut counter);
    counter.count
}

struct VisitMoves<F>(F);

impl<F: FnMut(Move) -> ControlFlow<()>> MoveVisitor for VisitMoves<F> {
    #[inline]
    fn visit_move(&mut self, mv: Move) -> ControlFlow<()> {
        (self.0)(mv)
    }
}

/// Bytes reserved for a text. The longest, such as `a-a=1b+A1B>A1B+A1B>A1B`, has 22.
const TEXT_MAX: usize = 32;
/// Tokens reserved for a move. The longest has 7: figure, stop, swap, and two
/// for each of two grey blocks.
const TOKENS_MAX: usize = 8;

/// The text of the tokens so far, which agrees with a prefix as far as both go.
struct PrefixText<'a> {
    prefix: &'a [u8],
    bytes: [u8; TEXT_MAX],
    len: usize,
    /// The length before each token.
    token_starts: [u8; TOKENS_MAX],
    n_tokens: usize,
}

impl<'a> PrefixText<'a> {
    fn new(prefix: &'a str) -> Self {
        PrefixText {
            prefix: prefix.as_bytes(),
            bytes: [0; TEXT_MAX],
            len: 0,
            token_starts: [0; TOKENS_MAX],
            n_tokens: 0,
        }
    }

    /// Appends a token; false if the text disagrees with the prefix.
    #[inline]
    fn push_token(&mut self, token: Token) -> bool {
        self.token_starts[self.n_tokens] = self.len as u8;
        self.n_tokens += 1;
        let before = self.len;
        match token {
            Token::Pass => self.push("pass"),
            Token::Figure(figure) => self.push_byte(figure.letter() as u8),
            Token::To(stop) => self.push_name(b'-', stop.name()),
            Token::Out => self.push_byte(b'!'),
            Token::Swap(figure) => {
                self.push_byte(b'=');
                self.push_byte(b'1' + figure.seat() as u8);
                self.push_byte(figure.letter() as u8);
            }
            Token::Black(stop) => self.push_name(b'@', stop.name()),
            Token::Grey(stop) | Token::GreyFrom(stop) => self.push_name(b'+', stop.name()),
            Token::GreyTo(stop) => self.push_name(b'>', stop.name()),
        }
        // The text before it matches, or the token would not have been offered.
        let end = self.len.min(self.prefix.len());
        before >= end || self.bytes[before..end] == self.prefix[before..end]
    }

    #[inline]
    fn pop_token(&mut self) {
        self.n_tokens -= 1;
        self.len = usize::from(self.token_starts[self.n_tokens]);
    }

    #[inline]
    fn has_prefix(&self) -> bool {
        self.len >= self.prefix.len()
    }

    #[inline]
    fn push_name(&mut self, prefix_byte: u8, name: &str) {
        self.push_byte(prefix_byte);
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

struct VisitTexts<'a> {
    text: PrefixText<'a>,
    visit: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
}

impl MoveVisitor for VisitTexts<'_> {
    #[inline]
    fn push_token(&mut self, token: Token) -> bool {
        self.text.push_token(token)
    }

    #[inline]
    fn pop_token(&mut self) {
        self.text.pop_token();
    }

    #[inline]
    fn visit_move(&mut self, _mv: Move) -> ControlFlow<()> {
        if !self.text.has_prefix() {
            return ControlFlow::Continue(());
        }
        let text = std::str::from_utf8(&self.text.bytes[..self.text.len]).expect("tokens are ASCII");
        (self.visit)(text)
    }
}

struct CountMoves<'a> {
    text: PrefixText<'a>,
    count: u64,
}

impl MoveVisitor for CountMoves<'_> {
    fn push_token(&mut self, token: Token) -> bool {
        self.text.push_token(token)
    }

    fn pop_token(&mut self) {
        self.text.pop_token();
    }

    fn accept_count(&mut self, count: impl FnOnce() -> u64) -> bool {
        let is_counted = self.text.has_prefix();
        if is_counted {
            self.count += count();
        }
        is_counted
    }

    fn visit_move(&mut self, _mv: Move) -> ControlFlow<()> {
        self.count += u64::from(self.text.has_prefix());
        ControlFlow::Continue(())
    }
}
