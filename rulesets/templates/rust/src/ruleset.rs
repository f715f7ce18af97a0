//! Names, notation and the errors of texts that do not fit.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::notation::{Reader, write_grid};
use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Seat, Variant};

use crate::Rules;
use crate::position::{CELLS, Position, SIZE};

pub const PLAYERS: [&str; 2] = ["Black", "White"];
/// The letters of the players' stones and turns in positions.
const LETTERS: [char; 2] = ['b', 'w'];

impl Ruleset for Rules {
    type Position = Position;
    /// The cell that a stone is put on.
    type Move = usize;

    const INFO: Info = Info {
        id: "my-game",
        name: "My Game",
        version: env!("CARGO_PKG_VERSION"),
        rules: "Put a stone on an empty cell in turn. Three in a row, in any direction, win; a full board is a draw.",
        notation: "A position lists the ranks from the top, `b` and `w` for stones and digits for runs of empty cells, \
                   then the side to move: `3/1b1/3 w`. A move is a cell: the file, `a` to `c`, and the rank from the top, `b2`.",
    };

    fn variants() -> Vec<Variant> {
        let seats = vec![
            Seat {
                id: "b",
                name: PLAYERS[0],
                side: 0,
            },
            Seat {
                id: "w",
                name: PLAYERS[1],
                side: 1,
            },
        ];
        let summary = "Three in a row on three by three cells.";
        vec![Variant {
            id: "standard",
            name: "Standard",
            summary,
            seats,
            plies_max: Some(CELLS as u32),
        }]
    }

    fn new(_variant_idx: usize) -> Self {
        Rules
    }

    fn position_size(&self) -> usize {
        CELLS + 1
    }

    /// A byte per cell, 0 for an empty one; equal positions have equal bytes.
    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        for (byte, cell) in bytes.iter_mut().zip(position.cells) {
            *byte = cell.map_or(0, |seat| seat + 1);
        }
        bytes[CELLS] = position.to_move;
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        let mut position = Position {
            to_move: bytes[CELLS],
            ..Position::START
        };
        for (cell, &byte) in position.cells.iter_mut().zip(bytes) {
            *cell = byte.checked_sub(1);
        }
        let seats = position
            .cells
            .into_iter()
            .flatten()
            .chain([position.to_move]);
        seats.max().is_some_and(|seat| seat < 2).then_some(position)
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        let mut reader = Reader::new(text);
        let mut position = Position::START;
        reader.grid("board", SIZE, SIZE, "bw", |piece, row, column| {
            position.cells[row * SIZE + column] =
                piece.map(|letter| u8::from(letter == LETTERS[1]));
            Ok(())
        })?;
        if !reader.take(' ') {
            return Err(reader.refuse("side", "a space and the side to move"));
        }
        position.to_move = match reader.rest() {
            "b" => 0,
            "w" => 1,
            _ => return Err(reader.refuse("side", "`b` or `w` at the end")),
        };
        match position.impossible() {
            None => Ok(position),
            Some(reason) => Err(Refusal::malformed("board", 1, reason)),
        }
    }

    fn format(&self, position: &Position, out: &mut String) {
        let piece = |row: usize, column: usize| {
            position.cells[row * SIZE + column].map(|seat| LETTERS[usize::from(seat)])
        };
        write_grid(SIZE, SIZE, piece, out);
        out.push(' ');
        out.push(LETTERS[usize::from(position.to_move)]);
    }

    fn to_move(&self, position: &Position) -> usize {
        usize::from(position.to_move)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let winner = position.winner();
        let text = winner.map_or("the board is full".to_owned(), |seat| {
            format!("{} has three in a row", PLAYERS[seat])
        });
        position.is_over().then(|| Outcome::of_two(winner, text))
    }

    /// In the order of their texts.
    fn legal_moves(
        &self,
        position: &Position,
        visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut moves: Vec<usize> = position.moves().collect();
        moves.sort_unstable_by_key(|&cell| (cell % SIZE, cell / SIZE));
        moves.into_iter().try_for_each(visit)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<usize, Refusal> {
        let mut reader = Reader::new(text);
        let column = reader.letter("move", "a file,", 'a', SIZE as u8)?;
        let row = reader.letter("move", "a rank,", '1', SIZE as u8)?;
        if !reader.rest().is_empty() {
            return Err(reader.refuse("move", "nothing after the cell"));
        }
        let cell = row * SIZE + column;
        match position.cells[cell] {
            None => Ok(cell),
            Some(_) => Err(Refusal::illegal(format!("{text} is not empty"))),
        }
    }

    fn move_text(&self, _position: &Position, cell: &usize) -> Cow<'static, str> {
        cell_name(*cell).into()
    }

    fn play(&self, position: &Position, cell: &usize) -> Position {
        position.play(*cell)
    }
}

/// A cell as moves and the drawing name it.
pub fn cell_name(cell: usize) -> String {
    format!(
        "{}{}",
        char::from(b'a' + (cell % SIZE) as u8),
        cell / SIZE + 1
    )
}
