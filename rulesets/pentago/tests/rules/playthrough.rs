//! One game to read: `tests/rules/playthrough.txt`. `PENTAD_BLESS=1` rewrites it; read
//! the diff.

use std::fmt::Write;

use pentad_sdk::Ruleset;
use pentago::{Cell, Colour, Pentago, Position};

use crate::support::{parse, rules, text};

/// A fight over the main diagonal; White's last turn brings a rank together.
const MOVES: &str = "b2-1l b5-1l e5-1l e2-1l a3-1l a1-1l c3-2l d4-1l b1-1r d6-4r d1-1l e1-2r a4-1l \
    a5-4l c3-4l d4-4r c4-4l b4-4r b6-1l a6-1r d1-1l e1-1r b3-1l e3-3r d2-2l";
/// A five by turning, answered by another.
const CZECH_ENDING: (&str, &str) = ("w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r d6");

/// The game goes as in the file.
#[test]
fn playthrough_is_as_written() {
    let mut out = String::new();
    write_game(&rules("standard"), "6/6/6/6/6/6 w", MOVES, &mut out);
    write_game(&rules("czech"), CZECH_ENDING.0, CZECH_ENDING.1, &mut out);
    crate::support::compare_or_bless("tests/rules/playthrough.txt", &out);
}

fn write_game(game: &Pentago, start: &str, moves: &str, out: &mut String) {
    let mut position = parse(game, start);
    writeln!(out, "# {} ({})\n", Pentago::INFO.name, game.edition().id()).unwrap();
    draw(game, &position, out);
    for (ply, mv) in moves.split_whitespace().enumerate() {
        let parsed = game.parse_move(&position, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        writeln!(
            out,
            "{}. {} plays {mv}, one of {}\n",
            ply + 1,
            position.side().name(),
            game.count_moves(&position, "")
        )
        .unwrap();
        position = game.play(&position, &parsed);
        draw(game, &position, out);
    }
    let outcome = game.outcome(&position).expect("the game is played to its end");
    writeln!(out, "{}\nscores {:?}, places {:?}\n", outcome.text, outcome.scores, outcome.places).unwrap();
}

fn draw(game: &Pentago, position: &Position, out: &mut String) {
    writeln!(out, "      a b c   d e f").unwrap();
    for row in 0..6 {
        if row == 3 {
            writeln!(out, "      ------+------").unwrap();
        }
        write!(out, "    {}", row + 1).unwrap();
        for column in 0..6 {
            let cell = Cell::all().find(|cell| (cell.row(), cell.column()) == (row, column)).unwrap();
            let at = |colour| position.marbles(colour).contains(cell);
            let letter = if at(Colour::White) {
                'w'
            } else if at(Colour::Black) {
                'b'
            } else {
                '.'
            };
            write!(out, "{} {letter}", if column == 3 { " |" } else { "" }).unwrap();
        }
        writeln!(out).unwrap();
    }
    writeln!(out, "    {}\n", text(game, position)).unwrap();
}
