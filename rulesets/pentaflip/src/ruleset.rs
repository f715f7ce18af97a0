//! Pentaflip as the host sees it.

use std::ops::ControlFlow;

use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Seat, Variant};

use crate::Pentaflip;
use crate::moves::Move;
use crate::position::{self, Position};
use crate::rules::Verdict;
use crate::{help, notation};

impl Ruleset for Pentaflip {
    type Position = Position;
    type Move = Move;

    const INFO: Info = Info {
        id: "pentaflip",
        name: "Pentaflip",
        version: env!("CARGO_PKG_VERSION"),
        rules: help::RULES,
        notation: help::NOTATION,
    };

    /// Flips can go round in circles, so no game has a longest length.
    fn variants() -> Vec<Variant> {
        let seats = vec![Seat { id: "w", name: "White", side: 0 }, Seat { id: "b", name: "Black", side: 1 }];
        let summary = "Place a ring or flip a panel or a half of the board; five in a row on top wins.";
        vec![Variant { id: "standard", name: "Standard", summary, seats, plies_max: None }]
    }

    fn new(_variant_idx: usize) -> Self {
        Pentaflip
    }

    fn position_size(&self) -> usize {
        position::SIZE
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        bytes.copy_from_slice(&position::encode(position));
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        position::decode(bytes)
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text)
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
        self.each_move(position, |mv| {
            if mv.text().starts_with(prefix) { visit(mv.text()) } else { ControlFlow::Continue(()) }
        })
    }

    fn n_moves(&self, position: &Position) -> u64 {
        self.count_all(position)
    }
}

fn outcome(verdict: Verdict) -> Outcome {
    let text = match verdict {
        Verdict::Five(colour) => format!("{} has five in a row and wins.", colour.name()),
        Verdict::BothFive => "Both have five in a row: a draw.".to_owned(),
        Verdict::AllPlaced => "All rings are on the board and nobody has five in a row: a draw.".to_owned(),
    };
    Outcome::of_two(verdict.winner().map(|colour| colour as usize), text)
}
