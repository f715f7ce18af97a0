//! Pentago XL as the host sees it.

use std::ops::ControlFlow;

use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Variant};

use crate::PentagoXl;
use crate::board::{Cell, Cells, Colour};
use crate::moves::Move;
use crate::position::{self, Position};
use crate::rules::{Ending, Verdict};
use crate::variant::{self, Aim, Contest};
use crate::{help, notation};

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

    fn variants() -> Vec<Variant> {
        variant::variants()
    }

    fn new(variant_idx: usize) -> Self {
        PentagoXl { contest: Contest::ALL[variant_idx] }
    }

    fn position_size(&self) -> usize {
        position::SIZE
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        bytes.copy_from_slice(&position::encode(position));
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        position::decode(bytes, self.contest)
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text, self.contest)
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
            places: verdict.places[..self.contest.n_seats()].iter().map(|&place| place.into()).collect(),
            text: self.sentence(position, &verdict),
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
        self.each_move_at(position, cells_from(prefix).and(position.empty()), &mut |mv| {
            if mv.text().starts_with(prefix) { visit(mv.text()) } else { ControlFlow::Continue(()) }
        })
    }

    fn n_moves(&self, position: &Position) -> u64 {
        self.count_all(position)
    }
}

/// The cells that a move beginning with `prefix` may place on, and no fewer.
fn cells_from(prefix: &str) -> Cells {
    let cell_part = prefix.get(..2).unwrap_or(prefix);
    Cell::all().filter(|&cell| Move::place(cell).text().starts_with(cell_part)).collect()
}

impl PentagoXl {
    /// How a game ended, for people.
    fn sentence(&self, position: &Position, verdict: &Verdict) -> String {
        match (self.contest.aim(), verdict.ending) {
            (Aim::Places, _) => self.ranking(verdict),
            (_, Ending::BoardFull) => "The board is full and nobody has five in a row: a draw.".to_owned(),
            (Aim::Team, _) => team_sentence(self.fives(position), verdict),
            _ => {
                let winners = self.names(|colour| verdict.places[colour as usize] == 1);
                match winners.as_slice() {
                    [winner] => format!("{winner} has five in a row and wins."),
                    _ => format!("{} have five in a row by the same turn and share the win.", listed(&winners)),
                }
            }
        }
    }

    /// "Yellow is first, Red and Green are second."
    fn ranking(&self, verdict: &Verdict) -> String {
        let of_place = |place: u8| self.names(|colour| verdict.places[colour as usize] == place);
        let parts = (1..=4).map(|place| (place, of_place(place))).filter(|(_, names)| !names.is_empty());
        let parts: Vec<String> = parts
            .map(|(place, names)| {
                let place = ["first", "second", "third", "fourth"][usize::from(place) - 1];
                match names.as_slice() {
                    [name] => format!("{name} is {place}"),
                    _ => format!("{} share the {place} place", listed(&names)),
                }
            })
            .collect();
        format!("{}.", parts.join(", "))
    }

    /// The names of some players, in playing order.
    pub(crate) fn names(&self, filter: impl Fn(Colour) -> bool) -> Vec<&'static str> {
        self.contest.colours().filter(|&colour| filter(colour)).map(Colour::name).collect()
    }
}

fn team_sentence(fives: [bool; 4], verdict: &Verdict) -> String {
    if verdict.places == [1; 4] {
        return "Both teams have five in a row by the same turn: a draw.".to_owned();
    }
    let names: Vec<&str> = Colour::ALL.into_iter().filter(|&colour| fives[colour as usize]).map(Colour::name).collect();
    let team = if verdict.places[0] == 1 { "Red and Green win" } else { "Yellow and Blue win" };
    let have = if names.len() == 1 { "has" } else { "have" };
    format!("{} {have} five in a row: {team}.", listed(&names))
}

/// "Red", "Red and Green", "Red, Green and Blue".
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
