//! `impl Ruleset`: Pentagame as the host sees it. The help texts are in `help`.

mod help;

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::i18n::Translations;
use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Variant};

use crate::i18n::TRANSLATIONS;
use crate::moves::Move;
use crate::position::{self, Position};
use crate::{Pentagame, movegen, notation, rules, variant};

impl Ruleset for Pentagame {
    type Position = Position;
    type Move = Move;

    const INFO: Info = Info {
        id: "pentagame",
        name: "Pentagame",
        version: env!("CARGO_PKG_VERSION"),
        rules: help::RULES,
        notation: help::NOTATION,
    };

    fn variants() -> Vec<Variant> {
        variant::variants()
    }

    fn new(variant_idx: usize) -> Self {
        Pentagame::for_players(variant_idx + 2)
    }

    fn position_size(&self) -> usize {
        position::size(self.n_seats)
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        position::encode(position, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        position::decode(bytes, self.n_seats)
    }

    fn start(&self) -> Position {
        Position::start(self.n_seats)
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text, self.n_seats)
    }

    fn format(&self, position: &Position, out: &mut String) {
        notation::format(position, out);
    }

    fn to_move(&self, position: &Position) -> usize {
        position.to_move()
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.is_over().then(|| rules::outcome(position))
    }

    fn translations() -> Option<&'static Translations> {
        Some(&TRANSLATIONS)
    }

    fn legal_moves(&self, position: &Position, visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        movegen::legal_moves(position, visit)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Refusal> {
        notation::parse_move(position, text)
    }

    fn move_text(&self, _position: &Position, mv: &Move) -> Cow<'static, str> {
        mv.to_string().into()
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        position.play_unchecked(*mv)
    }

    fn legal_move_texts(
        &self,
        position: &Position,
        prefix: &str,
        mut visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        movegen::legal_move_texts(position, prefix, &mut visit)
    }

    fn count_moves(&self, position: &Position, prefix: &str) -> u64 {
        movegen::count_moves(position, prefix)
    }
}
