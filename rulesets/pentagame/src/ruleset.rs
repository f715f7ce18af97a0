//! Pentagame as the host sees it.

use std::fmt::Write;
use std::ops::ControlFlow;

use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Scores, Variant};

use crate::moves::Move;
use crate::position::{self, Position};
use crate::{Pentagame, help, move_text, notation, sinks, variant};

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
        position.is_over().then(|| outcome(position))
    }

    fn legal_moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        sinks::each_move(position, visit)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Refusal> {
        move_text::parse_move(position, text)
    }

    fn format_move(&self, _position: &Position, mv: &Move, out: &mut String) {
        write!(out, "{mv}").expect("writing to a string cannot fail");
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        position.play_unchecked(*mv)
    }

    fn legal_move_texts(
        &self,
        position: &Position,
        prefix: &str,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        sinks::each_text(position, prefix, visit)
    }

    fn count_moves(&self, position: &Position, prefix: &str) -> u64 {
        sinks::count(position, prefix)
    }
}

/// Expected scores at the end: the winners share one point.
pub(crate) fn final_scores(position: &Position) -> Scores {
    let n_winners = winners(position).count();
    let mut scores = Scores::new(&[0.0; crate::figure::SEATS_MAX][..position.n_seats()]);
    for seat in winners(position) {
        scores.as_mut_slice()[seat] = 1.0 / n_winners as f64;
    }
    scores
}

fn winners(position: &Position) -> impl Iterator<Item = usize> + '_ {
    (0..position.n_seats()).filter(|&seat| position.has_finished(seat))
}

fn outcome(position: &Position) -> Outcome {
    let winners: Vec<usize> = winners(position).collect();
    let places = (0..position.n_seats())
        .map(|seat| if winners.contains(&seat) { 1 } else { winners.len() as u32 + 1 })
        .collect();
    let names: Vec<String> = winners.iter().map(|seat| (seat + 1).to_string()).collect();
    let text = match names.as_slice() {
        [one] => format!("Player {one} has three figures out and wins."),
        [first @ .., last] => {
            format!(
                "Players {} and {last} have three figures out in the same round and share the win.",
                first.join(", ")
            )
        }
        [] => String::new(),
    };
    Outcome { scores: final_scores(position), places, text }
}
