//! The rules as the host calls them, and the texts that people read.

mod help;
mod outcome_text;

use std::ops::ControlFlow;

use pentad_sdk::{Info, Outcome, Refusal, Ruleset};

use crate::PentagoXl;
use crate::board::{Cell, Cells};
use crate::moves::Move;
use crate::notation;
use crate::position::{self, Position};
use crate::variant::{self, Variant};

pub(crate) use outcome_text::join_names;

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
        position::ENCODED_BYTES
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        bytes.copy_from_slice(&position::encode(position));
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        position::decode(bytes, self.variant)
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
        let verdict = self.verdict(position)?;
        Some(Outcome {
            scores: self.scores(&verdict),
            places: verdict.places[..self.variant.n_seats()].iter().map(|&place| place.into()).collect(),
            text: self.outcome_text(position, &verdict),
        })
    }

    fn legal_moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        self.each_move(position, visit)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Refusal> {
        notation::parse_move(self, position, text)
    }

    fn format_move(&self, _position: &Position, mv: &Move, out: &mut String) {
        out.push_str(mv.text());
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.play_unchecked(position, *mv)
    }

    fn legal_move_texts(
        &self,
        position: &Position,
        prefix: &str,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if prefix.is_empty() {
            return self.each_move(position, |mv| visit(mv.text()));
        }
        if self.verdict(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.each_move_at(position, cells_matching(prefix).and(position.empty()), &mut |mv| {
            if mv.text().starts_with(prefix) { visit(mv.text()) } else { ControlFlow::Continue(()) }
        })
    }

    fn n_moves(&self, position: &Position) -> u64 {
        self.count_legal_moves(position)
    }
}

/// The cells of all moves whose text begins with `prefix`, and perhaps others.
fn cells_matching(prefix: &str) -> Cells {
    let cell_part = prefix.get(..2).unwrap_or(prefix);
    Cell::all().filter(|&cell| Move::place(cell).text().starts_with(cell_part)).collect()
}
