//! `impl Ruleset`: Pentago for the host.

mod help;

use std::ops::ControlFlow;

use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Variant};

use crate::Pentago;
use crate::board::{Cell, Cells};
use crate::moves::Move;
use crate::notation;
use crate::position::{self, Position};
use crate::rules::Verdict;
use crate::variant::{self, Edition};

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
        position::SIZE
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        bytes.copy_from_slice(&position::encode(position));
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        position::decode(bytes, self.edition)
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text, self.edition)
    }

    fn format(&self, position: &Position, out: &mut String) {
        notation::format(position, out);
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.verdict(position).map(outcome)
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
        let mut visit_fitting = |mv: Move| {
            if mv.text().starts_with(prefix) { visit(mv.text()) } else { ControlFlow::Continue(()) }
        };
        self.each_move_at(position, cells_from(prefix).and(position.empty()), &mut visit_fitting)?;
        if position.reply { visit_fitting(Move::PASS) } else { ControlFlow::Continue(()) }
    }

    fn n_moves(&self, position: &Position) -> u64 {
        self.count_legal_moves(position)
    }
}

/// The cells that a move beginning with `prefix` may place on, and no fewer.
fn cells_from(prefix: &str) -> Cells {
    let cell_part = prefix.get(..2).unwrap_or(prefix);
    Cell::all().filter(|&cell| Move::place(cell).text().starts_with(cell_part)).collect()
}

fn outcome(verdict: Verdict) -> Outcome {
    let text = match verdict {
        Verdict::Five(colour) => format!("{} has five in a row and wins.", colour.name()),
        Verdict::Turner(colour) => {
            format!("Both have five in a row, and {} wins as the one who turned.", colour.name())
        }
        Verdict::BothFive => "Both have five in a row: a draw.".to_owned(),
        Verdict::BoardFull => "The board is full and nobody has five in a row: a draw.".to_owned(),
    };
    Outcome::of_two(verdict.winner().map(|colour| colour as usize), text)
}
