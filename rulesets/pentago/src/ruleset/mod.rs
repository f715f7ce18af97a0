//! `impl Ruleset`: Pentago for the host.

mod help;

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::i18n::Translations;
use pentad_sdk::notation::write_board;
use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Variant};

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::board::{Cell, Cells, Colour, Turn};
use crate::i18n::{self, TRANSLATIONS};
use crate::moves::Move;
use crate::notation;
use crate::position::Position;
use crate::rules::GameResult;
use crate::variant::{self, Edition};

/// Bit in the encoded word of white, between two blocks: black is to move.
const BLACK_TO_MOVE: u64 = 1 << 15;
/// Bit in the encoded word of black, between two blocks: a reply is pending.
const REPLY: u64 = 1 << 15;

impl Ruleset for Pentago {
    type Position = Position;
    type Move = Move;

    const INFO: Info = Info {
        id: "pentago",
        name: "Pentago",
        version: env!("CARGO_PKG_VERSION"),
        rules: help::RULES,
        notation: help::NOTATION,
    };

    fn variants() -> Vec<Variant> {
        variant::variants()
    }

    fn new(variant_idx: usize) -> Self {
        Pentago { edition: Edition::ALL[variant_idx] }
    }

    fn position_size(&self) -> usize {
        2 * size_of::<u64>()
    }

    /// Writes the words of white and black, with the flags in bits that are not cells.
    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        let flag = |set, bit| if set { bit } else { 0 };
        let white = position.marbles[0].0 | flag(position.side == Colour::Black, BLACK_TO_MOVE);
        let black = position.marbles[1].0 | flag(position.reply, REPLY);
        bytes[..8].copy_from_slice(&white.to_le_bytes());
        bytes[8..].copy_from_slice(&black.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        let (white, black) = bytes.split_first_chunk::<8>()?;
        let white = u64::from_le_bytes(*white);
        let black = u64::from_le_bytes(black.try_into().ok()?);
        let side = if white & BLACK_TO_MOVE != 0 { Colour::Black } else { Colour::White };
        let reply = black & REPLY != 0;
        let (white, black) = (white & !BLACK_TO_MOVE, black & !REPLY);
        if (white | black) & !Cells::ALL.0 != 0 || white & black != 0 {
            return None;
        }
        let position = Position { marbles: [Cells(white), Cells(black)], side, reply };
        // The numbers of marbles are not checked: it may be a position with the other side to move.
        position.check_reply(self.edition).ok().map(|()| position)
    }

    fn is_off_turn(&self, position: &Position) -> bool {
        position.check_counts().is_err()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text, self.edition)
    }

    fn format(&self, position: &Position, out: &mut String) {
        let marble = |row, column| {
            let on_cell = |colour: &Colour| position.marbles(*colour).contains(Cell::at(row, column));
            Colour::ALL.into_iter().find(on_cell).map(Colour::letter)
        };
        write_board(6, marble, out);
        out.push(' ');
        out.push(position.side.letter());
        if position.reply {
            out.push_str(" reply");
        }
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let result = self.game_result(position)?;
        let message = match result {
            GameResult::Five(colour) => i18n::ends_with_five(colour),
            GameResult::Turner(colour) => i18n::ends_for_turner(colour),
            GameResult::BothFive => i18n::ends_with_two_fives(),
            GameResult::BoardFull => i18n::ends_with_full_board(),
        };
        Some(Outcome::of_two(result.winner().map(|colour| colour as usize), TRANSLATIONS.say(message)))
    }

    fn translations() -> Option<&'static Translations> {
        Some(&TRANSLATIONS)
    }

    #[inline]
    fn legal_moves(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.game_result(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.visit_placements(position, &mut visit)?;
        if position.reply { visit(Move::PASS) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn n_moves(&self, position: &Position) -> u64 {
        if self.game_result(position).is_some() {
            return 0;
        }
        let empty = position.empty();
        if position.reply {
            return u64::from(empty.count()) + 1;
        }
        let winning = completing_cells(position.own(), empty);
        let skippable = self.skippable(position).intersection(empty).intersection(winning.complement());
        let turning = u64::from(empty.count() - winning.count());
        turning * self.edition.n_turns() + u64::from(winning.count()) + u64::from(skippable.count())
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

impl Pentago {
    /// Visits the legal moves except the pass, of a game in progress. Separate from
    /// `legal_moves`, and by reference, because the compiler then keeps the loop over
    /// the turns tight.
    #[inline]
    fn visit_placements(
        &self,
        position: &Position,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = position.empty();
        let final_cells = if position.reply { empty } else { completing_cells(position.own(), empty) };
        let skippable = self.skippable(position);
        let clockwise_only = self.edition == Edition::Clockwise;
        for cell in empty.iter() {
            if final_cells.contains(cell) {
                visit(Move::place(cell))?;
                continue;
            }
            if skippable.contains(cell) {
                visit(Move::place(cell))?;
            }
            for turn in Turn::all() {
                if !clockwise_only || turn.is_clockwise() {
                    visit(Move::place_and_turn(cell, turn))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
