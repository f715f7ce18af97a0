//! Connect Four: a whole rule set, with its own search, symmetry, drawing and reasons. The
//! board is in `connect_four/board.rs`, its tests are in `connect_four/tests.rs`.
//!
//! It is a library of the kind that `pentad` serves:
//!
//! ```sh
//! cargo build --release -p pentad-sdk --example connect_four
//! pentad check target/release/examples/libconnect_four.so
//! pentad --rulesets bundled --rulesets target/release/examples
//! ```
//!
//! A game of your own would be a crate of type `cdylib` with this file as its source;
//! only `Ruleset` is required, and each other `impl` is a word in the last line.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::notation::{Reader, write_grid};
use pentad_sdk::search::{Game, Searcher};
use pentad_sdk::{
    Block, Board, Control, Evaluation, Info, Layout, Outcome, Piece, PieceShape, Point, PointShape, Reason, ReasonCode,
    Reasons, Refusal, Report, Request, Resources, Ruleset, Scores, Search, Seat, Symmetry, Variant, Wdl,
    code_with_points,
};

#[path = "connect_four/board.rs"]
mod board;

pub use board::Position;
use board::{DIRECTIONS, FILES, NAMES, RANKS, STRIDE, all_cells, bit, cell_names, fours};

const PLAYERS: [&str; 2] = ["Red", "Yellow"];

#[derive(Debug)]
pub struct ConnectFour;

impl Ruleset for ConnectFour {
    type Position = Position;
    type Move = usize;

    const INFO: Info = Info {
        id: "connect-four",
        name: "Connect Four",
        version: env!("CARGO_PKG_VERSION"),
        rules: "Drop a disc into one of seven files in turn. Four in a row, in any direction, wins; a full board is a draw.",
        notation: "A position lists the ranks from the top, `r` and `y` for discs and digits for empty cells: \
                   `7/7/7/7/7/3r3 y`. A move is a file, `a` to `g`.",
    };

    fn variants() -> Vec<Variant> {
        let seats = vec![Seat { id: "r", name: PLAYERS[0], side: 0 }, Seat { id: "y", name: PLAYERS[1], side: 1 }];
        let summary = "Seven files of six cells; four in a row win.";
        vec![Variant { id: "standard", name: "Standard", summary, seats, plies_max: Some(42) }]
    }

    fn new(_variant_idx: usize) -> Self {
        ConnectFour
    }

    fn position_size(&self) -> usize {
        16
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&position.discs[0].to_le_bytes());
        bytes[8..].copy_from_slice(&position.discs[1].to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        let [red, yellow] = bytes.as_chunks().0 else { return None };
        let position = Position { discs: [u64::from_le_bytes(*red), u64::from_le_bytes(*yellow)] };
        position.is_possible().then_some(position)
    }

    fn start(&self) -> Position {
        Position { discs: [0, 0] }
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        let mut reader = Reader::new(text);
        let mut discs = [0, 0];
        reader.grid("board", FILES, RANKS, "ry", |piece, row, file| {
            if let Some(piece) = piece {
                discs[usize::from(piece == 'y')] |= bit(file, RANKS - 1 - row);
            }
            Ok(())
        })?;
        let position = Position { discs };
        if !reader.take(' ') {
            return Err(reader.refuse("side", "a space and the side to move"));
        }
        let side = match reader.rest() {
            "r" => 0,
            "y" => 1,
            _ => return Err(reader.refuse("side", "`r` or `y` at the end")),
        };
        if !position.is_possible() {
            return Err(Refusal::malformed(
                "board",
                1,
                "a disc lies on no other, or the numbers of discs are impossible",
            ));
        }
        if side != position.seat() {
            return Err(Refusal::malformed(
                "side",
                reader.column(),
                format!("it is the turn of {}", PLAYERS[position.seat()]),
            ));
        }
        Ok(position)
    }

    fn format(&self, position: &Position, out: &mut String) {
        let piece = |row: usize, file: usize| {
            let cell = bit(file, RANKS - 1 - row);
            ['r', 'y'].into_iter().zip(position.discs).find(|(_, discs)| discs & cell != 0).map(|(letter, _)| letter)
        };
        write_grid(FILES, RANKS, piece, out);
        out.push_str([" r", " y"][position.seat()]);
    }

    fn to_move(&self, position: &Position) -> usize {
        position.seat()
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let winner = (0..2).find(|&seat| fours(position.discs[seat]) != 0);
        let text = winner.map_or("the board is full".to_owned(), |seat| format!("{} has four in a row", PLAYERS[seat]));
        (winner.is_some() || position.open_files().next().is_none()).then(|| Outcome::of_two(winner, text))
    }

    fn legal_moves(&self, position: &Position, visit: impl FnMut(usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.scores(position).is_some() {
            return ControlFlow::Continue(());
        }
        position.open_files().try_for_each(visit)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<usize, Refusal> {
        let Some(file) = NAMES.iter().position(|name| *name == text) else {
            return Err(Refusal::malformed("move", 1, "expected a file, `a` to `g`"));
        };
        if position.height(file) == RANKS {
            return Err(Refusal::illegal(format!("the file {text} is full")));
        }
        Ok(file)
    }

    fn move_text(&self, _position: &Position, mv: &usize) -> Cow<'static, str> {
        NAMES[*mv].into()
    }

    fn play(&self, position: &Position, mv: &usize) -> Position {
        position.drop_disc(*mv)
    }
}

impl ConnectFour {
    /// Returns the result of a finished game without its text, which a search needs often.
    fn scores(&self, position: &Position) -> Option<Scores> {
        match position.discs.map(|discs| fours(discs) != 0) {
            [true, _] => Some(Scores::pair(0, 1.0)),
            [_, true] => Some(Scores::pair(1, 1.0)),
            _ => position.open_files().next().is_none().then(|| Scores::even(2)),
        }
    }
}

/// The game as the shared searches see it: alpha-beta with proofs, for two sides.
impl Game for ConnectFour {
    type Position = Position;
    type Move = usize;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, position: &Position) -> usize {
        position.seat()
    }

    fn key(&self, position: &Position) -> u64 {
        position.discs[0] ^ position.discs[1].wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        self.scores(position)
    }

    fn moves(&self, position: &Position, out: &mut Vec<usize>) {
        out.extend(position.open_files());
    }

    fn play(&self, position: &Position, mv: &usize) -> Position {
        position.drop_disc(*mv)
    }

    /// Counts three in a row with the fourth cell empty, and discs near the middle.
    fn evaluate(&self, position: &Position) -> i32 {
        let empty = (0..FILES).map(|file| ((1 << RANKS) - 1) << (file * STRIDE)).sum::<u64>() & !position.occupied();
        let value = |discs: u64| {
            let threes = DIRECTIONS.map(|step| {
                let triple = discs & discs >> step & discs >> (2 * step);
                ((triple << (3 * step) | triple >> step) & empty).count_ones() as i32
            });
            let near_middle = (discs >> (2 * STRIDE) & ((1 << (3 * STRIDE)) - 1)).count_ones() as i32;
            60 * threes.iter().sum::<i32>() + 8 * near_middle
        };
        let mine = position.seat();
        value(position.discs[mine]) - value(position.discs[1 - mine])
    }

    fn order(&self, _position: &Position, mv: &usize) -> i32 {
        3 - (*mv as i32 - 3).abs()
    }

    fn winning_move(&self, position: &Position) -> Option<usize> {
        let seat = position.seat();
        let wins = |&file: &usize| fours(position.drop_disc(file).discs[seat]) != 0;
        position.open_files().find(wins)
    }

    fn can_cycle(&self) -> bool {
        false
    }
}

impl Search for ConnectFour {
    type Context = Searcher;

    fn context(&self, _resources: Resources) -> Result<Searcher, Refusal> {
        Ok(Searcher::new())
    }

    fn search(
        &self,
        context: &mut Searcher,
        position: &Position,
        request: &Request<usize>,
        control: &dyn Control<usize>,
    ) -> Report<usize> {
        context.search(self, position, request, control)
    }

    fn evaluate(&self, position: &Position) -> Evaluation {
        match self.scores(position) {
            Some(scores) => Evaluation::terminal(scores, Some(Wdl::of_score(scores[position.seat()]))),
            None => Evaluation::static_estimate(self.evaluate_seats(position)),
        }
    }
}

impl Symmetry for ConnectFour {
    fn n_symmetries(&self) -> usize {
        2
    }

    fn inverse(&self, symmetry: usize) -> usize {
        symmetry
    }

    /// Symmetry 1 swaps left and right.
    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        let mirrored = |discs: u64| {
            (0..FILES).map(|file| (discs >> (file * STRIDE) & 0x7f) << ((FILES - 1 - file) * STRIDE)).sum()
        };
        if symmetry == 0 { *position } else { Position { discs: position.discs.map(mirrored) } }
    }

    fn apply_move(&self, symmetry: usize, _position: &Position, mv: &usize) -> usize {
        if symmetry == 0 { *mv } else { FILES - 1 - mv }
    }
}

/// A move is the name of a file, so each file is a block: a click on any of its cells
/// plays it.
impl Layout for ConnectFour {
    fn board(&self) -> Board {
        let point = |(file, rank): (usize, usize)| Point {
            id: format!("{}{}", NAMES[file], rank + 1),
            x: file as f64 + 0.5,
            y: (RANKS - rank) as f64 - 0.5,
            radius: 0.4,
            shape: PointShape::Hole,
            colour: "#1d3d7d".to_owned(),
        };
        let block = |file: usize| Block {
            id: NAMES[file].to_owned(),
            x: file as f64,
            y: 0.0,
            width: 1.0,
            height: RANKS as f64,
            colour: "#2f5fb5".to_owned(),
            points: (file * RANKS..(file + 1) * RANKS).map(|point| point as u32).collect(),
        };
        let disc = |seat: usize, fill: &str, stroke: &str| Piece {
            id: ["r", "y"][seat].to_owned(),
            name: format!("{} disc", PLAYERS[seat]),
            fill: fill.to_owned(),
            stroke: stroke.to_owned(),
            label: String::new(),
            shape: PieceShape::Disc,
            seat: Some(seat as u32),
        };
        Board {
            width: FILES as f64,
            height: RANKS as f64,
            points: all_cells().map(point).collect(),
            edges: Vec::new(),
            blocks: (0..FILES).map(block).collect(),
            labels: Vec::new(),
            pieces: vec![disc(0, "#d0342c", "#8a1f19"), disc(1, "#f2c230", "#a8841a")],
        }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        for (point, (file, rank)) in all_cells().enumerate() {
            if let Some(seat) = (0..2).find(|&seat| position.discs[seat] & bit(file, rank) != 0) {
                place(point, seat);
            }
        }
    }
}

impl Reasons for ConnectFour {
    const CODES: &'static [ReasonCode] = &[
        code_with_points("wins", "the move makes four in a row"),
        code_with_points("blocks", "the move takes a cell where the opponent would have made four in a row"),
        code_with_points("loses", "the opponent can make four in a row next"),
    ];

    fn explain(&self, position: &Position, report: &Report<usize>, line_idx: usize) -> Vec<Reason> {
        let (mv, seat) = (report.lines[line_idx].moves[0], position.seat());
        let next = position.drop_disc(mv);
        let made = fours(next.discs[seat]);
        if made != 0 {
            return vec![Reason::new("wins", "It makes four in a row.", cell_names(made))];
        }
        let mut reasons = Vec::new();
        let cell = bit(mv, position.height(mv));
        if fours(position.discs[1 - seat] | cell) != 0 {
            let text = format!("It takes a cell that {} needs for four in a row.", PLAYERS[1 - seat]);
            reasons.push(Reason::new("blocks", text, cell_names(cell)));
        }
        if let Some(reply) = self.winning_move(&next) {
            let text = format!("{} wins with {}.", PLAYERS[1 - seat], NAMES[reply]);
            reasons.push(Reason::new("loses", text, cell_names(bit(reply, next.height(reply)))));
        }
        reasons
    }
}

pentad_sdk::export!(ConnectFour: search, symmetry, layout, reasons);

#[cfg(test)]
#[path = "connect_four/tests.rs"]
mod tests;
