//! `impl Ruleset`: Pentago XL as the host sees it. The help texts are in `help`.

mod help;
mod outcome_message;

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::i18n::Translations;
use pentad_sdk::{Info, Outcome, Refusal, Ruleset};

use crate::PentagoXl;
use crate::board::lines::winning_cells;
use crate::board::{Cells, Colour, Turn};
use crate::i18n::TRANSLATIONS;
use crate::moves::Move;
use crate::notation;
use crate::position::Position;
use crate::variant::{self, Objective, Variant};

/// Bytes of an encoded position.
const ENCODED_BYTES: usize = 26;

impl Ruleset for PentagoXl {
    type Position = Position;
    type Move = Move;

    const INFO: Info = Info {
        id: "pentago-xl",
        name: "Pentago XL",
        version: env!("CARGO_PKG_VERSION"),
        rules: help::RULES,
        notation: help::NOTATION,
    };

    fn variants() -> Vec<pentad_sdk::Variant> {
        variant::variants()
    }

    fn new(variant_idx: usize) -> Self {
        PentagoXl { variant: Variant::ALL[variant_idx] }
    }

    fn position_size(&self) -> usize {
        ENCODED_BYTES
    }

    /// Writes the words of `Position::packed_words`, the last one in two bytes.
    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        let [a, b, c, rest] = position.packed_words();
        for (chunk, word) in bytes.chunks_mut(8).zip([a, b, c]) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes[24..].copy_from_slice(&(rest as u16).to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        let bytes: &[u8; ENCODED_BYTES] = bytes.try_into().ok()?;
        let (words, rest) = bytes.as_chunks::<8>();
        let mut marbles = [Cells::NONE; 4];
        for (i, word) in words.iter().enumerate() {
            let mut word = u64::from_le_bytes(*word);
            for cell in 0..27 {
                let digit = (word % 5) as usize;
                word /= 5;
                if digit > self.variant.n_seats() {
                    return None;
                }
                if digit > 0 {
                    marbles[digit - 1].0 |= 1 << ((3 * i + cell / 9) * 10 + cell % 9);
                }
            }
            if word != 0 {
                return None;
            }
        }
        let rest = u16::from_le_bytes(rest.try_into().ok()?);
        let side = Colour::ALL[usize::from(rest & 3)];
        let places = [0, 1, 2, 3].map(|i| (rest >> (2 + 3 * i)) as u8 & 7);
        let no_others = places[self.variant.n_seats()..].iter().all(|&place| place == 0);
        let allowed = self.variant.objective() == Objective::Places || places == [0; 4];
        if rest >> 14 != 0 || side as usize >= self.variant.n_seats() || !no_others || !allowed {
            return None;
        }
        let position = Position { marbles, side, places };
        // The numbers of marbles are not checked: it may be a position with the other side to move.
        position.check_off_turn(self.variant).ok().map(|()| position)
    }

    fn is_off_turn(&self, position: &Position) -> bool {
        position.check(self.variant).is_err()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text, self.variant)
    }

    fn format(&self, position: &Position, out: &mut String) {
        notation::format(position, out);
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let result = self.game_result(position)?;
        let places = result.places[..self.variant.n_seats()].iter().map(|&place| place.into()).collect();
        Some(Outcome::new(self.scores(&result), places, TRANSLATIONS.say(self.outcome_message(position, &result))))
    }

    fn translations() -> Option<&'static Translations> {
        Some(&TRANSLATIONS)
    }

    /// Visits placements that make five alone, all others with each of the sixteen
    /// turns.
    #[inline]
    fn legal_moves(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.game_result(position).is_some() {
            return ControlFlow::Continue(());
        }
        let empty = position.empty();
        let completing = winning_cells(position.own(), empty);
        for cell in empty.iter() {
            if completing.contains(cell) {
                visit(Move::place(cell))?;
            } else {
                Turn::all().try_for_each(|turn| visit(Move::place_and_turn(cell, turn)))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn n_moves(&self, position: &Position) -> u64 {
        if self.game_result(position).is_some() {
            return 0;
        }
        let empty = position.empty();
        let n_completing = u64::from(winning_cells(position.own(), empty).count());
        (u64::from(empty.count()) - n_completing) * Turn::COUNT as u64 + n_completing
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Refusal> {
        notation::parse_move(self, position, text)
    }

    #[inline]
    fn move_text(&self, _position: &Position, mv: &Move) -> Cow<'static, str> {
        mv.text().into()
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.play_unchecked(position, *mv)
    }
}
