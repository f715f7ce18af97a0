//! One readable game: `playthrough.txt`. `PENTAD_BLESS=1` rewrites it; read the diff.

use std::fmt::Write;

use pentad_sdk::Ruleset;
use pentaflip::{Cell, Colour, Pentaflip, Position};

use crate::support::{parse, text};

/// A short game that White wins.
const MOVES: &str = "b3 e3 a3 c5 ~R ~T b3 c6 e3 ~2 a3 b4 e3";
/// A flip that brings up five for both.
const DRAWN_ENDING: (&str, &str) = ("3ww1/3bb1/2WB2/2BW2/6/6 wb4/wb4/wb4/6/6/6 w -", "~1");

/// The file agrees with the rules.
#[test]
fn playthrough_is_as_written() {
    let mut out = String::new();
    write_game("A game", &text(&Position::START), MOVES, &mut out);
    write_game("Five for both", DRAWN_ENDING.0, DRAWN_ENDING.1, &mut out);
    crate::support::compare_or_bless("tests/rules/playthrough.txt", &out);
}

fn write_game(name: &str, start: &str, moves: &str, out: &mut String) {
    let mut position = parse(start);
    writeln!(out, "# {}: {name}\n", Pentaflip::INFO.name).unwrap();
    draw(&position, out);
    for (ply, mv) in moves.split_whitespace().enumerate() {
        let parsed = Pentaflip.parse_move(&position, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        let (side, n_moves) = (position.side().name(), Pentaflip.count_moves(&position, ""));
        writeln!(out, "{}. {side} plays {mv}, one of {n_moves}\n", ply + 1).unwrap();
        position = Pentaflip.play(&position, &parsed);
        draw(&position, out);
    }
    let outcome = Pentaflip.outcome(&position).expect("the game is played to its end");
    writeln!(out, "{}\nscores {:?}, places {:?}\n", outcome.text, outcome.scores, outcome.places).unwrap();
}

/// Draws the top, and beside it what is underneath.
fn draw(position: &Position, out: &mut String) {
    writeln!(out, "      a b c   d e f        a b c   d e f").unwrap();
    for row in 0..6 {
        if row == 3 {
            writeln!(out, "      ------+------        ------+------").unwrap();
        }
        let line = [false, true].map(|under| draw_row(position, row, under));
        writeln!(out, "    {}{}    {}{}", row + 1, line[0], row + 1, line[1]).unwrap();
    }
    writeln!(out, "    {}\n", text(position)).unwrap();
}

fn draw_row(position: &Position, row: usize, under: bool) -> String {
    let mut line = String::new();
    for column in 0..6 {
        let cell = Cell::all().find(|cell| (cell.row(), cell.column()) == (row, column)).unwrap();
        let has = |colour: Colour| {
            let rings = position.rings(colour);
            if under { rings.under().contains(cell) } else { rings.top().contains(cell) }
        };
        let letter = match (cell.is_spot(), Colour::ALL.into_iter().find(|&colour| has(colour))) {
            (true, _) if under => ' ',
            (true, _) if position.spots(Colour::White).contains(cell.panel()) => 'W',
            (true, _) => 'B',
            (false, Some(colour)) => colour.letter(),
            (false, None) => '.',
        };
        write!(line, "{} {letter}", if column == 3 { " |" } else { "" }).unwrap();
    }
    line
}
