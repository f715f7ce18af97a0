//! [`Ruleset`]: Pentaflip as the host sees it, with the help texts for players.

use std::ops::ControlFlow;

use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Seat, Variant};

use crate::moves::Move;
use crate::position::{self, Position};
use crate::rules::Verdict;
use crate::{Pentaflip, notation};

impl Ruleset for Pentaflip {
    type Position = Position;
    type Move = Move;

    const INFO: Info = Info {
        id: "pentaflip",
        name: "Pentaflip",
        version: env!("CARGO_PKG_VERSION"),
        rules: RULES_HELP,
        notation: NOTATION_HELP,
    };

    /// Flips can repeat positions for ever, so no game has a maximum length.
    fn variants() -> Vec<Variant> {
        let seats = vec![Seat { id: "w", name: "White", side: 0 }, Seat { id: "b", name: "Black", side: 1 }];
        let summary = "Place a ring or flip a panel or a half of the board; five in a row on top wins.";
        vec![Variant { id: "standard", name: "Standard", summary, seats, plies_max: None }]
    }

    fn new(_variant_idx: usize) -> Self {
        Pentaflip
    }

    fn position_size(&self) -> usize {
        position::ENCODED_BYTES
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
        self.count_legal_moves(position)
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

/// The rules, for players.
const RULES_HELP: &str = "\
Two players, White and Black, 22 rings each, on a board of 6 × 6 cells made of four panels that flip over. The four \
cells in the middle are spots, two of each colour; the other 32 are holes that take a ring on either side.
In turn, either place a ring or flip. A ring goes on top of an empty hole next to (not diagonally) a ring of yours on \
top or a spot of your colour, or on top of any hole that has a ring of yours underneath.
A flip turns over one panel, about its diagonal through the middle of the board, or one half of the board, left, \
right, top or bottom: what was underneath comes up. The flip of the turn before may not be made again at once.
Five or more of your rings and spots in a row on top (in a rank, a file or slanted) win, whoever's turn brought them \
there. Five for both at once is a draw, and so is a board with all 44 rings and no five. Without rings left, or \
without a place for one, you flip.";

/// The notation, for players.
const NOTATION_HELP: &str = "\
Cells are a file `a` to `f` from the left and a rank `1` to `6` from the top: `a1` is top left. Panels are `1` top \
left, `2` top right, `3` bottom left, `4` bottom right; halves are `L`, `R`, `T`, `B`.
A move is a cell, `c2`, or `~` and what is flipped: `~1`, `~L`.
A position is the board on top, the board underneath, the side to move and the flip of the turn before (`-` if there \
was none): `6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -`. A board is the six ranks from the top, separated by `/`, with `w` and \
`b` for rings, `W` and `B` for spots and digits for runs of empty holes. What is underneath is written at the cell it \
is underneath of, as seen from above; the spots count as empty there.
In drawings `c2'` is the hole underneath `c2`.";
